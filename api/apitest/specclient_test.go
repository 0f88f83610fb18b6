package apitest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"testing"

	"secondring/market"
)

// specClient is the client of section 7 of the specification. It sends its token only if
// the table says bearer, sends form values as strings, and leaves cookies to the browser.
type specClient struct {
	*env
	http         *http.Client
	origin, site string // the origin of its page, and the value of Sec-Fetch-Site
	// accessToken is the value in local storage, null before the first login.
	accessToken string
	email, name string
}

// The table's column "Auth".
const (
	noAuth = false
	bearer = true
)

func (w *env) specClient(origin, site string) *specClient {
	w.t.Helper()
	jar, err := cookiejar.New(nil)
	must(w.t, err)
	return &specClient{env: w, http: &http.Client{Jar: jar}, origin: origin, site: site, accessToken: "null"}
}

// call makes a call of the table as a page's fetch does.
func (c *specClient) call(method, path string, auth bool, payload any) answer {
	c.t.Helper()
	var body io.Reader = http.NoBody
	if payload != nil {
		raw, err := json.Marshal(payload)
		must(c.t, err)
		body = bytes.NewReader(raw)
	}
	return c.fetch(method, path, body, func(h http.Header) {
		if payload != nil {
			h.Set("Content-Type", "application/json")
		}
		if auth {
			h.Set("Authorization", "bearer "+c.accessToken)
		}
	})
}

func (c *specClient) fetch(method, path string, body io.Reader, headers func(http.Header)) answer {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.server.URL+path, body)
	must(c.t, err)
	r.Header.Set("Accept", "*/*")
	r.Header.Set("Sec-Fetch-Site", c.site)
	if method != http.MethodGet || c.site != "same-origin" {
		r.Header.Set("Origin", c.origin)
	}
	headers(r.Header)
	response, err := c.http.Do(r)
	must(c.t, err)
	return answer{t: c.t, what: method + " " + path, Response: response, body: readAll(c.t, response.Body)}
}

// reads fails the test unless the response is a list, and returns it.
func (c *specClient) reads(path string, auth bool) []map[string]any {
	c.t.Helper()
	return c.call(http.MethodGet, path, auth, nil).is(http.StatusOK).items()
}

// of returns a path that ends with the user's email address.
func (c *specClient) of(path string) string { return path + url.QueryEscape(c.email) }

// signsUp makes the calls of the sign-up form: account, profile, user and token.
func (c *specClient) signsUp(name, email, accountType string) {
	c.t.Helper()
	c.name, c.email = name, email
	c.call(http.MethodPost, "/identity/sign-up", noAuth, fields{"email": email, "password": password}).is(http.StatusCreated)
	c.call(http.MethodPatch, "/identity/me", noAuth, fields{"displayName": name}).is(http.StatusOK)
	c.call(http.MethodPost, "/users", noAuth, fields{"name": name, "email": email, "accountType": accountType}).is(http.StatusOK)
	c.storesToken()
}

func (c *specClient) signsIn(email string) {
	c.t.Helper()
	c.call(http.MethodPost, "/identity/sign-in", noAuth, fields{"email": email, "password": password}).is(http.StatusOK)
	c.email = email
	c.storesToken()
}

func (c *specClient) storesToken() {
	c.t.Helper()
	var got struct{ AccessToken string }
	c.call(http.MethodGet, c.of("/jwt?email="), noAuth, nil).is(http.StatusOK).into(&got)
	c.accessToken = got.AccessToken
}

// signsOut removes the token and signs out.
func (c *specClient) signsOut() {
	c.t.Helper()
	c.accessToken = "null"
	c.call(http.MethodPost, "/identity/sign-out", noAuth, nil).is(http.StatusNoContent)
}

// has requests all roles, as the guards do, and fails the test unless the user has exactly
// these.
func (c *specClient) has(roles ...string) {
	c.t.Helper()
	is := map[string]bool{}
	for _, role := range roles {
		is[role] = true
	}
	for role, field := range map[string]string{"admin": "isAdmin", "buyer": "isBuyer", "seller": "isSeller", "verified": "isVerified"} {
		var got map[string]bool
		c.call(http.MethodGet, c.of("/users/"+role+"/"), noAuth, nil).is(http.StatusOK).into(&got)
		if got[field] != is[role] {
			c.t.Errorf("%s: %s is %v", c.name, field, got[field])
		}
	}
}

// uploads sends a photo to the image host with only its key.
func (c *specClient) uploads() string {
	c.t.Helper()
	form, typed := photoForm(c.t)
	r := &http.Request{Header: http.Header{}}
	typed(r)
	var got struct {
		Success bool
		Data    struct{ URL string }
	}
	c.fetch(http.MethodPost, "/images?key=any", bytes.NewReader([]byte(form)), func(h http.Header) {
		h.Set("Content-Type", r.Header.Get("Content-Type"))
	}).is(http.StatusOK).into(&got)
	if !got.Success || got.Data.URL == "" {
		c.t.Errorf("uploaded: %+v", got)
	}
	return got.Data.URL
}

