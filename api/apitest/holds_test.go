package apitest_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"secondring/market"
)

// sendConcurrently sends one request for each user at once, and returns the responses by
// status.
func sendConcurrently(people []*person, send func(*person) response) map[int][]response {
	var (
		mu    sync.Mutex
		done  sync.WaitGroup
		all   = map[int][]response{}
		start = make(chan struct{})
	)
	for _, p := range people {
		done.Go(func() {
			<-start
			got := send(p)
			mu.Lock()
			defer mu.Unlock()
			all[got.StatusCode] = append(all[got.StatusCode], got)
		})
	}
	close(start)
	done.Wait()
	return all
}

func TestBookingRace(t *testing.T) {
	e := newEnv(t)
	seller := e.seller("Sue")
	phone := seller.addPhone(e.brand("Nokia"))
	buyers := []*person{}
	for range 200 {
		buyers = append(buyers, e.buyer("Bob"))
	}
	responses := sendConcurrently(buyers, func(p *person) response { return p.putBooking(p.bookingFields(phone)) })
	if len(responses[http.StatusOK]) != 1 || len(responses[http.StatusConflict]) != 199 {
		t.Fatalf("%d requests have status 200, and %d have 409, want 1 and 199", len(responses[http.StatusOK]), len(responses[http.StatusConflict]))
	}
	for _, lost := range responses[http.StatusConflict] {
		got := lost.wantError(http.StatusConflict, market.CodeTaken)
		if got.wantUnacknowledged(t); got.Message != "This phone has just been booked" {
			t.Errorf("message %q", got.Message)
		}
	}
	id, bookings := responses[http.StatusOK][0].insertedID(), 0
	for _, p := range buyers {
		for _, b := range p.ownBookings().items() {
			if bookings++; b["_id"] != id {
				t.Errorf("the server has stored a booking that it has refused: %v", b)
			}
		}
	}
	if bookings != 1 {
		t.Errorf("the buyers have %d bookings, want 1", bookings)
	}
}

func TestHoldExpires(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.rules.BookingHold = time.Minute })
	seller, buyer, otherBuyer := e.seller("Sue"), e.buyer("Bob"), e.buyer("Rita")
	brand := e.brand("Nokia")
	phone := seller.addPhone(brand)
	booking := buyer.book(phone)

	e.clock.Pass(59 * time.Second)
	e.runDueWork()
	otherBuyer.putBooking(otherBuyer.bookingFields(phone)).wantError(http.StatusConflict, market.CodeTaken)

	e.clock.Pass(2 * time.Second)
	e.runDueWork()
	if items := buyer.ownBookings().items(); items[0]["_id"] != booking || items[0]["status"] != "expired" {
		t.Errorf("the buyer's bookings are %v, want an expired one", items)
	}
	if p := otherBuyer.get("/categories/" + brand.ID).product(phone); p["booked"] != false {
		t.Errorf("after the hold the phone is %v, want an available one", p)
	}
	buyer.putBooking(buyer.bookingFields(phone)).wantError(http.StatusConflict, market.CodeWait).wantUnacknowledged(t)
	e.clock.Pass(58 * time.Minute)
	buyer.refreshToken().putBooking(buyer.bookingFields(phone)).wantError(http.StatusConflict, market.CodeWait)
	e.clock.Pass(3 * time.Minute)
	if again := buyer.refreshToken().putBooking(buyer.bookingFields(phone)).insertedID(); again == booking {
		t.Error("the new booking has the ID of the expired one")
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
	const limit = 3
	e := newEnv(t, func(s *setup) { s.rules.MaxHolds = limit })
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	brand := e.brand("Nokia")
	phones := make(chan string, 30)
	same := []*person{}
	for range cap(phones) {
		phones <- seller.addPhone(brand)
		same = append(same, buyer)
	}
	responses := sendConcurrently(same, func(p *person) response { return p.putBooking(p.bookingFields(<-phones)) })
	if len(responses[http.StatusOK]) != limit || len(responses[http.StatusConflict]) != len(same)-limit {
		t.Fatalf("%d of %d bookings have status 200, want %d", len(responses[http.StatusOK]), len(same), limit)
	}
	for _, refused := range responses[http.StatusConflict] {
		refused.wantError(http.StatusConflict, market.CodeTooMany).wantUnacknowledged(t)
	}
	e.runDueWork()
	held := 0
	for _, p := range buyer.get("/categories/" + brand.ID).items() {
		if p["booked"] == true {
			held++
		}
	}
	if held != limit {
		t.Errorf("%d phones are booked, want %d", held, limit)
	}
	bookings := buyer.ownBookings().items()
	buyer.cancel(bookings[0]["_id"].(string)).wantCount("deletedCount", 1)
	buyer.book(seller.addPhone(brand))
}

// A buyer who has reached the limit of holds may book one of the held phones again.
func TestBookAgainAtTheLimit(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.rules.MaxHolds = 1 })
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	brand := e.brand("Nokia")
	phone := seller.addPhone(brand)
	first := buyer.book(phone)
	same := []*person{buyer, buyer, buyer, buyer, buyer}
	responses := sendConcurrently(same, func(p *person) response { return p.putBooking(p.bookingFields(phone)) })
	for _, again := range responses[http.StatusOK] {
		if id := again.insertedID(); id != first {
			t.Errorf("the booking is %s, want %s", id, first)
		}
	}
	if len(responses[http.StatusOK]) != len(same) {
		t.Errorf("%d of %d bookings have status 200", len(responses[http.StatusOK]), len(same))
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
	for _, got := range sendConcurrently(same, func(p *person) response { return p.putBooking(p.bookingFields(phone)) })[http.StatusOK] {
		ids[got.insertedID()] = true
	}
	if bookings := buyer.ownBookings().items(); len(bookings) != 1 || len(ids) != 1 || !ids[bookings[0]["_id"].(string)] {
		t.Errorf("the responses have the bookings %v, and the list %v, want the same one", ids, bookings)
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
		return buyer.do(http.MethodPut, "/bookings", buyer.bookingFields(seller.addPhone(brand)), forwardedFor(from))
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

func TestTurnCountsForAddressOfItsBuyer(t *testing.T) {
	e := newEnv(t, trustLoopback, func(s *setup) { s.rules.MaxHoldsPerNetwork = 1 })
	brand, seller := e.brand("Nokia"), e.seller("Sue")
	holder, waiting, other := e.buyer("Bob"), e.buyer("Ann"), e.buyer("Cid")
	phone := seller.addPhone(brand)
	booking := holder.book(phone)
	waiting.do(http.MethodPut, "/products/"+phone+"/waitlist", fields{"phone": "+880 1900 000000"}, forwardedFor("203.0.113.9")).wantStatus(http.StatusOK)
	holder.do(http.MethodDelete, "/bookings/"+booking, nil).wantStatus(http.StatusOK)
	other.do(http.MethodPut, "/bookings", other.bookingFields(seller.addPhone(brand)), forwardedFor("203.0.113.9")).
		wantError(http.StatusConflict, market.CodeTooMany)
}
