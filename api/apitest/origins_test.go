package apitest_test

import (
	"net/http"
	"strings"
	"testing"

	"secondring/api/rest"
	"secondring/market"
)

const friend = "https://friend.example"

func TestRequestsOfOtherOrigins(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.config.AllowedOrigins = []string{friend} })
	p := e.account("Ada")
	body := fields{"name": "Ada", "email": p.user.Email, "accountType": "User"}

	t.Run("403 for a write with the cookie from another site", func(t *testing.T) {
		for name, value := range map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"} {
			for _, call := range []string{"POST /users", "POST /identity/sign-out", "PATCH /identity/me", "POST /identity/password"} {
				method, path, _ := strings.Cut(call, " ")
				p.withCookie(method, path, body, header(name, value)).refused(http.StatusForbidden, market.CodeForbidden)
			}
			for _, path := range []string{"/identity/sign-in", "/identity/sign-up"} {
				e.send(http.MethodPost, path, body, header(name, value)).refused(http.StatusForbidden, market.CodeForbidden)
			}
		}
		p.withCookie(http.MethodPost, "/users", body, header("Origin", "null")).refused(http.StatusForbidden, market.CodeForbidden)
		p.withCookie(http.MethodGet, "/identity/me", nil).is(http.StatusOK) // still signed in
	})
	t.Run("415 for the content types of forms", func(t *testing.T) {
		for _, media := range []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
			p.withCookie(http.MethodPost, "/users", body, header("Content-Type", media)).is(http.StatusUnsupportedMediaType)
		}
	})
	t.Run("200 from our own pages, an allowed origin and no browser at all", func(t *testing.T) {
		p.withCookie(http.MethodPost, "/users", body, header("Origin", e.server.URL), header("Sec-Fetch-Site", "same-origin")).id()
		p.withCookie(http.MethodPost, "/users", body, header("Origin", friend)).id()
		p.withCookie(http.MethodPost, "/users", body).id()
	})
	t.Run("403 for an http page with the same host name", func(t *testing.T) {
		safe := newEnv(t, func(s *setup) { s.config.PublicURL = "https://phones.example" })
		for origin, status := range map[string]int{
			"http://phones.example": http.StatusForbidden, "https://phones.example": http.StatusUnauthorized,
			"http://" + strings.TrimPrefix(safe.server.URL, "http://"): http.StatusForbidden,
		} {
			safe.send(http.MethodPost, "/identity/sign-in", fields{"email": "a@b.example", "password": "a guess"}, header("Origin", origin)).is(status)
		}
	})
}

// foreignPages has the headers that identify a page of another site.
func foreignPages(e *env) map[string][]string {
	host := strings.TrimPrefix(e.server.URL, "http://")
	return map[string][]string{
		"Sec-Fetch-Site": {"cross-site"},
		"Origin": {
			"https://evil.example", "null", e.server.URL + ".evil.example", "http://evil-" + host, "http://" + host + "0",
			"http://evil.example@" + host, friend + ".evil.example", "http://friend.example", "file://", "ftp://" + host,
		},
	}
}

// A page of another origin cannot use the cookie. Each route refuses requests with each
// header that identifies such a page.
func TestOtherOriginsCannotUseTheCookie(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.config.AllowedOrigins = []string{friend} })
	seller := e.seller("Sue")
	for _, call := range e.routes() {
		reads := call.Method == http.MethodGet
		for name, values := range foreignPages(e) {
			for _, value := range values {
				got := seller.withCookie(call.Method, path(call.Path, "x"), fields{}, header(name, value))
				switch {
				case call.Access != rest.Anyone, !reads && call.Path != "/live":
					if got.refused(http.StatusForbidden, market.CodeForbidden); got.Header.Get("Access-Control-Allow-Origin") != "" {
						t.Errorf("%s may be read from %s", got.what, value)
					}
				case len(got.Cookies()) != 0 && !strings.HasPrefix(call.Path, "/identity/google"):
					t.Errorf("%s from %s sets %v", got.what, value, got.Cookies())
				}
			}
		}
	}
	seller.withCookie(http.MethodGet, "/identity/me", nil).is(http.StatusOK) // still signed in
}

