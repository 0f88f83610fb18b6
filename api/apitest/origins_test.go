package apitest_test

import (
	"net/http"
	"strings"
	"testing"

	"secondring/api/rest"
	"secondring/market"
)

const allowedOrigin = "https://friend.example"

func TestRequestsOfOtherOrigins(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.config.AllowedOrigins = []string{allowedOrigin} })
	p := e.account("Ada")
	body := fields{"name": "Ada", "email": p.user.Email, "accountType": "User"}

	t.Run("200 from the server's own pages, from an allowed origin and without a browser", func(t *testing.T) {
		p.withCookie(http.MethodPost, "/users", body, header("Origin", e.server.URL), header("Sec-Fetch-Site", "same-origin")).insertedID()
		p.withCookie(http.MethodPost, "/users", body, header("Origin", allowedOrigin)).insertedID()
		p.withCookie(http.MethodPost, "/users", body).insertedID()
	})
	t.Run("403 from an HTTP page with the same host name", func(t *testing.T) {
		e := newEnv(t, func(s *setup) { s.config.PublicURL = "https://phones.example" })
		for origin, status := range map[string]int{
			"http://phones.example": http.StatusForbidden, "https://phones.example": http.StatusUnauthorized,
			"http://" + strings.TrimPrefix(e.server.URL, "http://"): http.StatusForbidden,
		} {
			e.send(http.MethodPost, "/identity/sign-in", fields{"email": "a@b.example", "password": "a guess"}, header("Origin", origin)).wantStatus(status)
		}
	})
}

// otherOriginHeaders returns the headers that identify a page of another site.
func otherOriginHeaders(e *env) map[string][]string {
	host := strings.TrimPrefix(e.server.URL, "http://")
	return map[string][]string{
		"Sec-Fetch-Site": {"cross-site"},
		"Origin": {
			"https://evil.example", "null", e.server.URL + ".evil.example", "http://evil-" + host, "http://" + host + "0",
			"http://evil.example@" + host, allowedOrigin + ".evil.example", "http://friend.example", "file://", "ftp://" + host,
		},
	}
}

// A page of another origin cannot use the cookie: each route refuses requests with any
// header that identifies such a page.
func TestOtherOriginsCannotUseTheCookie(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.config.AllowedOrigins = []string{allowedOrigin} })
	seller := e.seller("Sue")
	for _, call := range e.routes() {
		isRead := call.Method == http.MethodGet
		for name, values := range otherOriginHeaders(e) {
			for _, value := range values {
				got := seller.withCookie(call.Method, path(call.Path, "x"), fields{}, header(name, value))
				switch {
				case call.Access != rest.Anyone, !isRead && call.Path != "/live":
					if got.wantError(http.StatusForbidden, market.CodeForbidden); got.Header.Get("Access-Control-Allow-Origin") != "" {
						t.Errorf("%s from %s has Access-Control-Allow-Origin", got.request, value)
					}
				case len(got.Cookies()) != 0 && !strings.HasPrefix(call.Path, "/identity/google"):
					t.Errorf("%s from %s sets the cookies %v", got.request, value, got.Cookies())
				}
			}
		}
	}
	seller.withCookie(http.MethodGet, "/identity/me", nil).wantStatus(http.StatusOK) // still signed in
}

// Each route refuses bodies that a page of another origin can send without a preflight, if the
// cookie is the credential. This protects users of browsers that send no Origin.
func TestFormsCannotUseTheCookie(t *testing.T) {
	e := newEnv(t)
	seller := e.seller("Sue")
	for _, call := range e.routes() {
		if call.Body == nil || call.Access == rest.Anyone {
			continue
		}
		for _, media := range []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
			seller.withCookie(call.Method, path(call.Path, "x"), fields{}, header("Content-Type", media)).
				wantError(http.StatusUnsupportedMediaType, rest.CodeUnsupported)
		}
	}
}

// Requests of another origin with the cookies of all users read and change nothing.
func TestOtherOriginsChangeNothing(t *testing.T) {
	c := newRoleEnv(t)
	phone := c.phoneOf(asSeller)
	before := c.state(t, phone)
	for role, p := range c.people {
		if p.cookie == "" {
			continue
		}
		for _, call := range c.writesTo(role, phone) {
			for name, values := range otherOriginHeaders(c.env) {
				got := p.withCookie(call.method, call.path, call.body, header(name, values[0]))
				if got.StatusCode != http.StatusForbidden {
					t.Errorf("%s as %s: status %d, want 403", got.request, roleNames[role], got.StatusCode)
				}
			}
			form := p.withCookie(call.method, call.path, call.body, header("Content-Type", "text/plain"), header("Origin", "https://evil.example"))
			if form.StatusCode != http.StatusForbidden {
				t.Errorf("%s as a form of %s: status %d, want 403", form.request, roleNames[role], form.StatusCode)
			}
		}
	}
	if after := c.state(t, phone); after != before {
		t.Errorf("the requests have changed the phone:\nbefore %s\nafter  %s", before, after)
	}
}

// write is a request that changes data. Without the other origin it would succeed for some user.
type write struct {
	method, path string
	body         any
}

// writesTo returns requests that change data about a phone.
func (c *roleEnv) writesTo(role int, phone string) []write {
	return []write{
		{http.MethodPut, "/bookings", c.bookingFieldsOf(role, phone)},
		{http.MethodPatch, "/products/" + phone, fields{"resalePrice": 99}},
		{http.MethodDelete, "/products/" + phone, nil},
		{http.MethodPut, "/products/advertise/" + phone, nil},
		{http.MethodPost, "/products", c.phoneFieldsOf(asSeller)},
		{http.MethodPost, "/reportedItems", fields{"productID": phone, "reason": "Stolen"}},
		{http.MethodPut, "/users/seller/" + c.people[asSeller].user.ID, nil},
		{http.MethodDelete, "/users/" + c.people[asBuyer].user.ID, nil},
	}
}

