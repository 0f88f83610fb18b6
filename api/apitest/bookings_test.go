package apitest_test

import (
	"net/http"
	"testing"
	"time"

	"secondring/market"
)

// wantUnacknowledged fails the test unless the error has acknowledged false.
func (r errorResponse) wantUnacknowledged(t *testing.T) {
	t.Helper()
	if r.Acknowledged == nil || *r.Acknowledged {
		t.Errorf("acknowledged is not false in the error %q", r.Message)
	}
}

func (p *person) putBooking(body any) response {
	p.t.Helper()
	return p.do(http.MethodPut, "/bookings", body)
}

func TestBook(t *testing.T) {
	e := newEnv(t)
	brand := e.brand("Nokia")
	seller, buyer, otherBuyer, admin := e.seller("Sue"), e.buyer("Bob"), e.buyer("Rita"), e.admin("Root")
	phone := seller.addPhone(brand)
	body := buyer.bookingFields(phone)

	t.Run("401, 400, 404, 403, 422 in this order, with acknowledged false", func(t *testing.T) {
		e.visitor().putBooking("{").wantError(http.StatusUnauthorized, market.CodeNoToken).wantUnacknowledged(t)
		seller.putBooking("{").wantError(http.StatusBadRequest, market.CodeBadRequest).wantUnacknowledged(t)
		for _, id := range []any{"none", market.NewID(e.clock.Now()), "\u0000"} {
			admin.putBooking(fields{"productID": id}).wantError(http.StatusNotFound, market.CodeNotFound).wantUnacknowledged(t)
		}
		for _, p := range []*person{seller, admin} {
			p.putBooking(fields{"productID": phone}).wantError(http.StatusForbidden, market.CodeForbidden).wantUnacknowledged(t)
		}
		buyer.putBooking(body.with("email", otherBuyer.user.Email).with("phone", nil)).wantError(http.StatusForbidden, market.CodeForbidden)
		buyer.putBooking(fields{"productID": phone}).wantError(http.StatusUnprocessableEntity, market.CodeInvalid).wantUnacknowledged(t)
	})
	t.Run("422 for missing, invalid or wrong fields", func(t *testing.T) {
		buyer.putBooking(body.with("phone", nil)).wantInvalid("phone")
		buyer.putBooking(body.with("phone", "  ")).wantInvalid("phone")
		buyer.putBooking(body.with("productID", nil)).wantInvalid("productID")
		for name, value := range map[string]any{
			"price": 119, "productName": "Nexus 6", "brand": "Sony", "id": "x", "userName": "Rita", "location": 5,
		} {
			buyer.putBooking(body.with(name, value)).wantInvalid(name)
		}
		buyer.putBooking(body.with("price", 120.5)).wantInvalid("price")
		for _, price := range []string{"119", "120.50", "1 20", "", "1e2", "-120", "99999999999999999999"} {
			buyer.putBooking(body.with("price", price)).wantInvalid("price")
		}
	})
	t.Run("200, and again with the same booking", func(t *testing.T) {
		full := body.with("price", 120).with("productName", "Nexus 5").with("brand", "Nokia").with("id", brand.ID).
			with("img", "/photos/one.jpg").with("paid", true).with("status", "paid")
		first := buyer.putBooking(full).insertedID()
		form := full.with("price", "120").with("userName", " BOB ").with("productName", "nexus 5 ").with("brand", "NOKIA")
		if again := buyer.putBooking(form).insertedID(); again != first {
			t.Errorf("with a form's values the booking is %s, want %s", again, first)
		}
		if again := buyer.putBooking(body).insertedID(); again != first {
			t.Errorf("the second booking is %s, want %s", again, first)
		}
		var b map[string]any
		buyer.get("/booking/" + first).wantStatus(http.StatusOK).decode(&b)
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
		if left := until.Sub(e.clock.Now()); err != nil || left > time.Hour || left < time.Hour-time.Minute {
			t.Errorf("the hold lasts until %v, want an hour: %v", b["holdUntil"], err)
		}
	})
	t.Run("409 for other buyers, after 422", func(t *testing.T) {
		otherBuyer.putBooking(otherBuyer.bookingFields(phone).with("price", 1)).wantInvalid("price")
		got := otherBuyer.putBooking(otherBuyer.bookingFields(phone)).wantError(http.StatusConflict, market.CodeTaken)
		if got.wantUnacknowledged(t); got.Message != "This phone has just been booked" {
			t.Errorf("message %q", got.Message)
		}
	})
}

