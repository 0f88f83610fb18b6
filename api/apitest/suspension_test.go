package apitest_test

import (
	"net/http"
	"net/url"
	"testing"

	"secondring/market"
)

// What a suspended seller may do, one row for each call. The calls of a paid order are in market/suspension_test.go.
func TestSuspendedPersonAtEachCall(t *testing.T) {
	e := newEnv(t)
	seller, other, buyer, admin := e.seller("Sue"), e.seller("Oz"), e.buyer("Bob"), e.admin("Root")
	brand := e.brand("Nokia")
	own, foreign, held := seller.addPhone(brand), other.addPhone(brand), other.addPhone(brand)
	buyer.book(held)
	buyer.do(http.MethodPost, "/reports", fields{"kind": "person", "id": seller.user.ID, "rule": "spam", "reason": "Writes to everybody"}).insertedID()
	c := admin.get("/cases?state=open").items()[0]
	id := c["_id"].(string)
	admin.do(http.MethodPut, "/cases/"+id, fields{"version": c["version"], "decision": "suspend", "days": 7, "rule": "spam", "words": wordsOfDecision}).
		wantCount("modifiedCount", 1)

	for _, call := range []struct {
		method, path string
		body         fields
	}{
		{http.MethodPost, "/products", seller.phoneFields(brand)},
		{http.MethodPatch, "/products/" + own, fields{"resalePrice": 99}},
		{http.MethodPut, "/products/advertise/" + own, nil},
		{http.MethodPut, "/bookings", fields{"productID": foreign, "phone": "01700000", "location": "Dhaka"}},
		{http.MethodPost, "/offers", fields{"productID": foreign, "price": 100, "phone": "01700000"}},
		{http.MethodPost, "/threads", fields{"productID": foreign, "text": "Is it there?"}},
		{http.MethodPost, "/reportedItems", fields{"productID": foreign, "reason": "Stolen"}},
		{http.MethodPost, "/reports", fields{"kind": "product", "id": foreign, "rule": "stolen", "reason": "Stolen"}},
	} {
		seller.do(call.method, call.path, call.body).wantError(http.StatusForbidden, market.CodeSuspended)
	}
	seller.joinWaitlist(held).wantError(http.StatusForbidden, market.CodeSuspended)

	email := url.QueryEscape(seller.user.Email)
	for _, path := range []string{
		"/products?email=" + email, "/products/" + own, "/bookings?email=" + email, "/bookings?side=seller&email=" + email, "/earnings", "/threads",
		"/offers?email=" + email, "/notifications", "/decisions", "/watches", "/searches",
	} {
		seller.get(path).wantStatus(http.StatusOK)
	}
	seller.do(http.MethodPost, "/decisions/"+id+"/appeal", fields{"text": "I did not."}).wantCount("modifiedCount", 1)
}
