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

// specClient is the client of section 7 of the specification. It sends its token only where
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
	withoutToken = false
	withToken    = true
)

func (e *env) specClient(origin, site string) *specClient {
	e.t.Helper()
	jar, err := cookiejar.New(nil)
	must(e.t, err)
	return &specClient{env: e, http: &http.Client{Jar: jar}, origin: origin, site: site, accessToken: "null"}
}

// call sends a request of the table as fetch in a page does.
func (c *specClient) call(method, path string, auth bool, payload any) response {
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

func (c *specClient) fetch(method, path string, body io.Reader, headers func(http.Header)) response {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.server.URL+path, body)
	must(c.t, err)
	r.Header.Set("Accept", "*/*")
	r.Header.Set("Sec-Fetch-Site", c.site)
	if method != http.MethodGet || c.site != "same-origin" {
		r.Header.Set("Origin", c.origin)
	}
	headers(r.Header)
	res, err := c.http.Do(r)
	must(c.t, err)
	return response{t: c.t, request: method + " " + path, Response: res, body: readAll(c.t, res.Body)}
}

// getList fails the test unless the response is a list, and returns it.
func (c *specClient) getList(path string, auth bool) []map[string]any {
	c.t.Helper()
	return c.call(http.MethodGet, path, auth, nil).wantStatus(http.StatusOK).items()
}

// withEmail returns a path that ends with the user's email address.
func (c *specClient) withEmail(path string) string { return path + url.QueryEscape(c.email) }

// signUp sends the requests of the sign-up form: account, profile, user and token.
func (c *specClient) signUp(name, email, accountType string) {
	c.t.Helper()
	c.name, c.email = name, email
	c.call(http.MethodPost, "/identity/sign-up", withoutToken, fields{"email": email, "password": password}).wantStatus(http.StatusCreated)
	c.call(http.MethodPatch, "/identity/me", withoutToken, fields{"displayName": name}).wantStatus(http.StatusOK)
	c.call(http.MethodPost, "/users", withoutToken, fields{"name": name, "email": email, "accountType": accountType}).wantStatus(http.StatusOK)
	c.fetchToken()
}

func (c *specClient) signIn(email string) {
	c.t.Helper()
	c.call(http.MethodPost, "/identity/sign-in", withoutToken, fields{"email": email, "password": password}).wantStatus(http.StatusOK)
	c.email = email
	c.fetchToken()
}

func (c *specClient) fetchToken() {
	c.t.Helper()
	var got struct{ AccessToken string }
	c.call(http.MethodGet, c.withEmail("/jwt?email="), withoutToken, nil).wantStatus(http.StatusOK).decode(&got)
	c.accessToken = got.AccessToken
}

// signOut removes the token and signs out.
func (c *specClient) signOut() {
	c.t.Helper()
	c.accessToken = "null"
	c.call(http.MethodPost, "/identity/sign-out", withoutToken, nil).wantStatus(http.StatusNoContent)
}

// wantRoles requests all roles, as the guards do, and fails the test unless the user has exactly
// these.
func (c *specClient) wantRoles(roles ...string) {
	c.t.Helper()
	is := map[string]bool{}
	for _, role := range roles {
		is[role] = true
	}
	for role, field := range map[string]string{"admin": "isAdmin", "buyer": "isBuyer", "seller": "isSeller", "verified": "isVerified"} {
		var got map[string]bool
		c.call(http.MethodGet, c.withEmail("/users/"+role+"/"), withoutToken, nil).wantStatus(http.StatusOK).decode(&got)
		if got[field] != is[role] {
			c.t.Errorf("%s has %s %v, want %v", c.name, field, got[field], is[role])
		}
	}
}

// uploadPhoto sends a photo to the image host with only its key.
func (c *specClient) uploadPhoto() string {
	c.t.Helper()
	form, contentType := photoForm(c.t)
	r := &http.Request{Header: http.Header{}}
	contentType(r)
	var got struct {
		Success bool
		Data    struct{ URL string }
	}
	c.fetch(http.MethodPost, "/images?key=any", bytes.NewReader([]byte(form)), func(h http.Header) {
		h.Set("Content-Type", r.Header.Get("Content-Type"))
	}).wantStatus(http.StatusOK).decode(&got)
	if !got.Success || got.Data.URL == "" {
		c.t.Errorf("the upload returns %+v", got)
	}
	return got.Data.URL
}

