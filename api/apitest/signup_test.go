package apitest_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"secondring/market"
)

// A new user sends the requests of the client, from the sign-up to the first with a token.
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
	tokenPath := "/jwt?email=" + url.QueryEscape(strings.ToLower(email))
	ada.withCookie(http.MethodGet, tokenPath, nil).wantError(http.StatusForbidden, market.CodeNoUser)
	ada.withCookie(http.MethodPost, "/users", fields{"name": "Ada", "email": email, "accountType": "Seller"}).insertedID()
	e.visitor().get(tokenPath).wantError(http.StatusUnauthorized, market.CodeNoToken)
	ada.withCookie(http.MethodGet, "/jwt?email=eve%40phones.example", nil).wantError(http.StatusForbidden, market.CodeForbidden)

	var token struct{ AccessToken string }
	got = ada.withCookie(http.MethodGet, tokenPath, nil).wantStatus(http.StatusOK)
	got.decode(&token)
	if !strings.Contains(got.Header.Get("Cache-Control"), "no-store") {
		t.Errorf("Cache-Control is %q, want no-store", got.Header.Get("Cache-Control"))
	}
	ada.token = token.AccessToken
	wantRole(ada, "seller", email, true)

	ada.withCookie(http.MethodPost, "/identity/sign-out", nil).wantStatus(http.StatusNoContent)
	ada.get("/users/seller/"+email).wantError(http.StatusUnauthorized, market.CodeNoToken)
}
