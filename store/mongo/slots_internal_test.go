package mongo

import (
	"maps"
	"testing"

	"pgregory.net/rapid"
)

// Concurrent bookings choose slots from reads that may be stale, while others are cancelled.
// The limit may have been higher before.
func TestStaleReadsKeepTheHoldLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 12).Draw(t, "limit")
		taken := map[int]bool{}
		for _, slot := range rapid.SliceOfN(rapid.IntRange(0, 30), 0, 20).Draw(t, "taken at the start") {
			taken[slot] = true
		}
		allowed := max(limit, len(taken))
		var reads []map[int]bool
		t.Repeat(map[string]func(*rapid.T){
			"read": func(*rapid.T) { reads = append(reads, maps.Clone(taken)) },
			"take": func(t *rapid.T) {
				if len(reads) == 0 {
					t.Skip("no read yet")
				}
				stale := rapid.SampledFrom(reads).Draw(t, "stale read")
				if len(stale) < limit {
					taken[freeSlot(stale, limit)] = true // no change if it is taken already
				}
			},
			"release": func(t *rapid.T) {
				if slot := rapid.IntRange(0, 30).Draw(t, "slot"); taken[slot] {
					delete(taken, slot)
					allowed = max(limit, len(taken))
				}
			},
			"": func(t *rapid.T) {
				if len(taken) > allowed {
					t.Fatalf("%d slots are taken, want at most %d: %v", len(taken), allowed, taken)
				}
			},
		})
	})
}
