package enginetest

import (
	"fmt"
	"time"

	"secondring/market"
	"secondring/store"
)

var outboxCases = cases{
	"events wait in the order of their writes until they are published": func(s env) {
		p := s.write(withEvents(added(kind("products"), newID(), nil), 2))
		q := s.write(withEvents(added(kind("records"), newID(), nil), 1))
		next := replaced(p, nil)
		next.Events = []market.Event{event(p.ID, 2), event("other", 4)}
		s.write(next)
		gone := s.write(withEvents(removed(next), 1))

		pending := get[[]market.Event](s)(s.PendingEvents(s.Context(), 9))
		var want []market.Event
		for _, w := range []store.Write{p, q, next, gone} {
			want = append(want, w.Events...)
		}
		s.equal(withoutSeq(pending), want)
		last := int64(0)
		for _, e := range pending {
			if e.Seq <= last {
				s.Fatalf("Seq is %d, want more than %d", e.Seq, last)
			}
			last = e.Seq
		}
		for limit := range pending {
			s.equal(get[[]market.Event](s)(s.PendingEvents(s.Context(), limit+1)), pending[:limit+1])
		}

		s.ok(s.EventsPublished(s.Context(), nil))
		s.ok(s.EventsPublished(s.Context(), pending[1:3]))
		left := append(pending[:1:1], pending[3:]...)
		s.equal(get[[]market.Event](s)(s.PendingEvents(s.Context(), 9)), left)
		s.ok(s.EventsPublished(s.Context(), pending)) // again: two nodes may publish the same
		s.wantEvents()
	},
	"an event is stored as it is, its time to the millisecond": func(s env) {
		w := added(kind("records"), newID(), nil)
		at := time.Date(2026, 3, 28, 23, 30, 0, 123_000_000, time.UTC)
		w.Events = []market.Event{
			{Topic: "a", Type: "b", At: at, Entity: "c", Version: 1_800_000_000_000, Data: []byte(`{"ü":[1,2.5,"\u0000"]}`)},
			{Topic: "a", At: at},
		}
		s.write(w)
		s.wantEvents(w)
	},
	"the backlog counts waiting events, up to the limit": func(s env) {
		backlog := func(limit, events int, oldest time.Time) {
			s.Helper()
			s.equal(get[market.Backlog](s)(s.Backlog(s.Context(), limit)), market.Backlog{Events: events, Oldest: oldest})
		}
		backlog(9, 0, time.Time{})
		later := noon.Add(time.Minute)
		at := func(w store.Write, at time.Time) store.Write {
			for i := range w.Events {
				w.Events[i].At = at
			}
			return s.write(w)
		}
		p := at(withEvents(added(kind("products"), newID(), nil), 2), later)
		backlog(9, 2, later)
		p = at(withEvents(replaced(p, nil), 1), later)
		backlog(2, 2, later)
		s.publish()
		backlog(9, 0, time.Time{})
		at(withEvents(added(kind("records"), newID(), nil), 1), noon)
		at(withEvents(replaced(p, nil), 1), later)
		backlog(9, 2, noon)
	},
	"a sequence number is never used twice": func(s env) {
		last := int64(0)
		for range 3 {
			s.write(withEvents(added(kind("records"), newID(), nil), 1))
			pending := get[[]market.Event](s)(s.PendingEvents(s.Context(), 9))
			if len(pending) != 1 || pending[0].Seq <= last {
				s.Fatalf("pending events are %+v, want one with a Seq above %d", pending, last)
			}
			last = pending[0].Seq
			s.ok(s.EventsPublished(s.Context(), pending))
		}
	},
	"the events of an entity wait in the order of its versions, and are published once": func(s env) {
		const versions = 30
		stop, read := make(chan struct{}), make(chan map[string]int64)
		go func() { // a relay
			last := map[string]int64{}
			defer func() { read <- last }()
			for ended := false; ; {
				select {
				case <-stop:
					ended = true
				default:
				}
				pending, err := s.PendingEvents(s.Context(), 50)
				if err == nil {
					err = s.EventsPublished(s.Context(), pending)
				}
				if err != nil {
					s.Error(err)
					return
				}
				for _, e := range pending {
					if e.Version != last[e.Entity]+1 {
						s.Errorf("the event of version %d of %s comes after that of version %d", e.Version, e.Entity, last[e.Entity])
					}
					last[e.Entity] = e.Version
				}
				if ended && len(pending) == 0 {
					return
				}
			}
		}()
		want := map[string]int64{}
		for i := range 10 {
			want[fmt.Sprint(i)] = versions
		}
		errs := make(chan error, len(want))
		for id := range want {
			go func() {
				w := withEvents(added(kind("records"), id, nil), 1)
				err := s.Write(s.Context(), w)
				for w.Version < versions && err == nil {
					w = withEvents(replaced(w, nil), 1)
					err = s.Write(s.Context(), w)
				}
				errs <- err
			}()
		}
		for range want {
			s.ok(<-errs)
		}
		close(stop)
		s.equal(<-read, want)
	},
}
