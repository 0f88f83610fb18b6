package enginetest

import (
	"errors"
	"fmt"
	"testing"

	"secondring/market"
	"secondring/store"
)

var writeCases = cases{
	"documents are read by their IDs": func(s env) {
		a, b := s.add(kind("records"), nil), s.add(kind("records"), nil)
		s.add(kind("records"), nil)
		docs := get[[]store.Doc](s)(s.Get(s.Context(), a.Kind, b.ID, "missing", a.ID, b.ID))
		s.equal(len(get[[]store.Doc](s)(s.Get(s.Context(), a.Kind))), 0)
		if len(docs) == 2 && docs[0].ID == b.ID {
			docs[0], docs[1] = docs[1], docs[0]
		}
		s.equal(docs, docsOf(a, b))
		s.wantGone(kind("settings"), a.ID)
	},
	"Add refuses an existing ID before a unique key": func(s env) {
		a := s.add(kind("accounts"), store.Keys{"email": "a"})
		s.add(kind("accounts"), store.Keys{"email": "b"})
		err := s.Write(s.Context(), added(a.Kind, a.ID, store.Keys{"email": "b"}))
		s.wantError(err, market.ErrExists)
		if taken, ok := errors.AsType[*store.TakenError](err); ok {
			s.Errorf("the error names the unique key %v", taken.Unique)
		}
		s.wantStored(a)
	},
	"a document without one of the unique keys is not compared": func(s env) {
		k := kind("notifications")
		a, b := s.add(k, store.Keys{"uid": "ann"}), s.add(k, store.Keys{"uid": "ann"})
		c := s.add(k, store.Keys{"uid": "ann", "cause": ""})
		s.add(k, store.Keys{"cause": "sale"})
		s.add(k, store.Keys{"cause": "sale"})
		s.wantList(k, store.Keys{"uid": "ann"}, c, b, a)
		s.add(kind("accounts"), store.Keys{"email": "a"})
		s.add(kind("accounts"), store.Keys{"email": "b"})
		s.add(kind("accounts"), nil)
	},
	"a document that becomes equal in both keys is refused": func(s env) {
		k := kind("notifications")
		s.add(k, store.Keys{"uid": "ann", "cause": "sale"})
		b := s.add(k, store.Keys{"uid": "ann", "cause": "order"})
		c := s.add(k, store.Keys{"uid": "bob", "cause": "sale"})
		s.wantTaken(s.Write(s.Context(), replaced(b, store.Keys{"uid": "ann", "cause": "sale"})), k.Unique[0])
		s.wantTaken(s.Write(s.Context(), replaced(c, store.Keys{"uid": "ann", "cause": "sale"})), k.Unique[0])
		s.wantStored(b, c)
	},
	"a document may keep its unique keys, and take those that another one had": func(s env) {
		k := kind("accounts")
		a, b := s.add(k, store.Keys{"email": "a", "google": "1"}), s.add(k, store.Keys{"email": "b"})
		a = s.write(replaced(a, store.Keys{"email": "a", "google": "2"}))
		a = s.write(replaced(a, store.Keys{"email": "c", "google": "2"}))
		b = s.write(replaced(b, store.Keys{"email": "a", "google": "1"}))
		s.wantTaken(s.Write(s.Context(), replaced(a, store.Keys{"email": "a"})), []string{"email"})
		s.wantStored(a, b)
	},
	"Replace and Remove need the version below": func(s env) {
		a := s.add(kind("records"), nil)
		for _, change := range []store.Write{replaced(a, nil), removed(a)} {
			for _, version := range []int64{1, 3, 7} {
				change.Version = version
				s.wantError(s.Write(s.Context(), change), market.ErrConflict)
			}
			change.ID = "missing"
			s.wantError(s.Write(s.Context(), change), market.ErrNotFound)
		}
		s.wantStored(a)
		a = s.write(replaced(a, nil))
		s.wantStored(a)
		a = s.write(removed(a))
		s.wantError(s.Write(s.Context(), replaced(a, nil)), market.ErrNotFound)
		s.wantError(s.Write(s.Context(), removed(a)), market.ErrNotFound)
		s.wantGone(a.Kind, a.ID)
	},
	"a version may begin above 1": func(s env) {
		a := s.write(versioned(added(kind("records"), newID(), nil), 1_800_000_000_000))
		a = s.write(replaced(a, nil))
		s.wantStored(a)
		s.write(removed(a))
	},
	"a refused write changes nothing, and stores no events and followers": func(s env) {
		k, follower := kind("accounts"), added(kind("records"), newID(), nil)
		other := s.add(k, store.Keys{"email": "other"})
		a := s.add(k, store.Keys{"email": "a", "pictures": []string{"1"}})
		changed := store.Keys{"email": "new", "pictures": []string{"2"}}
		old, later, none := replaced(a, changed), replaced(a, changed), replaced(a, changed)
		old.Version, later.Version, none.ID = 1, 3, "missing"
		removal, removalOfNone := removed(a), removed(none)
		removal.Version = 3
		for name, w := range map[string]store.Write{
			"an ID that exists": added(k, a.ID, changed), "a taken key": added(k, newID(), store.Keys{"email": "other"}),
			"a replaced version": old, "a later version": later, "a missing document": none, "a key of another": replaced(a, store.Keys{"email": "other"}),
			"a removed version": removal, "the removal of a missing document": removalOfNone,
		} {
			w = withEvents(w, 2)
			w.Follow = []store.Write{follower}
			if err := s.Write(s.Context(), w); err == nil {
				s.Errorf("%s is not refused", name)
			}
			s.wantEvents()
			s.wantGone(follower.Kind, follower.ID)
		}
		s.wantStored(a, other)
		s.wantList(k, nil, a, other)
		s.wantList(k, store.Keys{"email": "a"}, a)
		s.wantList(k, store.Keys{"email": "new"})
		s.wantList(k, store.Keys{"pictures": "1"}, a)
		s.wantList(k, store.Keys{"pictures": "2"})
	},
	"Drop removes any version": func(s env) {
		a := s.write(versioned(added(kind("accounts"), newID(), store.Keys{"email": "a", "pictures": []string{"1"}}), 5))
		drop := withEvents(dropped(a.Kind, a.ID), 2)
		drop.Follow = []store.Write{added(kind("records"), newID(), nil)}
		s.write(drop)
		s.wantGone(a.Kind, a.ID)
		s.wantList(a.Kind, nil)
		s.wantList(a.Kind, store.Keys{"email": "a"})
		s.wantList(a.Kind, store.Keys{"pictures": "1"})
		s.wantStored(drop.Follow...)
		s.wantEvents(drop)
	},
	"Drop stores its events and followers even if nothing is there": func(s env) {
		drop := withEvents(dropped(kind("sessions"), "missing"), 2)
		drop.Follow = []store.Write{added(kind("records"), newID(), nil)}
		s.write(drop)
		s.wantStored(drop.Follow...)
		again := withEvents(dropped(kind("sessions"), "missing"), 1)
		s.write(again)
		s.write(dropped(kind("sessions"), "missing"))
		s.write(dropped(kind("sessions"), "another"))
		s.wantEvents(drop, again)
		s.wantGone(drop.Kind, drop.ID)
		s.wantList(drop.Kind, nil)
		s.wantStored(s.write(added(drop.Kind, drop.ID, nil)))
	},
}

