package ratelimit_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"secondring/api/ratelimit"
	"secondring/hub/redisbroker/redistest"
)

// here is a counter that only counts its calls.
type here struct{ asked int }

func (h *here) Count(context.Context, string, time.Duration, int) (int, time.Duration, error) {
	h.asked++
	return 42, time.Minute, nil
}

func TestAttemptsAreCountedAcrossNodes(t *testing.T) {
	s := redistest.Start(t)
	var nodes []*ratelimit.Attempts
	for range 2 {
		c := s.Client()
		t.Cleanup(func() { _ = c.Close() })
		nodes = append(nodes, ratelimit.NewAttempts(c, "p", &here{}))
	}
	for i, want := range []int{1, 2, 3, 4} {
		n, left, err := nodes[i%2].Count(t.Context(), "k", time.Minute, 1)
		if n != want || left <= 50*time.Second || left > time.Minute || err != nil {
			t.Errorf("%d, %v left, %v; want %d", n, left, err, want)
		}
	}
	if n, _, err := nodes[0].Count(t.Context(), "k", time.Minute, 0); n != 4 || err != nil {
		t.Errorf("a look: %d, %v", n, err)
	}
	if n, left, err := nodes[0].Count(t.Context(), "other", time.Minute, 0); n != 0 || left != time.Minute || err != nil {
		t.Errorf("a look at nothing: %d, %v, %v", n, left, err)
	}
	if n := s.Do(t, "EXISTS", "p:tries:other"); n != int64(0) {
		t.Error("looking left a key")
	}
}

func TestAttemptsResetAfterWindow(t *testing.T) {
	s := redistest.Start(t)
	c := s.Client()
	defer func() { _ = c.Close() }()
	tries := ratelimit.NewAttempts(c, "p", &here{})
	const window = 300 * time.Millisecond
	began := time.Now()
	for {
		n, _, err := tries.Count(t.Context(), "k", window, 1)
		if err != nil {
			t.Fatal(err)
		}
		if n == 1 && time.Since(began) > window/2 { // another count does not extend the window
			break
		}
		if time.Since(began) > 20*time.Second {
			t.Fatal("it never ends")
		}
	}
}

func TestAttemptsAreCountedLocallyDuringRedisOutage(t *testing.T) {
	s := redistest.Start(t)
	c := s.Client()
	defer func() { _ = c.Close() }()
	h := &here{}
	tries := ratelimit.NewAttempts(c, "p", h)
	s.Kill()
	if n, _, err := tries.Count(t.Context(), "k", time.Minute, 1); n != 42 || h.asked != 1 || err != nil {
		t.Errorf("%d, asked %d times, %v", n, h.asked, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := tries.Count(ctx, "k", time.Minute, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that has disconnected: %v", err)
	}
}

func TestRatesAreSharedBetweenNodes(t *testing.T) {
	s := redistest.Start(t)
	var nodes []*ratelimit.Limiter
	for range 3 {
		c := redis.NewClient(&redis.Options{Addr: s.Address(), DisableIdentity: true, MaxRetries: -1}) // the same options as the broker's
		r := ratelimit.NewLimiter(c, "p")
		r.Config(100, time.Hour)
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			r.Run(ctx)
		}()
		t.Cleanup(func() {
			cancel()
			<-ended
			_ = c.Close()
		})
		nodes = append(nodes, r)
	}
	window := time.Now().Truncate(time.Hour)
	before := window.Add(-time.Hour)
	sum := func(of *ratelimit.Limiter) int {
		now, _, _ := of.Get("k", window, before)
		return now
	}
	for i, r := range nodes {
		if err := r.IncrementBy("k", window, i+1); err != nil {
			t.Fatal(err)
		}
		if got := sum(r); got < i+1 {
			t.Errorf("node %d counts %d at once, want its own %d at least", i, got, i+1)
		}
	}
	if _, then, _ := nodes[0].Get("k", window, before); then != 0 {
		t.Errorf("the window before: %d", then)
	}
	// A node gets the counts of the others when it sends its own.
	knows := func(r *ratelimit.Limiter, least int) {
		t.Helper()
		deadline := time.After(20 * time.Second)
		for own := 0; sum(r) < least+own; own++ {
			_ = r.Increment("k", window)
			select {
			case <-deadline:
				t.Fatal("the nodes never learn of each other")
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	knows(nodes[2], 6)
	s.Kill() // counts of the outage are exchanged afterwards
	_ = nodes[0].IncrementBy("k", window, 1000)
	for range 20 { // no count is lost by failed tries
		<-time.After(20 * time.Millisecond)
		if got := sum(nodes[0]); got < 1000 {
			t.Fatalf("while Redis is away the node counts %d", got)
		}
	}
	s.Restart(t)
	knows(nodes[1], 1000)
}
