package enginetest

import (
	"cmp"
	"errors"
	"slices"
	"sync"
	"time"

	"secondring/market"
	"secondring/store"
)

// wantPages reads a list with these page sizes, and with totals that are counted to several numbers.
// It fails the test unless all have the documents of these writes, in this order.
func (s env) wantPages(k *store.Info, f store.Find, limits []int, writes []store.Write) {
	s.Helper()
	want := docsOf(writes...)
	places := map[string]string{}
	for _, w := range writes {
		places[w.ID] = placeOf(w)
	}
	for _, limit := range limits {
		for _, countTo := range []int{0, 3, store.CountAll} {
			f.Limit, f.After, f.CountTo = limit, "", countTo
			total := len(want)
			if countTo != store.CountAll {
				total = min(total, countTo)
			}
			var all []store.Doc
			for more := true; more; more = more && len(all) <= len(want) {
				found := get[store.Found](s)(s.Find(s.Context(), k, f))
				if len(found.Docs) > f.Limit || found.More && len(found.Docs) < f.Limit || found.Total != total {
					s.Fatalf("page of %+v has %d documents, total is %d, want %d; More is %v", f, len(found.Docs), found.Total, total, found.More)
				}
				all = append(all, found.Docs...)
				if more = found.More; more {
					f.After = places[all[len(all)-1].ID]
				}
			}
			s.equal(all, want)
			f.Limit, f.After = 0, ""
			s.equal(get[store.Found](s)(s.Find(s.Context(), k, f)), store.Found{Total: total})
		}
	}
}

// placeOf returns the value by which lists are in order.
func placeOf(w store.Write) string {
	place, _ := w.Keys[w.Kind.Order].(string)
	return cmp.Or(place, w.ID)
}

// wantBothWays is wantPages in both orders. The writes are the newest first.
func (s env) wantBothWays(k *store.Info, where store.Keys, writes ...store.Write) {
	s.Helper()
	limits := []int{1, 2, 3, max(len(writes), 1), len(writes) + 1}
	if len(writes) > 9 {
		limits = []int{len(writes)/2 + 1}
	}
	s.wantPages(k, store.Find{Where: where}, limits, writes)
	writes = slices.Clone(writes)
	slices.Reverse(writes)
	s.wantPages(k, store.Find{Where: where, Ascending: true}, limits, writes)
}

