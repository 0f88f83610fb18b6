package storetest

import (
	"slices"

	"secondring/market"
	"secondring/market/search"
)

// watching returns a person's watched phones.
func watching(uid string, phones ...string) market.Watching {
	w := market.Watching{ID: newID(), UID: uid, Version: 1, CreatedAt: noon}
	for _, id := range phones {
		w.Phones = append(w.Phones, market.Watch{ID: newID(), ProductID: id, At: noon})
	}
	return w
}

// searching adds a saved search for these brands, or for any brand.
func searching(w market.Watching, brands ...string) market.Watching {
	w.Searches = append(slices.Clone(w.Searches), market.SavedSearch{
		ID: newID(), Name: "Mine", At: noon, Query: search.Query{Text: "pixel", Brands: brands, MaxPrice: 300, Available: new(true)},
	})
	return w
}

var watchingCases = cases{
	"a person has one, which is changed and removed by compare-and-set": func(s env) {
		ctx := s.Context()
		w := searching(watching("ann", "p", "q"), "b")
		wantNotFound[market.Watching](s)(s.Watching(ctx, "ann"))
		s.ok(s.AddWatching(ctx, w, effects(event(w.ID, 1))))
		s.equal(get[market.Watching](s)(s.Watching(ctx, "ann")), w)
		s.wantError(s.AddWatching(ctx, watching("ann"), nil), market.ErrExists)
		other := watching("bob")
		s.ok(s.AddWatching(ctx, other, nil))
		s.wantError(s.SaveWatching(ctx, w, nil), market.ErrConflict)
		w.Phones, w.Version = w.Phones[1:], 2
		s.ok(s.SaveWatching(ctx, w, effects(event(w.ID, 2))))
		s.equal(get[market.Watching](s)(s.Watching(ctx, "ann")), w)
		s.wantError(s.RemoveWatching(ctx, w, nil), market.ErrConflict)
		w.Version = 3
		s.ok(s.RemoveWatching(ctx, w, effects(event(w.ID, 3))))
		s.wantError(s.RemoveWatching(ctx, w, nil), market.ErrNotFound)
		s.wantError(s.SaveWatching(ctx, w, nil), market.ErrNotFound)
		wantNotFound[market.Watching](s)(s.Watching(ctx, "ann"))
		s.equal(get[market.Watching](s)(s.Watching(ctx, "bob")), other)
		s.wantEvents(event(w.ID, 1), event(w.ID, 2), event(w.ID, 3))
		s.ok(s.AddWatching(ctx, watching("ann"), nil)) // the UID can be used again
	},
	"people who watch a phone, page by page": func(s env) {
		ctx := s.Context()
		ann, bob, cid := watching("ann", "p"), watching("bob", "q", "p"), watching("cid", "p")
		for _, w := range []market.Watching{ann, bob, cid, watching("dan", "q")} {
			s.ok(s.AddWatching(ctx, w, nil))
		}
		got := func(id string, page market.Page) []market.Watching {
			return get[[]market.Watching](s)(s.WatchingOfPhone(ctx, id, page))
		}
		first := market.Page{Limit: 2}
		s.equal(got("p", first), []market.Watching{cid, bob})
		s.equal(got("p", market.Page{Limit: 2, After: bob.ID}), []market.Watching{ann})
		s.equal(got("none", first), []market.Watching{})
		count := func(id string) int { return get[int](s)(s.CountWatchers(ctx, id)) }
		s.equal([]int{count("p"), count("q"), count("none")}, []int{3, 2, 0})
		bob.Phones, bob.Version = bob.Phones[:1], 2
		s.ok(s.SaveWatching(ctx, bob, nil))
		s.equal(got("p", first), []market.Watching{cid, ann})
		s.equal(count("p"), 2)
		cid.Version = 2
		s.ok(s.RemoveWatching(ctx, cid, nil))
		s.equal(got("p", first), []market.Watching{ann})
		ann.Phones, ann.Version = append(ann.Phones, market.Watch{ID: newID(), ProductID: "r", At: noon}), 2
		s.ok(s.SaveWatching(ctx, ann, nil))
		s.equal(got("p", first), []market.Watching{ann})
		s.equal(got("r", first), []market.Watching{ann})
	},
	"people with a saved search of a brand and with a condition, page by page": func(s env) {
		ctx := s.Context()
		ann := searching(searching(watching("ann"), "nokia"), "nokia", "sony")
		bob, cid := searching(watching("bob"), "nokia"), searching(searching(watching("cid")), "sony")
		for _, w := range []market.Watching{ann, bob, cid, watching("dan", "nokia")} {
			s.ok(s.AddWatching(ctx, w, nil))
		}
		got := func(key string, page market.Page) []market.Watching {
			return get[[]market.Watching](s)(s.WatchingOfSearches(ctx, key, page))
		}
		first := market.Page{Limit: 2}
		s.equal(got("nokia", first), []market.Watching{bob, ann})
		s.equal(got("nokia", market.Page{Limit: 2, After: bob.ID}), []market.Watching{ann})
		s.equal(got("sony", first), []market.Watching{cid, ann})
		s.equal(got(market.AnyBrand, first), []market.Watching{cid})
		s.equal(got("sony/maxPrice", first), []market.Watching{cid, ann})
		s.equal(got("/text", first), []market.Watching{cid})
		s.equal(got("/minPrice", first), []market.Watching{})
		ann.Searches, ann.Version = ann.Searches[1:], 2
		s.ok(s.SaveWatching(ctx, ann, nil))
		s.equal(got("nokia", first), []market.Watching{bob, ann})
		ann.Searches, ann.Version = nil, 3
		s.ok(s.SaveWatching(ctx, ann, nil))
		bob.Version = 2
		s.ok(s.RemoveWatching(ctx, bob, nil))
		s.equal(got("nokia", first), []market.Watching{})
		s.equal(got("sony", first), []market.Watching{cid})
	},
}
