package mongo

import (
	"testing"
	"time"
)

func TestTimestampsIncrease(t *testing.T) {
	now := time.UnixMilli(1_800_000_000_000)
	c := &hybridClock{node: 7, now: func() time.Time { return now }}
	last := c.next()
	for range 100 { // more than a millisecond has
		next := c.next()
		if next <= last || next&(1<<nodeBits-1) != 7 {
			t.Fatalf("%d after %d", next, last)
		}
		last = next
	}
	now = now.Add(-time.Hour)
	if next := c.next(); next <= last {
		t.Fatalf("%d after %d, when the time was put back", next, last)
	}
	now = now.Add(2 * time.Hour)
	if got := c.next() >> (nodeBits + countBits); got != now.UnixMilli() {
		t.Fatalf("the place is of %d, not of now", got)
	}
}

// A node's writes get later timestamps than all that it has read, even if its clock is
// late.
func TestTimestampFollowsAllObserved(t *testing.T) {
	now := time.UnixMilli(1_800_000_000_000)
	ahead := &hybridClock{node: 9, now: func() time.Time { return now.Add(time.Hour) }}
	late := &hybridClock{node: 1, now: func() time.Time { return now }}
	theirs := ahead.next()
	late.observe(theirs)
	if mine := late.next(); mine <= theirs {
		t.Fatalf("%d after %d was seen", mine, theirs)
	}
	late.observe(1) // long ago
	if mine := late.next(); mine <= theirs {
		t.Fatalf("%d after %d was seen", mine, theirs)
	}
}

func TestTimestampOfYear2109IsPositive(t *testing.T) {
	c := &hybridClock{node: 1<<nodeBits - 1, now: func() time.Time { return time.Date(2109, 1, 1, 0, 0, 0, 0, time.UTC) }}
	if place := c.next(); place <= 0 {
		t.Fatal(place)
	}
}

// PostgreSQL's own header has these two.
func TestSQLState(t *testing.T) {
	for code, want := range map[string]int{"40P01": 16908292, "57014": 67371461} {
		if got := sqlstate(code); got != want {
			t.Errorf("%s is %d, not %d", code, got, want)
		}
	}
}
