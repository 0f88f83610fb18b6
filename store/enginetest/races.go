package enginetest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"secondring/market"
	"secondring/store"
)

const callers = 100

// race calls do from many goroutines at once, and returns their errors.
func race(do func(i int) error) []error {
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	errs := make([]error, callers)
	for i := range callers {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			errs[i] = do(i)
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
	return errs
}

// wantWinner makes the writes at once. It fails the test unless one succeeds, the others fail with
// one of these errors, and only the winner is stored.
func (s env) wantWinner(write func(i int) store.Write, others ...error) store.Write {
	s.Helper()
	writes := make([]store.Write, callers)
	for i := range writes {
		w := write(i)
		w.Body = fmt.Appendf(nil, `{"Text":"caller %d"}`, i)
		w.Events = []market.Event{event(w.ID, w.Version), event(fmt.Sprint("caller ", i), 1)}
		w.Follow = []store.Write{added(kind("ledger"), newID(), nil)}
		if w.Op == store.Remove || w.Op == store.Drop {
			w.Body = nil
		}
		writes[i] = w
	}
	var won []store.Write
	for i, err := range race(func(i int) error { return s.Write(s.Context(), writes[i]) }) {
		switch {
		case err == nil:
			won = append(won, writes[i])
		case !isAny(err, others):
			s.Fatalf("a loser gets %v, want one of %v", err, others)
		default:
			s.wantGone(kind("ledger"), writes[i].Follow[0].ID)
		}
	}
	if len(won) != 1 {
		s.Fatalf("%d callers succeed, want one", len(won))
	}
	s.wantEvents(won[0])
	s.wantStored(won[0].Follow...)
	if won[0].Body == nil {
		s.wantGone(won[0].Kind, won[0].ID)
	} else {
		s.wantStored(won[0])
	}
	return won[0]
}

func isAny(err error, others []error) bool {
	for _, other := range others {
		if errors.Is(err, other) {
			return true
		}
	}
	return false
}

var raceCases = cases{
	"one Replace of a version wins": func(s env) {
		a := s.add(kind("accounts"), store.Keys{"email": "a"})
		won := s.wantWinner(func(i int) store.Write { return replaced(a, store.Keys{"email": fmt.Sprint(i)}) }, market.ErrConflict)
		s.wantList(a.Kind, won.Keys, won)
		s.wantList(a.Kind, a.Keys)
	},
	"a Replace or a Remove of a version wins": func(s env) {
		a := s.add(kind("records"), store.Keys{"kind": "k"})
		s.wantWinner(func(i int) store.Write {
			if i%2 == 0 {
				return removed(a)
			}
			return replaced(a, a.Keys)
		}, market.ErrConflict, market.ErrNotFound)
	},
	"one Add of an ID wins": func(s env) {
		id := newID()
		s.wantWinner(func(int) store.Write { return added(kind("records"), id, nil) }, market.ErrExists)
	},
	"one Add of an ID that was removed wins": func(s env) {
		for range 5 {
			a := s.add(kind("records"), nil)
			s.write(removed(a))
			s.wantWinner(func(int) store.Write { return added(a.Kind, a.ID, nil) }, market.ErrExists)
		}
	},
	"one Add of a unique key wins": func(s env) {
		won := s.wantWinner(func(i int) store.Write {
			return added(kind("accounts"), newID(), store.Keys{"email": "ann", "google": fmt.Sprint(i)})
		}, market.ErrExists)
		s.wantList(won.Kind, store.Keys{"email": "ann"}, won)
		s.wantList(won.Kind, nil, won)
	},
	"one Replace to a unique key wins": func(s env) {
		all := make([]store.Write, callers)
		for i := range all {
			all[i] = s.add(kind("accounts"), store.Keys{"email": fmt.Sprint(i)})
		}
		won := s.wantWinner(func(i int) store.Write { return replaced(all[i], store.Keys{"email": "ann"}) }, market.ErrExists)
		s.wantList(won.Kind, store.Keys{"email": "ann"}, won)
	},
	"every Drop stores its events": func(s env) {
		for _, isThere := range []bool{true, false} {
			id := newID()
			if isThere {
				s.write(added(kind("sessions"), id, nil))
			}
			for _, err := range race(func(i int) error {
				w := dropped(kind("sessions"), id)
				w.Events = []market.Event{event(fmt.Sprint(i), 1)}
				return s.Write(s.Context(), w)
			}) {
				s.ok(err)
			}
			s.wantGone(kind("sessions"), id)
			pending := get[[]market.Event](s)(s.PendingEvents(s.Context(), 2*callers))
			entities := map[string]bool{}
			for _, e := range pending {
				entities[e.Entity] = true
			}
			s.equal([]int{len(pending), len(entities)}, []int{callers, callers})
			s.ok(s.EventsPublished(s.Context(), pending))
		}
	},
	"each purged document is counted once": func(s env) {
		k := kind("records")
		for range callers {
			w := added(k, newID(), store.Keys{"kind": "k"})
			w.Expires = noon
			s.write(w)
		}
		var purged atomic.Int64
		for _, err := range race(func(int) error {
			n, err := s.Purge(s.Context(), k, noon.AddDate(1, 0, 0), 10)
			purged.Add(int64(n))
			return err
		}) {
			s.ok(err)
		}
		left := get[store.Found](s)(s.Find(s.Context(), k, store.Find{CountTo: store.CountAll})).Total
		s.equal(int(purged.Load())+left, callers)
	},
	"a write that has returned is read, by its ID and in its lists": func(s env) {
		k := kind("products")
		for _, err := range race(func(i int) error {
			seller, many := fmt.Sprint(i), []string{fmt.Sprint(i)}
			w := added(k, newID(), store.Keys{"brand": "b", "seller": seller, "waiters": many})
			for range 3 {
				if err := s.Write(s.Context(), w); err != nil {
					return err
				}
				docs, err := s.Get(s.Context(), k, w.ID)
				for _, where := range []store.Keys{{"seller": seller}, {"waiters": seller}} {
					found, findErr := s.Find(s.Context(), k, store.Find{Where: where, Limit: 9, CountTo: store.CountAll})
					docs, err = append(docs, found.Docs...), errors.Join(err, findErr)
				}
				if err != nil {
					return err
				}
				for _, doc := range docs {
					if doc.Version != w.Version || len(docs) != 3 {
						return fmt.Errorf("after version %d, the document and its lists are %+v", w.Version, docs)
					}
				}
				w = replaced(w, w.Keys)
			}
			return nil
		}) {
			s.ok(err)
		}
		found := get[store.Found](s)(s.Find(s.Context(), k, store.Find{Where: store.Keys{"brand": "b"}, CountTo: store.CountAll}))
		s.equal(found.Total, callers)
	},
	"a document that is extended is not purged": func(s env) {
		k := kind("records")
		for range 20 {
			w := added(k, newID(), nil)
			w.Expires = noon
			s.write(w)
			extended := replaced(w, nil)
			extended.Expires = noon.AddDate(1, 0, 0)
			purged, err := 0, error(nil)
			var both sync.WaitGroup
			both.Go(func() { purged, _ = s.Purge(s.Context(), k, noon.Add(time.Minute), 1) })
			both.Go(func() { err = s.Write(s.Context(), extended) })
			both.Wait()
			if err == nil {
				s.equal(purged, 0)
				s.wantStored(extended)
				s.write(removed(extended))
			} else {
				s.wantError(err, market.ErrNotFound)
				s.equal(purged, 1)
				s.wantGone(k, w.ID)
			}
		}
	},
}
