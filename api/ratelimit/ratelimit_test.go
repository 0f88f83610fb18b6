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

// localCounter is a counter that only counts its calls.
type localCounter struct{ calls int }

func (c *localCounter) Count(context.Context, string, time.Duration, int) (int, time.Duration, error) {
	c.calls++
	return 42, time.Minute, nil
}

func TestAttemptsAreCountedAcrossNodes(t *testing.T) {
	s := redistest.Start(t)
	var nodes []*ratelimit.Attempts
	for range 2 {
		c := s.Client()
		t.Cleanup(func() { _ = c.Close() })
		nodes = append(nodes, ratelimit.NewAttempts(c, "p", &localCounter{}))
	}
	for i, want := range []int{1, 2, 3, 4} {
		n, left, err := nodes[i%2].Count(t.Context(), "k", time.Minute, 1)
		if n != want || left <= 50*time.Second || left > time.Minute || err != nil {
			t.Errorf("%d, %v left, %v; want %d", n, left, err, want)
		}
	}
	if n, _, err := nodes[0].Count(t.Context(), "k", time.Minute, 0); n != 4 || err != nil {
		t.Errorf("a count of 0: %d, %v, want 4", n, err)
	}
	if n, left, err := nodes[0].Count(t.Context(), "other", time.Minute, 0); n != 0 || left != time.Minute || err != nil {
		t.Errorf("a count of 0 for a new key: %d, %v, %v", n, left, err)
	}
	if n := s.Do(t, "EXISTS", "p:tries:other"); n != int64(0) {
		t.Error("a count of 0 has stored a key")
	}
}

func TestAttemptsResetAfterWindow(t *testing.T) {
	s := redistest.Start(t)
	c := s.Client()
	defer func() { _ = c.Close() }()
	attempts := ratelimit.NewAttempts(c, "p", &localCounter{})
	const window = 300 * time.Millisecond
	start := time.Now()
	for {
		n, _, err := attempts.Count(t.Context(), "k", window, 1)
		if err != nil {
			t.Fatal(err)
		}
		if n == 1 && time.Since(start) > window/2 { // another count does not extend the window
			break
		}
		if time.Since(start) > 20*time.Second {
			t.Fatal("the window did not end within 20 seconds")
		}
	}
}

func TestAttemptsAreCountedLocallyDuringRedisOutage(t *testing.T) {
	s := redistest.Start(t)
	c := s.Client()
	defer func() { _ = c.Close() }()
	local := &localCounter{}
	attempts := ratelimit.NewAttempts(c, "p", local)
	s.Kill()
	if n, _, err := attempts.Count(t.Context(), "k", time.Minute, 1); n != 42 || local.calls != 1 || err != nil {
		t.Errorf("count %d, %d calls of the local counter, %v", n, local.calls, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := attempts.Count(ctx, "k", time.Minute, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled request: %v", err)
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
		done := make(chan struct{})
		go func() {
			defer close(done)
			r.Run(ctx)
		}()
		t.Cleanup(func() {
			cancel()
			<-done
			_ = c.Close()
		})
		nodes = append(nodes, r)
	}
	window := time.Now().Truncate(time.Hour)
	previous := window.Add(-time.Hour)
	sum := func(of *ratelimit.Limiter) int {
		current, _, _ := of.Get("k", window, previous)
		return current
	}
	for i, r := range nodes {
		if err := r.IncrementBy("k", window, i+1); err != nil {
			t.Fatal(err)
		}
		if got := sum(r); got < i+1 {
			t.Errorf("node %d counts %d at once, want its own %d at least", i, got, i+1)
		}
	}
	if _, count, _ := nodes[0].Get("k", window, previous); count != 0 {
		t.Errorf("the count of the previous window is %d, want 0", count)
	}
	// A node gets the counts of the others when it sends its own.
	waitForCount := func(r *ratelimit.Limiter, least int) {
		t.Helper()
		deadline := time.After(3 * time.Minute)
		for own := 0; sum(r) < least+own; own++ {
			_ = r.Increment("k", window)
			select {
			case <-deadline:
				t.Fatal("the nodes have not exchanged their counts within 20 seconds")
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	waitForCount(nodes[2], 6)
	s.Kill() // counts of the outage are exchanged afterwards
	_ = nodes[0].IncrementBy("k", window, 1000)
	for range 20 { // no count is lost by failed attempts
		<-time.After(20 * time.Millisecond)
		if got := sum(nodes[0]); got < 1000 {
			t.Fatalf("during an outage of Redis the node counts %d, want at least 1000", got)
		}
	}
	s.Restart(t)
	waitForCount(nodes[1], 1000)
}
