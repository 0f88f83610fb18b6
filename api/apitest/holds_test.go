package apitest_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"secondring/market"
)

// sendConcurrently runs one call per user and returns the responses by status.
func sendConcurrently(people []*person, call func(*person) response) map[int][]response {
	var (
		mu    sync.Mutex
		done  sync.WaitGroup
		ended = map[int][]response{}
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
	e := newEnv(t)
	seller := e.seller("Sue")
	phone := seller.addPhone(e.brand("Nokia"))
	buyers := []*person{}
	for range 200 {
		buyers = append(buyers, e.buyer("Bob"))
	}
	ended := sendConcurrently(buyers, func(p *person) response { return p.putBooking(p.bookingFields(phone)) })
	if len(ended[http.StatusOK]) != 1 || len(ended[http.StatusConflict]) != 199 {
		t.Fatalf("%d succeeded, %d were refused", len(ended[http.StatusOK]), len(ended[http.StatusConflict]))
	}
	for _, lost := range ended[http.StatusConflict] {
		got := lost.wantError(http.StatusConflict, market.CodeTaken)
		if got.wantUnacknowledged(t); got.Message != "This phone has just been booked" {
			t.Errorf("message %q", got.Message)
		}
	}
	id, holders := ended[http.StatusOK][0].insertedID(), 0
	for _, p := range buyers {
		for _, b := range p.ownBookings().items() {
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
	e := newEnv(t, func(s *setup) { s.rules.BookingHold = time.Minute })
	seller, buyer, otherBuyer := e.seller("Sue"), e.buyer("Bob"), e.buyer("Rita")
	brand := e.brand("Nokia")
	phone := seller.addPhone(brand)
	booking := buyer.book(phone)

	e.clock.Pass(59 * time.Second)
	e.settle()
	otherBuyer.putBooking(otherBuyer.bookingFields(phone)).wantError(http.StatusConflict, market.CodeTaken)

	e.clock.Pass(2 * time.Second)
	e.settle()
	if items := buyer.ownBookings().items(); items[0]["_id"] != booking || items[0]["status"] != "expired" {
		t.Errorf("the order: %v", items)
	}
	if p := otherBuyer.get("/categories/" + brand.ID).product(phone); p["booked"] != false {
		t.Errorf("the phone: %v", p)
	}
	buyer.putBooking(buyer.bookingFields(phone)).wantError(http.StatusConflict, market.CodeWait).wantUnacknowledged(t)
	e.clock.Pass(58 * time.Minute)
	buyer.refreshToken().putBooking(buyer.bookingFields(phone)).wantError(http.StatusConflict, market.CodeWait)
	e.clock.Pass(3 * time.Minute)
	if again := buyer.refreshToken().putBooking(buyer.bookingFields(phone)).insertedID(); again == booking {
		t.Error("the old booking came back")
	}
}

func TestRebookWaitAfterCancel(t *testing.T) {
	e := newEnv(t)
	seller, buyer, otherBuyer := e.seller("Sue"), e.buyer("Bob"), e.buyer("Rita")
	brand := e.brand("Nokia")
	phone := seller.addPhone(brand)
	buyer.cancel(buyer.book(phone)).wantStatus(http.StatusOK)

	buyer.putBooking(buyer.bookingFields(phone)).wantError(http.StatusConflict, market.CodeWait)
	buyer.book(seller.addPhone(brand)) // another phone is allowed
	otherBuyer.book(phone)             // another buyer is allowed
	buyer.putBooking(buyer.bookingFields(phone)).wantError(http.StatusConflict, market.CodeTaken)
}

func TestMaxHoldsRace(t *testing.T) {
	const most = 3
	e := newEnv(t, func(s *setup) { s.rules.MaxHolds = most })
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	brand := e.brand("Nokia")
	phones := make(chan string, 30)
	same := []*person{}
	for range cap(phones) {
		phones <- seller.addPhone(brand)
		same = append(same, buyer)
	}
	ended := sendConcurrently(same, func(p *person) response { return p.putBooking(p.bookingFields(<-phones)) })
	if len(ended[http.StatusOK]) != most || len(ended[http.StatusConflict]) != len(same)-most {
		t.Fatalf("%d of %d are held", len(ended[http.StatusOK]), len(same))
	}
	for _, refused := range ended[http.StatusConflict] {
		refused.wantError(http.StatusConflict, market.CodeTooMany).wantUnacknowledged(t)
	}
	e.settle()
	held := 0
	for _, p := range buyer.get("/categories/" + brand.ID).items() {
		if p["booked"] == true {
			held++
		}
	}
	if held != most {
		t.Errorf("%d phones are off the market", held)
	}
	open := buyer.ownBookings().items()
	buyer.cancel(open[0]["_id"].(string)).wantCount("deletedCount", 1)
	buyer.book(seller.addPhone(brand))
}

// A buyer at the limit of holds books one of the held phones again.
func TestBookAgainAtTheLimit(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.rules.MaxHolds = 1 })
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	brand := e.brand("Nokia")
	phone := seller.addPhone(brand)
	first := buyer.book(phone)
	same := []*person{buyer, buyer, buyer, buyer, buyer}
	ended := sendConcurrently(same, func(p *person) response { return p.putBooking(p.bookingFields(phone)) })
	for _, again := range ended[http.StatusOK] {
		if id := again.insertedID(); id != first {
			t.Errorf("booked as %s after %s", id, first)
		}
	}
	if len(ended[http.StatusOK]) != len(same) {
		t.Errorf("answers: %v", ended)
	}
	buyer.putBooking(buyer.bookingFields(seller.addPhone(brand))).wantError(http.StatusConflict, market.CodeTooMany)
}

// Many concurrent requests of one buyer make one booking.
func TestRepeatedClicksMakeOneBooking(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	phone := seller.addPhone(e.brand("Nokia"))
	same := []*person{}
	for range 20 {
		same = append(same, buyer)
	}
	ids := map[string]bool{}
	for _, one := range sendConcurrently(same, func(p *person) response { return p.putBooking(p.bookingFields(phone)) })[http.StatusOK] {
		ids[one.insertedID()] = true
	}
	if orders := buyer.ownBookings().items(); len(orders) != 1 || len(ids) != 1 || !ids[orders[0]["_id"].(string)] {
		t.Errorf("clicks answered %v, orders %v", ids, orders)
	}
}

// All accounts of one network address share a limit of unpaid holds. For IPv6 a /64 counts
// as one address.
func TestHoldsPerAddressAreLimited(t *testing.T) {
	e := newEnv(t, trustLoopback, func(s *setup) { s.rules.MaxHoldsPerNetwork = 3 })
	brand := e.brand("Nokia")
	seller := e.seller("Sue")
	book := func(from string) response {
		buyer := e.buyer("Bob")
		return buyer.do(http.MethodPut, "/bookings", buyer.bookingFields(seller.addPhone(brand)), through(from))
	}
	for _, from := range [][]string{
		{"203.0.113.9", "203.0.113.9", "203.0.113.9"},
		{"2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2:ffff::3"},
	} {
		for _, address := range from {
			book(address).wantStatus(http.StatusOK)
		}
		book(from[0]).wantError(http.StatusConflict, market.CodeTooMany)
	}
	book("203.0.113.10").wantStatus(http.StatusOK)
	book("2001:db8:1:3::1").wantStatus(http.StatusOK)
	for range 5 { // through an untrusted proxy on this machine
		book("127.0.0.1").wantStatus(http.StatusOK)
	}
}
