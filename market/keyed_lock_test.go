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

// blockingStore is a store whose writes of phones block until the test sends their result.
// It counts the attempts to book.
type blockingStore struct {
	market.Store
	results  chan error // of each write of a phone; nil lets the write be made
	attempts atomic.Int64
}

func (s *blockingStore) SaveProduct(ctx context.Context, p market.Product, effects []market.Effect) error {
	if err := <-s.results; err != nil {
		return err
	}
	return s.Store.SaveProduct(ctx, p, effects)
}

func (s *blockingStore) LastBooking(ctx context.Context, buyerUID, productID string) (market.Booking, error) {
	s.attempts.Add(1)
	return s.Store.LastBooking(ctx, buyerUID, productID)
}

// Many buyers book one phone. The first attempt fails, the second succeeds. The others are
// wantCode without an attempt. A cancelled one stops waiting.
func TestConcurrentBookingsTryOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEnv(t)
		p := e.phone(e.seller())
		var buyers []market.Actor
		for range 12 {
			buyers = append(buyers, e.buyer())
		}
		store := &blockingStore{Store: e.store, results: make(chan error)}
		m := market.New(store, e.clock, defaultRules, e.bank)
		cancellable, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		errs := make([]error, len(buyers))
		for i, buyer := range buyers {
			ctx := t.Context()
			if i == len(buyers)-1 {
				ctx = cancellable
			}
			all.Go(func() {
				_, errs[i] = m.Book(ctx, buyer, market.BookingRequest{ProductID: p.ID, Phone: "01800000"})
			})
			synctest.Wait()
		}
		if n := store.attempts.Load(); n != 1 {
			t.Errorf("%d attempts at once, want 1", n)
		}
		cancel()
		synctest.Wait()
		if err := errs[len(errs)-1]; !errors.Is(err, context.Canceled) {
			t.Errorf("the cancelled call got %v", err)
		}
		store.results <- errCrash
		synctest.Wait() // one of the others tries to book the phone, the rest wait
		store.results <- nil
		all.Wait()
		if n := store.attempts.Load(); n != 2 {
			t.Errorf("%d attempts, want 2", n)
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
