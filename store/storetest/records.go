package storetest

import (
	"time"

	"secondring/market"
)

var recordCases = cases{
	"a record is known by its kind and id together": func(s env) {
		all := []market.Record{
			record("intent", "1"), record("intent", "2"), record("refund", "1"), record("Intent", "1"),
			// Pairs that would collide if kind and id were joined by a separator.
			record("a/b", "c"), record("a", "b/c"), record("a:b", "c"), record("a", "b:c"),
			record("a\x00b", "c"), record("a", "b\x00c"), record("ab", "c"), record("a", "bc"),
			record("", "1"), record("1", ""), record("", ""),
		}
		for _, r := range all {
			s.addRecord(r)
		}
		for _, r := range all {
			s.equal(get[market.Record](s)(s.Record(s.Context(), r.Kind, r.ID)), r)
			again := r
			again.Data = []byte("another")
			s.wantError(s.AddRecord(s.Context(), again, nil), market.ErrExists)
			s.equal(get[market.Record](s)(s.Record(s.Context(), r.Kind, r.ID)), r)
		}
		wantNotFound[market.Record](s)(s.Record(s.Context(), "refund", "2"))
		wantNotFound[market.Record](s)(s.Record(s.Context(), "2", "intent"))
	},
	"every write can carry records, stored once with it": func(s env) {
		a := account("ann", "ann@example.com")
		var want []market.Record
		for _, write := range []func(e []market.Effect) error{
			func(e []market.Effect) error { return s.AddAccount(s.Context(), a, e) },
			func(e []market.Effect) error { a.Version++; return s.SaveAccount(s.Context(), a, e) },
			func(e []market.Effect) error { return s.AddUser(s.Context(), user("ann", "ann@example.com"), e) },
			func(e []market.Effect) error { return s.EndSessions(s.Context(), "ann", e) },
			func(e []market.Effect) error { return s.AddRecord(s.Context(), record("k", "1"), e) },
		} {
			r := filled[market.Record]()
			r.Kind = "carried"
			s.ok(write(effects(event("ann", 1), r)))
			s.equal(get[market.Record](s)(s.Record(s.Context(), r.Kind, r.ID)), r)
			want = append([]market.Record{r}, want...)
		}
		// A record that was changed is not stored again by the event that carried it.
		done := want[0]
		done.Data, done.Due, done.Version = []byte("done"), time.Time{}, 2
		s.ok(s.SaveRecord(s.Context(), done))
		want[0] = done
		pending := get[[]market.Event](s)(s.PendingEvents(s.Context(), 99))
		s.equal(get[[]market.Record](s)(s.RecordsOf(s.Context(), "carried", market.Page{Limit: 9})), want)
		s.equal(len(pending), len(want)) // the event beside each record
		s.ok(s.EventsPublished(s.Context(), pending))
		s.wantEvents()
	},
	"a refused write adds no record": func(s env) {
		a := account("ann", "ann@example.com")
		s.ok(s.AddAccount(s.Context(), a, nil))
		r := record("carried", "1")
		s.wantError(s.AddAccount(s.Context(), account("bob", "ann@example.com"), effects(r)), market.ErrExists)
		s.wantError(s.SaveAccount(s.Context(), a, effects(r)), market.ErrConflict)
		get[[]market.Event](s)(s.PendingEvents(s.Context(), 9))
		wantNotFound[market.Record](s)(s.Record(s.Context(), "carried", "1"))
	},
	"the records of a kind, in pages": func(s env) {
		var want []market.Record
		for _, id := range []string{"", "1", "2", "é"} {
			want = append([]market.Record{s.addRecord(record("b", id))}, want...)
		}
		for _, kind := range []string{"a", "b ", "bb", "B", "c", ""} {
			s.addRecord(record(kind, "1"))
		}
		of := func(after string) []market.Record {
			return get[[]market.Record](s)(s.RecordsOf(s.Context(), "b", market.Page{Limit: 3, After: after}))
		}
		s.equal(of(""), want[:3])
		s.equal(of(want[2].ID), want[3:])
		s.equal(get[[]market.Record](s)(s.RecordsOf(s.Context(), "d", market.Page{Limit: 3})), []market.Record(nil))
	},
	"a record comes with its events, or neither does": func(s env) {
		r, added := record("intent", "1"), event("1", 1)
		s.ok(s.AddRecord(s.Context(), r, effects(added)))
		s.wantError(s.AddRecord(s.Context(), r, effects(event("1", 2))), market.ErrExists)
		r.Version, r.Data = 2, []byte("new") // its event stays pending
		s.ok(s.SaveRecord(s.Context(), r))
		s.wantEvents(added)
		s.wantEvents()
		s.equal(get[market.Record](s)(s.Record(s.Context(), r.Kind, r.ID)), r)
	},
	"save is compare-and-set": func(s env) {
		r, other := record("intent", "1"), s.addRecord(record("refund", "1"))
		s.wantError(s.SaveRecord(s.Context(), r), market.ErrNotFound)
		wantNotFound[market.Record](s)(s.Record(s.Context(), r.Kind, r.ID))
		s.addRecord(r)
		stale := r
		stale.Data = []byte("stale")
		for _, version := range []int64{0, 1, 3} {
			stale.Version = version
			s.wantError(s.SaveRecord(s.Context(), stale), market.ErrConflict)
		}
		s.equal(get[market.Record](s)(s.Record(s.Context(), r.Kind, r.ID)), r)
		r.Version, r.Data = 2, []byte("new")
		s.ok(s.SaveRecord(s.Context(), r))
		s.equal(get[market.Record](s)(s.Record(s.Context(), r.Kind, r.ID)), r)
		s.equal(get[market.Record](s)(s.Record(s.Context(), other.Kind, other.ID)), other)
	},
	"records due, oldest first, now included": func(s env) {
		var all []market.Record
		for i := range 5 {
			r := record("hook", newID())
			if i > 0 { // the first is never due
				r.Due = noon.Add(-time.Duration(i) * time.Minute)
			}
			all = append(all, s.addRecord(r))
		}
		due := recordsDue(s, "hook")
		s.equal(due(noon, 9), []market.Record{all[4], all[3], all[2], all[1]})
		s.equal(due(noon.AddDate(100, 0, 0), 9), []market.Record{all[4], all[3], all[2], all[1]})
		s.equal(due(noon, 2), []market.Record{all[4], all[3]})
		s.equal(due(all[3].Due, 9), []market.Record{all[4], all[3]})
		s.equal(due(all[3].Due.Add(-time.Millisecond), 9), []market.Record{all[4]})
		s.equal(due(all[4].Due.Add(-time.Millisecond), 9), []market.Record{})
	},
	"the due lists of kinds are separate": func(s env) {
		var hooks []market.Record
		for i := range 3 {
			hook := record("hook", newID())
			hook.Due = noon.Add(time.Duration(i) * time.Minute)
			hooks = append(hooks, s.addRecord(hook))
		}
		intent := record("intent", "1")
		intent.Due = noon.Add(time.Hour)
		s.addRecord(intent)
		s.equal(recordsDue(s, "intent")(intent.Due, 1), []market.Record{intent})
		s.equal(recordsDue(s, "hook")(intent.Due, 9), hooks)
		s.equal(recordsDue(s, "hoo")(intent.Due, 9), []market.Record{})
		s.equal(recordsDue(s, "")(intent.Due, 9), []market.Record{})
	},
	"a save changes when a record is due, or that it is": func(s env) {
		r, other := record("hook", "1"), record("hook", "2")
		r.Due, other.Due = noon, noon.Add(time.Minute)
		s.addRecord(r)
		s.addRecord(other)
		due := recordsDue(s, "hook")
		r.Due, r.Version = noon.Add(time.Hour), 2
		s.ok(s.SaveRecord(s.Context(), r))
		s.equal(due(other.Due, 9), []market.Record{other})
		s.equal(due(r.Due, 9), []market.Record{other, r})
		r.Due, r.Version = time.Time{}, 3
		s.ok(s.SaveRecord(s.Context(), r))
		s.equal(due(noon.AddDate(1, 0, 0), 9), []market.Record{other})
		r.Due, r.Version = noon, 4
		s.ok(s.SaveRecord(s.Context(), r))
		s.equal(due(other.Due, 9), []market.Record{r, other})
	},
	"purging deletes expired records of every kind, up to the limit": func(s env) {
		var all []market.Record
		for i, kind := range []string{"a", "b", "a", "b", "a"} {
			r := record(kind, newID())
			r.Expires = noon.Add(time.Duration(i) * time.Minute)
			all = append(all, s.addRecord(r))
		}
		before := all[3].Expires // the fourth expires at exactly this time and is kept
		s.equal(get[int](s)(s.PurgeRecords(s.Context(), before, 2)), 2)
		s.equal(get[int](s)(s.PurgeRecords(s.Context(), before, 2)), 1)
		s.equal(get[int](s)(s.PurgeRecords(s.Context(), before, 2)), 0)
		for i, r := range all {
			if i < 3 {
				wantNotFound[market.Record](s)(s.Record(s.Context(), r.Kind, r.ID))
				s.addRecord(r) // its key can be used again
				continue
			}
			s.equal(get[market.Record](s)(s.Record(s.Context(), r.Kind, r.ID)), r)
		}
	},
	"several records are removed in one call": func(s env) {
		for _, kind := range []string{"a", "b"} {
			for _, id := range []string{"1", "2", "3"} {
				r := record(kind, id)
				r.Due = noon
				s.addRecord(r)
			}
		}
		carried := record("a", "carried")
		carried.Due = noon
		s.ok(s.AddUser(s.Context(), user("ann", "ann@example.com"), effects(event("ann", 1), carried)))
		s.ok(s.RemoveRecords(s.Context(), "a", []string{"1", "3", "carried", "missing"}))
		s.ok(s.RemoveRecords(s.Context(), "a", nil))
		pending := get[[]market.Event](s)(s.PendingEvents(s.Context(), 99)) // must not restore the carried record
		for _, id := range []string{"1", "3", "carried"} {
			wantNotFound[market.Record](s)(s.Record(s.Context(), "a", id))
		}
		s.ok(s.EventsPublished(s.Context(), pending))
		s.equal(len(recordsDue(s, "a")(noon, 9)), 1)
		s.equal(len(recordsDue(s, "b")(noon, 9)), 3)
		again := record("a", "1")
		again.Version = 2
		s.wantError(s.SaveRecord(s.Context(), again), market.ErrNotFound)
	},
	"a save changes when a record expires": func(s env) {
		r := record("k", "1")
		r.Expires = noon
		s.addRecord(r)
		later := noon.Add(time.Hour)
		for i, end := range []time.Time{later, {}} {
			r.Expires, r.Version = end, int64(i+2)
			s.ok(s.SaveRecord(s.Context(), r))
			s.equal(get[int](s)(s.PurgeRecords(s.Context(), later, 9)), 0)
		}
		r.Expires, r.Version = noon, 4
		s.ok(s.SaveRecord(s.Context(), r))
		s.equal(get[int](s)(s.PurgeRecords(s.Context(), later, 9)), 1)
		r.Version = 5
		s.wantError(s.SaveRecord(s.Context(), r), market.ErrNotFound)
	},
}

func recordsDue(s env, kind string) func(now time.Time, limit int) []market.Record {
	return func(now time.Time, limit int) []market.Record {
		s.Helper()
		return get[[]market.Record](s)(s.RecordsDue(s.Context(), kind, now, limit))
	}
}
