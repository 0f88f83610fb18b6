package storetest

import (
	"slices"
	"time"

	"secondring/market"
)

func userID(u market.User) string { return u.ID }

var userCases = cases{
	"Admins lists admins who are not removed": func(s env) {
		s.ok(s.AddUser(s.Context(), user("ann", "ann@example.com"), nil))
		var want []string
		for _, uid := range []string{"bob", "cid", "dan"} {
			u := user(uid, uid+"@example.com")
			u.Admin = true
			s.ok(s.AddUser(s.Context(), u, nil))
			if uid != "dan" {
				want = append(want, uid)
				continue
			}
			u.Removed, u.Version = true, 2
			s.ok(s.SaveUser(s.Context(), u, nil))
		}
		var got []string
		for _, u := range get[[]market.User](s)(s.Admins(s.Context(), 9)) {
			got = append(got, u.UID)
		}
		slices.Sort(got)
		s.same(got, want)
		s.same(len(get[[]market.User](s)(s.Admins(s.Context(), 1))), 1)
	},
	"UID and email are unique among those not removed": func(s env) {
		ann := user("ann", "Ann@Example.com")
		s.ok(s.AddUser(s.Context(), ann, nil))
		s.refused(s.AddUser(s.Context(), user("ann", "other@example.com"), nil), market.ErrExists)
		s.refused(s.AddUser(s.Context(), user("other", " aNN@example.COM "), nil), market.ErrExists)
		twin := user("twin", "twin@example.com")
		twin.ID = ann.ID
		s.refused(s.AddUser(s.Context(), twin, nil), market.ErrExists)

		gone := ann
		gone.Removed, gone.Version = true, 2
		s.ok(s.SaveUser(s.Context(), gone, nil))
		again := user("ann", "ann@example.com")
		s.ok(s.AddUser(s.Context(), again, nil))
		gone.Removed, gone.Version = false, 3
		s.refused(s.SaveUser(s.Context(), gone, nil), market.ErrExists)
	},
	"letters outside ASCII are compared without case": func(s env) {
		s.ok(s.AddUser(s.Context(), user("a", "JÖRG@example.com"), nil))
		s.refused(s.AddUser(s.Context(), user("b", "jörg@example.com"), nil), market.ErrExists)
	},
	"save is compare-and-set": func(s env) {
		ann := user("ann", "ann@example.com")
		s.refused(s.SaveUser(s.Context(), ann, events(event(ann.ID, 1))), market.ErrNotFound)
		s.ok(s.AddUser(s.Context(), ann, nil))
		for _, version := range []int64{0, 1, 3} {
			ann.Version = version
			s.refused(s.SaveUser(s.Context(), ann, events(event(ann.ID, version))), market.ErrConflict)
		}
		s.wantEvents()
		ann.Version, ann.Name = 2, "Ann B."
		s.ok(s.SaveUser(s.Context(), ann, events(event(ann.ID, 2))))
		s.wantEvents(event(ann.ID, 2))
		s.same(get[market.User](s)(s.UserByID(s.Context(), ann.ID)), ann)
	},
	"a save moves the email": func(s env) {
		ann, bob := user("ann", "ann@example.com"), user("bob", "bob@example.com")
		s.ok(s.AddUser(s.Context(), ann, nil))
		s.ok(s.AddUser(s.Context(), bob, nil))
		bob.Email, bob.Version = "ANN@example.com", 2
		s.refused(s.SaveUser(s.Context(), bob, nil), market.ErrExists)
		bob.Email = "Rob@example.com"
		s.ok(s.SaveUser(s.Context(), bob, nil))
		s.same(get[market.User](s)(s.UserByEmail(s.Context(), "rob@EXAMPLE.com")), bob)
		missing[market.User](s)(s.UserByEmail(s.Context(), "bob@example.com"))
	},
	"User and UserByID find removed ones, UserByEmail does not": func(s env) {
		ann := user("ann", "ann@example.com")
		s.ok(s.AddUser(s.Context(), ann, nil))
		s.same(get[market.User](s)(s.UserByEmail(s.Context(), " ANN@example.com")), ann)
		ann.Removed, ann.Version = true, 2
		s.ok(s.SaveUser(s.Context(), ann, nil))
		s.same(get[market.User](s)(s.User(s.Context(), "ann")), ann)
		s.same(get[market.User](s)(s.UserByID(s.Context(), ann.ID)), ann)
		missing[market.User](s)(s.UserByEmail(s.Context(), "ann@example.com"))
		missing[market.User](s)(s.User(s.Context(), "nobody"))
		missing[market.User](s)(s.UserByID(s.Context(), "nobody"))
	},
	"User prefers the one not removed": func(s env) {
		live := user("ann", "ann@example.com")
		tomb := user("ann", "ann@example.com")
		tomb.Removed = true
		s.ok(s.AddUser(s.Context(), live, nil))
		s.ok(s.AddUser(s.Context(), tomb, nil))
		s.same(get[market.User](s)(s.User(s.Context(), "ann")), live)
	},
	"lists leave out admins, removed ones and the other type": func(s env) {
		list := func(accountType string) func(market.Page) (market.List[market.User], error) {
			return func(p market.Page) (market.List[market.User], error) { return s.Users(s.Context(), accountType, p) }
		}
		var buyers []market.User
		for _, uid := range []string{"a", "b", "c", "d", "e", "f"} {
			u := user(uid, uid+"@example.com")
			s.ok(s.AddUser(s.Context(), u, nil))
			buyers = append([]market.User{u}, buyers...)
		}
		pages(s, list(market.AccountUser), userID, buyers...)
		pages(s, list(market.AccountSeller), userID)

		buyers[0].Admin, buyers[1].Removed, buyers[2].AccountType = true, true, market.AccountSeller
		for i := range buyers {
			buyers[i].Version++
			s.ok(s.SaveUser(s.Context(), buyers[i], nil))
		}
		pages(s, list(market.AccountUser), userID, buyers[3:]...)
		pages(s, list(market.AccountSeller), userID, buyers[2])

		buyers[0].Admin = false
		buyers[0].Version++
		s.ok(s.SaveUser(s.Context(), buyers[0], nil))
		s.ok(s.PurgeUser(s.Context(), buyers[1].UID))
		pages(s, list(market.AccountUser), userID, buyers[0], buyers[3], buyers[4], buyers[5])
	},
	"UsersToSweep finds users with SweepUntil, removed or not": func(s env) {
		want := map[string]bool{}
		for i, uid := range []string{"a", "b", "c", "d"} {
			u := user(uid, uid+"@example.com")
			u.Removed = i == 1
			if i > 0 {
				u.SweepUntil = noon.Add(-time.Duration(i) * time.Hour)
				want[uid] = true
			}
			s.ok(s.AddUser(s.Context(), u, nil))
		}
		got := map[string]bool{}
		for _, u := range get[[]market.User](s)(s.UsersToSweep(s.Context(), 10)) {
			got[u.UID] = true
		}
		s.same(got, want)
		s.same(len(get[[]market.User](s)(s.UsersToSweep(s.Context(), 2))), 2)
		u := get[market.User](s)(s.User(s.Context(), "b"))
		u.SweepUntil, u.Version = time.Time{}, 2
		s.ok(s.SaveUser(s.Context(), u, nil))
		s.same(len(get[[]market.User](s)(s.UsersToSweep(s.Context(), 10))), 2)
	},
	"purging deletes only the removed user": func(s env) {
		ann := user("ann", "ann@example.com")
		s.ok(s.AddUser(s.Context(), ann, nil))
		s.ok(s.PurgeUser(s.Context(), "ann"))
		s.same(get[market.User](s)(s.User(s.Context(), "ann")), ann)
		ann.Removed, ann.Version = true, 2
		s.ok(s.SaveUser(s.Context(), ann, nil))
		s.ok(s.PurgeUser(s.Context(), "ann"))
		missing[market.User](s)(s.User(s.Context(), "ann"))
		missing[market.User](s)(s.UserByID(s.Context(), ann.ID))
		s.ok(s.PurgeUser(s.Context(), "ann"))
	},
}
