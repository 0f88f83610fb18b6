package apitest_test

import (
	"net/http"
	"strings"
	"testing"

	"secondring/api/rest"
)

// The request ID of a trusted proxy is in the response, also of refusals and cached
// responses, and in the log. IDs of other callers and invalid ones are replaced.
func TestRequestIDOfTrustedProxyIsKept(t *testing.T) {
	const id = "0f4c2d8e-1a2b-4c3d:9e8f_7.A"
	e := newEnv(t, trustLoopback)
	for range 3 { // the last response is cached
		for path, status := range map[string]int{"/allCategories": http.StatusOK, "/bookings?email=x": http.StatusUnauthorized, "/nowhere": http.StatusNotFound} {
			got := e.visitor().get(path, header("X-Request-Id", id)).wantStatus(status)
			if got.Header.Get("X-Request-Id") != id {
				t.Errorf("%s: %q", path, got.Header.Get("X-Request-Id"))
			}
		}
	}
	if n := strings.Count(e.log.String(), `"id":"`+id+`"`); n != 9 {
		t.Errorf("%d lines have the id", n)
	}
	for _, bad := range []string{"short", "two words of it", `quoted"0123456`, "über-0123456789", strings.Repeat("x", 73)} {
		if got := e.visitor().get("/allCategories", header("X-Request-Id", bad)).Header.Get("X-Request-Id"); got == bad || got == "" {
			t.Errorf("%q became %q", bad, got)
		}
	}
	open := newEnv(t)
	if got := open.visitor().get("/allCategories", header("X-Request-Id", id)).Header.Get("X-Request-Id"); got == id {
		t.Error("any caller may choose a request ID")
	}
}

// panickingRoute configures components whose errors contain personal data.
func panickingRoute(s *setup) {
	trustLoopback(s)
	s.config.Routes = append(s.config.Routes, rest.Route{
		Method: http.MethodPost, Path: "/panics", ID: "panics", Access: rest.Bearer,
		Handle: func(_ http.ResponseWriter, r *http.Request) error {
			var all map[string]any
			_ = all["x"].(string) // a panic, as a bug would cause
			return nil
		},
	})
}

// The log has no personal data at any level: no password, token, cookie, name, address
// or number.
func TestLogHasNoPersonalData(t *testing.T) {
	e := newEnv(t, panickingRoute)
	const (
		password = "hush-hush-4711"
		phone    = "+880-1999-424242"
		home     = "17 Quiet Lane"
		words    = "between-you-and-me"
	)
	from := header("X-Forwarded-For", "203.0.113.77")
	seller, buyer := e.seller("Selda Private"), e.buyer("Bob Private")
	visitor := e.visitor()
	for _, body := range []map[string]any{
		{"email": buyer.user.Email, "password": password},
		{"email": "not an address " + words, "password": password},
		{"email": buyer.user.Email, "password": 4711, "displayName": words},
	} {
		visitor.do(http.MethodPost, "/identity/sign-in", body, from)
		visitor.do(http.MethodPost, "/identity/sign-up", body, from)
	}
	buyer.do(http.MethodPost, "/identity/password", map[string]any{"current": password, "new": password + "!"}, from)
	booking := map[string]any{"productID": "nothing", "phone": phone, "location": home, "userName": buyer.user.Name, "email": buyer.user.Email}
	for _, p := range []*person{visitor, buyer, seller} {
		p.do(http.MethodPut, "/bookings", booking, from)
		p.do(http.MethodPost, "/reportedItems", map[string]any{"productID": "nothing", "reason": words, "email": buyer.user.Email}, from)
		p.do(http.MethodPost, "/create-payment-intent", map[string]any{"price": words}, from)
		p.do(http.MethodPost, "/payments", map[string]any{"price": 1, "transactionId": words, "email": buyer.user.Email, "bookingId": words}, from)
		p.do(http.MethodPost, "/products", map[string]any{"name": words, "phone": phone, "location": home, "email": seller.user.Email}, from)
		p.get("/users/buyer/"+buyer.user.Email, from)
		p.get("/jwt?email="+buyer.user.Email, from)
		p.get("/"+words+"?token="+buyer.token, from)
		p.get("/categories/x?cursor="+words, from)
		p.get("/live", from, header("Sec-WebSocket-Protocol", "secondring.v1, bearer."+buyer.token))
		p.get("/identity/google?returnTo=/"+words, from)
		p.get("/identity/google/callback?code="+words+"&state="+words, from)
		p.do(http.MethodPost, "/panics", map[string]any{"said": words}, from, header("X-Request-Id", words+" and more"))
	}
	e.visitor().get("/bookings", from, header("Authorization", "Bearer "+buyer.token+words))
	form, contentType := photoForm(t)
	for _, body := range []string{form, strings.ReplaceAll(form, "JFIF", words), words} {
		seller.do(http.MethodPost, "/images?key="+words, body, contentType, from)
	}

	log := e.log.String()
	if !strings.Contains(log, `"panic":`) || !strings.Contains(log, `"network":"203.0.113.0"`) {
		t.Errorf("the log does not have what it should: %s", log)
	}
	for what, secret := range map[string]string{
		"a password": password, "a token": buyer.token, "a seller's token": seller.token, "a cookie": strings.TrimPrefix(buyer.cookie, "sr_session="),
		"an email address": buyer.user.Email, "a seller's": seller.user.Email, "a telephone": phone, "a home": home, "a name": "Private", "an IP address": "203.0.113.77", "somebody's words": words,
	} {
		if at := strings.Index(log, secret); at >= 0 {
			t.Errorf("%s is in the log: %s", what, log[max(0, at-300):min(len(log), at+100)])
		}
	}
}
