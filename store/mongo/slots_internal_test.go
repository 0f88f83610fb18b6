package mongo

import (
	"maps"
	"testing"

	"pgregory.net/rapid"
)

// Concurrent bookings choose slots by reads that may be old, while others cancel, and
// the limit was once higher.
func TestStaleReadsKeepTheHoldLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 12).Draw(t, "limit")
		taken := map[int]bool{}
		for _, slot := range rapid.SliceOfN(rapid.IntRange(0, 30), 0, 20).Draw(t, "from before") {
			taken[slot] = true
		}
		allowed := max(limit, len(taken))
		var read []map[int]bool
		t.Repeat(map[string]func(*rapid.T){
			"read": func(*rapid.T) { read = append(read, maps.Clone(taken)) },
			"take": func(t *rapid.T) {
				if len(read) == 0 {
					t.Skip("there was no read")
				}
				old := rapid.SampledFrom(read).Draw(t, "old")
				if len(old) < limit {
					taken[freeSlot(old, limit)] = true // one that is taken stays so
				}
			},
			"let go": func(t *rapid.T) {
				if slot := rapid.IntRange(0, 30).Draw(t, "slot"); taken[slot] {
					delete(taken, slot)
					allowed = max(limit, len(taken))
				}
			},
			"": func(t *rapid.T) {
				if len(taken) > allowed {
					t.Fatalf("%d taken, %d allowed: %v", len(taken), allowed, taken)
				}
			},
		})
	})
}
