package apitest_test

import (
	"net/http"
	"testing"
	"time"

	"secondring/market"
)

// unacknowledged fails the test unless a refusal says acknowledged:false.
func (r refusal) unacknowledged(t *testing.T) {
	t.Helper()
	if r.Acknowledged == nil || *r.Acknowledged {
		t.Errorf("the refusal %q does not say acknowledged:false", r.Message)
	}
}

func (p *person) book(body any) answer {
	p.t.Helper()
	return p.do(http.MethodPut, "/bookings", body)
}

func TestBook(t *testing.T) {
	e := newEnv(t)
	brand := e.brand("Nokia")
	seller, buyer, rival := e.seller("Sue"), e.buyer("Bob"), e.buyer("Rita")
	phone := seller.sells(brand)
	body := buyer.bookingFields(phone)

	t.Run("401, 400, 404, 403, 422 in this order, none acknowledged", func(t *testing.T) {
		e.visitor().book("{").refused(http.StatusUnauthorized, market.CodeNoToken).unacknowledged(t)
		seller.book("{").refused(http.StatusBadRequest, market.CodeBadRequest).unacknowledged(t)
		for _, id := range []any{"none", market.NewID(e.clock.Now()), "\u0000"} {
			seller.book(fields{"productID": id}).refused(http.StatusNotFound, market.CodeNotFound).unacknowledged(t)
		}
		for _, p := range []*person{seller, e.seller("Own"), e.admin("Root")} {
			p.book(fields{"productID": phone}).refused(http.StatusForbidden, market.CodeForbidden).unacknowledged(t)
		}
		buyer.book(body.with("email", rival.user.Email).with("phone", nil)).refused(http.StatusForbidden, market.CodeForbidden)
		buyer.book(fields{"productID": phone}).refused(http.StatusUnprocessableEntity, market.CodeInvalid).unacknowledged(t)
	})
	t.Run("422 for missing, invalid or untrue fields", func(t *testing.T) {
		buyer.book(body.with("phone", nil)).invalid("phone")
		buyer.book(body.with("phone", "  ")).invalid("phone")
		buyer.book(body.with("productID", nil)).invalid("productID")
		for name, value := range map[string]any{
			"price": 119, "productName": "Nexus 6", "brand": "Sony", "id": "x", "userName": "Rita", "location": 5,
		} {
			buyer.book(body.with(name, value)).invalid(name)
		}
		buyer.book(body.with("price", 120.5)).invalid("price")
		for _, price := range []string{"119", "120.0", " 120", "", "1e2", "-120", "99999999999999999999"} {
			buyer.book(body.with("price", price)).invalid("price")
		}
	})
	t.Run("200, and again with the same booking", func(t *testing.T) {
		full := body.with("price", 120).with("productName", "Nexus 5").with("brand", "Nokia").with("id", brand.ID).
			with("img", "/photos/one.jpg").with("paid", true).with("status", "paid")
		first := buyer.book(full).id()
		form := full.with("price", "120").with("userName", " BOB ").with("productName", "nexus 5 ").with("brand", "NOKIA")
		if again := buyer.book(form).id(); again != first {
			t.Errorf("booked again with a form's texts as %s after %s", again, first)
		}
		if again := buyer.book(body).id(); again != first {
			t.Errorf("booked again as %s after %s", again, first)
		}
		var b map[string]any
		buyer.get("/booking/" + first).is(http.StatusOK).into(&b)
		for name, want := range map[string]any{
			"_id": first, "productID": phone, "productName": "Nexus 5", "brand": "Nokia", "id": brand.ID, "price": 120.0,
			"img": "/photos/one.jpg", "email": buyer.user.Email, "userName": "Bob", "phone": "+880 1800 000000",
			"location": "Sylhet", "paid": false, "status": "held",
		} {
			if b[name] != want {
				t.Errorf("%s is %v, want %v", name, b[name], want)
			}
		}
		until, err := time.Parse(time.RFC3339, b["holdUntil"].(string))
		if left := until.Sub(e.clock.Now()); err != nil || left > 24*time.Hour || left < 24*time.Hour-time.Minute {
			t.Errorf("held until %v: %v", b["holdUntil"], err)
		}
	})
	t.Run("409 for other buyers, after 422", func(t *testing.T) {
		rival.book(rival.bookingFields(phone).with("price", 1)).invalid("price")
		got := rival.book(rival.bookingFields(phone)).refused(http.StatusConflict, market.CodeTaken)
		if got.unacknowledged(t); got.Message != "This phone has just been booked" {
			t.Errorf("message %q", got.Message)
		}
	})
}