func TestCancelBooking(t *testing.T) {
	e := newEnv(t)
	seller, buyer, otherBuyer := e.seller("Sue"), e.buyer("Bob"), e.buyer("Rita")
	phone := seller.addPhone(e.brand("Nokia"))
	booking := buyer.book(phone)

	t.Run("401, 404, 403 in this order, with acknowledged false", func(t *testing.T) {
		e.visitor().cancel("none").wantError(http.StatusUnauthorized, market.CodeNoToken).wantUnacknowledged(t)
		otherBuyer.cancel("none").wantError(http.StatusNotFound, market.CodeNotFound).wantUnacknowledged(t)
		for _, p := range []*person{otherBuyer, seller, e.admin("Root")} {
			p.cancel(booking).wantError(http.StatusForbidden, market.CodeForbidden).wantUnacknowledged(t)
		}
	})
	t.Run("200 releases the phone, and again without a change", func(t *testing.T) {
		buyer.cancel(booking).wantCount("deletedCount", 1)
		buyer.cancel(booking).wantCount("deletedCount", 0)
		otherBuyer.book(phone)
	})
	t.Run("200 with the cancelled booking in the list", func(t *testing.T) {
		items := buyer.ownBookings().items()
		if len(items) != 1 || items[0]["status"] != "cancelled" || items[0]["paid"] != false {
			t.Errorf("got %v", items)
		}
	})
}

func TestReadBookings(t *testing.T) {
	e := newEnv(t)
	seller, buyer, otherBuyer, admin := e.seller("Sue"), e.buyer("Bob"), e.buyer("Rita"), e.admin("Root")
	brand := e.brand("Nokia")
	first, second := buyer.book(seller.addPhone(brand)), buyer.book(seller.addPhone(brand))
	path := "/bookings?email=" + buyer.user.Email

	t.Run("list: 401, 400, 403, 422 in this order", func(t *testing.T) {
		e.visitor().get(path+"&limit=0").wantError(http.StatusUnauthorized, market.CodeNoToken).wantUnacknowledged(t)
		otherBuyer.get(path+"&limit=0").wantError(http.StatusBadRequest, market.CodeBadRequest).wantUnacknowledged(t)
		otherBuyer.get(path).wantError(http.StatusForbidden, market.CodeForbidden).wantUnacknowledged(t)
		otherBuyer.get("/bookings?email=nobody@phones.example").wantError(http.StatusForbidden, market.CodeForbidden)
		seller.get(path).wantError(http.StatusForbidden, market.CodeForbidden)
		buyer.get("/bookings").wantInvalid("email")
	})
	t.Run("list: 200 newest first, for the buyer and an admin", func(t *testing.T) {
		for _, p := range []*person{buyer, admin} {
			items := p.get(path).items()
			if len(items) != 2 || items[0]["_id"] != second || items[1]["_id"] != first {
				t.Errorf("got %v", items)
			}
		}
		if items := otherBuyer.ownBookings().items(); len(items) != 0 {
			t.Errorf("another buyer has the bookings %v", items)
		}
	})
	t.Run("one: 401, 404, 403 in this order", func(t *testing.T) {
		e.visitor().get("/booking/none").wantError(http.StatusUnauthorized, market.CodeNoToken)
		otherBuyer.get("/booking/none").wantError(http.StatusNotFound, market.CodeNotFound)
		otherBuyer.get("/booking/"+first).wantError(http.StatusForbidden, market.CodeForbidden)
		seller.get("/booking/"+first).wantError(http.StatusForbidden, market.CodeForbidden)
	})
	t.Run("one: 200 for the buyer and an admin", func(t *testing.T) {
		for _, p := range []*person{buyer, admin} {
			p.get("/booking/" + first).wantStatus(http.StatusOK)
		}
	})
}

// TestSalesOfSeller reads the other side of GET /bookings.
func TestSalesOfSeller(t *testing.T) {
	e := newOrdersEnv(t)
	seller, buyer, otherSeller, admin := e.seller, e.buyer, e.otherSeller, e.admin
	held := buyer.book(seller.addPhone(e.brand))
	paid := e.paidOrder(seller, buyer)
	path := "/bookings?side=seller&email=" + seller.user.Email

	t.Run("a sale is what was paid, with the buyer; for the seller and admins", func(t *testing.T) {
		for _, p := range []*person{seller, admin} {
			items := p.get(path).items()
			if len(items) != 1 || items[0]["_id"] != paid || items[0]["side"] != "seller" || items[0]["email"] != buyer.user.Email {
				t.Errorf("got %v, and the phone of %s is not paid", items, held)
			}
		}
	})
	t.Run("a purchase of a seller is not in their sales, and a sale is not in their orders", func(t *testing.T) {
		bought := seller.book(otherSeller.addPhone(e.brand))
		items := seller.ownBookings().items()
		if len(items) != 1 || items[0]["_id"] != bought || items[0]["side"] != "buyer" {
			t.Errorf("got %v", items)
		}
		if items := seller.get(path).items(); len(items) != 1 {
			t.Errorf("got %v", items)
		}
	})
	t.Run("403 for another person, 422 for another side", func(t *testing.T) {
		otherSeller.get(path).wantError(http.StatusForbidden, market.CodeForbidden)
		seller.get("/bookings?side=both&email=" + seller.user.Email).wantInvalid("side")
	})
}
