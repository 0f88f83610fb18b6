package sqlite_test

import (
	"testing"

	"secondring/market"
	"secondring/store/sqlite"
)

// A store's own writes leave its data version as it is; those of another connection
// change it, as another process's do.
func TestWritesOfOtherConnectionsAreDetected(t *testing.T) {
	path := file(t)
	mine, theirs := open(t, path), open(t, path)
	number := func(s *sqlite.Store) int64 {
		t.Helper()
		n, err := s.Others(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before, there := number(mine), number(theirs)
	addEvents(t, mine, market.Event{Entity: "1"})
	if err := mine.SetMeta(t.Context(), "n", "v"); err != nil {
		t.Fatal(err)
	}
	if after := number(mine); after != before {
		t.Errorf("its own writes: %d, before %d", after, before)
	}
	if after := number(theirs); after == there {
		t.Errorf("another's writes are not seen: %d", after)
	}
	addEvents(t, theirs, market.Event{Entity: "2"})
	if after := number(mine); after == before {
		t.Errorf("the other's writes are not seen: %d", after)
	}
}
