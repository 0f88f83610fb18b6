package sqlite_test

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"secondring/market"
)

// addEvents stores a case with these events.
func addEvents(t *testing.T, s *opened, events ...market.Event) {
	t.Helper()
	c := market.Case{ID: fmt.Sprint("c", events[0].Entity), TargetID: events[0].Entity, Version: 1}
	var effects []market.Effect
	for _, e := range events {
		effects = append(effects, e)
	}
	if err := s.AddCase(t.Context(), c, effects); err != nil {
		t.Fatal(err)
	}
}

// wantNext returns the next pending events, at most two. It fails the test unless they are of
// these entities.
func wantNext(t *testing.T, s *opened, want ...string) []market.Event {
	t.Helper()
	events, got := pendingEvents(t, s, 2)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the next pending events are of %v, want %v", got, want)
	}
	return events
}

// Two of the three events of one write are published, and then the last one.
func TestPublishedEventsAreDeleted(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	addEvents(t, s, market.Event{Entity: "1"}, market.Event{Entity: "2"}, market.Event{Entity: "3"})
	publish := func(events []market.Event) {
		t.Helper()
		if err := s.EventsPublished(t.Context(), events); err != nil {
			t.Fatal(err)
		}
	}
	publish(wantNext(t, s, "1", "2"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, path)
	publish(wantNext(t, s, "3"))
	wantNext(t, s)
}

// Events are in the order of the commits.
func TestEventsOfTwoProcessesKeepOrder(t *testing.T) {
	path := newPath(t)
	first, second := open(t, path), open(t, path)
	addEvents(t, first, market.Event{Entity: "1"})
	addEvents(t, second, market.Event{Entity: "2"})
	addEvents(t, first, market.Event{Entity: "3"})
	events := wantNext(t, first, "1", "2")
	if err := second.EventsPublished(t.Context(), events); err != nil {
		t.Fatal(err)
	}
	addEvents(t, second, market.Event{Entity: "4"})
	wantNext(t, first, "3", "4")
}

func TestOutboxIsReadableInSQL(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	addEvents(t, s, market.Event{Topic: "brand:b", Type: "product.added", Entity: "p", Version: 1, At: time.UnixMilli(1000).UTC(), Data: []byte(`{"name":"ü"}`)})
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var row string
	err = db.QueryRow(`SELECT concat_ws(' ', seq, topic, type, entity, version, at, data ->> 'name') FROM outbox`).Scan(&row)
	if want := "1 brand:b product.added p 1 1000 ü"; err != nil || row != want {
		t.Errorf("the row is %q (%v), want %q", row, err, want)
	}
}
