package market_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"secondring/market"
)

// slow is a store whose writes of phones block until they are released. It counts the calls
// that check a phone.
type slow struct {
	market.Store
	let    chan error // the result of each write of a phone
	claims atomic.Int64
}

func (s *slow) SaveProduct(ctx context.Context, p market.Product, events []market.Event) error {
	if err := <-s.let; err != nil {
		return err
	}
	return s.Store.SaveProduct(ctx, p, events)
}

func (s *slow) LastBooking(ctx context.Context, buyerUID, productID string) (market.Booking, error) {
	s.claims.Add(1)
	return s.Store.LastBooking(ctx, buyerUID, productID)
}

// Many buyers book one phone. The first attempt fails, the second succeeds. The others are
// refused without an attempt. A cancelled one stops waiting.
func TestConcurrentBookingsTryOneAtATime(t *testing.T) {
	e := newEnv(t)
	p := e.phone(e.seller())
	var buyers []market.Actor
	for range 12 {
		buyers = append(buyers, e.buyer())
	}
	synctest.Test(t, func(t *testing.T) {
		store := &slow{Store: e.store, let: make(chan error)}
		m := market.New(store, e.clock, plainRules, e.bank)
		impatient, giveUp := context.WithCancel(t.Context())
		var all sync.WaitGroup
		errs := make([]error, len(buyers))
		for i, buyer := range buyers {
			ctx := t.Context()
			if i == len(buyers)-1 {
				ctx = impatient
			}
			all.Go(func() {
				_, errs[i] = m.Book(ctx, buyer, market.BookingRequest{ProductID: p.ID, Phone: "01800000"})
			})
			synctest.Wait()
		}
		if n := store.claims.Load(); n != 1 {
			t.Errorf("%d try at once", n)
		}
		giveUp()
		synctest.Wait()
		if err := errs[len(errs)-1]; !errors.Is(err, context.Canceled) {
			t.Errorf("the buyer above the limit got %v", err)
		}
		store.let <- errCrash
		synctest.Wait() // the others have read the phone again: one of them tries to book it, the rest wait
		store.let <- nil
		all.Wait()
		if n := store.claims.Load(); n != 2 {
			t.Errorf("%d have tried", n)
		}
		got := map[market.Code]int{}
		for _, err := range errs[1 : len(errs)-1] {
			got[market.CodeOf(err)]++
		}
		if !errors.Is(errs[0], errCrash) || got[""] != 1 || got[market.CodeTaken] != len(buyers)-3 {
			t.Errorf("the first got %v, the others %v", errs[0], got)
		}
	})
}
