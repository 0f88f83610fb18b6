package market_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"secondring/market"
)

func TestConcurrentBookingsKeepTheHoldLimit(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	phones := make([]market.Product, 30)
	for i := range phones {
		phones[i] = e.phone(seller)
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	succeeded := 0
	for _, p := range phones {
		all.Go(func() {
			_, err := e.book(buyer, p)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				succeeded++
			} else if market.CodeOf(err) != market.CodeTooMany {
				t.Errorf("the error is %v, want the code %s", err, market.CodeTooMany)
			}
		})
	}
	all.Wait()
	held := 0
	for _, p := range phones {
		if e.stored(p).Booked() {
			held++
		}
	}
	if succeeded != defaultRules.MaxHolds || held != succeeded {
		t.Errorf("%d bookings and %d held phones, want %d", succeeded, held, defaultRules.MaxHolds)
	}
}

// Buyers with one network address share its limit of holds. A cancelled booking does not
// count.
func TestHoldsPerNetworkAreLimited(t *testing.T) {
	const limit = 4
	rules := defaultRules
	rules.MaxHoldsPerNetwork = limit
	e := newEnvWith(t, rules)
	seller := e.seller()
	bookFrom := func(network string, buyer market.Actor) (market.Booking, error) {
		return e.Book(e.ctx, buyer, market.BookingRequest{ProductID: e.phone(seller).ID, Phone: "01800000", Network: network})
	}
	var last market.Booking
	one, two := e.buyer(), e.buyer()
	for i := range limit {
		b, err := bookFrom("office", []market.Actor{one, two}[i%2])
		e.must(err)
		last = b
	}
	if _, err := bookFrom("office", e.buyer()); market.CodeOf(err) != market.CodeTooMany {
		t.Errorf("a booking above the limit returned %v", err)
	}
	for range 2 {
		for _, network := range []string{"home", ""} {
			_, err := bookFrom(network, e.buyer())
			e.must(err)
		}
	}
	_, err := e.CancelBooking(e.ctx, two, last.ID)
	e.must(err)
	if b := e.storedBooking(last); b.Network != "" {
		t.Errorf("a cancelled booking still has the network %q", b.Network)
	}
	_, err = bookFrom("office", e.buyer())
	e.must(err)
}

func TestConcurrentHoldsPerNetworkAreLimited(t *testing.T) {
	const limit, buyers = 5, 24
	rules := defaultRules
	rules.MaxHoldsPerNetwork = limit
	e := newEnvWith(t, rules)
	seller := e.seller()
	var all sync.WaitGroup
	for range buyers {
		buyer, p := e.buyer(), e.phone(seller)
		all.Go(func() {
			_, err := e.Book(e.ctx, buyer, market.BookingRequest{ProductID: p.ID, Phone: "01800000", Network: "office"})
			if err != nil && market.CodeOf(err) != market.CodeTooMany {
				t.Error(err)
			}
		})
	}
	all.Wait()
	held, err := e.store.HeldFrom(e.ctx, "office", buyers)
	e.must(err)
	if held > limit {
		t.Errorf("%d phones are held, want at limit %d", held, limit)
	}
	list, err := e.store.ProductsOfSeller(e.ctx, seller.User.UID, market.Page{Limit: buyers})
	e.must(err)
	booked := 0
	for _, p := range list.Items {
		if p.Booked() {
			booked++
		}
	}
	if booked != held {
		t.Errorf("%d phones are booked by %d bookings", booked, held)
	}
}

// newNetworkEnv returns an environment in which buyers with one network may hold limit phones.
func newNetworkEnv(t *testing.T, limit int) *env {
	t.Helper()
	rules := defaultRules
	rules.MaxHoldsPerNetwork = limit
	return newEnvWith(t, rules)
}

// bookFrom books a new phone of the seller for a new buyer with this network.
func (e *env) bookFrom(network string, seller market.Actor) market.Booking {
	e.t.Helper()
	b, err := e.Book(e.ctx, e.buyer(), market.BookingRequest{ProductID: e.phone(seller).ID, Phone: "01800000", Network: network})
	e.must(err)
	return b
}

