package mongo

import (
	"testing"
	"time"
)

func TestTimestampsIncrease(t *testing.T) {
	now := time.UnixMilli(1_800_000_000_000)
	c := &hybridClock{node: 7, now: func() time.Time { return now }}
	last := c.next()
	for range 100 { // more timestamps than one millisecond has
		next := c.next()
		if next <= last || next&(1<<nodeBits-1) != 7 {
			t.Fatalf("timestamp %d follows %d, want a larger one of node 7", next, last)
		}
		last = next
	}
	now = now.Add(-time.Hour)
	if next := c.next(); next <= last {
		t.Fatalf("after the clock was set back, timestamp %d follows %d", next, last)
	}
	now = now.Add(2 * time.Hour)
	if got := c.next() >> (nodeBits + countBits); got != now.UnixMilli() {
		t.Fatalf("the timestamp has the time %d, want %d", got, now.UnixMilli())
	}
}

// A node's timestamps are later than all that it has observed, even if its clock is slow.
func TestTimestampFollowsAllObserved(t *testing.T) {
	now := time.UnixMilli(1_800_000_000_000)
	ahead := &hybridClock{node: 9, now: func() time.Time { return now.Add(time.Hour) }}
	slow := &hybridClock{node: 1, now: func() time.Time { return now }}
	observed := ahead.next()
	slow.observe(observed)
	if next := slow.next(); next <= observed {
		t.Fatalf("timestamp %d follows the observed %d", next, observed)
	}
	slow.observe(1) // an old timestamp
	if next := slow.next(); next <= observed {
		t.Fatalf("timestamp %d follows the observed %d", next, observed)
	}
}

func TestTimestampOfYear2109IsPositive(t *testing.T) {
	c := &hybridClock{node: 1<<nodeBits - 1, now: func() time.Time { return time.Date(2109, 1, 1, 0, 0, 0, 0, time.UTC) }}
	if next := c.next(); next <= 0 {
		t.Fatalf("the timestamp is %d", next)
	}
}

// The expected numbers are those of PostgreSQL's header errcodes.h.
func TestSQLState(t *testing.T) {
	for code, want := range map[string]int{"40P01": 16908292, "57014": 67371461} {
		if got := sqlstate(code); got != want {
			t.Errorf("sqlstate(%s) = %d, want %d", code, got, want)
		}
	}
}
