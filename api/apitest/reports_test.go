package apitest_test

import (
	"net/http"
	"strings"
	"testing"

	"secondring/market"
)

func TestReport(t *testing.T) {
	w := newEnv(t)
	brand := w.brand("Nokia")
	seller, buyer, admin := w.seller("Sue"), w.buyer("Bob"), w.admin("Root")
	phone := seller.sells(brand)
	body := fields{"productID": phone, "reason": "Not a Nokia", "userName": "Bob", "email": buyer.user.Email}
	report := func(p *person, body any) answer { return p.do(http.MethodPost, "/reportedItems", body) }

	t.Run("401, 400, 404, 403, 422 in this order, none acknowledged", func(t *testing.T) {
		report(w.visitor(), "{").refused(http.StatusUnauthorized, market.CodeNoToken).unacknowledged(t)
		report(buyer, "{").refused(http.StatusBadRequest, market.CodeBadRequest).unacknowledged(t)
		report(buyer, fields{"productID": "none", "email": seller.user.Email}).refused(http.StatusNotFound, market.CodeNotFound).unacknowledged(t)
		report(buyer, fields{"productID": phone, "email": seller.user.Email}).refused(http.StatusForbidden, market.CodeForbidden).unacknowledged(t)
		report(buyer, fields{"productID": phone}).refused(http.StatusUnprocessableEntity, market.CodeInvalid).unacknowledged(t)
	})
	t.Run("422 for missing, invalid or untrue fields", func(t *testing.T) {
		report(buyer, body.with("reason", nil)).invalid("reason")
		report(buyer, body.with("reason", strings.Repeat("x", 4001))).invalid("reason")
		report(buyer, body.with("productID", nil)).invalid("productID")
		for name, value := range map[string]any{"productName": "Nexus 6", "brand": "Sony", "id": "x", "userName": "Rita", "reason": 5} {
			report(buyer, body.with(name, value)).invalid(name)
		}
	})
	t.Run("200 for anyone signed in, once", func(t *testing.T) {
		report(buyer, body).id()
		report(buyer, body.with("reason", "Once more")).refused(http.StatusConflict, market.CodeReported).unacknowledged(t)
		report(seller, body.with("userName", nil).with("email", nil)).id()
		report(admin, body.with("userName", nil).with("email", nil)).id()
	})
	t.Run("200 for an admin with all that the table shows", func(t *testing.T) {
		items := admin.get("/reportedItems").items()
		if len(items) != 3 {
			t.Fatalf("got %v", items)
		}
		for name, want := range map[string]any{
			"productID": phone, "productName": "Nexus 5", "brand": "Nokia", "id": brand.ID, "img": "/photos/one.jpg",
			"userName": "Bob", "email": buyer.user.Email, "reason": "Not a Nokia",
			"sellerID": seller.user.ID,
		} {
			if items[2][name] != want {
				t.Errorf("%s is %v, want %v", name, items[2][name], want)
			}
		}
	})
}

func TestReadReports(t *testing.T) {
	w := newEnv(t)
	seller, buyer, admin := w.seller("Sue"), w.buyer("Bob"), w.admin("Root")
	phone := seller.sells(w.brand("Nokia"))
	id := buyer.do(http.MethodPost, "/reportedItems", fields{"productID": phone, "reason": "Stolen"}).id()
	remove := func(p *person, id string) answer { return p.do(http.MethodDelete, "/reportedItems/"+id, nil) }

	t.Run("list: 401, 400, 403 in this order", func(t *testing.T) {
		w.visitor().get("/reportedItems?limit=x").refused(http.StatusUnauthorized, market.CodeNoToken).unacknowledged(t)
		buyer.get("/reportedItems?limit=x").refused(http.StatusBadRequest, market.CodeBadRequest)
		for _, p := range []*person{buyer, seller} {
			p.get("/reportedItems").refused(http.StatusForbidden, market.CodeForbidden)
		}
	})
	t.Run("delete: 401, 404, 403 in this order", func(t *testing.T) {
		remove(w.visitor(), "none").refused(http.StatusUnauthorized, market.CodeNoToken).unacknowledged(t)
		remove(buyer, "none").refused(http.StatusNotFound, market.CodeNotFound).unacknowledged(t)
		remove(buyer, id).refused(http.StatusForbidden, market.CodeForbidden).unacknowledged(t)
	})
	t.Run("list: 200 with the removal of the phone", func(t *testing.T) {
		other := seller.sells(w.brand("Sony"))
		report := buyer.do(http.MethodPost, "/reportedItems", fields{"productID": other, "reason": "Stolen"}).id()
		seller.do(http.MethodDelete, "/products/"+other, nil).is(http.StatusOK)
		items := admin.get("/reportedItems").items()
		if len(items) != 2 || items[0]["phoneRemoved"] != true || items[0]["sellerID"] != seller.user.ID || items[1]["phoneRemoved"] != nil {
			t.Errorf("got %v", items)
		}
		remove(admin, report).count("deletedCount", 1)
	})
	t.Run("delete: 200 once", func(t *testing.T) {
		remove(admin, id).count("deletedCount", 1)
		remove(admin, id).refused(http.StatusNotFound, market.CodeNotFound)
		if items := admin.get("/reportedItems").items(); len(items) != 0 {
			t.Errorf("still there: %v", items)
		}
	})
}