// joinWaitlistFrom puts a new buyer with this network on the waitlist of a booked phone.
func (e *env) joinWaitlistFrom(network string, b market.Booking) market.Actor {
	e.t.Helper()
	buyer := e.buyer()
	_, err := e.JoinWaitlist(e.ctx, buyer, market.WaitlistRequest{ProductID: b.ProductID, Phone: "01900000", Network: network})
	e.must(err)
	return buyer
}

// wantHeldFrom fails the test unless buyers with this network hold so many phones.
func (e *env) wantHeldFrom(network string, want int) {
	e.t.Helper()
	held, err := e.store.HeldFrom(e.ctx, network, 100)
	e.must(err)
	if held != want {
		e.t.Errorf("%d phones are held from %q, want %d", held, network, want)
	}
}

// A turn on the waitlist counts for the network from which its buyer joined. A buyer whose
// network is at its limit is passed over.
func TestTurnsCountForTheNetwork(t *testing.T) {
	e := newNetworkEnv(t, 2)
	seller := e.seller()
	first, second := e.bookFrom("home", seller), e.bookFrom("home", seller)
	e.bookFrom("office", seller)
	p := market.Product{ID: first.ProductID}
	next := e.joinWaitlistFrom("office", first)
	passed := e.joinWaitlistFrom("office", second)
	after := e.joinWaitlistFrom("school", second)
	e.must(e.cancelAsBuyer(first))
	if b := e.wantHolder(next, p, "after the hold"); b.Network != "office" {
		t.Errorf("the booking of the turn has the network %q", b.Network)
	}
	e.wantHeldFrom("office", 2)
	e.must(e.cancelAsBuyer(second))
	e.wantHolder(after, market.Product{ID: second.ProductID}, "while the network of the first is full")
	e.wantHeldFrom("office", 2)
	e.wantNotified(passed, "turn: It was your turn for Nokia 3310, but your network has reached the limit of unpaid bookings. It went to someone after you, and you keep your place in line.")
}

// The hold that ends does not count against the next buyer with the same network.
func TestTurnFollowsHoldOfSameNetwork(t *testing.T) {
	for name, end := range map[string]func(e *env, b market.Booking){
		"cancelled": func(e *env, b market.Booking) { e.must(e.cancelAsBuyer(b)) },
		"expired":   func(e *env, _ market.Booking) { e.passAndStep(time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			e := newNetworkEnv(t, 1)
			b := e.bookFrom("office", e.seller())
			next := e.joinWaitlistFrom("office", b)
			end(e, b)
			e.wantHolder(next, market.Product{ID: b.ProductID}, "after the hold")
			e.wantHeldFrom("office", 1)
		})
	}
}

// The janitor completes a booking after a crash.
func TestCompletedBookingCountsForTheNetwork(t *testing.T) {
	e := newNetworkEnv(t, 1)
	p := e.phone(e.seller())
	crashing := market.New(&failingStore{Store: e.store, addBooking: func() error { return errCrash }}, e.clock, e.rules, e.bank)
	_, err := crashing.Book(e.ctx, e.buyer(), market.BookingRequest{ProductID: p.ID, Phone: "01800000", Network: "office"})
	if !errors.Is(err, errCrash) {
		t.Fatal(err)
	}
	e.passAndStep(4 * time.Second)
	e.wantHeldFrom("office", 1)
}

func TestPaidPhoneHasNoNetwork(t *testing.T) {
	e := newNetworkEnv(t, 1)
	b := e.bookFrom("office", e.seller())
	u, err := e.store.User(e.ctx, b.BuyerUID)
	e.must(err)
	e.mustPay(market.Actor{User: u}, b)
	if hold := e.stored(market.Product{ID: b.ProductID}).Hold; hold == nil || hold.Network != "" {
		t.Errorf("the hold of the paid phone is %+v", hold)
	}
}