var listCases = cases{
	"lists are in the order of the IDs, in pages": func(s env) {
		k := kind("bookings")
		a := s.add(k, store.Keys{"buyer": "ann", "phone": "p", "seller": "sam"})
		b := s.add(k, store.Keys{"buyer": "bob", "phone": "p", "seller": "sam"})
		c := s.add(k, store.Keys{"buyer": "ann", "phone": "q", "seller": "sam"})
		d := s.add(k, store.Keys{"buyer": "ann", "phone": "p"})
		s.wantBothWays(k, nil, d, c, b, a)
		s.wantBothWays(k, store.Keys{"buyer": "ann"}, d, c, a)
		s.wantBothWays(k, store.Keys{"seller": "sam"}, c, b, a)
		s.wantBothWays(k, store.Keys{"buyer": "ann", "phone": "p"}, d, a)
		s.wantBothWays(k, store.Keys{"buyer": "ann", "phone": "none"})
		s.wantBothWays(k, store.Keys{"buyer": ""})
		s.wantBothWays(kind("settings"), nil)
	},
	"a list of several values has the documents with any of them, each once": func(s env) {
		k := kind("users")
		a, b := s.add(k, store.Keys{"who": "ann"}), s.add(k, store.Keys{"who": "bob"})
		s.add(k, store.Keys{"who": "cid"})
		c := s.add(k, store.Keys{"who": "ann"})
		s.wantBothWays(k, store.Keys{"who": []string{"ann", "bob", "none", "ann"}}, c, b, a)
		s.wantBothWays(k, store.Keys{"who": []string{"bob"}}, b)
		s.wantBothWays(k, store.Keys{"who": []string{}})
	},
	"a key with several values": func(s env) {
		k := kind("watching")
		a := s.add(k, store.Keys{"phones": []string{"p", "q", "p"}, "searches": []string{"x"}})
		b := s.add(k, store.Keys{"phones": []string{"q", "x"}})
		c := s.add(k, store.Keys{"phones": []string{"r"}, "searches": []string{"x", "y"}})
		d := s.add(k, store.Keys{"phones": []string{}})
		s.wantBothWays(k, store.Keys{"phones": "p"}, a)
		s.wantBothWays(k, store.Keys{"phones": "q"}, b, a)
		s.wantBothWays(k, store.Keys{"searches": "x"}, c, a)
		s.wantBothWays(k, store.Keys{"phones": []string{"r", "p"}}, c, a)
		s.wantBothWays(k, store.Keys{"phones": []string{"p", "q", "x"}}, b, a)
		s.wantBothWays(k, nil, d, c, b, a)
		a = s.write(replaced(a, store.Keys{"phones": []string{"p", "r"}}))
		s.write(removed(b))
		s.wantBothWays(k, store.Keys{"phones": []string{"p", "q", "r", "x"}}, c, a)
		s.wantBothWays(k, store.Keys{"phones": "q"})
		s.wantBothWays(k, store.Keys{"searches": "x"}, c)
	},
	"lists of a kind with an order are in the order of that key, and not of the IDs": func(s env) {
		k := kind("threads")
		add := func(last, phone, unread string) store.Write {
			return s.add(k, store.Keys{"last": last, "phone": phone, "buyer": "bob", "seller": "sam", "unreadSeller": unread})
		}
		a, b, c, d := add("30", "p", "sam"), add("10", "q", ""), add("40", "r", "sue"), add("20", "t", "")
		s.wantBothWays(k, nil, c, a, d, b)
		s.wantBothWays(k, store.Keys{"seller": "sam"}, c, a, d, b)
		s.wantBothWays(k, store.Keys{"seller": "sam", "phone": "q"}, b)
		s.wantBothWays(k, store.Keys{"unreadSeller": []string{"sue", "sam", "none"}}, c, a)
		s.wantBothWays(k, store.Keys{"phone": []string{"t", "q", "p"}}, a, d, b)

		b = s.write(replaced(b, store.Keys{"last": "50", "phone": "q", "buyer": "bob", "seller": "sam", "unreadSeller": "sam"}))
		c = s.write(replaced(c, store.Keys{"last": "05", "phone": "r", "buyer": "bob", "seller": "sam"}))
		s.wantBothWays(k, nil, b, a, d, c)
		s.wantBothWays(k, store.Keys{"buyer": "bob"}, b, a, d, c)
		s.wantBothWays(k, store.Keys{"unreadSeller": []string{"sue", "sam"}}, b, a)
		// A page begins after a value that no document has any more.
		s.equal(get[store.Found](s)(s.Find(s.Context(), k, store.Find{After: "40", Limit: 1})), store.Found{Docs: docsOf(a), More: true})

		s.write(removed(a))
		s.write(dropped(k, d.ID))
		s.wantBothWays(k, nil, b, c)
		s.wantBothWays(k, store.Keys{"seller": "sam"}, b, c)
		s.wantBothWays(k, store.Keys{"phone": "p"})
	},
	"a page begins after an ID that is gone": func(s env) {
		k := kind("records")
		a, b, c := s.add(k, nil), s.add(k, nil), s.add(k, nil)
		s.write(removed(b))
		for _, f := range []store.Find{{After: b.ID, Limit: 9}, {After: b.ID, Limit: 9, Ascending: true}} {
			want := docsOf(a)
			if f.Ascending {
				want = docsOf(c)
			}
			s.equal(get[store.Found](s)(s.Find(s.Context(), k, f)), store.Found{Docs: want})
		}
	},
	"values are compared by every byte": func(s env) {
		k := kind("records")
		for _, value := range []string{"a", "A", "ä", "a ", "a%", "$a", "a.b", "1", `"`} {
			w := s.add(k, store.Keys{"kind": value})
			s.wantBothWays(k, store.Keys{"kind": value}, w)
		}
	},
	"totals add up the keys of a list": func(s env) {
		k := kind("bookings")
		keys := func(seller, state string, waiting, paidOut int64) store.Keys {
			return store.Keys{"sales": seller, "sale": state, "waiting": waiting, "paidOut": paidOut}
		}
		want := func(totals map[string][]int64) {
			s.Helper()
			s.equal(get[map[string][]int64](s)(s.Totals(s.Context(), k, store.Keys{"sales": "sam"}, "sale", "waiting", "paidOut")), totals)
		}
		want(map[string][]int64{})
		a, b := s.add(k, keys("sam", "due", 1<<40, 0)), s.add(k, keys("sam", "debt", -3, 3))
		s.add(k, keys("sam", "due", 5, 0))
		s.add(k, keys("sue", "due", 100, 0))
		s.add(k, store.Keys{"sales": "sam", "sale": "due", "waiting": int64(9)})
		want(map[string][]int64{"due": {1<<40 + 5, 0}, "debt": {-3, 3}})
		s.write(replaced(a, keys("sam", "paidOut", 0, 7)))
		s.write(removed(b))
		want(map[string][]int64{"due": {5, 0}, "paidOut": {0, 7}})
	},
	"sums have the number and the least of each value": func(s env) {
		k := kind("products")
		want := func(sums ...store.Sum) {
			s.Helper()
			got := get[[]store.Sum](s)(s.Sums(s.Context(), k))
			slices.SortFunc(got, func(a, b store.Sum) int { return a.Count - b.Count })
			s.equal(got, sums)
		}
		add := func(value string, price int64) store.Write {
			return s.add(k, store.Keys{"available": value, "price": price})
		}
		want()
		a, _ := add("a", 30), add("b", 10)
		cheap := add("b", -5)
		add("", 1)
		want(store.Sum{Value: "a", Count: 1, Least: 30}, store.Sum{Value: "b", Count: 2, Least: -5})
		cheap = s.write(replaced(cheap, store.Keys{"available": "b", "price": int64(20)}))
		want(store.Sum{Value: "a", Count: 1, Least: 30}, store.Sum{Value: "b", Count: 2, Least: 10})
		s.write(replaced(a, store.Keys{"available": "b", "price": int64(0)}))
		want(store.Sum{Value: "b", Count: 3, Least: 0})
		s.write(removed(cheap))
		s.write(dropped(k, a.ID))
		want(store.Sum{Value: "b", Count: 1, Least: 10})
	},
}

