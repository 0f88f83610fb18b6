package enginetest

import (
	"secondring/market"
	"secondring/store"
)

// following returns a write from which a document follows.
func following(follower store.Write) store.Write {
	w := withEvents(added(kind("records"), newID(), nil), 1)
	w.Follow = []store.Write{follower}
	return w
}

// publish reads the outbox, as a relay does, and empties it.
func (s env) publish() {
	s.Helper()
	pending := get[[]market.Event](s)(s.PendingEvents(s.Context(), 1000))
	s.ok(s.EventsPublished(s.Context(), pending))
}

// wantGoneForGood fails the test if a document is there, or is stored again with the events that are
// not published yet.
func (s env) wantGoneForGood(k *store.Info, id string) {
	s.Helper()
	s.wantGone(k, id)
	for range 2 {
		s.publish()
		s.wantGone(k, id)
	}
}

var followCases = cases{
	"documents that follow are stored with every operation": func(s env) {
		a := s.add(kind("records"), nil)
		for _, w := range []store.Write{
			added(a.Kind, newID(), nil), replaced(a, nil), removed(replaced(a, nil)), dropped(a.Kind, newID()),
		} {
			w.Follow = []store.Write{
				added(kind("ledger"), newID(), store.Keys{"booking": "sam"}), added(kind("records"), newID(), store.Keys{"kind": "k"}),
			}
			w.Follow[1].Queue, w.Follow[1].Due, w.Follow[1].Expires = "q", noon, noon
			s.write(w)
			s.wantList(kind("ledger"), store.Keys{"booking": "sam"}, w.Follow[0])
			s.wantList(kind("records"), store.Keys{"kind": "k"}, w.Follow[1])
			s.equal(get[[]store.Doc](s)(s.Due(s.Context(), kind("records"), "q", noon, noon, 9)), docsOf(w.Follow[1]))
			s.equal(get[int](s)(s.Purge(s.Context(), kind("records"), noon.AddDate(1, 0, 0), 9)), 1)
			s.write(dropped(kind("ledger"), w.Follow[0].ID))
		}
		s.wantEvents() // writes without events have none
	},
	"a document that follows is stored once": func(s env) {
		w := following(added(kind("ledger"), newID(), store.Keys{"booking": "sam"}))
		s.write(w)
		for range 2 {
			s.wantList(kind("ledger"), store.Keys{"booking": "sam"}, w.Follow[0])
			get[[]market.Event](s)(s.PendingEvents(s.Context(), 9))
		}
		next := s.write(replaced(w.Follow[0], store.Keys{"booking": "bob"}))
		s.wantEvents(w)
		s.wantStored(next)
		s.wantList(kind("ledger"), store.Keys{"booking": "sam"})
	},
	"one whose ID exists is skipped": func(s env) {
		existing := s.add(kind("ledger"), store.Keys{"booking": "sam"})
		w := following(versioned(added(kind("ledger"), existing.ID, store.Keys{"booking": "bob"}), 7))
		w.Follow = append(w.Follow, added(kind("ledger"), newID(), store.Keys{"booking": "bob"}))
		s.write(w)
		s.wantEvents(w)
		s.wantStored(w, existing)
		s.wantList(kind("ledger"), store.Keys{"booking": "bob"}, w.Follow[1])
	},
	"one whose unique key exists is skipped": func(s env) {
		k, keys := kind("notifications"), store.Keys{"uid": "ann", "cause": "sale"}
		existing := s.add(k, keys)
		w := following(added(k, newID(), keys))
		w.Follow = append(w.Follow, added(k, newID(), keys), added(k, newID(), store.Keys{"uid": "ann", "cause": "order"}))
		s.write(w)
		s.wantList(k, store.Keys{"uid": "ann"}, w.Follow[2], existing)
		s.wantEvents(w)
		s.wantList(k, store.Keys{"uid": "ann"}, w.Follow[2], existing)
		s.wantStored(w)
	},
	"one that was skipped is not stored when the other one is gone": func(s env) {
		k, keys := kind("notifications"), store.Keys{"uid": "ann", "cause": "sale"}
		existing := s.add(k, keys)
		w := following(added(k, newID(), keys))
		s.write(w)
		s.write(removed(existing))
		s.wantGoneForGood(k, w.Follow[0].ID)
	},
	"of two that clash one is stored": func(s env) {
		k, keys := kind("notifications"), store.Keys{"uid": "ann", "cause": "sale"}
		w := following(added(k, newID(), keys))
		w.Follow = append(w.Follow, added(k, newID(), keys))
		s.write(w)
		s.wantEvents(w)
		s.wantList(k, store.Keys{"uid": "ann"}, w.Follow[0])
	},
	"one that was removed, dropped or purged is not stored again with its event": func(s env) {
		for _, k := range store.Kinds() {
			for name, end := range map[string]func(w store.Write){
				"removed": func(w store.Write) { s.write(removed(w)) },
				"dropped": func(w store.Write) { s.write(dropped(w.Kind, w.ID)) },
				"purged": func(w store.Write) {
					s.equal(get[int](s)(s.Purge(s.Context(), w.Kind, noon.AddDate(1, 0, 0), 9)), 1)
				},
				"replaced and removed": func(w store.Write) { s.write(removed(s.write(replaced(w, nil)))) },
			} {
				s.Log(k.Name, name)
				follower := added(k, newID(), fullKeys(k, 1))
				follower.Expires = noon
				s.write(following(follower))
				s.wantStored(follower)
				end(follower)
				s.wantGoneForGood(k, follower.ID)
				s.write(removed(s.write(added(k, follower.ID, fullKeys(k, 1)))))
			}
		}
	},
	"one that was removed is not stored again while a later event is published": func(s env) {
		w := following(added(kind("ledger"), newID(), nil))
		s.write(w)
		s.write(removed(w.Follow[0]))
		later := s.write(withEvents(added(kind("records"), newID(), nil), 1))
		pending := get[[]market.Event](s)(s.PendingEvents(s.Context(), 9))
		s.equal(withoutSeq(pending), append(w.Events, later.Events...))
		s.ok(s.EventsPublished(s.Context(), pending[1:]))
		s.wantGoneForGood(kind("ledger"), w.Follow[0].ID)
	},
}
