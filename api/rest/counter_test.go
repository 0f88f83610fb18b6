package rest_test

import (
	"fmt"
	"testing"
	"time"

	"secondring/api/rest"
	"secondring/market/markettest"
)

func TestCounterResetsAfterWindow(t *testing.T) {
	clock := markettest.NewClock(time.Now())
	c := rest.NewMemoryCounter(clock)
	count := func(n, want int, left time.Duration) {
		t.Helper()
		got, gotLeft, err := c.Count(t.Context(), "key", time.Minute, n)
		if got != want || gotLeft != left || err != nil {
			t.Errorf("count %d, %s left, %v; want %d, %s", got, gotLeft, err, want, left)
		}
	}
	count(0, 0, 0)
	count(1, 1, time.Minute)
	clock.Pass(time.Second)
	count(2, 3, 59*time.Second)
	count(0, 3, 59*time.Second)
	clock.Pass(59 * time.Second)
	count(0, 0, 0)
	count(1, 1, time.Minute)
}

// If the clock is set ahead and corrected, or set back, no user is refused for longer
// than a window.
func TestCounterSurvivesClockJumps(t *testing.T) {
	for _, back := range []time.Duration{time.Hour, 24 * time.Hour} {
		clock := markettest.NewClock(time.Now())
		c := rest.NewMemoryCounter(clock)
		count := func(n, want int) {
			t.Helper()
			got, left, err := c.Count(t.Context(), "ada", 15*time.Minute, n)
			if err != nil || got != want || left > 15*time.Minute {
				t.Errorf("count %d for another %v, %v; want %d", got, left, err, want)
			}
		}
		count(3, 3)
		clock.Pass(-back)
		count(0, 3)
		clock.Pass(15*time.Minute - time.Second)
		count(1, 4)
		clock.Pass(time.Second)
		count(0, 0)
	}
}

func TestCounterIsBounded(t *testing.T) {
	c := rest.NewMemoryCounter(markettest.NewClock(time.Now()))
	add := func(key string) int {
		n, _, err := c.Count(t.Context(), key, time.Minute, 1)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	add("old")
	add("used")
	for i := range 100_000 - 1 {
		add(fmt.Sprint(i))
		if i == 50_000 && add("used") != 2 {
			t.Error("the recently used key was evicted")
		}
	}
	if add("old") != 1 {
		t.Error("the oldest key was not evicted")
	}
	if add("used") != 3 {
		t.Error("the recently used key was evicted")
	}
}
