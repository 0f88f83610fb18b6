package apitest_test

import (
	"net/http"
	"strings"
	"testing"

	"secondring/api/rest"
)

// A trusted proxy sets the request ID. It is in the response, also of errors and cached
// responses, and in the log. The server replaces IDs of other callers and invalid IDs.
func TestRequestIDOfTrustedProxyIsKept(t *testing.T) {
	const id = "0f4c2d8e-1a2b-4c3d:9e8f_7.A"
	e := newEnv(t, trustLoopback)
	for range 3 { // the last response is cached
		for path, status := range map[string]int{"/allCategories": http.StatusOK, "/bookings?email=x": http.StatusUnauthorized, "/nowhere": http.StatusNotFound} {
			got := e.visitor().get(path, header("X-Request-Id", id)).wantStatus(status)
			if got.Header.Get("X-Request-Id") != id {
				t.Errorf("%s: X-Request-Id is %q", path, got.Header.Get("X-Request-Id"))
			}
		}
	}
	if n := strings.Count(e.log.String(), `"id":"`+id+`"`); n != 9 {
		t.Errorf("%d lines of the log have the ID, want 9", n)
	}
	for _, bad := range []string{"short", "two words of it", `quoted"0123456`, "über-0123456789", strings.Repeat("x", 73)} {
		if got := e.visitor().get("/allCategories", header("X-Request-Id", bad)).Header.Get("X-Request-Id"); got == bad || got == "" {
			t.Errorf("X-Request-Id %q becomes %q, want a new ID", bad, got)
		}
	}
	untrusted := newEnv(t)
	if got := untrusted.visitor().get("/allCategories", header("X-Request-Id", id)).Header.Get("X-Request-Id"); got == id {
		t.Error("a caller that is not a trusted proxy can choose the request ID")
	}
}

// panickingRoute adds a route that panics, as a bug would cause.
func panickingRoute(s *setup) {
	trustLoopback(s)
	s.config.Routes = append(s.config.Routes, rest.Route{
		Method: http.MethodPost, Path: "/panics", ID: "panics", Access: rest.Bearer,
		Handle: func(_ http.ResponseWriter, r *http.Request) error {
			var all map[string]any
			_ = all["x"].(string)
			return nil
		},
	})
}

// The log has no personal data at any level: no password, token, cookie, name, address, number
// or text of a person.
func TestLogHasNoPersonalData(t *testing.T) {
	e := newEnv(t, panickingRoute)
	const (
		password = "secret-password-4711"
		phone    = "+880-1999-424242"
		location = "17 Quiet Lane"
		text     = "text-of-a-person"
	)
	from := header("X-Forwarded-For", "203.0.113.77")
	seller, buyer := e.seller("Selda Private"), e.buyer("Bob Private")
	visitor := e.visitor()
	for _, body := range []map[string]any{
		{"email": buyer.user.Email, "password": password},
		{"email": "not an address " + text, "password": password},
		{"email": buyer.user.Email, "password": 4711, "displayName": text},
	} {
		visitor.do(http.MethodPost, "/identity/sign-in", body, from)
		visitor.do(http.MethodPost, "/identity/sign-up", body, from)
	}
	buyer.do(http.MethodPost, "/identity/password", map[string]any{"current": password, "new": password + "!"}, from)
	booking := map[string]any{"productID": "nothing", "phone": phone, "location": location, "userName": buyer.user.Name, "email": buyer.user.Email}
	for _, p := range []*person{visitor, buyer, seller} {
		p.do(http.MethodPut, "/bookings", booking, from)
		p.do(http.MethodPost, "/reportedItems", map[string]any{"productID": "nothing", "reason": text, "email": buyer.user.Email}, from)
		p.do(http.MethodPost, "/create-payment-intent", map[string]any{"price": text}, from)
		p.do(http.MethodPost, "/payments", map[string]any{"price": 1, "transactionId": text, "email": buyer.user.Email, "bookingId": text}, from)
		p.do(http.MethodPost, "/products", map[string]any{"name": text, "phone": phone, "location": location, "email": seller.user.Email}, from)
		p.get("/users/buyer/"+buyer.user.Email, from)
		p.get("/jwt?email="+buyer.user.Email, from)
		p.get("/"+text+"?token="+buyer.token, from)
		p.get("/categories/x?cursor="+text, from)
		p.get("/live", from, header("Sec-WebSocket-Protocol", "secondring.v1, bearer."+buyer.token))
		p.get("/identity/google?returnTo=/"+text, from)
		p.get("/identity/google/callback?code="+text+"&state="+text, from)
		p.do(http.MethodPost, "/panics", map[string]any{"text": text}, from, header("X-Request-Id", text+" and more"))
	}
	e.visitor().get("/bookings", from, header("Authorization", "Bearer "+buyer.token+text))
	form, contentType := photoForm(t)
	for _, body := range []string{form, strings.ReplaceAll(form, "JFIF", text), text} {
		seller.do(http.MethodPost, "/images?key="+text, body, contentType, from)
	}

	log := e.log.String()
	if !strings.Contains(log, `"panic":`) || !strings.Contains(log, `"network":"203.0.113.0"`) {
		t.Errorf("the log does not have the panic or the shortened address: %s", log)
	}
	for what, secret := range map[string]string{
		"a password": password, "a token": buyer.token, "a seller's token": seller.token, "a cookie": buyer.cookie,
		"an email address": buyer.user.Email, "a seller's email address": seller.user.Email, "a phone number": phone, "a location": location, "a name": "Private", "an IP address": "203.0.113.77", "a person's text": text,
	} {
		if at := strings.Index(log, secret); at >= 0 {
			t.Errorf("the log contains %s: %s", what, log[max(0, at-300):min(len(log), at+100)])
		}
	}
}
