package apitest_test

import (
	"net/http"
	"testing"

	"secondring/market"
)

func (p *person) advertise(id string) response {
	p.t.Helper()
	return p.do(http.MethodPut, "/products/advertise/"+id, nil)
}

func TestAdvertise(t *testing.T) {
	e := newEnv(t)
	brand := e.brand("Nokia")
	verified, seller, buyer := e.verified("Vera"), e.seller("Sue"), e.buyer("Bob")
	phone, unverified := verified.addPhone(brand), seller.addPhone(brand)

	t.Run("401, 404, 403 in this order", func(t *testing.T) {
		e.visitor().advertise("none").wantError(http.StatusUnauthorized, market.CodeNoToken)
		buyer.advertise("none").wantError(http.StatusNotFound, market.CodeNotFound)
		buyer.advertise(phone).wantError(http.StatusForbidden, market.CodeForbidden)
		seller.advertise(phone).wantError(http.StatusForbidden, market.CodeForbidden)
		e.admin("Root").advertise(phone).wantError(http.StatusForbidden, market.CodeForbidden)
	})
	t.Run("403 for a seller who is not verified, with the reason", func(t *testing.T) {
		got := seller.advertise(unverified).wantError(http.StatusForbidden, market.CodeNotVerified)
		if got.Message != "Get verified by an admin to advertise" {
			t.Errorf("message %q", got.Message)
		}
	})
	t.Run("200, and again without a change", func(t *testing.T) {
		verified.advertise(phone).wantCount("modifiedCount", 1)
		verified.advertise(phone).wantCount("modifiedCount", 0)
		if e.visitor().get("/products/advertised").product(phone) == nil {
			t.Error("the advertised phone is not in the list")
		}
	})
	t.Run("409 for a booked phone, which leaves the list", func(t *testing.T) {
		booking := buyer.book(phone)
		verified.advertise(phone).wantError(http.StatusConflict, market.CodeHeld)
		if len(e.visitor().get("/products/advertised").items()) != 0 {
			t.Error("the list contains a booked phone")
		}
		buyer.cancel(booking).wantStatus(http.StatusOK)
		if e.visitor().get("/products/advertised").product(phone) == nil {
			t.Error("after the cancellation the phone is not in the list")
		}
	})
}

func TestStopAdvertising(t *testing.T) {
	e := newEnv(t)
	seller, other := e.verified("Vera"), e.verified("Rina")
	phone := seller.addPhone(e.brand("Nokia"))
	stop := func(p *person, id string) response { return p.do(http.MethodDelete, "/products/advertise/"+id, nil) }

	t.Run("401, 404, 403 in this order", func(t *testing.T) {
		stop(e.visitor(), "none").wantError(http.StatusUnauthorized, market.CodeNoToken)
		stop(other, "none").wantError(http.StatusNotFound, market.CodeNotFound)
		stop(other, phone).wantError(http.StatusForbidden, market.CodeForbidden)
	})
	t.Run("200 without a change if the phone is not advertised", func(t *testing.T) {
		stop(seller, phone).wantCount("modifiedCount", 0)
	})
	t.Run("200 removes the phone from the advertised ones, and it stays for sale", func(t *testing.T) {
		seller.advertise(phone).wantStatus(http.StatusOK)
		stop(seller, phone).wantCount("modifiedCount", 1)
		if len(e.visitor().get("/products/advertised").items()) != 0 {
			t.Error("the phone is still advertised")
		}
		var now market.ProductView
		e.visitor().get("/products/" + phone).wantStatus(http.StatusOK).decode(&now)
		if now.Advertise {
			t.Errorf("the phone has advertise true: %+v", now)
		}
		seller.advertise(phone).wantCount("modifiedCount", 1)
	})
}

func TestAdvertiseSetting(t *testing.T) {
	set := func(to string) func(*setup) { return func(s *setup) { s.rules.Advertise = to } }
	t.Run("200 for any seller with the setting all", func(t *testing.T) {
		e := newEnv(t, set(market.AdvertiseAll))
		seller := e.seller("Sue")
		seller.advertise(seller.addPhone(e.brand("Nokia"))).wantCount("modifiedCount", 1)
	})
	t.Run("403 for all users with the setting off", func(t *testing.T) {
		e := newEnv(t, set(market.AdvertiseOff))
		seller := e.verified("Vera")
		seller.advertise(seller.addPhone(e.brand("Nokia"))).wantError(http.StatusForbidden, market.CodeForbidden)
	})
}

