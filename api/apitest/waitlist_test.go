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
		t.Errorf("joined: %v", got)
	}
	if again := first.joinWaitlist(phone).object(); again["insertedId"] != got["insertedId"] || again["position"] != 1.0 {
		t.Errorf("again: %v, first %v", again, got)
	}
	if next := second.joinWaitlist(phone).object(); next["position"] != 2.0 {
		t.Errorf("the second: %v", next)
	}
	entry := second.waitlist()[0]
	if len(entry) != 9 || entry["productID"] != phone || entry["position"] != 2.0 || entry["heldUntil"] == nil || entry["price"] != 120.0 {
		t.Errorf("the entry: %v", entry)
	}
	if p := seller.get("/categories/" + brand.ID).product(phone); p["waiting"] != 2.0 || p["heldUntil"] == nil {
		t.Errorf("the phone: %v", p)
	}
	if p := e.visitor().get("/categories/" + brand.ID).product(phone); p["waiting"] != nil || p["heldUntil"] != nil {
		t.Errorf("the phone, for a visitor: %v", p)
	}

	e.clock.Pass(61 * time.Second)
	e.settle()
	if p := seller.get("/categories/" + brand.ID).product(phone); p["booked"] != true || p["waiting"] != 1.0 {
		t.Errorf("the phone after the hold: %v", p)
	}
	orders := first.ownBookings().items()
	if len(orders) != 1 || orders[0]["status"] != "held" || orders[0]["turn"] != true {
		t.Fatalf("the orders of the first: %v", orders)
	}
	until, err := time.Parse(time.RFC3339Nano, orders[0]["holdUntil"].(string))
	if must(t, err); until.Sub(e.clock.Now()) > 20*time.Second || until.Sub(e.clock.Now()) < 19*time.Second {
		t.Errorf("held for %v", until.Sub(e.clock.Now()))
	}
	if left := first.waitlist(); len(left) != 0 {
		t.Errorf("the first waits for %v", left)
	}
	if entry := second.waitlist()[0]; entry["position"] != 1.0 {
		t.Errorf("the second: %v", entry)
	}
	second.do(http.MethodDelete, "/products/"+phone+"/waitlist", nil).wantCount("deletedCount", 1)
	second.do(http.MethodDelete, "/products/"+phone+"/waitlist", nil).wantCount("deletedCount", 0)
	e.clock.Pass(21 * time.Second)
	e.settle()
	if p := seller.get("/categories/" + brand.ID).product(phone); p["booked"] != false || p["waiting"] != 0.0 {
		t.Errorf("the phone after all turns: %v", p)
	}
}

func TestWaitlistIsFull(t *testing.T) {
	e := newEnv(t)
	seller := e.seller("Sue")
	phone := seller.addPhone(e.brand("Nokia"))
	e.buyer("Bob").book(phone)
	for i := range 50 {
		if got := e.buyer(fmt.Sprintf("Wim%d", i)).joinWaitlist(phone).object(); got["position"] != float64(i+1) {
			t.Fatalf("place %d: %v", i+1, got)
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
