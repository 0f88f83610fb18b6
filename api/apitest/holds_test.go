package apitest_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"secondring/market"
)

// concurrently runs one call per user and returns the responses by status.
func concurrently(people []*person, call func(*person) answer) map[int][]answer {
	var (
		mu    sync.Mutex
		done  sync.WaitGroup
		ended = map[int][]answer{}
		start = make(chan struct{})
	)
	for _, p := range people {
		done.Go(func() {
			<-start
			got := call(p)
			mu.Lock()
			defer mu.Unlock()
			ended[got.StatusCode] = append(ended[got.StatusCode], got)
		})
	}
	close(start)
	done.Wait()
	return ended
}

func TestBookingRace(t *testing.T) {
	w := newEnv(t)
	seller := w.seller("Sue")
	phone := seller.sells(w.brand("Nokia"))
	buyers := []*person{}
	for range 200 {
		buyers = append(buyers, w.buyer("Bob"))
	}
	ended := concurrently(buyers, func(p *person) answer { return p.book(p.bookingFields(phone)) })
	if len(ended[http.StatusOK]) != 1 || len(ended[http.StatusConflict]) != 199 {
		t.Fatalf("%d succeeded, %d were refused", len(ended[http.StatusOK]), len(ended[http.StatusConflict]))
	}
	for _, lost := range ended[http.StatusConflict] {
		got := lost.refused(http.StatusConflict, market.CodeTaken)
		if got.unacknowledged(t); got.Message != "This phone has just been booked" {
			t.Errorf("message %q", got.Message)
		}
	}
	id, holders := ended[http.StatusOK][0].id(), 0
	for _, p := range buyers {
		for _, b := range p.get("/bookings?email=" + p.user.Email).items() {
			if holders++; b["_id"] != id {
				t.Errorf("an unacknowledged booking: %v", b)
			}
		}
	}
	if holders != 1 {
		t.Errorf("%d buyers have a booking", holders)
	}
}

func TestHoldExpires(t *testing.T) {
	w := newEnv(t, func(s *setup) { s.rules.BookingHold = time.Minute })
	seller, buyer, rival := w.seller("Sue"), w.buyer("Bob"), w.buyer("Rita")
	brand := w.brand("Nokia")
	phone := seller.sells(brand)
	booking := buyer.books(phone)

	w.clock.Pass(59 * time.Second)
	w.settle()
	rival.book(rival.bookingFields(phone)).refused(http.StatusConflict, market.CodeTaken)

	w.clock.Pass(2 * time.Second)
	w.settle()
	if items := buyer.get("/bookings?email=" + buyer.user.Email).items(); items[0]["_id"] != booking || items[0]["status"] != "expired" {
		t.Errorf("the order: %v", items)
	}
	if p := rival.get("/categories/" + brand.ID).product(phone); p["booked"] != false {
		t.Errorf("the phone: %v", p)
	}
	buyer.book(buyer.bookingFields(phone)).refused(http.StatusConflict, market.CodeWait).unacknowledged(t)
	w.clock.Pass(58 * time.Minute)
	buyer.renewed().book(buyer.bookingFields(phone)).refused(http.StatusConflict, market.CodeWait)
	w.clock.Pass(3 * time.Minute)
	if again := buyer.renewed().book(buyer.bookingFields(phone)).id(); again == booking {
		t.Error("the old booking came back")
	}
}

func TestRebookWaitAfterCancel(t *testing.T) {
	w := newEnv(t)
	seller, buyer, rival := w.seller("Sue"), w.buyer("Bob"), w.buyer("Rita")
	brand := w.brand("Nokia")
	phone := seller.sells(brand)
	buyer.do(http.MethodDelete, "/bookings/"+buyer.books(phone), nil).is(http.StatusOK)

	buyer.book(buyer.bookingFields(phone)).refused(http.StatusConflict, market.CodeWait)
	buyer.books(seller.sells(brand)) // another phone is allowed
	rival.books(phone)               // another buyer is allowed
	buyer.book(buyer.bookingFields(phone)).refused(http.StatusConflict, market.CodeTaken)
}