// adds sends the form of a new phone. All values are strings.
func (c *specClient) adds(phone string) {
	c.t.Helper()
	brand := c.reads("/productCategory", noAuth)[0]
	c.call(http.MethodPost, "/products", bearer, fields{
		"name": phone, "brand": brand["name"], "id": brand["_id"], "originalPrice": "350", "resalePrice": "250",
		"productCondition": "Good", "usedTime": "2 years", "description": "Few scratches", "sellerName": c.name, "email": c.email,
		"location": "Dhaka", "phone": "01700000000", "selling_post_date": "2026-11-20", "img": c.uploads(), "verified": false,
	}).is(http.StatusOK).id()
}

// named returns the entity of a list whose field has this value.
func named(tb testing.TB, all []map[string]any, field, value string) map[string]any {
	tb.Helper()
	for _, one := range all {
		if one[field] == value {
			return one
		}
	}
	tb.Fatalf("none of %d has %s %q", len(all), field, value)
	return nil
}

// about returns the prefilled fields of both dialogs of a phone's card.
func (c *specClient) about(p map[string]any) fields {
	return fields{
		"userName": c.name, "email": c.email, "productName": p["name"], "productID": p["_id"], "id": p["id"], "brand": p["brand"], "img": p["img"],
	}
}

func TestClientOfTheSpecification(t *testing.T) {
	t.Run("in a page of the server's own", func(t *testing.T) {
		w := newEnv(t)
		w.runSpecificationClient(t, w.server.URL, "same-origin")
	})
	t.Run("in a page of the same site", func(t *testing.T) {
		const neighbour = "http://127.0.0.1:3000"
		w := newEnv(t, func(s *setup) { s.config.AllowedOrigins = []string{neighbour} })
		w.runSpecificationClient(t, neighbour, "same-site")
	})
}

// runSpecificationClient makes every call of the table, screen by screen.
func (w *env) runSpecificationClient(t *testing.T, origin, site string) {
	t.Helper()
	w.brand("Nokia")
	seller, buyer, admin := w.specClient(origin, site), w.specClient(origin, site), w.specClient(origin, site)
	admin.signsUp("Ada Root", "ada@phones.example", market.AccountUser)
	account, err := w.store.AccountByEmail(t.Context(), admin.email)
	must(t, err)
	must(t, w.market.MakeAdmin(t.Context(), account))
	admin.has("admin")

	w.specClient(origin, site).visits(t)
	seller.signsUp("Sue Seller", "sue@phones.example", market.AccountSeller)
	seller.has("seller")
	for _, phone := range []string{"Nexus 5", "Lumia", "Asha"} {
		seller.adds(phone)
	}
	admin.verifies(t, seller)
	seller.has("seller", "verified")
	seller.advertisesAndDeletes(t)

	buyer.signsUp("Bob Buyer", "bob@phones.example", market.AccountUser)
	buyer.has("buyer")
	buyer.buysAndReports(t)
	if sold := named(t, seller.reads(seller.of("/products?email="), bearer), "name", "Nexus 5"); sold["booked"] != true {
		t.Errorf("my products: %v", sold)
	}
	admin.deletesOwnData(t, buyer, seller)

	admin.signsOut()
	admin.call(http.MethodGet, "/users/buyers", bearer, nil).refused(http.StatusUnauthorized, market.CodeNoToken)
	admin.signsIn(admin.email)
	admin.reads("/users/buyers", bearer)
}

// visits loads the public screens without a token.
func (c *specClient) visits(t *testing.T) {
	t.Helper()
	for _, path := range []string{"/categories", "/allCategories"} {
		if brand := c.reads(path, noAuth)[0]; brand["_id"] == nil || brand["name"] != "Nokia" || brand["img"] == nil {
			t.Errorf("%s: %v", path, brand)
		}
	}
	c.reads("/products/advertised", bearer)
	c.accessToken = "undefined"
	c.reads("/products/advertised", bearer)
}

// verifies makes the calls of All Sellers.
func (c *specClient) verifies(t *testing.T, seller *specClient) {
	t.Helper()
	one := named(t, c.reads("/users/sellers", bearer), "email", seller.email)
	c.call(http.MethodPut, "/users/seller/"+one["_id"].(string), bearer, nil).count("modifiedCount", 1)
	if one = named(t, c.reads("/users/sellers", bearer), "email", seller.email); one["status"] != "verified" {
		t.Errorf("all sellers: %v", one)
	}
}

