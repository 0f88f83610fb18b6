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
		s.equal(got, want)
		s.equal(len(get[[]market.User](s)(s.Admins(s.Context(), 1))), 1)
	},
	"UID and email are unique among those not removed": func(s env) {
		ann := user("ann", "Ann@Example.com")
		s.ok(s.AddUser(s.Context(), ann, nil))
		s.wantError(s.AddUser(s.Context(), user("ann", "other@example.com"), nil), market.ErrExists)
		s.wantError(s.AddUser(s.Context(), user("other", " aNN@example.COM "), nil), market.ErrExists)
		duplicate := user("twin", "twin@example.com")
		duplicate.ID = ann.ID
		s.wantError(s.AddUser(s.Context(), duplicate, nil), market.ErrExists)

		removed := ann
		removed.Removed, removed.Version = true, 2
		s.ok(s.SaveUser(s.Context(), removed, nil))
		again := user("ann", "ann@example.com")
		s.ok(s.AddUser(s.Context(), again, nil))
		removed.Removed, removed.Version = false, 3
		s.wantError(s.SaveUser(s.Context(), removed, nil), market.ErrExists)
	},
	"letters outside ASCII are compared without case": func(s env) {
		s.ok(s.AddUser(s.Context(), user("a", "JÖRG@example.com"), nil))
		s.wantError(s.AddUser(s.Context(), user("b", "jörg@example.com"), nil), market.ErrExists)
	},
	"save is compare-and-set": func(s env) {
		ann := user("ann", "ann@example.com")
		s.wantError(s.SaveUser(s.Context(), ann, effects(event(ann.ID, 1))), market.ErrNotFound)
		s.ok(s.AddUser(s.Context(), ann, nil))
		for _, version := range []int64{0, 1, 3} {
			ann.Version = version
			s.wantError(s.SaveUser(s.Context(), ann, effects(event(ann.ID, version))), market.ErrConflict)
		}
		s.wantEvents()
		ann.Version, ann.Name = 2, "Ann B."
		s.ok(s.SaveUser(s.Context(), ann, effects(event(ann.ID, 2))))
		s.wantEvents(event(ann.ID, 2))
		s.equal(get[market.User](s)(s.UserByID(s.Context(), ann.ID)), ann)
	},
	"a save changes the email": func(s env) {
		ann, bob := user("ann", "ann@example.com"), user("bob", "bob@example.com")
		s.ok(s.AddUser(s.Context(), ann, nil))
		s.ok(s.AddUser(s.Context(), bob, nil))
		bob.Email, bob.Version = "ANN@example.com", 2
		s.wantError(s.SaveUser(s.Context(), bob, nil), market.ErrExists)
		bob.Email = "Rob@example.com"
		s.ok(s.SaveUser(s.Context(), bob, nil))
		s.equal(get[market.User](s)(s.UserByEmail(s.Context(), "rob@EXAMPLE.com")), bob)
		wantNotFound[market.User](s)(s.UserByEmail(s.Context(), "bob@example.com"))
	},
	"User and UserByID find removed ones, UserByEmail does not": func(s env) {
		ann := user("ann", "ann@example.com")
		s.ok(s.AddUser(s.Context(), ann, nil))
		s.equal(get[market.User](s)(s.UserByEmail(s.Context(), " ANN@example.com")), ann)
		ann.Removed, ann.Version = true, 2
		s.ok(s.SaveUser(s.Context(), ann, nil))
		s.equal(get[market.User](s)(s.User(s.Context(), "ann")), ann)
		s.equal(get[market.User](s)(s.UserByID(s.Context(), ann.ID)), ann)
		wantNotFound[market.User](s)(s.UserByEmail(s.Context(), "ann@example.com"))
		wantNotFound[market.User](s)(s.User(s.Context(), "nobody"))
		wantNotFound[market.User](s)(s.UserByID(s.Context(), "nobody"))
	},
	"User prefers the one not removed": func(s env) {
		active := user("ann", "ann@example.com")
		removed := user("ann", "ann@example.com")
		removed.Removed = true
		s.ok(s.AddUser(s.Context(), active, nil))
		s.ok(s.AddUser(s.Context(), removed, nil))
		s.equal(get[market.User](s)(s.User(s.Context(), "ann")), active)
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
		wantPages(s, list(market.AccountUser), userID, buyers...)
		wantPages(s, list(market.AccountSeller), userID)

		buyers[0].Admin, buyers[1].Removed, buyers[2].AccountType = true, true, market.AccountSeller
		for i := range buyers {
			buyers[i].Version++
			s.ok(s.SaveUser(s.Context(), buyers[i], nil))
		}
		wantPages(s, list(market.AccountUser), userID, buyers[3:]...)
		wantPages(s, list(market.AccountSeller), userID, buyers[2])

		buyers[0].Admin = false
		buyers[0].Version++
		s.ok(s.SaveUser(s.Context(), buyers[0], nil))
		s.ok(s.PurgeUser(s.Context(), buyers[1].UID))
		wantPages(s, list(market.AccountUser), userID, buyers[0], buyers[3], buyers[4], buyers[5])
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
		s.equal(got, want)
		s.equal(len(get[[]market.User](s)(s.UsersToSweep(s.Context(), 2))), 2)
		u := get[market.User](s)(s.User(s.Context(), "b"))
		u.SweepUntil, u.Version = time.Time{}, 2
		s.ok(s.SaveUser(s.Context(), u, nil))
		s.equal(len(get[[]market.User](s)(s.UsersToSweep(s.Context(), 10))), 2)
	},
	"purging deletes only the removed user": func(s env) {
		ann := user("ann", "ann@example.com")
		s.ok(s.AddUser(s.Context(), ann, nil))
		s.ok(s.PurgeUser(s.Context(), "ann"))
		s.equal(get[market.User](s)(s.User(s.Context(), "ann")), ann)
		ann.Removed, ann.Version = true, 2
		s.ok(s.SaveUser(s.Context(), ann, nil))
		s.ok(s.PurgeUser(s.Context(), "ann"))
		wantNotFound[market.User](s)(s.User(s.Context(), "ann"))
		wantNotFound[market.User](s)(s.UserByID(s.Context(), ann.ID))
		s.ok(s.PurgeUser(s.Context(), "ann"))
	},
}