// Bodies that a page of another origin can send without a preflight are refused if the
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
				refused(http.StatusUnsupportedMediaType, rest.CodeUnsupported)
		}
	}
}

// Requests of another origin with the cookies of all users read and change nothing.
func TestOtherOriginsChangeNothing(t *testing.T) {
	c := newRoleEnv(t)
	phone := c.phoneOf(asSeller)
	before := c.state(t, phone)
	for kind, p := range c.people {
		if p.cookie == "" {
			continue
		}
		for _, call := range c.writesAbout(kind, phone) {
			for name, values := range foreignPages(c.env) {
				got := p.withCookie(call.method, call.path, call.body, header(name, values[0]))
				if got.StatusCode != http.StatusForbidden {
					t.Errorf("%s as %s: %d", got.what, kindNames[kind], got.StatusCode)
				}
			}
			form := p.withCookie(call.method, call.path, call.body, header("Content-Type", "text/plain"), header("Origin", "https://evil.example"))
			if form.StatusCode != http.StatusForbidden {
				t.Errorf("%s as a form of %s: %d", form.what, kindNames[kind], form.StatusCode)
			}
		}
	}
	if after := c.state(t, phone); after != before {
		t.Errorf("the phone was\n%s, and is\n%s", before, after)
	}
}

// write is a call that would succeed for some user.
type write struct {
	method, path string
	body         any
}

// writesAbout returns calls that change a phone's data.
func (c *roleEnv) writesAbout(kind int, phone string) []write {
	return []write{
		{http.MethodPut, "/bookings", c.bookingFieldsOf(kind, phone)},
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
	phone := seller.sells(e.brand("Nokia"))
	seller.advertises(phone).is(http.StatusOK)
	for name, values := range foreignPages(e) {
		got := e.visitor().get("/products/advertised", header(name, values[0])).is(http.StatusOK)
		if got.product(phone)["phone"] != nil {
			t.Errorf("%s: %s", name, got.body)
		}
	}
}

func TestCrossOrigin(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.config.AllowedOrigins = []string{friend} })
	ask := func(origin string) answer {
		return e.send(http.MethodOptions, "/bookings", nil, header("Origin", origin),
			header("Access-Control-Request-Method", "PUT"), header("Access-Control-Request-Headers", "authorization,content-type"))
	}
	t.Run("allowed origins may call with a bearer", func(t *testing.T) {
		h := ask(friend).is(http.StatusNoContent).Header
		if h.Get("Access-Control-Allow-Origin") != friend || !strings.Contains(h.Get("Access-Control-Allow-Methods"), "PUT") ||
			!strings.Contains(h.Get("Access-Control-Allow-Headers"), "Authorization") || !varies(h, "Origin") {
			t.Errorf("got %v", h)
		}
		h = e.visitor().get("/config", header("Origin", friend)).is(http.StatusOK).Header
		if h.Get("Access-Control-Allow-Origin") != friend || !strings.Contains(h.Get("Access-Control-Expose-Headers"), "Live-Position") || !strings.Contains(h.Get("Access-Control-Expose-Headers"), correctedHeader) {
			t.Errorf("got %v", h)
		}
	})
	t.Run("no other origin, and none with the cookie", func(t *testing.T) {
		for _, origin := range []string{"https://evil.example", "null", friend + ".evil.example", "http://friend.example"} {
			for _, got := range []answer{ask(origin), e.visitor().get("/config", header("Origin", origin))} {
				if got.Header.Get("Access-Control-Allow-Origin") != "" || got.Header.Get("Access-Control-Allow-Methods") != "" {
					t.Errorf("%s: %v", origin, got.Header)
				}
			}
		}
		if ask(friend).Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Error("credentials are allowed")
		}
	})
}

