package apitest_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"secondring/market"
)

// What people paste from notes, chats and address books is stored as they meant it, whichever call
// takes it.
func TestTypedTextsAreCleanedBeforeTheyAreChecked(t *testing.T) {
	e := newEnv(t)
	brand := e.brand("Nokia")
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	body := seller.phoneFields(brand).with("name", "\ufeffNokia\u00a03310\u200b").with("description", "Few\u00a0scratches\u2028\u2022\u2060 boxed \r\n").
		with("usedTime", "2\u202fyears").with("location", " Dhaka\n").with("phone", "\u202a+৮৮০ 1711\u2011123456\u202c").
		with("email", "Sue <"+seller.user.Email+">,").with("sellerName", "Sue\u200e").with("brand", "\u00adNokia").
		with("selling_post_date", "২০২৬-১১-২০").with("storage", "১২৮").with("colour", " Sky\u00a0\u200bblue ").with("photos", []fields{{"url": " /photos/one.jpg\u200b", "alt": "The\tfront\u2029side"}})
	id := seller.do(http.MethodPost, "/products", body).insertedID()
	got := buyer.get("/products/" + id)
	var phone map[string]any
	got.wantStatus(http.StatusOK).decode(&phone)
	want := map[string]any{
		"name": "Nokia 3310", "description": "Few scratches\n\u2022 boxed", "usedTime": "2 years", "location": "Dhaka",
		"phone": "+880 1711-123456", "selling_post_date": "2026-11-20", "storage": 128.0, "colour": "Sky blue", "img": "/photos/one.jpg",
	}
	for name, value := range want {
		if phone[name] != value {
			t.Errorf("%s is %q, want %q", name, phone[name], value)
		}
	}
	change := fields{"name": "Nokia\u20113310", "phone": "tel:+880-1711\u200b000000", "description": "\u200b", "resalePrice": "€1"}
	seller.do(http.MethodPatch, "/products/"+id, change).wantInvalid("description", "resalePrice")
	seller.do(http.MethodPatch, "/products/"+id, change.with("description", nil).with("resalePrice", "$ ১১০.০০")).wantStatus(http.StatusOK)
	var changed map[string]any
	buyer.get("/products/" + id).decode(&changed)
	if changed["name"] != "Nokia-3310" || changed["phone"] != "+880-1711000000" || changed["resalePrice"] != 110.0 {
		t.Errorf("the changed phone is %v", changed)
	}

	booking := buyer.do(http.MethodPut, "/bookings", fields{"productID": id, "phone": "（０１７）\u200b１２３４５６７", "location": "Sylhet\u2028Sadar", "price": "US$ 110"}).insertedID()
	if b := buyer.getBooking(booking); b["phone"] != "(017)1234567" || b["location"] != "Sylhet Sadar" {
		t.Errorf("the booking is %v", b)
	}
	e.buyer("Rita").do(http.MethodPut, "/products/"+id+"/waitlist", fields{"phone": "٠١٧١١\u00a0١٢٣٤٥٦", "location": "\u3000"}).wantStatus(http.StatusOK)
	buyer.do(http.MethodPost, "/reportedItems", fields{"productID": id, "reason": "Fake\u200b box\u2029No receipt\u00a0"}).insertedID()
	for _, report := range e.admin("Root").get("/reportedItems").items() {
		if report["reason"] != "Fake box\nNo receipt" {
			t.Errorf("the reason is %q", report["reason"])
		}
	}
	root := e.admin("Rona")
	root.do(http.MethodPut, "/texts", fields{"texts": []string{" Sold\u00a0elsewhere\u200b\n"}, "version": 0}).wantCount("modifiedCount", 1)
	if kept := root.get("/texts").object(); fmt.Sprint(kept["texts"]) != "[Sold elsewhere]" {
		t.Errorf("the kept texts are %v", kept)
	}
	saved := buyer.do(http.MethodPost, "/searches", fields{"name": "Cheap\u00a0ones\n", "query": "q=nokia%E2%80%8B&maxPrice=$1,250.00"})
	saved.wantStatus(http.StatusOK)
	for _, search := range buyer.get("/searches").items() {
		if search["name"] != "Cheap ones" || search["query"] != "q=nokia&maxPrice=1250" {
			t.Errorf("the saved search is %v", search)
		}
	}
}

// The carrier's number, and the name of an account.
func TestNumbersAndNamesAreCleaned(t *testing.T) {
	e := newEnv(t)
	person := e.buyer("Bob")
	person.withCookie(http.MethodPatch, "/identity/me", fields{"displayName": "\u2068Bob\u2069\u00a0\u200bLee\ue000"}).wantStatus(http.StatusOK)
	var me map[string]any
	person.withCookie(http.MethodGet, "/identity/me", nil).decode(&me)
	if me["displayName"] != "Bob Lee" {
		t.Errorf("the name is %q", me["displayName"])
	}
}