var dueCases = cases{
	"documents are due in the order of their times, those of the same time by ID": func(s env) {
		k := kind("records")
		due := func(queue string, from, until time.Time, limit int, writes ...store.Write) {
			s.Helper()
			s.equal(get[[]store.Doc](s)(s.Due(s.Context(), k, queue, from, until, limit)), docsOf(writes...))
		}
		add := func(queue string, at time.Time) store.Write {
			w := added(k, newID(), nil)
			w.Queue, w.Due = queue, at
			return s.write(w)
		}
		ms := time.Millisecond
		last, a, b := add("q", noon.Add(2*ms)), add("q", noon), add("q", noon)
		other, old, middle := add("r", noon), add("q", noon.AddDate(-30, 0, 0)), add("q", noon.Add(ms))
		add("q", time.Time{})
		add("", noon)
		distant := time.UnixMilli(1 << 31 * 1000)
		due("q", old.Due, distant, 9, old, a, b, middle, last)
		due("q", old.Due.Add(ms), distant, 9, a, b, middle, last)
		due("q", noon, noon, 9, a, b)
		due("q", noon.Add(ms), noon.Add(2*ms), 9, middle, last)
		due("q", noon, noon.Add(2*ms), 3, a, b, middle)
		due("q", noon.Add(3*ms), distant, 9)
		due("r", old.Due, distant, 9, other)
		due("none", old.Due, distant, 9)

		later := replaced(a, nil)
		later.Due = noon.Add(4 * ms)
		s.write(later)
		moved := replaced(b, nil)
		moved.Queue = "r"
		s.write(moved)
		done := replaced(middle, nil)
		done.Queue, done.Due = "", time.Time{}
		s.write(done)
		s.write(removed(last))
		due("q", old.Due, distant, 9, old, later)
		due("r", old.Due, distant, 9, moved, other)
		s.write(dropped(k, other.ID))
		due("r", old.Due, distant, 9, moved)
	},
	"Purge removes what expired before a time, the oldest first": func(s env) {
		k := kind("notifications")
		var all []store.Write
		for i, after := range []time.Duration{3 * time.Minute, time.Minute, 2 * time.Minute, 0, 4 * time.Minute} {
			w := added(k, newID(), store.Keys{"uid": "ann", "cause": string(rune('a' + i))})
			w.Expires, w.Queue, w.Due = noon.Add(after), "q", noon
			all = append(all, s.write(w))
		}
		kept := s.add(k, store.Keys{"uid": "ann"})
		purge := func(limit, want int, left ...store.Write) {
			s.Helper()
			before := noon.Add(3 * time.Minute)
			s.equal(get[int](s)(s.Purge(s.Context(), k, before, limit)), want)
			s.wantBothWays(k, store.Keys{"uid": "ann"}, append([]store.Write{kept}, left...)...)
			s.wantBothWays(k, nil, append([]store.Write{kept}, left...)...)
			due := docsOf(left...)
			slices.Reverse(due)
			s.equal(get[[]store.Doc](s)(s.Due(s.Context(), k, "q", noon, noon, 9)), due)
		}
		purge(2, 2, all[4], all[2], all[0])
		purge(2, 1, all[4], all[0])
		purge(2, 0, all[4], all[0])
		s.wantError(s.Write(s.Context(), replaced(all[1], nil)), market.ErrNotFound)
		s.write(added(k, all[1].ID, all[2].Keys)) // the ID and the keys are free
		forever := replaced(all[0], all[0].Keys)
		forever.Expires = time.Time{}
		s.write(forever)
		s.equal(get[int](s)(s.Purge(s.Context(), k, noon.AddDate(100, 0, 0), 9)), 1)
		s.wantStored(kept, forever)
	},
	"Purge keeps the events of what it removes": func(s env) {
		w := withEvents(added(kind("records"), newID(), nil), 2)
		w.Expires = noon
		s.write(w)
		s.equal(get[int](s)(s.Purge(s.Context(), w.Kind, noon.AddDate(1, 0, 0), 9)), 1)
		s.wantEvents(w)
	},
}

