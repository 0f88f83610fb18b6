package sqlite_test

import (
	"testing"

	"secondring/market"
)

// Writes of another connection, such as that of another process, change a store's data version.
// Its own writes do not.
func TestWritesOfOtherConnectionsAreDetected(t *testing.T) {
	path := newPath(t)
	store, other := open(t, path), open(t, path)
	dataVersion := func(s *opened) int64 {
		t.Helper()
		n, err := s.engine.DataVersion(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before, otherBefore := dataVersion(store), dataVersion(other)
	addEvents(t, store, market.Event{Entity: "1"})
	if err := store.SetMeta(t.Context(), "n", "v"); err != nil {
		t.Fatal(err)
	}
	if after := dataVersion(store); after != before {
		t.Errorf("its own writes changed the data version from %d to %d", before, after)
	}
	if after := dataVersion(other); after == otherBefore {
		t.Errorf("writes of the first store left the other's data version at %d", after)
	}
	addEvents(t, other, market.Event{Entity: "2"})
	if after := dataVersion(store); after == before {
		t.Errorf("writes of the other store left the first's data version at %d", after)
	}
}
