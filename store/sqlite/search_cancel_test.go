package sqlite_test

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/search"
)

// cancelOnStatement is a context that is cancelled when a statement begins, which is at the second
// call of Done. The first call is that of the wait for a connection.
type cancelOnStatement struct {
	context.Context
	cancel context.CancelFunc
	calls  atomic.Int32
}

func (c *cancelOnStatement) Done() <-chan struct{} {
	if c.calls.Add(1) > 1 {
		c.cancel()
	}
	return c.Context.Done()
}

func TestCancelledSearchReturns(t *testing.T) {
	s := open(t, newPath(t))
	for range 100 { // opens every connection
		if _, err := s.SearchProducts(t.Context(), search.Query{Text: "x"}, market.Page{Limit: 1}, 9); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if _, err := s.SearchProducts(&cancelOnStatement{Context: ctx, cancel: cancel}, search.Query{Text: "x"}, market.Page{Limit: 1}, 9); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search returns %v, want context.Canceled", err)
	}
}

// A running statement is interrupted, and its connection can be used again. The deadline is long
// enough for the statement to begin, because the driver interrupts once and SQLite ignores an
// interrupt before the first step.
func TestRunningSearchIsInterrupted(t *testing.T) {
	s := open(t, newPath(t))
	for range 2 * max(4, 2*runtime.GOMAXPROCS(0)) {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		err := s.engine.SearchForever(ctx)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("the search returns %v, want context.DeadlineExceeded", err)
		}
		if _, err := s.SearchProducts(t.Context(), search.Query{Text: "x"}, market.Page{Limit: 1}, 9); err != nil {
			t.Fatalf("the next search: %v", err)
		}
	}
}