// everyCases test Each.
var everyCases = cases{
	"Each passes every document once": func(s env) {
		const many = 1100 // more than a batch
		want := map[string]store.Doc{}
		var mu sync.Mutex
		var group sync.WaitGroup
		for range 11 {
			group.Go(func() {
				for range many / 11 {
					w := withEvents(added(kind("records"), newID(), nil), 0)
					if err := s.Write(s.Context(), w); err != nil {
						s.Error(err)
						return
					}
					mu.Lock()
					want["records "+w.ID] = w.Doc
					mu.Unlock()
				}
			})
		}
		group.Wait()
		for _, k := range store.Kinds() {
			w := s.add(k, fullKeys(k, 1))
			want[k.Name+" "+w.ID] = w.Doc
			s.write(removed(s.add(k, nil)))
			expired := added(k, newID(), nil)
			expired.Expires = noon
			s.write(expired)
			s.equal(get[int](s)(s.Purge(s.Context(), k, noon.AddDate(1, 0, 0), 9)), 1)
		}
		got := map[string]store.Doc{}
		passed := 0
		s.snapshot(func(k *store.Info, docs []store.Doc) {
			passed += len(docs)
			for _, doc := range docs {
				got[k.Name+" "+doc.ID] = doc
			}
		})
		s.equal(got, want)
		s.equal(passed, len(want))
	},
	"Each passes the documents of one moment": func(s env) {
		first, last := store.Kinds()[0], store.Kinds()[len(store.Kinds())-1]
		a, b, c := s.add(first, nil), s.add(last, nil), s.add(last, nil)
		var got []store.Doc
		isOneMoment := s.snapshot(func(k *store.Info, docs []store.Doc) {
			if k.Name == first.Name {
				s.write(replaced(b, nil))
				s.write(removed(c))
				s.add(last, nil)
			}
			got = append(got, docs...)
		})
		if isOneMoment {
			s.equal(got, docsOf(a, b, c))
		}
	},
	"Each ends with the error of its function": func(s env) {
		s.add(kind("records"), nil)
		s.wantError(s.Each(s.Context(), func(*store.Info, []store.Doc) error { return market.ErrNotFound }), market.ErrNotFound)
	},
}

// snapshot calls Each, and returns whether the documents are of one moment.
func (s env) snapshot(do func(k *store.Info, docs []store.Doc)) bool {
	s.Helper()
	err := s.Each(s.Context(), func(k *store.Info, docs []store.Doc) error {
		do(k, docs)
		return nil
	})
	if !errors.Is(err, store.ErrNoSnapshot) {
		s.ok(err)
	}
	return err == nil
}