func TestCancelBooking(t *testing.T) {
	e := newEnv(t)
	seller, buyer, rival := e.seller("Sue"), e.buyer("Bob"), e.buyer("Rita")
	phone := seller.sells(e.brand("Nokia"))
	booking := buyer.books(phone)
	cancel := func(p *person, id string) answer { return p.do(http.MethodDelete, "/bookings/"+id, nil) }

	t.Run("401, 404, 403 in this order, none acknowledged", func(t *testing.T) {
		cancel(e.visitor(), "none").refused(http.StatusUnauthorized, market.CodeNoToken).unacknowledged(t)
		cancel(rival, "none").refused(http.StatusNotFound, market.CodeNotFound).unacknowledged(t)
		for _, p := range []*person{rival, seller, e.admin("Root")} {
			cancel(p, booking).refused(http.StatusForbidden, market.CodeForbidden).unacknowledged(t)
		}
	})
	t.Run("200 frees the phone, once", func(t *testing.T) {
		cancel(buyer, booking).count("deletedCount", 1)
		cancel(buyer, booking).count("deletedCount", 0)
		rival.books(phone)
	})
	t.Run("200 keeps the order, cancelled", func(t *testing.T) {
		items := buyer.get("/bookings?email=" + buyer.user.Email).items()
		if len(items) != 1 || items[0]["status"] != "cancelled" || items[0]["paid"] != false {
			t.Errorf("got %v", items)
		}
	})
}

func TestReadBookings(t *testing.T) {
	e := newEnv(t)
	seller, buyer, rival, admin := e.seller("Sue"), e.buyer("Bob"), e.buyer("Rita"), e.admin("Root")
	brand := e.brand("Nokia")
	first, second := buyer.books(seller.sells(brand)), buyer.books(seller.sells(brand))
	path := "/bookings?email=" + buyer.user.Email

	t.Run("list: 401, 400, 403, 422 in this order", func(t *testing.T) {
		e.visitor().get(path+"&limit=0").refused(http.StatusUnauthorized, market.CodeNoToken).unacknowledged(t)
		rival.get(path+"&limit=0").refused(http.StatusBadRequest, market.CodeBadRequest).unacknowledged(t)
		rival.get(path).refused(http.StatusForbidden, market.CodeForbidden).unacknowledged(t)
		rival.get("/bookings?email=nobody@phones.example").refused(http.StatusForbidden, market.CodeForbidden)
		seller.get("/bookings?email="+seller.user.Email).refused(http.StatusForbidden, market.CodeForbidden)
		seller.get("/bookings").refused(http.StatusForbidden, market.CodeForbidden)
		buyer.get("/bookings").invalid("email")
	})
	t.Run("list: 200 newest first, for the buyer and an admin", func(t *testing.T) {
		for _, p := range []*person{buyer, admin} {
			items := p.get(path).items()
			if len(items) != 2 || items[0]["_id"] != second || items[1]["_id"] != first {
				t.Errorf("got %v", items)
			}
		}
		if items := rival.get("/bookings?email=" + rival.user.Email).items(); len(items) != 0 {
			t.Errorf("another buyer's: %v", items)
		}
	})
	t.Run("one: 401, 404, 403 in this order", func(t *testing.T) {
		e.visitor().get("/booking/none").refused(http.StatusUnauthorized, market.CodeNoToken)
		rival.get("/booking/none").refused(http.StatusNotFound, market.CodeNotFound)
		rival.get("/booking/"+first).refused(http.StatusForbidden, market.CodeForbidden)
		seller.get("/booking/"+first).refused(http.StatusForbidden, market.CodeForbidden)
	})
	t.Run("one: 200 for the buyer and an admin", func(t *testing.T) {
		for _, p := range []*person{buyer, admin} {
			p.get("/booking/" + first).is(http.StatusOK)
		}
	})
}