// addProduct sends the form of a new phone. All values are strings.
func (c *specClient) addProduct(phone string) {
	c.t.Helper()
	brand := c.getList("/productCategory", withoutToken)[0]
	c.call(http.MethodPost, "/products", withToken, fields{
		"name": phone, "brand": brand["name"], "id": brand["_id"], "originalPrice": "350", "resalePrice": "250",
		"productCondition": "Good", "usedTime": "2 years", "description": "Few scratches", "sellerName": c.name, "email": c.email,
		"location": "Dhaka", "phone": "01700000000", "selling_post_date": "2026-11-20", "img": c.uploadPhoto(), "verified": false,
	}).wantStatus(http.StatusOK).insertedID()
}

// findBy returns the entity of a list whose field has this value.
func findBy(tb testing.TB, all []map[string]any, field, value string) map[string]any {
	tb.Helper()
	for _, one := range all {
		if one[field] == value {
			return one
		}
	}
	tb.Fatalf("none of %d items has %s %q", len(all), field, value)
	return nil
}

// cardFields returns the prefilled fields of both dialogs of a phone's card.
func (c *specClient) cardFields(p map[string]any) fields {
	return fields{
		"userName": c.name, "email": c.email, "productName": p["name"], "productID": p["_id"], "id": p["id"], "brand": p["brand"], "img": p["img"],
	}
}

func TestClientOfTheSpecification(t *testing.T) {
	t.Run("in a page of the server", func(t *testing.T) {
		e := newEnv(t)
		e.runSpecificationClient(t, e.server.URL, "same-origin")
	})
	t.Run("in a page of the same site", func(t *testing.T) {
		const sameSite = "http://127.0.0.1:3000"
		e := newEnv(t, func(s *setup) { s.config.AllowedOrigins = []string{sameSite} })
		e.runSpecificationClient(t, sameSite, "same-site")
	})
}

// runSpecificationClient sends every request of the table, screen by screen.
func (e *env) runSpecificationClient(t *testing.T, origin, site string) {
	t.Helper()
	e.brand("Nokia")
	seller, buyer, admin := e.specClient(origin, site), e.specClient(origin, site), e.specClient(origin, site)
	admin.signUp("Ada Root", "ada@phones.example", market.AccountUser)
	account, err := e.store.AccountByEmail(t.Context(), admin.email)
	must(t, err)
	must(t, e.market.MakeAdmin(t.Context(), account))
	admin.wantRoles("admin")

	e.specClient(origin, site).openPublicScreens(t)
	seller.signUp("Sue Seller", "sue@phones.example", market.AccountSeller)
	seller.wantRoles("seller")
	for _, phone := range []string{"Nexus 5", "Lumia", "Asha"} {
		seller.addProduct(phone)
	}
	admin.verifySeller(t, seller)
	seller.wantRoles("seller", "verified")
	seller.advertiseAndDelete(t)

	buyer.signUp("Bob Buyer", "bob@phones.example", market.AccountUser)
	buyer.wantRoles("buyer")
	buyer.buyAndReport(t)
	if sold := findBy(t, seller.getList(seller.withEmail("/products?email="), withToken), "name", "Nexus 5"); sold["booked"] != true {
		t.Errorf("My Products has %v, want a booked phone", sold)
	}
	admin.deleteReportAndUsers(t, buyer, seller)

	admin.signOut()
	admin.call(http.MethodGet, "/users/buyers", withToken, nil).wantError(http.StatusUnauthorized, market.CodeNoToken)
	admin.signIn(admin.email)
	admin.getList("/users/buyers", withToken)
}

// openPublicScreens loads the public screens without a token.
func (c *specClient) openPublicScreens(t *testing.T) {
	t.Helper()
	for _, path := range []string{"/categories", "/allCategories"} {
		if brand := c.getList(path, withoutToken)[0]; brand["_id"] == nil || brand["name"] != "Nokia" || brand["img"] == nil {
			t.Errorf("%s: %v", path, brand)
		}
	}
	c.getList("/products/advertised", withToken)
	c.accessToken = "undefined"
	c.getList("/products/advertised", withToken)
}

// verifySeller sends the requests of All Sellers.
func (c *specClient) verifySeller(t *testing.T, seller *specClient) {
	t.Helper()
	item := findBy(t, c.getList("/users/sellers", withToken), "email", seller.email)
	c.call(http.MethodPut, "/users/seller/"+item["_id"].(string), withToken, nil).wantCount("modifiedCount", 1)
	if item = findBy(t, c.getList("/users/sellers", withToken), "email", seller.email); item["status"] != "verified" {
		t.Errorf("All Sellers has %v, want a verified seller", item)
	}
}