func TestAdvertised(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.verified("Vera"), e.buyer("Bob")
	visitor := e.visitor()
	const path = "/products/advertised"

	t.Run("200 empty with different ETags for visitors and others", func(t *testing.T) {
		if a, b := visitor.get(path).Header.Get("ETag"), buyer.get(path).Header.Get("ETag"); a == b || a == "" || b == "" {
			t.Errorf("ETags %q and %q", a, b)
		}
	})
	phone := seller.addPhone(e.brand("Nokia"))
	seller.advertise(phone).wantStatus(http.StatusOK)

	t.Run("200 for a visitor without the seller's contact data", func(t *testing.T) {
		p := visitor.get(path).product(phone)
		wantNoContactData(t, p, "Nexus 5")
		if p["sellerName"] != "Vera" || p["resalePrice"] != 120.0 {
			t.Errorf("the phone is %v", p)
		}
	})
	t.Run("200 with a token with the seller's contact data", func(t *testing.T) {
		if p := buyer.get(path).product(phone); p["phone"] != "+880 1700 000000" || p["email"] != seller.user.Email || p["location"] != "Dhaka" {
			t.Errorf("got %v", p)
		}
	})
	t.Run("200 with the cookie as with a token, and with an invalid cookie as for a visitor", func(t *testing.T) {
		for range 2 { // the second response is cached
			got := buyer.withCookie(http.MethodGet, path, nil)
			if got.product(phone)["phone"] != "+880 1700 000000" || got.Header.Get("ETag") != buyer.get(path).Header.Get("ETag") {
				t.Errorf("got %s", got.body)
			}
			if got.Header.Get("Cache-Control") != "private, no-cache" {
				t.Errorf("with the cookie Cache-Control is %q", got.Header.Get("Cache-Control"))
			}
			want := visitor.get(path)
			for _, p := range []*person{{env: e, cookie: "unknown"}, e.account("Nora")} {
				if got := p.withCookie(http.MethodGet, path, nil); got.Header.Get("ETag") != want.Header.Get("ETag") || got.product(phone)["phone"] != nil {
					t.Errorf("got %s", got.body)
				}
			}
		}
	})
	t.Run("401 for a bad token", func(t *testing.T) {
		for _, sent := range []string{"Bearer x", "Bearer ", "Bearer", "Basic eDp5", "x", "Bearer " + buyer.token + "x"} {
			visitor.get(path, header("Authorization", sent)).wantError(http.StatusUnauthorized, market.CodeNoToken)
		}
	})
	t.Run("has a cache policy", func(t *testing.T) {
		if h := buyer.get(path).Header; h.Get("Cache-Control") != "private, no-cache" || !varies(h, "Authorization") || !varies(h, "Cookie") {
			t.Errorf("with a token the headers are %v", h)
		}
		if h := visitor.get(path).Header; !varies(h, "Authorization") || !varies(h, "Cookie") || h.Get("Cache-Control") != "no-cache" {
			t.Errorf("without a token the headers are %v", h)
		}
	})
	t.Run("304 with the position and the count, for the same reader", func(t *testing.T) {
		for _, reader := range []*person{visitor, buyer} {
			first := reader.get(path)
			again := reader.get(path, header("If-None-Match", first.Header.Get("ETag"))).wantStatus(http.StatusNotModified)
			for _, name := range []string{"ETag", "Live-Position", "X-Total-Count", "Vary", "Cache-Control"} {
				if again.Header.Get(name) != first.Header.Get(name) || first.Header.Get(name) == "" {
					t.Errorf("%s is %q after %q", name, again.Header.Get(name), first.Header.Get(name))
				}
			}
			if len(again.body) != 0 {
				t.Errorf("the 304 has the body %s", again.body)
			}
		}
		visitor.get(path, header("If-None-Match", buyer.get(path).Header.Get("ETag"))).wantStatus(http.StatusOK)
	})
	t.Run("304 for a weak ETag, a list of ETags and the ETag of a compressed response", func(t *testing.T) {
		for range 4 {
			seller.advertise(seller.addPhone(e.brand(market.NewID(e.clock.Now())))).wantStatus(http.StatusOK)
		}
		tag := visitor.get(path).Header.Get("ETag")
		visitor.get(path, header("If-None-Match", `"other", W/`+tag)).wantStatus(http.StatusNotModified)
		compressed := visitor.get(path, header("Accept-Encoding", "gzip"))
		if compressed.Header.Get("Content-Encoding") != "gzip" || compressed.Header.Get("ETag") == tag {
			t.Fatalf("the compressed response has the headers %v", compressed.Header)
		}
		visitor.get(path, header("Accept-Encoding", "gzip"), header("If-None-Match", compressed.Header.Get("ETag"))).wantStatus(http.StatusNotModified)
	})
	t.Run("200 after a change", func(t *testing.T) {
		tag := visitor.get(path).Header.Get("ETag")
		buyer.book(phone)
		visitor.get(path, header("If-None-Match", tag)).wantStatus(http.StatusOK)
	})
}
