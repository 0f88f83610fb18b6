package sqlite_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"secondring/market"
	"secondring/store/sqlite"
)

// tell stores a brand's worth of nothing with these events.
func tell(t *testing.T, s *sqlite.Store, events ...market.Event) {
	t.Helper()
	r := market.Report{ID: fmt.Sprint("r", events[0].Entity), ReporterUID: events[0].Entity, Version: 1}
	if err := s.AddReport(t.Context(), r, events); err != nil {
		t.Fatal(err)
	}
}

// waiting are the entities whose events are offered.
func waiting(t *testing.T, s *sqlite.Store, want ...string) []market.Event {
	t.Helper()
	events, got := offered(t, s, 2)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v are offered, want %v", got, want)
	}
	return events
}

func inOutbox(t *testing.T, s *sqlite.Store) int {
	t.Helper()
	n, err := s.Bundles()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestWhatIsPublishedLeavesWithTheNextChange publishes a part of what was stored
// together, then the rest.
func TestWhatIsPublishedLeavesWithTheNextChange(t *testing.T) {
	s := open(t, file(t))
	s.ForgetLater(time.Hour)
	tell(t, s, market.Event{Entity: "1"}, market.Event{Entity: "2"}, market.Event{Entity: "3"})
	published := func(events []market.Event) {
		t.Helper()
		if err := s.EventsPublished(t.Context(), events); err != nil {
			t.Fatal(err)
		}
		s.ForgetLater(time.Hour)
	}
	published(waiting(t, s, "1", "2"))
	if n := inOutbox(t, s); n != 1 {
		t.Errorf("%d transactions are in the outbox", n)
	}
	published(waiting(t, s, "3"))
	waiting(t, s)
	tell(t, s, market.Event{Entity: "4"})
	if n := inOutbox(t, s); n != 1 {
		t.Errorf("%d transactions are in the outbox", n)
	}
	waiting(t, s, "4")
	if n := s.Spent(); n != 0 {
		t.Errorf("%d that are gone are remembered", n)
	}
}

// TestWhatIsPublishedLeavesByItself where nobody writes.
func TestWhatIsPublishedLeavesByItself(t *testing.T) {
	s := open(t, file(t))
	tell(t, s, market.Event{Entity: "1"})
	if err := s.EventsPublished(t.Context(), waiting(t, s, "1")); err != nil {
		t.Fatal(err)
	}
	for patience := time.After(20 * time.Second); inOutbox(t, s) > 0; {
		select {
		case <-patience:
			t.Fatal("it is there still")
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// TestNothingIsOfferedAgainWhileItLeaves reads what is offered all the while that
// another caller's change takes the events along.
func TestNothingIsOfferedAgainWhileItLeaves(t *testing.T) {
	s := open(t, file(t))
	for round := range 20 {
		for i := range 50 {
			tell(t, s, market.Event{Entity: fmt.Sprint(round, " ", i)})
		}
		events, err := s.PendingEvents(t.Context(), 100)
		if err := errors.Join(err, s.EventsPublished(t.Context(), events)); err != nil || len(events) != 50 {
			t.Fatalf("%d events, %v", len(events), err)
		}
		left := make(chan error)
		go func() { left <- s.SetMeta(t.Context(), fmt.Sprint("round ", round), "over") }()
		for leaving := true; leaving; {
			select {
			case err := <-left:
				if err != nil {
					t.Fatal(err)
				}
				leaving = false
			default:
			}
			waiting(t, s)
		}
	}
}

// TestWhatIsPublishedIsGoneAfterClose closes at once.
func TestWhatIsPublishedIsGoneAfterClose(t *testing.T) {
	path := file(t)
	s := open(t, path)
	tell(t, s, market.Event{Entity: "1"}, market.Event{Entity: "2"}, market.Event{Entity: "3"})
	if err := s.EventsPublished(t.Context(), waiting(t, s, "1", "2")); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	waiting(t, open(t, path), "3")
}

// TestAFullDiskOffersNothingTwice has the change fail that would have taken
// events along.
func TestAFullDiskOffersNothingTwice(t *testing.T) {
	s := open(t, file(t))
	tell(t, s, market.Event{Entity: "1"})
	events := waiting(t, s, "1")
	if err := s.Grow(0); err != nil {
		t.Fatal(err)
	}
	if err := s.EventsPublished(t.Context(), events); err != nil {
		t.Fatal(err)
	}
	big := market.Report{ID: "big", Reason: string(make([]byte, 1<<20)), Version: 1}
	if err := s.AddReport(t.Context(), big, nil); err == nil {
		t.Fatal("the disk is not full")
	}
	waiting(t, s)
	if err := s.Grow(-1); err != nil {
		t.Fatal(err)
	}
	tell(t, s, market.Event{Entity: "2"})
	waiting(t, s, "2")
}

// TestWhatSaysTheSameIsKeptOnce publishes events one by one of which some say
// what the one before says.
func TestWhatSaysTheSameIsKeptOnce(t *testing.T) {
	long := []byte(`"` + string(make([]byte, 5000)) + `"`)
	for gone := range 4 {
		path := file(t)
		s := open(t, path)
		tell(t, s, market.Event{Entity: "1", Data: long}, market.Event{Entity: "2", Data: long},
			market.Event{Entity: "3", Data: []byte(`{}`)}, market.Event{Entity: "4", Data: long}, market.Event{Entity: "5", Data: long})
		all, err := s.PendingEvents(t.Context(), 9)
		if err != nil || len(all) != 5 {
			t.Fatalf("%d events, %v", len(all), err)
		}
		if err := s.EventsPublished(t.Context(), all[gone:gone+2]); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		is(t, append(all[:gone:gone], all[gone+2:]...))(open(t, path).PendingEvents(t.Context(), 9))
	}
}