// A plus that a caller did not escape is a blank in a query.
func TestPlusInEmailParameter(t *testing.T) {
	e := newEnv(t)
	buyer, seller := e.buyer("Bob+phones+old"), e.seller("Sue++shop")
	admin := e.admin("Root+x")
	phone := seller.addPhone(e.brand("Nokia"))
	buyer.book(phone)
	for _, around := range [][2]string{{"", ""}, {" ", " "}, {"mailto:", ""}, {"<", ">"}, {"\u200b", ",\u00a0"}} {
		written := func(p *person) string { return url.PathEscape(around[0] + p.user.Email + around[1]) } // leaves a plus
		buyer.withCookie(http.MethodGet, "/jwt?email="+written(buyer), nil).wantStatus(http.StatusOK)
		buyer.get("/waitlist?email=" + written(buyer)).wantStatus(http.StatusOK)
		for path, who := range map[string]*person{
			"/bookings?email=" + written(buyer): buyer, "/products?email=" + written(seller): seller,
			"/orders?buyer=" + written(buyer) + "&seller=" + written(seller): admin,
		} {
			if items := who.get(path).items(); len(items) != 1 {
				t.Errorf("%s has %d items, want 1", path, len(items))
			}
		}
	}
	buyer.withCookie(http.MethodGet, "/jwt?email=bob+phones", nil).wantError(http.StatusForbidden, market.CodeForbidden)
}

// The filters of a search read prices as forms do.
func TestPricesOfAQuery(t *testing.T) {
	e := newEnv(t)
	seller, brand := e.seller("Sue"), e.brand("Nokia")
	for _, price := range []int{250, 300, 1250} {
		seller.do(http.MethodPost, "/products", seller.phoneFields(brand).with("resalePrice", price)).insertedID()
	}
	for query, want := range map[string]int{
		"maxPrice=300.00": 2, "maxPrice=1.250": 3, "minPrice=1,250": 1, "maxPrice=%24299": 1, "minPrice=US%24+300": 2, "maxPrice=%E0%A7%A8%E0%A7%AB%E0%A7%A6": 1, "minPrice=0": 3, "minPrice=&maxPrice=": 3,
	} {
		if got := len(e.visitor().get("/products/search?" + query).items()); got != want {
			t.Errorf("%s finds %d phones, want %d", query, got, want)
		}
	}
	for _, value := range []string{"250.50", "cheap", "3-4", "-300", "1e3", "%E2%82%AC300"} {
		for _, name := range []string{"minPrice", "maxPrice"} {
			e.visitor().get("/products/search?" + name + "=" + value).wantInvalid(name)
		}
	}
}

// A client that shows only the message of a 422 says what is wrong: the reason of the first field.
func TestMessageIsTheReasonOfTheFirstField(t *testing.T) {
	e := newEnv(t)
	brand := e.brand("Nokia")
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	phone := seller.addPhone(brand)
	body := seller.phoneFields(brand)
	order := []string{"name", "originalPrice", "resalePrice", "description", "phone", "selling_post_date"}
	for i, first := range order {
		wrong := body
		for _, name := range order[i:] {
			wrong = wrong.with(name, nil)
		}
		seller.wantFirst(first, "POST", "/products", wrong)
	}
	for _, c := range []struct {
		who                       *person
		first, method, path, says string
		body                      any
	}{
		{seller, "resalePrice", "POST", "/products", "Resale price must be in whole dollars, without cents", body.with("resalePrice", "250,50").with("location", nil)},
		{seller, "selling_post_date", "POST", "/products", "Date must be from 2000-01-01 to tomorrow", body.with("selling_post_date", "1999-12-31")},
		{buyer, "phone", "PUT", "/bookings", "Phone number is required", fields{"productID": phone, "phone": " "}},
		{buyer, "reason", "POST", "/reportedItems", "Reason is required", fields{"productID": phone, "reason": "\u200b"}},
		{buyer, "name", "POST", "/searches", "Name is required", fields{"name": "", "query": "maxPrice=cheap"}},
		{buyer, "maxPrice", "GET", "/products/search?maxPrice=cheap&sort=other", "Highest price must be a price in whole US dollars, such as 250 or 1,250", nil},
	} {
		if got := c.who.wantFirst(c.first, c.method, c.path, c.body); got != c.says {
			t.Errorf("%s %s: the message is %q, want %q", c.method, c.path, got, c.says)
		}
	}
}

// wantFirst fails the test unless the message is the reason of this field. It returns the message.
func (p *person) wantFirst(first, method, path string, body any) string {
	p.t.Helper()
	for range 5 { // a map has another order each time
		got := p.do(method, path, body).wantError(http.StatusUnprocessableEntity, market.CodeInvalid)
		if got.Fields[first] == "" || got.Message != got.Fields[first] {
			p.t.Errorf("%s %s: the message is %q, the fields are %v, the first is %s", method, path, got.Message, got.Fields, first)
			return got.Message
		}
		if body == nil {
			return got.Message
		}
	}
	return p.do(method, path, body).wantError(http.StatusUnprocessableEntity, market.CodeInvalid).Message
}

// The date of an offer is from 2000 to tomorrow, wherever the seller is.
func TestDateOfAnOffer(t *testing.T) {
	e := newEnv(t)
	seller := e.seller("Sue")
	body := seller.phoneFields(e.brand("Nokia"))
	day := func(now time.Time, days int) string { return now.AddDate(0, 0, days).Format(time.DateOnly) }
	first := e.clock.Now().In(time.FixedZone("UTC+14", 14*60*60))
	last := e.clock.Now().In(time.FixedZone("UTC-12", -12*60*60))
	for _, date := range []string{"2000-01-01", "2007-06-29", "2024-02-29", day(last, 0), day(first, 0), day(first, 1)} {
		seller.do(http.MethodPost, "/products", body.with("selling_post_date", date)).insertedID()
	}
	for _, date := range []string{"0001-01-01", "1970-01-01", "1999-12-31", day(first, 2), "2036-01-01", "9999-12-31"} {
		seller.do(http.MethodPost, "/products", body.with("selling_post_date", date)).wantInvalid("selling_post_date")
	}
}
