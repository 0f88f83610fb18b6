package redisbroker_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"secondring/hub"
	"secondring/hub/redisbroker/redistest"
)

// While Redis hangs, one call at a time probes it.
func TestCircuitBreakerLetsOneCallProbe(t *testing.T) {
	s := redistest.Start(t)
	b := open(t, s, hub.HistoryLimits{})
	position(t, b)
	s.Hang(t)
	if err := b.Ping(t.Context()); err == nil {
		t.Fatal("it does not hang")
	}
	const callers, during, long = 50, 4 * time.Second, 300 * time.Millisecond
	var waited, asked atomic.Int64
	var all sync.WaitGroup
	end := time.Now().Add(during)
	for range callers {
		all.Go(func() {
			for time.Now().Before(end) {
				began := time.Now()
				if _, err := b.Position(t.Context(), "any"); err != nil {
					t.Error(err)
					return
				}
				if asked.Add(1); time.Since(began) > long {
					waited.Add(1)
				}
				<-time.After(time.Millisecond)
			}
		})
	}
	all.Wait()
	if n := waited.Load(); n > 6 {
		t.Errorf("%d of %d waited", n, asked.Load())
	}
	s.Resume(t)
	eventually(t, "it is asked again", func() bool { return b.Ping(t.Context()) == nil })
}
