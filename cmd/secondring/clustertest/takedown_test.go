package clustertest_test

import (
	"net/http"
	"strings"
	"testing"

	"secondring/cmd/secondring/demo"
	"secondring/market"
)

// The picture is in GridFS. After the takedown no node serves it, and the audit log has
// an entry.
func TestPictureTakenDownOnAnotherNode(t *testing.T) {
	s := settingsFor(t, map[string]string{
		"MONGODB_URI": database(t), "REDIS_URL": "none", "TOKEN_SECRET": strings.Repeat("s", 32), "DEMO": "1",
	})
	one, two := start(t, s), start(t, s)
	url := uploadPhoto(t, one)
	copied := market.CopyURL(url, 160)
	for _, address := range []string{url, copied} {
		if status := two.status(address); status != http.StatusOK {
			t.Fatalf("%s on the other node: %d", address, status)
		}
	}
	admin := one.signIn(demo.Logins()[0].Email, demo.Logins()[0].Password)
	var done struct{ DeletedCount int }
	admin.call(http.MethodDelete, url, nil, &done)
	if done.DeletedCount != 1 {
		t.Errorf("%d pictures were deleted", done.DeletedCount)
	}
	for _, address := range []string{url, copied} {
		if status := two.status(address); status != http.StatusNotFound {
			t.Errorf("%s on the other node: %d", address, status)
		}
	}
	var entries []struct {
		Action string `json:"deed"`
		Target string
	}
	admin.call(http.MethodGet, "/trail?limit=1", nil, &entries)
	if len(entries) != 1 || entries[0].Action != "remove-picture" || "/images/"+entries[0].Target != url {
		t.Errorf("the audit log is %+v", entries)
	}
	admin.call(http.MethodDelete, url, nil, &done)
	if done.DeletedCount != 0 {
		t.Errorf("%d pictures were deleted the second time", done.DeletedCount)
	}
}
