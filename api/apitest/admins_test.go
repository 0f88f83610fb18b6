package apitest_test

import (
	"net/http"
	"testing"

	"secondring/market"
)

// A new admin has the role at once, with their current token. After it is revoked they have
// their old role.
func TestAdminIsAddedAndRemoved(t *testing.T) {
	w := newEnv(t)
	root, seller := w.admin("Root"), w.seller("Sue")
	brand := w.brand("Nokia")
	seller.sells(brand)

	must(t, w.market.MakeAdmin(t.Context(), market.Account{UID: seller.user.UID, Email: seller.user.Email, DisplayName: "Sue"}))
	hasRole(seller, "admin", seller.user.Email, true)
	hasRole(seller, "seller", seller.user.Email, false)
	seller.get("/users/sellers").is(http.StatusOK)
	seller.do(http.MethodPost, "/products", seller.phoneFields(brand)).refused(http.StatusForbidden, market.CodeForbidden)
	if items := root.get("/users/sellers").items(); len(items) != 0 {
		t.Errorf("an admin is in a list: %v", items)
	}
	root.do(http.MethodPut, "/users/seller/"+seller.user.ID, nil).refused(http.StatusNotFound, market.CodeNotFound)
	root.do(http.MethodDelete, "/users/"+seller.user.ID, nil).refused(http.StatusForbidden, market.CodeForbidden)

	must(t, w.market.RevokeAdmin(t.Context(), seller.user.Email))
	hasRole(seller, "seller", seller.user.Email, true)
	seller.get("/users/sellers").refused(http.StatusForbidden, market.CodeForbidden)
	seller.sells(brand)
	if items := root.get("/users/sellers").items(); len(items) != 1 {
		t.Errorf("sellers: %v", items)
	}
}