// advertisesAndDeletes makes the calls of My Products.
func (c *specClient) advertisesAndDeletes(t *testing.T) {
	t.Helper()
	list := c.of("/products?email=")
	own := c.reads(list, bearer)
	c.call(http.MethodPut, "/products/advertise/"+named(t, own, "name", "Nexus 5")["_id"].(string), bearer, nil).count("modifiedCount", 1)
	c.call(http.MethodDelete, "/products/"+named(t, own, "name", "Asha")["_id"].(string), bearer, nil).count("deletedCount", 1)
	own = c.reads(list, bearer)
	if p := named(t, own, "name", "Nexus 5"); len(own) != 2 || p["advertise"] != true || p["resalePrice"] != 250.0 || p["booked"] != false {
		t.Errorf("my products: %v", own)
	}
}

// buysAndReports makes the calls of a buyer, from a card to My Orders and the payment.
func (c *specClient) buysAndReports(t *testing.T) {
	t.Helper()
	shown := named(t, c.reads("/products/advertised", bearer), "name", "Nexus 5")
	cards := c.reads("/categories/"+shown["id"].(string), noAuth)
	card := named(t, cards, "name", "Nexus 5")
	for _, name := range []string{
		"brand", "originalPrice", "resalePrice", "usedTime", "productCondition", "sellerName", "verified", "phone", "location", "selling_post_date", "booked",
	} {
		if card[name] == nil {
			t.Errorf("the card has no %s: %v", name, card)
		}
	}
	order := c.about(card).with("price", 250).with("phone", "01800000000").with("location", "")
	c.call(http.MethodPut, "/bookings", noAuth, order).is(http.StatusOK).id()
	if again := c.call(http.MethodPut, "/bookings", noAuth, order.with("productID", "none")); again.StatusCode == http.StatusOK {
		t.Error("what is not there was booked")
	}
	other := named(t, cards, "name", "Lumia")
	c.call(http.MethodPost, "/reportedItems", noAuth, c.about(other).with("reason", "Stolen")).is(http.StatusOK).id()

	mine := named(t, c.reads(c.of("/bookings?email="), bearer), "productName", "Nexus 5")
	if mine["paid"] != false || mine["price"] != 250.0 || mine["img"] == nil || mine["brand"] != "Nokia" {
		t.Errorf("my orders: %v", mine)
	}
	c.paysFor(t, mine["_id"].(string))
	if mine = named(t, c.reads(c.of("/bookings?email="), bearer), "productName", "Nexus 5"); mine["paid"] != true {
		t.Errorf("my orders: %v", mine)
	}
}

// paysFor makes the calls of the payment screen.
func (c *specClient) paysFor(t *testing.T, id string) {
	t.Helper()
	var booking struct {
		ID    string `json:"_id"`
		Email string
		Price int
	}
	c.call(http.MethodGet, "/booking/"+id, noAuth, nil).is(http.StatusOK).into(&booking)
	var opened struct{ ClientSecret string }
	c.call(http.MethodPost, "/create-payment-intent", bearer, fields{"price": booking.Price}).is(http.StatusOK).into(&opened)
	c.confirm(opened.ClientSecret, "pm_card_visa").is(http.StatusOK)
	c.call(http.MethodPost, "/payments", bearer, fields{
		"price": booking.Price, "transactionId": intentOf(opened.ClientSecret), "email": booking.Email, "bookingId": booking.ID,
	}).is(http.StatusOK).id()
}

// deletesOwnData makes the calls of an admin's other screens.
func (c *specClient) deletesOwnData(t *testing.T, buyer, seller *specClient) {
	t.Helper()
	report := named(t, c.reads("/reportedItems", bearer), "productName", "Lumia")
	if report["userName"] != buyer.name || report["reason"] != "Stolen" || report["img"] == nil {
		t.Errorf("reported items: %v", report)
	}
	c.call(http.MethodDelete, "/reportedItems/"+report["_id"].(string), bearer, nil).count("deletedCount", 1)
	for list, who := range map[string]*specClient{"/users/buyers": buyer, "/users/sellers": seller} {
		one := named(t, c.reads(list, bearer), "email", who.email)
		if one["name"] != who.name {
			t.Errorf("%s: %v", list, one)
		}
		c.call(http.MethodDelete, "/users/"+one["_id"].(string), bearer, nil).count("deletedCount", 1)
	}
	buyer.call(http.MethodGet, buyer.of("/bookings?email="), bearer, nil).refused(http.StatusUnauthorized, market.CodeNoToken)
	seller.call(http.MethodGet, seller.of("/users/seller/"), noAuth, nil).refused(http.StatusUnauthorized, market.CodeNoToken)
}
