package sqlite_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"secondring/market"
	"secondring/store/sqlite"
)

func pending(t *testing.T, s *sqlite.Store, limit int) []market.Event {
	t.Helper()
	events, err := s.PendingEvents(t.Context(), limit)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// TestRememberedEventsAreThoseThatAreStored, to the place and the millisecond.
func TestRememberedEventsAreThoseThatAreStored(t *testing.T) {
	s := open(t, file(t))
	s.ForgetLater(time.Hour)
	at := time.Date(2026, 11, 22, 11, 0, 0, 123_456_789, time.FixedZone("", 3600))
	tell(t, s,
		market.Event{Topic: "a", Type: "x", At: at, Entity: "1", Version: 7, Data: []byte(`{"n":1}`)},
		market.Event{Topic: "b", Type: "x", Entity: "1", Version: 7, Data: []byte(`{"n":1}`)},
		market.Event{Topic: "c", Type: "y", Entity: "2", Data: []byte{}},
	)
	tell(t, s, market.Event{Entity: "3"})
	look := func() {
		t.Helper()
		remembered := pending(t, s, 10)
		s.ForgetRecent()
		if diff := cmp.Diff(pending(t, s, 10), remembered); diff != "" {
			t.Errorf("stored, remembered:\n%s", diff)
		}
	}
	look()
	tell(t, s, market.Event{Entity: "4"}, market.Event{Entity: "5"})
	if err := s.EventsPublished(t.Context(), pending(t, s, 4)); err != nil { // the last is of the middle of a bundle
		t.Fatal(err)
	}
	s.ForgetLater(time.Hour)
	look()
	tell(t, s, market.Event{Entity: "6"}) // with which the others leave
	if n := s.Recent(); n != 1 {
		t.Errorf("%d are remembered", n)
	}
	look()
}

// TestEventsOfTwoProcessesKeepTheirOrder, also where one remembers its own.
func TestEventsOfTwoProcessesKeepTheirOrder(t *testing.T) {
	path := file(t)
	one, other := open(t, path), open(t, path)
	tell(t, one, market.Event{Entity: "1"})
	tell(t, other, market.Event{Entity: "2"})
	tell(t, one, market.Event{Entity: "3"})
	first := waiting(t, one, "1", "2")
	waiting(t, other, "1", "2")
	if err := other.EventsPublished(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	tell(t, other, market.Event{Entity: "4"})
	waiting(t, one, "3", "4")

	tell(t, one, market.Event{Entity: "5"}, market.Event{Entity: "6"})
	if err := other.EventsPublished(t.Context(), pending(t, other, 3)); err != nil {
		t.Fatal(err)
	}
	tell(t, other, market.Event{Entity: "7"})
	waiting(t, one, "6", "7")
}

// TestMoreEventsThanAreRememberedAreOffered while nobody publishes.
func TestMoreEventsThanAreRememberedAreOffered(t *testing.T) {
	s := open(t, file(t))
	const each = 1000
	var want []string
	for n := range 6 {
		events := make([]market.Event, each)
		for i := range events {
			events[i].Entity = fmt.Sprint(n*each + i)
			want = append(want, events[i].Entity)
		}
		tell(t, s, events...)
	}
	var got []string
	for _, e := range pending(t, s, 7*each) {
		got = append(got, e.Entity)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want, got:\n%s", diff)
	}
	if n := s.Recent(); n > sqlite.RecentMost {
		t.Errorf("%d are remembered", n)
	}
}
