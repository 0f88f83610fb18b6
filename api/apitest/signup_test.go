package apitest_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"secondring/market"
)

// A first visit up to the first call with a bearer token, with the client's calls.
func TestSignUpToFirstCall(t *testing.T) {
	e := newEnv(t)
	const email = "Ada@Phones.example"
	signUp := fields{"email": email, "password": "secret-1", "displayName": "Ada"}
	got := e.send(http.MethodPost, "/identity/sign-up", signUp, header("Origin", e.server.URL), header("Sec-Fetch-Site", "same-origin")).wantStatus(http.StatusCreated)
	if strings.Contains(string(got.body), "secret-1") || strings.Contains(string(got.body), "argon2") {
		t.Errorf("the password is in the response: %s", got.body)
	}
	ada := &person{env: e}
	for _, c := range got.Cookies() {
		if c.Name == sessionCookie {
			ada.cookie = c.Value
		}
	}
	token := "/jwt?email=" + url.QueryEscape(strings.ToLower(email))
	ada.withCookie(http.MethodGet, token, nil).wantError(http.StatusForbidden, market.CodeNoUser)
	ada.withCookie(http.MethodPost, "/users", fields{"name": "Ada", "email": email, "accountType": "Seller"}).insertedID()
	e.visitor().get(token).wantError(http.StatusUnauthorized, market.CodeNoToken)
	ada.withCookie(http.MethodGet, "/jwt?email=eve%40phones.example", nil).wantError(http.StatusForbidden, market.CodeForbidden)

	var response struct{ AccessToken string }
	kept := ada.withCookie(http.MethodGet, token, nil).wantStatus(http.StatusOK)
	kept.decode(&response)
	if !strings.Contains(kept.Header.Get("Cache-Control"), "no-store") {
		t.Errorf("a token may be kept: %v", kept.Header)
	}
	ada.token = response.AccessToken
	wantRole(ada, "seller", email, true)

	ada.withCookie(http.MethodPost, "/identity/sign-out", nil).wantStatus(http.StatusNoContent)
	ada.get("/users/seller/"+email).wantError(http.StatusUnauthorized, market.CodeNoToken)
}