// advertiseAndDelete sends the requests of My Products.
func (c *specClient) advertiseAndDelete(t *testing.T) {
	t.Helper()
	list := c.withEmail("/products?email=")
	own := c.getList(list, withToken)
	c.call(http.MethodPut, "/products/advertise/"+findBy(t, own, "name", "Nexus 5")["_id"].(string), withToken, nil).wantCount("modifiedCount", 1)
	c.call(http.MethodDelete, "/products/"+findBy(t, own, "name", "Asha")["_id"].(string), withToken, nil).wantCount("deletedCount", 1)
	own = c.getList(list, withToken)
	if p := findBy(t, own, "name", "Nexus 5"); len(own) != 2 || p["advertise"] != true || p["resalePrice"] != 250.0 || p["booked"] != false {
		t.Errorf("My Products has %v, want two phones, one advertised", own)
	}
}

// buyAndReport sends the requests of a buyer, from a card to My Orders and the payment.
func (c *specClient) buyAndReport(t *testing.T) {
	t.Helper()
	advertised := findBy(t, c.getList("/products/advertised", withToken), "name", "Nexus 5")
	cards := c.getList("/categories/"+advertised["id"].(string), withoutToken)
	card := findBy(t, cards, "name", "Nexus 5")
	for _, name := range []string{
		"brand", "originalPrice", "resalePrice", "usedTime", "productCondition", "sellerName", "verified", "phone", "location", "selling_post_date", "booked",
	} {
		if card[name] == nil {
			t.Errorf("the card has no %s: %v", name, card)
		}
	}
	order := c.cardFields(card).with("price", 250).with("phone", "01800000000").with("location", "")
	c.call(http.MethodPut, "/bookings", withoutToken, order).wantStatus(http.StatusOK).insertedID()
	if again := c.call(http.MethodPut, "/bookings", withoutToken, order.with("productID", "none")); again.StatusCode == http.StatusOK {
		t.Error("the server has booked an unknown phone")
	}
	other := findBy(t, cards, "name", "Lumia")
	c.call(http.MethodPost, "/reportedItems", withoutToken, c.cardFields(other).with("reason", "Stolen")).wantStatus(http.StatusOK).insertedID()

	mine := findBy(t, c.getList(c.withEmail("/bookings?email="), withToken), "productName", "Nexus 5")
	if mine["paid"] != false || mine["price"] != 250.0 || mine["img"] == nil || mine["brand"] != "Nokia" {
		t.Errorf("My Orders has %v", mine)
	}
	c.payFor(t, mine["_id"].(string))
	if mine = findBy(t, c.getList(c.withEmail("/bookings?email="), withToken), "productName", "Nexus 5"); mine["paid"] != true {
		t.Errorf("My Orders has %v", mine)
	}
}

// payFor sends the requests of the payment screen.
func (c *specClient) payFor(t *testing.T, id string) {
	t.Helper()
	var booking struct {
		ID    string `json:"_id"`
		Email string
		Price int
	}
	c.call(http.MethodGet, "/booking/"+id, withoutToken, nil).wantStatus(http.StatusOK).decode(&booking)
	var opened struct{ ClientSecret string }
	c.call(http.MethodPost, "/create-payment-intent", withToken, fields{"price": booking.Price}).wantStatus(http.StatusOK).decode(&opened)
	c.confirm(opened.ClientSecret, "pm_card_visa").wantStatus(http.StatusOK)
	c.call(http.MethodPost, "/payments", withToken, fields{
		"price": booking.Price, "transactionId": intentOf(opened.ClientSecret), "email": booking.Email, "bookingId": booking.ID,
	}).wantStatus(http.StatusOK).insertedID()
}

// deleteReportAndUsers sends the requests of an admin's other screens.
func (c *specClient) deleteReportAndUsers(t *testing.T, buyer, seller *specClient) {
	t.Helper()
	report := findBy(t, c.getList("/reportedItems", withToken), "productName", "Lumia")
	if report["userName"] != buyer.name || report["reason"] != "Stolen" || report["img"] == nil {
		t.Errorf("Reported Items has %v", report)
	}
	c.call(http.MethodDelete, "/reportedItems/"+report["_id"].(string), withToken, nil).wantCount("deletedCount", 1)
	for list, who := range map[string]*specClient{"/users/buyers": buyer, "/users/sellers": seller} {
		item := findBy(t, c.getList(list, withToken), "email", who.email)
		if item["name"] != who.name {
			t.Errorf("%s has the user %v, want the name %s", list, item, who.name)
		}
		c.call(http.MethodDelete, "/users/"+item["_id"].(string), withToken, nil).wantCount("deletedCount", 1)
	}
	buyer.call(http.MethodGet, buyer.withEmail("/bookings?email="), withToken, nil).wantError(http.StatusUnauthorized, market.CodeNoToken)
	seller.call(http.MethodGet, seller.withEmail("/users/seller/"), withoutToken, nil).wantError(http.StatusUnauthorized, market.CodeNoToken)
}
