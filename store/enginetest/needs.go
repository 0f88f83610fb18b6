package enginetest

import (
	"sync"
	"sync/atomic"

	"secondring/market"
	"secondring/store"
)

// needing returns a write that adds a document and needs another one.
func needing(id string, below int64) store.Write {
	w := withEvents(added(kind("records"), newID(), nil), 1)
	w.Follow = []store.Write{added(kind("ledger"), newID(), nil)}
	w.Needs = &store.Ref{Kind: kind("brands"), ID: id, Key: "closing", Below: below}
	return w
}

var needsCases = cases{
	"a document that is needed must exist": func(s env) {
		w := needing("missing", 5)
		s.wantError(s.Write(s.Context(), w), market.ErrNotFound)
		b := s.add(kind("brands"), nil)
		s.write(removed(b))
		w.Needs.ID = b.ID
		s.wantError(s.Write(s.Context(), w), market.ErrNotFound)
		s.wantGone(w.Kind, w.ID)
		s.wantGone(w.Follow[0].Kind, w.Follow[0].ID)
		s.wantEvents()
		s.write(added(b.Kind, b.ID, nil))
		s.write(w)
		s.wantStored(w, w.Follow[0])
		s.wantEvents(w)
	},
	"its key must be missing or below": func(s env) {
		b := s.add(kind("brands"), nil)
		s.write(needing(b.ID, 0))
		b = s.write(replaced(b, store.Keys{"closing": int64(5)}))
		s.write(needing(b.ID, 6))
		for _, below := range []int64{0, 4, 5} {
			w := needing(b.ID, below)
			s.wantError(s.Write(s.Context(), w), market.ErrNotFound)
			s.wantGone(w.Kind, w.ID)
		}
		s.write(replaced(b, nil))
		s.write(needing(b.ID, 0))
	},
	"Replace and Drop can need a document": func(s env) {
		a, w := s.add(kind("records"), nil), needing("missing", 5)
		for _, change := range []store.Write{replaced(a, nil), removed(a), dropped(a.Kind, a.ID)} {
			change.Needs = w.Needs
			s.wantError(s.Write(s.Context(), change), market.ErrNotFound)
		}
		s.wantStored(a)
	},
	// A write that has begun before the needed document changed may succeed or not.
	"no write that begins after the needed document has changed succeeds": func(s env) {
		for _, change := range []func(store.Write) store.Write{
			removed, func(b store.Write) store.Write { return replaced(b, store.Keys{"closing": int64(5)}) },
		} {
			b := s.add(kind("brands"), nil)
			var changed atomic.Bool
			var late, stored atomic.Int64
			var callers sync.WaitGroup
			for range 16 {
				callers.Go(func() {
					for n := 0; n < 10 && late.Load() < 64; n++ {
						isLate, w := changed.Load(), needing(b.ID, 5)
						err := s.Write(s.Context(), w)
						if err == nil {
							stored.Add(1)
						}
						if isLate {
							late.Add(1)
						} else {
							n = 0
						}
						if isLate && err == nil {
							s.Error("a write succeeds without the document that it needs")
						}
					}
				})
			}
			for stored.Load() < 16 {
				s.ok(s.Ping(s.Context()))
			}
			s.write(change(b))
			changed.Store(true)
			callers.Wait()
			events := get[[]market.Event](s)(s.PendingEvents(s.Context(), 1_000_000))
			s.equal(int64(len(events)), stored.Load())
			s.ok(s.EventsPublished(s.Context(), events))
		}
	},
}