// eachKind tests with every kind what its declaration says.
func eachKind(t *testing.T, open Open) {
	s := env{t, open(t)}
	for _, k := range store.Kinds() {
		t.Run(k.Name, func(t *testing.T) {
			s := env{t, s.Engine}
			s.wantUnique(k)
			s.wantLists(k)
		})
	}
}

// fullKeys returns a value of every key of a kind.
func fullKeys(k *store.Info, value int64) store.Keys {
	keys := store.Keys{}
	for _, key := range k.Fields() {
		keys[key] = fmt.Sprint(key, value)
	}
	for _, key := range []string{k.Least, "closing"} {
		if _, ok := keys[key]; ok {
			keys[key] = value
		}
	}
	for _, key := range k.Many {
		keys[key] = []string{fmt.Sprint(key, value), fmt.Sprint(key, value, " too"), fmt.Sprint(key, value)}
	}
	return keys
}

// only returns the keys with these names.
func only(all store.Keys, names []string) store.Keys {
	keys := store.Keys{}
	for _, name := range names {
		keys[name] = all[name]
	}
	return keys
}

// wantUnique fails the test unless each unique key belongs to one document, and is named if another
// one wants it. A document that is gone has none.
func (s env) wantUnique(k *store.Info) {
	s.Helper()
	for _, unique := range k.Unique {
		a, b := s.add(k, fullKeys(k, 1)), s.add(k, fullKeys(k, 2))
		keys := fullKeys(k, 3)
		for _, key := range unique {
			keys[key] = a.Keys[key]
		}
		s.wantTaken(s.Write(s.Context(), added(k, newID(), keys)), unique)
		s.wantTaken(s.Write(s.Context(), replaced(b, keys)), unique)
		s.wantStored(a, b)
		s.write(removed(a))
		b = s.write(replaced(b, keys))
		s.wantStored(b)
		s.write(dropped(k, b.ID))
		c := s.add(k, keys)
		c.Expires = noon
		c = s.write(replaced(c, keys))
		s.equal(get[int](s)(s.Purge(s.Context(), k, noon.AddDate(1, 0, 0), 9)), 1)
		d := s.add(k, keys)
		s.write(removed(d))
		for _, w := range []store.Write{a, b, c, d} {
			s.write(removed(s.write(added(k, w.ID, keys)))) // the IDs are free too
		}
	}
}

// wantLists fails the test unless a document is found by each of its keys, until they change or it is
// gone.
func (s env) wantLists(k *store.Info) {
	s.Helper()
	lists := append([][]string{nil}, k.Lists...)
	lists = append(lists, k.Unique...)
	for _, key := range k.Many {
		lists = append(lists, []string{key})
	}
	want := func(value int64, writes ...store.Write) {
		s.Helper()
		for _, keys := range lists {
			where := only(fullKeys(k, value), keys)
			s.wantList(k, where, writes...)
			for _, key := range k.Many {
				if values, ok := where[key].([]string); ok {
					s.wantList(k, store.Keys{key: values[0]}, writes...)
					s.wantList(k, store.Keys{key: values[1]}, writes...)
				}
			}
		}
	}
	a := s.add(k, fullKeys(k, 1))
	want(1, a)
	a = s.write(replaced(a, fullKeys(k, 2)))
	lists = lists[1:]
	want(1)
	want(2, a)
	s.wantStored(a)
	bare := store.Keys{}
	if k.Order != "" { // every document has it
		bare[k.Order] = "1"
	}
	a = s.write(replaced(a, bare))
	want(2)
	s.wantList(k, nil, a)
	a = s.write(replaced(a, fullKeys(k, 1)))
	want(1, a)
	a = s.write(removed(a))
	want(1)
	s.wantList(k, nil)
	a = s.write(added(k, a.ID, fullKeys(k, 2)))
	want(1)
	want(2, a)
	s.write(dropped(k, a.ID))
	want(2)
	s.wantList(k, nil)
}
