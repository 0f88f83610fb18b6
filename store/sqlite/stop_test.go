package sqlite_test

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"secondring/market"
)

// leaving is a context that ends as soon as a statement begins: at the second call of
// Done. The first call is that of the wait for a connection.
type leaving struct {
	context.Context
	cancel context.CancelFunc
	asked  atomic.Int32
}

func (l *leaving) Done() <-chan struct{} {
	if l.asked.Add(1) > 1 {
		l.cancel()
	}
	return l.Context.Done()
}

func TestASearchEndsWithItsCaller(t *testing.T) {
	s := open(t, file(t))
	for range 100 { // opens every connection
		if _, err := s.SearchProducts(t.Context(), market.Query{Text: "x"}, market.Page{Limit: 1}, 9); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if _, err := s.SearchProducts(&leaving{Context: ctx, cancel: cancel}, market.Query{Text: "x"}, market.Page{Limit: 1}, 9); !errors.Is(err, context.Canceled) {
		t.Errorf("a search whose caller has disconnected: %v", err)
	}
}

// A statement is broken off while it runs, and its connection serves the next
// search. The time is long enough for the statement to have begun: the driver
// interrupts once, and SQLite forgets an interrupt that comes before the first step.
func TestARunningSearchIsBrokenOff(t *testing.T) {
	s := open(t, file(t))
	for range 2 * max(4, 2*runtime.GOMAXPROCS(0)) {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		err := s.SearchForever(ctx)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		if _, err := s.SearchProducts(t.Context(), market.Query{Text: "x"}, market.Page{Limit: 1}, 9); err != nil {
			t.Fatalf("the search after it: %v", err)
		}
	}
}
