package apitest_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"secondring/market"
)

func (p *person) waits(phone string) answer {
	return p.do(http.MethodPut, "/products/"+phone+"/waitlist", fields{"phone": "+880 1700 123456", "location": "Khulna"})
}

func (p *person) waitlist() []map[string]any {
	return p.get("/waitlist?email=" + p.user.Email).items()
}

func TestWaitlist(t *testing.T) {
	w := newEnv(t, func(s *setup) { s.rules.BookingHold, s.rules.TurnHold = time.Minute, 20*time.Second })
	seller, holder, first, second := w.seller("Sue"), w.buyer("Bob"), w.buyer("Fay"), w.buyer("Sid")
	brand := w.brand("Nokia")
	phone := seller.sells(brand)
	first.waits(phone).refused(http.StatusConflict, market.CodeFree)
	holder.books(phone)
	holder.waits(phone).refused(http.StatusConflict, market.CodeHeld)

	got := first.waits(phone).is(http.StatusOK).object()
	if got["acknowledged"] != true || got["position"] != 1.0 || got["insertedId"] == "" {
		t.Errorf("joined: %v", got)
	}
	if again := first.waits(phone).object(); again["insertedId"] != got["insertedId"] || again["position"] != 1.0 {
		t.Errorf("again: %v, first %v", again, got)
	}
	if next := second.waits(phone).object(); next["position"] != 2.0 {
		t.Errorf("the second: %v", next)
	}
	entry := second.waitlist()[0]
	if len(entry) != 9 || entry["productID"] != phone || entry["position"] != 2.0 || entry["heldUntil"] == nil || entry["price"] != 120.0 {
		t.Errorf("the entry: %v", entry)
	}
	if p := seller.get("/categories/" + brand.ID).product(phone); p["waiting"] != 2.0 || p["heldUntil"] == nil {
		t.Errorf("the phone: %v", p)
	}
	if p := w.visitor().get("/categories/" + brand.ID).product(phone); p["waiting"] != nil || p["heldUntil"] != nil {
		t.Errorf("the phone, for a visitor: %v", p)
	}

	w.clock.Pass(61 * time.Second)
	w.settle()
	if p := seller.get("/categories/" + brand.ID).product(phone); p["booked"] != true || p["waiting"] != 1.0 {
		t.Errorf("the phone after the hold: %v", p)
	}
	orders := first.get("/bookings?email=" + first.user.Email).items()
	if len(orders) != 1 || orders[0]["status"] != "held" || orders[0]["turn"] != true {
		t.Fatalf("the orders of the first: %v", orders)
	}
	until, err := time.Parse(time.RFC3339Nano, orders[0]["holdUntil"].(string))
	if must(t, err); until.Sub(w.clock.Now()) > 20*time.Second || until.Sub(w.clock.Now()) < 19*time.Second {
		t.Errorf("held for %v", until.Sub(w.clock.Now()))
	}
	if left := first.waitlist(); len(left) != 0 {
		t.Errorf("the first waits for %v", left)
	}
	if entry := second.waitlist()[0]; entry["position"] != 1.0 {
		t.Errorf("the second: %v", entry)
	}
	second.do(http.MethodDelete, "/products/"+phone+"/waitlist", nil).count("deletedCount", 1)
	second.do(http.MethodDelete, "/products/"+phone+"/waitlist", nil).count("deletedCount", 0)
	w.clock.Pass(21 * time.Second)
	w.settle()
	if p := seller.get("/categories/" + brand.ID).product(phone); p["booked"] != false || p["waiting"] != 0.0 {
		t.Errorf("the phone after all turns: %v", p)
	}
}

func TestWaitlistIsFull(t *testing.T) {
	w := newEnv(t)
	seller := w.seller("Sue")
	phone := seller.sells(w.brand("Nokia"))
	w.buyer("Bob").books(phone)
	for i := range 50 {
		if got := w.buyer(fmt.Sprintf("Wim%d", i)).waits(phone).object(); got["position"] != float64(i+1) {
			t.Fatalf("place %d: %v", i+1, got)
		}
	}
	w.buyer("Zoe").waits(phone).refused(http.StatusConflict, market.CodeFull)
}

func (a answer) object() map[string]any {
	a.t.Helper()
	var v map[string]any
	a.into(&v)
	return v
}
