package apitest_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"secondring/market"
)

// appPage is a page of another client than the server's own. Its fetch keeps cookies as a browser does.
type appPage struct {
	t      *testing.T
	client *http.Client
	api    string // the address that its calls go to
	origin string
	site   string // Sec-Fetch-Site of its calls
}

func newAppPage(t *testing.T, api, origin, site string, credentials bool) *appPage {
	client := &http.Client{}
	if credentials {
		jar, err := cookiejar.New(nil)
		must(t, err)
		client.Jar = jar
	}
	return &appPage{t: t, client: client, api: api, origin: origin, site: site}
}

// call makes a call with the bearer token, if there is one.
func (p *appPage) call(method, path string, body any, token string) response {
	p.t.Helper()
	raw, err := json.Marshal(body)
	must(p.t, err)
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.api+path, bytes.NewReader(raw))
	must(p.t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", p.origin)
	r.Header.Set("Sec-Fetch-Site", p.site)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := p.client.Do(r)
	must(p.t, err)
	return response{t: p.t, request: method + " " + path, Response: res, body: readAll(p.t, res.Body)}
}

// signUp signs up as the specification's client does: an account, a user, a token. It returns the
// response to the first call that fails, or else to the one with the token.
func (p *appPage) signUp(email string) response {
	p.t.Helper()
	p.call(http.MethodPost, "/identity/sign-up", fields{"email": email, "password": password, "displayName": "Ann"}, "").wantStatus(http.StatusCreated)
	added := p.call(http.MethodPost, "/users", fields{"name": "Ann", "email": email, "accountType": market.AccountUser}, "")
	if added.StatusCode != http.StatusOK {
		return added
	}
	return p.call(http.MethodGet, "/jwt?email="+url.QueryEscape(email), nil, "")
}

// The two ways that docs/SETTINGS.md names for a client of its own, and what happens otherwise.
func TestClientOfAnotherOrigin(t *testing.T) {
	const neighbour = "http://127.0.0.1:3000"
	wantToken := func(p *appPage) {
		p.t.Helper()
		var got struct{ AccessToken string }
		p.signUp("ann@example.com").wantStatus(http.StatusOK).decode(&got)
		p.call(http.MethodGet, "/bookings?email=ann@example.com", nil, got.AccessToken).wantStatus(http.StatusOK)
	}
	t.Run("one origin by a proxy", func(t *testing.T) {
		e := newEnv(t)
		target, err := url.Parse(e.server.URL)
		must(t, err)
		// The proxy serves the client's files at other paths. It keeps the Host of the request.
		proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host
		}})
		t.Cleanup(proxy.Close)
		wantToken(newAppPage(t, proxy.URL, proxy.URL, "same-origin", true))
	})
	allowed := func(s *setup) { s.config.AllowedOrigins = []string{neighbour} }
	t.Run("ALLOWED_ORIGINS, and calls with credentials", func(t *testing.T) {
		wantToken(newAppPage(t, newEnv(t, allowed).server.URL, neighbour, "same-site", true))
	})
	t.Run("calls without credentials have no session: 401", func(t *testing.T) {
		p := newAppPage(t, newEnv(t, allowed).server.URL, neighbour, "same-site", false)
		p.signUp("ann@example.com").wantError(http.StatusUnauthorized, market.CodeNoToken)
	})
	t.Run("another site may not sign users up: 403", func(t *testing.T) {
		p := newAppPage(t, newEnv(t, allowed).server.URL, neighbour, "cross-site", true)
		p.call(http.MethodPost, "/identity/sign-up", fields{"email": "ann@example.com", "password": password}, "").wantError(http.StatusForbidden, market.CodeForbidden)
	})
	t.Run("an origin that is not in ALLOWED_ORIGINS may not either: 403", func(t *testing.T) {
		p := newAppPage(t, newEnv(t).server.URL, neighbour, "same-site", true)
		p.call(http.MethodPost, "/identity/sign-up", fields{"email": "ann@example.com", "password": password}, "").wantError(http.StatusForbidden, market.CodeForbidden)
	})
}

// Answers have absolute addresses of pictures, so that such a client can show them.
func TestPictureURLsAreAbsolute(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.rules.PublicURL = "https://phones.example" })
	seller, buyer, waiting, admin := e.verified("Sue"), e.buyer("Bob"), e.buyer("Wes"), e.admin("Root")
	brand := e.brand("Nokia")
	const img = "/photos/one-0123456789.jpg"
	add := func() string {
		return seller.do(http.MethodPost, "/products", seller.phoneFields(brand).with("img", "https://phones.example"+img)).insertedID()
	}
	id, free := add(), add()
	seller.do(http.MethodPut, "/products/advertise/"+free, fields{"advertise": true}).wantStatus(http.StatusOK)
	waiting.do(http.MethodPut, "/watches/"+id, nil).wantStatus(http.StatusOK)
	buyer.do(http.MethodPost, "/reportedItems", fields{"productID": id, "reason": "It is not a phone"}).wantStatus(http.StatusOK)
	buyer.withCookie(http.MethodPatch, "/identity/me", fields{"photoURL": e.server.URL + "/photos/bob.jpg"}).wantStatus(http.StatusOK)
	booking := buyer.book(id)
	waiting.do(http.MethodPut, "/products/"+id+"/waitlist", fields{"phone": "0171 000000", "location": "Dhaka"}).wantStatus(http.StatusOK)

	query := func(email string) string { return "?email=" + url.QueryEscape(email) }
	for _, answer := range []response{
		e.visitor().get("/categories", header("Accept", "application/json")), e.visitor().get("/categories/" + brand.ID),
		e.visitor().get("/products/" + id), e.visitor().get("/products/search"), e.visitor().get("/products/advertised"),
		seller.get("/products" + query(seller.user.Email)), buyer.get("/products/" + id), buyer.get("/bookings" + query(buyer.user.Email)),
		buyer.get("/booking/" + booking), waiting.get("/waitlist" + query(waiting.user.Email)), waiting.get("/watches"),
		admin.get("/orders"), admin.get("/reportedItems"),
		seller.withCookie(http.MethodGet, "/identity/data", nil), buyer.withCookie(http.MethodGet, "/identity/data", nil),
	} {
		body := string(answer.wantStatus(http.StatusOK).body)
		if !strings.Contains(body, `"https://phones.example/`) {
			t.Errorf("%s has no absolute picture: %s", answer.request, body)
		}
		for _, relative := range []string{`"img":"/`, `"url":"/`, `"img": "/`, `"url": "/`, `"photoURL":"/`} {
			if strings.Contains(body, relative) {
				t.Errorf("%s contains %s: %s", answer.request, relative, body)
			}
		}
	}
	if stored, err := e.store.Product(t.Context(), id); err != nil || stored.Img != img || stored.Photos[0].URL != img {
		t.Errorf("stored is %s, %+v, %v", stored.Img, stored.Photos, err)
	}
	me := buyer.withCookie(http.MethodGet, "/identity/me", nil).wantStatus(http.StatusOK)
	if !strings.Contains(string(me.body), `"photoURL":"`+e.server.URL+`/photos/bob.jpg"`) {
		t.Errorf("the account is %s", me.body)
	}

	// What came back changes nothing, and raises no version.
	var phone map[string]any
	seller.get("/products/" + free).decode(&phone)
	seller.do(http.MethodPatch, "/products/"+free, fields{"img": phone["img"], "photos": phone["photos"], "version": phone["version"]}).wantCount("modifiedCount", 0)
}
