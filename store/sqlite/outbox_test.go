package sqlite_test

import (
	"database/sql"
	"fmt"
	"testing"

	"secondring/market"
	"secondring/store/sqlite"
)

// addEvents stores a report with these events.
func addEvents(t *testing.T, s *sqlite.Store, events ...market.Event) {
	t.Helper()
	r := market.Report{ID: fmt.Sprint("r", events[0].Entity), ReporterUID: events[0].Entity, Version: 1}
	if err := s.AddReport(t.Context(), r, events); err != nil {
		t.Fatal(err)
	}
}

// waiting returns the pending events, and fails unless they are of these entities.
func waiting(t *testing.T, s *sqlite.Store, want ...string) []market.Event {
	t.Helper()
	events, got := offered(t, s, 2)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v are offered, want %v", got, want)
	}
	return events
}

// A part of the events of one write is published, then the rest.
func TestPublishedEventsAreDeleted(t *testing.T) {
	path := file(t)
	s := open(t, path)
	addEvents(t, s, market.Event{Entity: "1"}, market.Event{Entity: "2"}, market.Event{Entity: "3"})
	published := func(events []market.Event) {
		t.Helper()
		if err := s.EventsPublished(t.Context(), events); err != nil {
			t.Fatal(err)
		}
	}
	published(waiting(t, s, "1", "2"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, path)
	published(waiting(t, s, "3"))
	waiting(t, s)
}

// The order is that of the commits.
func TestEventsOfTwoProcessesKeepOrder(t *testing.T) {
	path := file(t)
	one, other := open(t, path), open(t, path)
	addEvents(t, one, market.Event{Entity: "1"})
	addEvents(t, other, market.Event{Entity: "2"})
	addEvents(t, one, market.Event{Entity: "3"})
	first := waiting(t, one, "1", "2")
	if err := other.EventsPublished(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	addEvents(t, other, market.Event{Entity: "4"})
	waiting(t, one, "3", "4")
}

func TestOutboxIsReadableInSQL(t *testing.T) {
	path := file(t)
	s := open(t, path)
	addEvents(t, s, market.Event{Topic: "brand:b", Type: "product.added", Entity: "p", Version: 1, At: ms(1000), Data: []byte(`{"name":"ü"}`)})
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var row string
	err = db.QueryRow(`SELECT concat_ws(' ', seq, topic, type, entity, version, at, data ->> 'name') FROM outbox`).Scan(&row)
	if want := "1 brand:b product.added p 1 1000 ü"; err != nil || row != want {
		t.Errorf("%q (%v), want %q", row, err, want)
	}
}
