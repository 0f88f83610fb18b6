package apitest_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"secondring/market"
)

func TestAuditLog(t *testing.T) {
	e := newEnv(t)
	seller, buyer, admin, other := e.seller("Sue"), e.buyer("Bob"), e.admin("Root"), e.admin("Rita")

	t.Run("401, 400, 403 in this order", func(t *testing.T) {
		e.visitor().get("/auditLog?limit=x").wantError(http.StatusUnauthorized, market.CodeNoToken)
		buyer.get("/auditLog?limit=x").wantError(http.StatusBadRequest, market.CodeBadRequest)
		for _, p := range []*person{buyer, seller} {
			p.get("/auditLog").wantError(http.StatusForbidden, market.CodeForbidden)
		}
	})
	t.Run("200 with a new entry, which other admins get as an event", func(t *testing.T) {
		e.runDueWork()
		socket := other.connect(t)
		socket.subscribe(other.get("/auditLog"))
		admin.do(http.MethodPut, "/users/seller/"+seller.user.ID, nil).wantCount("modifiedCount", 1)
		e.runDueWork()
		items := admin.get("/auditLog").items()
		if len(items) != 3 {
			t.Fatalf("the log has the entries %v, want 3", items)
		}
		want := map[string]any{
			"action": "verify-seller", "actor": "Root", "actorId": admin.user.ID, "target": "Sue",
			"targetId": seller.user.ID, "concernId": seller.user.ID, "version": 1.0,
		}
		for name, value := range want {
			if items[0][name] != value {
				t.Errorf("%s is %v, want %v", name, items[0][name], value)
			}
		}
		if items[1]["action"] != "make-admin" || items[1]["actor"] != nil || items[1]["actorId"] != nil {
			t.Errorf("the entry of the operator is %v", items[1])
		}
		added := socket.readEvents(2)[1]
		if diff := cmp.Diff(items[0], added.Data); added.Topic != "admin" || added.Type != market.TypeAuditEntryAdded || diff != "" {
			t.Errorf("the event is %+v\n%s", added, diff)
		}
	})
	t.Run("404 and 405 for changes and deletions of entries", func(t *testing.T) {
		id, _ := admin.get("/auditLog").items()[0]["_id"].(string)
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
			if got := admin.do(method, "/auditLog", fields{}); got.StatusCode != http.StatusMethodNotAllowed {
				t.Errorf("%s /auditLog: status %d, want 405", method, got.StatusCode)
			}
			if got := admin.do(method, "/auditLog/"+id, fields{}); got.StatusCode != http.StatusNotFound {
				t.Errorf("%s /auditLog/{id}: status %d, want 404", method, got.StatusCode)
			}
		}
	})
}