// A page of another origin may read public data, which does not depend on the cookie.
func TestOtherOriginsReadPublicData(t *testing.T) {
	e := newEnv(t)
	seller := e.verified("Vera")
	phone := seller.addPhone(e.brand("Nokia"))
	seller.advertise(phone).wantStatus(http.StatusOK)
	for name, values := range otherOriginHeaders(e) {
		got := e.visitor().get("/products/advertised", header(name, values[0])).wantStatus(http.StatusOK)
		if got.product(phone)["phone"] != nil {
			t.Errorf("with the header %s the response contains contact data: %s", name, got.body)
		}
	}
}

func TestCrossOrigin(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.config.AllowedOrigins = []string{allowedOrigin} })
	preflight := func(origin string) response {
		return e.send(http.MethodOptions, "/bookings", nil, header("Origin", origin),
			header("Access-Control-Request-Method", "PUT"), header("Access-Control-Request-Headers", "authorization,content-type"))
	}
	t.Run("an allowed origin may send requests with a token", func(t *testing.T) {
		h := preflight(allowedOrigin).wantStatus(http.StatusNoContent).Header
		if h.Get("Access-Control-Allow-Origin") != allowedOrigin || !strings.Contains(h.Get("Access-Control-Allow-Methods"), "PUT") ||
			!strings.Contains(h.Get("Access-Control-Allow-Headers"), "Authorization") || !varies(h, "Origin") {
			t.Errorf("the headers are %v", h)
		}
		h = e.visitor().get("/config", header("Origin", allowedOrigin)).wantStatus(http.StatusOK).Header
		if h.Get("Access-Control-Allow-Origin") != allowedOrigin || !strings.Contains(h.Get("Access-Control-Expose-Headers"), "Live-Position") || !strings.Contains(h.Get("Access-Control-Expose-Headers"), searchedHeader) {
			t.Errorf("the headers are %v", h)
		}
	})
	t.Run("other origins may not, and none may with the cookie", func(t *testing.T) {
		for _, origin := range []string{"https://evil.example", "null", allowedOrigin + ".evil.example", "http://friend.example"} {
			for _, got := range []response{preflight(origin), e.visitor().get("/config", header("Origin", origin))} {
				if got.Header.Get("Access-Control-Allow-Origin") != "" || got.Header.Get("Access-Control-Allow-Methods") != "" {
					t.Errorf("%s from %s has the headers %v", got.request, origin, got.Header)
				}
			}
		}
		if preflight(allowedOrigin).Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Error("an allowed origin gets Access-Control-Allow-Credentials")
		}
	})
}

// Only pages of the same site get Access-Control-Allow-Credentials, because browsers send
// the cookie there anyway.
func TestCredentialsAcrossOrigins(t *testing.T) {
	for _, c := range []struct {
		publicURL, origin string
		credentials       bool
	}{
		{"http://localhost:8080", "http://localhost:3000", true},
		{"http://localhost:8080", "http://127.0.0.1:3000", false},
		{"http://localhost:8080", "https://localhost:3000", false},
		{"http://127.0.0.1:8080", "http://127.0.0.1:3000", true},
		{"https://phones.example", "https://shop.phones.example", true},
		{"https://api.phones.example", "https://www.phones.example:8443", true},
		{"https://phones.example", "http://shop.phones.example", false},
		{"https://phones.example", "https://phones.example.evil.example", false},
		{"https://phones.example", "https://friend.example", false},
		{"https://phones.co.uk", "https://evil.co.uk", false},
		{"https://phones.github.io", "https://evil.github.io", false},
		{"http://192.0.2.1:8080", "http://198.51.2.1:8080", false},
	} {
		t.Run(c.origin+"for "+c.publicURL, func(t *testing.T) {
			e := newEnv(t, func(s *setup) { s.config.PublicURL, s.config.AllowedOrigins = c.publicURL, []string{c.origin} })
			preflightResponse := e.send(http.MethodOptions, "/bookings", nil, header("Origin", c.origin), header("Access-Control-Request-Method", "PUT"))
			call := e.visitor().get("/config", header("Origin", c.origin))
			for _, got := range []response{preflightResponse, call} {
				h := got.Header
				if h.Get("Access-Control-Allow-Origin") != c.origin || (h.Get("Access-Control-Allow-Credentials") == "true") != c.credentials || !varies(h, "Origin") {
					t.Errorf("%s has the headers %v", got.request, h)
				}
			}
			if got := e.visitor().get("/config", header("Origin", "https://other.example")); got.Header.Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("another origin gets Access-Control-Allow-Credentials: %v", got.Header)
			}
		})
	}
}

// An app on the same site signs users in and uses their cookie.
func TestSignInFromTheSameSite(t *testing.T) {
	const sameSite = "http://127.0.0.1:3000"
	e := newEnv(t, func(s *setup) { s.config.AllowedOrigins = []string{sameSite} })
	p := e.buyer("Bob")
	page := []func(*http.Request){header("Origin", sameSite), header("Sec-Fetch-Site", "same-site")}
	signedUp := e.send(http.MethodPost, "/identity/sign-up", fields{"email": "ann@phones.example", "password": password}, page...).wantStatus(http.StatusCreated)
	if len(signedUp.Cookies()) != 2 || signedUp.Header.Get("Access-Control-Allow-Credentials") != "true" {
		t.Errorf("the sign-up has the headers %v, want two cookies and credentials", signedUp.Header)
	}
	p.withCookie(http.MethodGet, "/bookings?email="+p.user.Email, nil, page...).wantStatus(http.StatusOK)
}
