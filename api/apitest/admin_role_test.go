package apitest_test

import (
	"net/http"
	"testing"

	"secondring/market"
)

// A new admin has the role at once, with their current token. After the role is revoked, they
// have their old role.
func TestAdminIsAddedAndRemoved(t *testing.T) {
	e := newEnv(t)
	root, seller := e.admin("Root"), e.seller("Sue")
	brand := e.brand("Nokia")
	seller.addPhone(brand)

	must(t, e.market.MakeAdmin(t.Context(), market.Account{UID: seller.user.UID, Email: seller.user.Email, DisplayName: "Sue"}))
	wantRole(seller, "admin", seller.user.Email, true)
	wantRole(seller, "seller", seller.user.Email, false)
	seller.get("/users/sellers").wantStatus(http.StatusOK)
	seller.do(http.MethodPost, "/products", seller.phoneFields(brand)).wantError(http.StatusForbidden, market.CodeForbidden)
	if items := root.get("/users/sellers").items(); len(items) != 0 {
		t.Errorf("the list of sellers contains an admin: %v", items)
	}
	root.do(http.MethodPut, "/users/seller/"+seller.user.ID, nil).wantError(http.StatusNotFound, market.CodeNotFound)
	root.do(http.MethodDelete, "/users/"+seller.user.ID, nil).wantError(http.StatusForbidden, market.CodeForbidden)

	must(t, e.market.RevokeAdmin(t.Context(), seller.user.Email))
	wantRole(seller, "seller", seller.user.Email, true)
	seller.get("/users/sellers").wantError(http.StatusForbidden, market.CodeForbidden)
	seller.addPhone(brand)
	if items := root.get("/users/sellers").items(); len(items) != 1 {
		t.Errorf("after the revocation the sellers are %v, want one", items)
	}
}
