package clustertest_test

import (
	"net/http"
	"strings"
	"testing"

	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/nodetest"
	"secondring/market"
)

// A picture is in GridFS. After its takedown on one node the other does not serve it either,
// and the audit log has an entry.
func TestPictureTakenDownOnAnotherNode(t *testing.T) {
	s := nodetest.Settings(t, map[string]string{
		"MONGODB_URI": database(t), "REDIS_URL": "none", "TOKEN_SECRET": strings.Repeat("s", 32), "DEMO": "1",
	})
	first, second := startNode(t, s), startNode(t, s)
	url := uploadPhoto(t, first)
	copied := market.CopyURL(url, 160)
	for _, address := range []string{url, copied} {
		if status := second.status(address); status != http.StatusOK {
			t.Fatalf("%s on the other node: %d, want 200", address, status)
		}
	}
	admin := first.signIn(demo.Logins()[0].Email, demo.Logins()[0].Password)
	var done struct{ DeletedCount int }
	admin.call(http.MethodDelete, url, nil, &done)
	if done.DeletedCount != 1 {
		t.Errorf("%d pictures were deleted, want 1", done.DeletedCount)
	}
	for _, address := range []string{url, copied} {
		if status := second.status(address); status != http.StatusNotFound {
			t.Errorf("%s on the other node after the takedown: %d, want 404", address, status)
		}
	}
	var entries []struct {
		Action string `json:"action"`
		Target string
	}
	admin.call(http.MethodGet, "/auditLog?limit=1", nil, &entries)
	if len(entries) != 1 || entries[0].Action != "remove-picture" || "/images/"+entries[0].Target != url {
		t.Errorf("the audit log is %+v, want remove-picture of %s", entries, url)
	}
	admin.call(http.MethodDelete, url, nil, &done)
	if done.DeletedCount != 0 {
		t.Errorf("%d pictures were deleted the second time, want 0", done.DeletedCount)
	}
}