func TestMaxHoldsRace(t *testing.T) {
	const most = 3
	w := newEnv(t, func(s *setup) { s.rules.MaxHolds = most })
	seller, buyer := w.seller("Sue"), w.buyer("Bob")
	brand := w.brand("Nokia")
	phones := make(chan string, 30)
	same := []*person{}
	for range cap(phones) {
		phones <- seller.sells(brand)
		same = append(same, buyer)
	}
	ended := concurrently(same, func(p *person) answer { return p.book(p.bookingFields(<-phones)) })
	if len(ended[http.StatusOK]) != most || len(ended[http.StatusConflict]) != len(same)-most {
		t.Fatalf("%d of %d are held", len(ended[http.StatusOK]), len(same))
	}
	for _, refused := range ended[http.StatusConflict] {
		refused.refused(http.StatusConflict, market.CodeTooMany).unacknowledged(t)
	}
	w.settle()
	held := 0
	for _, p := range buyer.get("/categories/" + brand.ID).items() {
		if p["booked"] == true {
			held++
		}
	}
	if held != most {
		t.Errorf("%d phones are off the market", held)
	}
	open := buyer.get("/bookings?email=" + buyer.user.Email).items()
	buyer.do(http.MethodDelete, "/bookings/"+open[0]["_id"].(string), nil).count("deletedCount", 1)
	buyer.books(seller.sells(brand))
}

// A buyer at the limit of holds books one of the held phones again.
func TestBookAgainAtTheLimit(t *testing.T) {
	w := newEnv(t, func(s *setup) { s.rules.MaxHolds = 1 })
	seller, buyer := w.seller("Sue"), w.buyer("Bob")
	brand := w.brand("Nokia")
	phone := seller.sells(brand)
	first := buyer.books(phone)
	same := []*person{buyer, buyer, buyer, buyer, buyer}
	ended := concurrently(same, func(p *person) answer { return p.book(p.bookingFields(phone)) })
	for _, again := range ended[http.StatusOK] {
		if id := again.id(); id != first {
			t.Errorf("booked as %s after %s", id, first)
		}
	}
	if len(ended[http.StatusOK]) != len(same) {
		t.Errorf("answers: %v", ended)
	}
	buyer.book(buyer.bookingFields(seller.sells(brand))).refused(http.StatusConflict, market.CodeTooMany)
}

// Many concurrent requests of one buyer make one booking.
func TestRepeatedClicksMakeOneBooking(t *testing.T) {
	w := newEnv(t)
	seller, buyer := w.seller("Sue"), w.buyer("Bob")
	phone := seller.sells(w.brand("Nokia"))
	same := []*person{}
	for range 20 {
		same = append(same, buyer)
	}
	ids := map[string]bool{}
	for _, one := range concurrently(same, func(p *person) answer { return p.book(p.bookingFields(phone)) })[http.StatusOK] {
		ids[one.id()] = true
	}
	if orders := buyer.get("/bookings?email=" + buyer.user.Email).items(); len(orders) != 1 || len(ids) != 1 || !ids[orders[0]["_id"].(string)] {
		t.Errorf("clicks answered %v, orders %v", ids, orders)
	}
}

// All accounts of one network address share a limit of unpaid holds. For IPv6 a /64 counts
// as one address.
func TestHoldsPerAddressAreLimited(t *testing.T) {
	w := newEnv(t, trustLoopback, func(s *setup) { s.rules.MaxHoldsPerNetwork = 3 })
	brand := w.brand("Nokia")
	seller := w.seller("Sue")
	book := func(from string) answer {
		buyer := w.buyer("Bob")
		return buyer.do(http.MethodPut, "/bookings", buyer.bookingFields(seller.sells(brand)), through(from))
	}
	for _, from := range [][]string{
		{"203.0.113.9", "203.0.113.9", "203.0.113.9"},
		{"2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2:ffff::3"},
	} {
		for _, address := range from {
			book(address).is(http.StatusOK)
		}
		book(from[0]).refused(http.StatusConflict, market.CodeTooMany)
	}
	book("203.0.113.10").is(http.StatusOK)
	book("2001:db8:1:3::1").is(http.StatusOK)
	for range 5 { // through an untrusted proxy on this machine
		book("127.0.0.1").is(http.StatusOK)
	}
}
