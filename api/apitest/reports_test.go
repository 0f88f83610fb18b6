package apitest_test

import (
	"net/http"
	"strings"
	"testing"

	"secondring/market"
)

func TestReport(t *testing.T) {
	e := newEnv(t)
	brand := e.brand("Nokia")
	seller, buyer, admin := e.seller("Sue"), e.buyer("Bob"), e.admin("Root")
	phone := seller.addPhone(brand)
	body := fields{"productID": phone, "reason": "Not a Nokia", "userName": "Bob", "email": buyer.user.Email}
	report := func(p *person, body any) response { return p.do(http.MethodPost, "/reportedItems", body) }

	t.Run("401, 400, 404, 403, 422 in this order, with acknowledged false", func(t *testing.T) {
		report(e.visitor(), "{").wantError(http.StatusUnauthorized, market.CodeNoToken).wantUnacknowledged(t)
		report(buyer, "{").wantError(http.StatusBadRequest, market.CodeBadRequest).wantUnacknowledged(t)
		report(buyer, fields{"productID": "none", "email": seller.user.Email}).wantError(http.StatusNotFound, market.CodeNotFound).wantUnacknowledged(t)
		report(buyer, fields{"productID": phone, "email": seller.user.Email}).wantError(http.StatusForbidden, market.CodeForbidden).wantUnacknowledged(t)
		report(buyer, fields{"productID": phone}).wantError(http.StatusUnprocessableEntity, market.CodeInvalid).wantUnacknowledged(t)
	})
	t.Run("422 for missing, invalid or wrong fields", func(t *testing.T) {
		report(buyer, body.with("reason", nil)).wantInvalid("reason")
		report(buyer, body.with("reason", strings.Repeat("x", 4001))).wantInvalid("reason")
		report(buyer, body.with("productID", nil)).wantInvalid("productID")
		for name, value := range map[string]any{"productName": "Nexus 6", "brand": "Sony", "id": "x", "userName": "Rita", "reason": 5} {
			report(buyer, body.with(name, value)).wantInvalid(name)
		}
	})
	t.Run("200 for any signed-in user, 409 for a second report", func(t *testing.T) {
		report(buyer, body).insertedID()
		report(buyer, body.with("reason", "Another reason")).wantError(http.StatusConflict, market.CodeReported).wantUnacknowledged(t)
		report(seller, body.with("userName", nil).with("email", nil)).insertedID()
		report(admin, body.with("userName", nil).with("email", nil)).insertedID()
	})
	t.Run("200 for an admin with the fields of the client's table", func(t *testing.T) {
		items := admin.get("/reportedItems").items()
		if len(items) != 3 {
			t.Fatalf("the reports are %v, want 3", items)
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
	e := newEnv(t)
	seller, buyer, admin := e.seller("Sue"), e.buyer("Bob"), e.admin("Root")
	phone := seller.addPhone(e.brand("Nokia"))
	id := buyer.do(http.MethodPost, "/reportedItems", fields{"productID": phone, "reason": "Stolen"}).insertedID()
	remove := func(p *person, id string) response { return p.do(http.MethodDelete, "/reportedItems/"+id, nil) }

	t.Run("list: 401, 400, 403 in this order", func(t *testing.T) {
		e.visitor().get("/reportedItems?limit=x").wantError(http.StatusUnauthorized, market.CodeNoToken).wantUnacknowledged(t)
		buyer.get("/reportedItems?limit=x").wantError(http.StatusBadRequest, market.CodeBadRequest)
		for _, p := range []*person{buyer, seller} {
			p.get("/reportedItems").wantError(http.StatusForbidden, market.CodeForbidden)
		}
	})
	t.Run("delete: 401, 404, 403 in this order", func(t *testing.T) {
		remove(e.visitor(), "none").wantError(http.StatusUnauthorized, market.CodeNoToken).wantUnacknowledged(t)
		remove(buyer, "none").wantError(http.StatusNotFound, market.CodeNotFound).wantUnacknowledged(t)
		remove(buyer, id).wantError(http.StatusForbidden, market.CodeForbidden).wantUnacknowledged(t)
	})
	t.Run("list: 200 with phoneRemoved for a deleted phone", func(t *testing.T) {
		other := seller.addPhone(e.brand("Sony"))
		report := buyer.do(http.MethodPost, "/reportedItems", fields{"productID": other, "reason": "Stolen"}).insertedID()
		seller.do(http.MethodDelete, "/products/"+other, nil).wantStatus(http.StatusOK)
		items := admin.get("/reportedItems").items()
		if len(items) != 2 || items[0]["phoneRemoved"] != true || items[0]["sellerID"] != seller.user.ID || items[1]["phoneRemoved"] != nil {
			t.Errorf("the reports are %v, want the first with phoneRemoved", items)
		}
		remove(admin, report).wantCount("deletedCount", 1)
	})
	t.Run("delete: 200, then 404", func(t *testing.T) {
		remove(admin, id).wantCount("deletedCount", 1)
		remove(admin, id).wantError(http.StatusNotFound, market.CodeNotFound)
		if items := admin.get("/reportedItems").items(); len(items) != 0 {
			t.Errorf("after the deletion the list has %v", items)
		}
	})
}
