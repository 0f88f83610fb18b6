package market_test

import (
	"sync"
	"testing"

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
