package storetest

import (
	"context"
	"errors"
	"time"

	"secondring/market"
)

var outboxCases = cases{
	"events wait in the order of their writes until they are published": func(s env) {
		b := s.addBrand("Nokia")
		p, q := phone(b, "sam"), phone(b, "sam")
		s.ok(s.AddProduct(s.Context(), p, events(event(p.ID, 1), event("other", 4))))
		s.ok(s.AddProduct(s.Context(), q, events(event(q.ID, 1))))
		s.ok(s.SaveProduct(s.Context(), nextVersion(p), events(event(p.ID, 2))))
		want := events(event(p.ID, 1), event("other", 4), event(q.ID, 1), event(p.ID, 2))

		pending := get[[]market.Event](s)(s.PendingEvents(s.Context(), 9))
		s.equal(withoutSeq(pending), want)
		last := int64(0)
		for _, e := range pending {
			if e.Seq <= last {
				s.Fatalf("Seq is %d, want more than %d", e.Seq, last)
			}
			last = e.Seq
		}
		s.equal(get[[]market.Event](s)(s.PendingEvents(s.Context(), 2)), pending[:2])

		s.ok(s.EventsPublished(s.Context(), nil))
		s.ok(s.EventsPublished(s.Context(), pending[1:3]))
		s.equal(get[[]market.Event](s)(s.PendingEvents(s.Context(), 9)), events(pending[0], pending[3]))
		s.ok(s.EventsPublished(s.Context(), pending)) // again: two nodes may publish the same
		s.wantEvents()
	},
	"the backlog counts waiting events, up to the limit": func(s env) {
		backlog := func(limit, events int, oldest time.Time) {
			s.Helper()
			s.equal(get[market.Backlog](s)(s.Backlog(s.Context(), limit)), market.Backlog{Events: events, Oldest: oldest})
		}
		backlog(9, 0, time.Time{})
		b := s.addBrand("Nokia")
		p, u := phone(b, "sam"), user("ann", "ann@example.com")
		later, first := event(p.ID, 1), event(u.ID, 1)
		later.At, first.At = noon.Add(time.Minute), noon
		s.ok(s.AddProduct(s.Context(), p, events(later, later)))
		backlog(9, 2, later.At)
		s.ok(s.SaveProduct(s.Context(), nextVersion(p), events(later)))
		backlog(2, 2, later.At)
		s.ok(s.EventsPublished(s.Context(), get[[]market.Event](s)(s.PendingEvents(s.Context(), 9))))
		backlog(9, 0, time.Time{})
		s.ok(s.AddUser(s.Context(), u, events(first)))
		s.ok(s.SaveProduct(s.Context(), nextVersion(nextVersion(p)), events(later)))
		backlog(9, 2, first.At)
	},
	"a sequence number is never used twice": func(s env) {
		b := s.addBrand("Nokia")
		last := int64(0)
		for range 3 {
			p := phone(b, "sam")
			s.ok(s.AddProduct(s.Context(), p, events(event(p.ID, 1))))
			pending := get[[]market.Event](s)(s.PendingEvents(s.Context(), 9))
			if len(pending) != 1 || pending[0].Seq <= last {
				s.Fatalf("pending events are %+v, want one with a Seq above %d", pending, last)
			}
			last = pending[0].Seq
			s.ok(s.EventsPublished(s.Context(), pending))
		}
	},
}

// generalCases test settings, contexts, Ping and Close.
var generalCases = cases{
	"a setting is set once": func(s env) {
		s.equal(get[string](s)(s.Meta(s.Context(), "kind")), "")
		s.ok(s.SetMeta(s.Context(), "kind", "demo"))
		s.wantError(s.SetMeta(s.Context(), "kind", "real"), market.ErrExists)
		s.equal(get[string](s)(s.Meta(s.Context(), "kind")), "demo")
		s.equal(get[string](s)(s.Meta(s.Context(), "other")), "")
	},
	"Ping succeeds": func(s env) { s.ok(s.Ping(s.Context())) },
	"a call with a cancelled context does nothing": func(s env) {
		ctx, cancel := context.WithCancel(s.Context())
		cancel()
		u := user("ann", "ann@example.com")
		s.wantError(s.AddUser(ctx, u, events(event(u.ID, 1))), context.Canceled)
		_, err := s.User(ctx, "ann")
		s.wantError(err, context.Canceled)
		wantNotFound[market.User](s)(s.User(s.Context(), "ann"))
		s.wantEvents()
	},
	"calls after Close fail": func(s env) {
		s.ok(s.Close())
		_, read := s.User(s.Context(), "ann")
		_, list := s.Brands(s.Context(), market.Page{Limit: 1})
		for call, err := range map[string]error{
			"ping": s.Ping(s.Context()), "read": read, "list": list,
			"write": s.AddUser(s.Context(), user("ann", "ann@example.com"), nil),
		} {
			if err == nil || errors.Is(err, market.ErrNotFound) {
				s.Errorf("%s after Close returns %v", call, err)
			}
		}
	},
	"times are kept to the millisecond, in UTC": func(s env) {
		at := time.Date(2026, 3, 29, 2, 30, 0, 123_000_000, time.FixedZone("", 3*3600))
		u := user("ann", "ann@example.com")
		u.CreatedAt, u.SweepUntil = at, at.Add(time.Millisecond)
		s.ok(s.AddUser(s.Context(), u, nil))
		got := get[market.User](s)(s.User(s.Context(), "ann"))
		s.equal(got.CreatedAt.Format(time.RFC3339Nano), "2026-03-28T23:30:00.123Z")
		s.equal(got.SweepUntil.Format(time.RFC3339Nano), "2026-03-28T23:30:00.124Z")
	},
}
