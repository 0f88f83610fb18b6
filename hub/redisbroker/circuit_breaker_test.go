package redisbroker_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"secondring/hub"
	"secondring/hub/redisbroker/redistest"
)

// While Redis hangs, one call at a time probes it, and the others return immediately.
func TestCircuitBreakerLetsOneCallProbe(t *testing.T) {
	s := redistest.Start(t)
	b := open(t, s, hub.HistoryLimits{})
	position(t, b)
	s.Hang(t)
	if err := b.Ping(t.Context()); err == nil {
		t.Fatal("Redis does not hang")
	}
	const callers, duration, slow = 50, 4 * time.Second, 300 * time.Millisecond
	var slowCalls, calls atomic.Int64
	var wg sync.WaitGroup
	end := time.Now().Add(duration)
	for range callers {
		wg.Go(func() {
			for time.Now().Before(end) {
				start := time.Now()
				if _, err := b.Position(t.Context(), "any"); err != nil {
					t.Error(err)
					return
				}
				if calls.Add(1); time.Since(start) > slow {
					slowCalls.Add(1)
				}
				<-time.After(time.Millisecond)
			}
		})
	}
	wg.Wait()
	if n := slowCalls.Load(); n > 6 {
		t.Errorf("%d of %d calls waited, want at most 6", n, calls.Load())
	}
	s.Resume(t)
	eventually(t, "Redis is called again", func() bool { return b.Ping(t.Context()) == nil })
}