// Only pages of the same site get Access-Control-Allow-Credentials, because browsers send
// the cookie there anyway.
func TestCredentialsAcrossOrigins(t *testing.T) {
	for _, c := range []struct {
		public, origin string
		may            bool
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
		t.Run(c.origin+" for "+c.public, func(t *testing.T) {
			e := newEnv(t, func(s *setup) { s.config.PublicURL, s.config.AllowedOrigins = c.public, []string{c.origin} })
			preflight := e.send(http.MethodOptions, "/bookings", nil, header("Origin", c.origin), header("Access-Control-Request-Method", "PUT"))
			call := e.visitor().get("/config", header("Origin", c.origin))
			for _, got := range []answer{preflight, call} {
				h := got.Header
				if h.Get("Access-Control-Allow-Origin") != c.origin || (h.Get("Access-Control-Allow-Credentials") == "true") != c.may || !varies(h, "Origin") {
					t.Errorf("%s: %v", got.what, h)
				}
			}
			if got := e.visitor().get("/config", header("Origin", "https://other.example")); got.Header.Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("another origin: %v", got.Header)
			}
		})
	}
}

// An app on the same site signs users in and uses their cookie.
func TestSignInFromTheSameSite(t *testing.T) {
	const neighbour = "http://127.0.0.1:3000"
	e := newEnv(t, func(s *setup) { s.config.AllowedOrigins = []string{neighbour} })
	p := e.buyer("Bob")
	page := []func(*http.Request){header("Origin", neighbour), header("Sec-Fetch-Site", "same-site")}
	signedUp := e.send(http.MethodPost, "/identity/sign-up", fields{"email": "ann@phones.example", "password": password}, page...).is(http.StatusCreated)
	if len(signedUp.Cookies()) != 2 || signedUp.Header.Get("Access-Control-Allow-Credentials") != "true" {
		t.Errorf("signed up with %v", signedUp.Header)
	}
	p.withCookie(http.MethodGet, "/bookings?email="+p.user.Email, nil, page...).is(http.StatusOK)
}

func TestSecurityHeaders(t *testing.T) {
	e := newEnv(t, func(s *setup) {
		s.config.Settings.ImageHost.URL = "https://images.example/upload"
		s.config.Settings.Stripe.PublishableKey = "pk_test_1"
	})
	for _, path := range []string{"/", "/config", "/bookings", "/nowhere", "/docs", "/assets/app-1a.js"} {
		h := e.visitor().get(path).Header
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Strict-Transport-Security") != "" ||
			!strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: %v", path, h)
		}
	}
	policy := e.visitor().get("/").Header.Get("Content-Security-Policy")
	for _, part := range []string{
		"script-src 'self';", "style-src 'self';", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'",
		"connect-src 'self' ws" + strings.TrimPrefix(e.server.URL, "http") + " https://images.example;",
	} {
		if !strings.Contains(policy, part) {
			t.Errorf("no %q in %s", part, policy)
		}
	}
}

func TestOverHTTPS(t *testing.T) {
	e := newEnv(t, func(s *setup) {
		s.config.PublicURL = "https://phones.example/"
		s.config.Settings.Stripe.PublishableKey = "pk_live_1"
		s.config.Settings.Stripe.Sandbox = false
	})
	h := e.visitor().get("/").Header
	if h.Get("Strict-Transport-Security") == "" {
		t.Error("no Strict-Transport-Security")
	}
	policy := h.Get("Content-Security-Policy")
	for _, part := range []string{"wss://phones.example", "script-src 'self' https://js.stripe.com", "https://api.stripe.com", "frame-src https://js.stripe.com"} {
		if !strings.Contains(policy, part) {
			t.Errorf("no %q in %s", part, policy)
		}
	}
}
