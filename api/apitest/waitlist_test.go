package apitest_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"secondring/market"
)

func (p *person) joinWaitlist(phone string) response {
	return p.do(http.MethodPut, "/products/"+phone+"/waitlist", fields{"phone": "+880 1700 123456", "location": "Khulna"})
}

func (p *person) waitlist() []map[string]any {
	return p.get("/waitlist?email=" + p.user.Email).items()
}

func TestWaitlist(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.rules.BookingHold, s.rules.TurnHold = time.Minute, 20*time.Second })
	seller, holder, first, second := e.seller("Sue"), e.buyer("Bob"), e.buyer("Fay"), e.buyer("Sid")
	brand := e.brand("Nokia")
	phone := seller.addPhone(brand)
	first.joinWaitlist(phone).wantError(http.StatusConflict, market.CodeFree)
	holder.book(phone)
	holder.joinWaitlist(phone).wantError(http.StatusConflict, market.CodeHeld)

	got := first.joinWaitlist(phone).wantStatus(http.StatusOK).object()
	if got["acknowledged"] != true || got["position"] != 1.0 || got["insertedId"] == "" {
		t.Errorf("the first entry is %v", got)
	}
	if again := first.joinWaitlist(phone).object(); again["insertedId"] != got["insertedId"] || again["position"] != 1.0 {
		t.Errorf("the second request returns %v, want %v", again, got)
	}
	if next := second.joinWaitlist(phone).object(); next["position"] != 2.0 {
		t.Errorf("the second buyer has %v, want position 2", next)
	}
	entry := second.waitlist()[0]
	if len(entry) != 9 || entry["productID"] != phone || entry["position"] != 2.0 || entry["heldUntil"] == nil || entry["price"] != 120.0 {
		t.Errorf("the entry in the list is %v", entry)
	}
	if p := seller.get("/categories/" + brand.ID).product(phone); p["waiting"] != 2.0 || p["heldUntil"] == nil {
		t.Errorf("the seller's phone is %v, want 2 waiting", p)
	}
	if p := e.visitor().get("/categories/" + brand.ID).product(phone); p["waiting"] != nil || p["heldUntil"] != nil {
		t.Errorf("a visitor's phone is %v, want it without the waitlist and the hold", p)
	}

	e.clock.Pass(61 * time.Second)
	e.runDueWork()
	if p := seller.get("/categories/" + brand.ID).product(phone); p["booked"] != true || p["waiting"] != 1.0 {
		t.Errorf("after the hold the phone is %v, want it booked with 1 waiting", p)
	}
	bookings := first.ownBookings().items()
	if len(bookings) != 1 || bookings[0]["status"] != "held" || bookings[0]["turn"] != true {
		t.Fatalf("the bookings of the first buyer are %v, want one from the waitlist", bookings)
	}
	until, err := time.Parse(time.RFC3339Nano, bookings[0]["holdUntil"].(string))
	if must(t, err); until.Sub(e.clock.Now()) > 20*time.Second || until.Sub(e.clock.Now()) < 19*time.Second {
		t.Errorf("the hold lasts %v, want 20 seconds", until.Sub(e.clock.Now()))
	}
	if left := first.waitlist(); len(left) != 0 {
		t.Errorf("the first buyer still waits for %v", left)
	}
	if entry := second.waitlist()[0]; entry["position"] != 1.0 {
		t.Errorf("the second buyer's entry is %v, want position 1", entry)
	}
	second.do(http.MethodDelete, "/products/"+phone+"/waitlist", nil).wantCount("deletedCount", 1)
	second.do(http.MethodDelete, "/products/"+phone+"/waitlist", nil).wantCount("deletedCount", 0)
	e.clock.Pass(21 * time.Second)
	e.runDueWork()
	if p := seller.get("/categories/" + brand.ID).product(phone); p["booked"] != false || p["waiting"] != 0.0 {
		t.Errorf("after all holds the phone is %v, want it available", p)
	}
}

func TestWaitlistIsFull(t *testing.T) {
	e := newEnv(t)
	seller := e.seller("Sue")
	phone := seller.addPhone(e.brand("Nokia"))
	e.buyer("Bob").book(phone)
	for i := range 50 {
		if got := e.buyer(fmt.Sprintf("Wim%d", i)).joinWaitlist(phone).object(); got["position"] != float64(i+1) {
			t.Fatalf("the entry is %v, want position %d", got, i+1)
		}
	}
	e.buyer("Zoe").joinWaitlist(phone).wantError(http.StatusConflict, market.CodeFull)
}

func (a response) object() map[string]any {
	a.t.Helper()
	var v map[string]any
	a.decode(&v)
	return v
}
