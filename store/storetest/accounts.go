package storetest

import (
	"time"

	"secondring/market"
)

var accountCases = cases{
	"an email is unique, removed accounts included": func(s env) {
		ann := account("ann", "Ann@Example.com")
		s.ok(s.AddAccount(s.Context(), ann, nil))
		s.wantError(s.AddAccount(s.Context(), account("bob", "ann@example.com "), nil), market.ErrExists)
		s.wantError(s.AddAccount(s.Context(), account("ann", "other@example.com"), nil), market.ErrExists)
		ann.Removed, ann.Version = true, 2
		s.ok(s.SaveAccount(s.Context(), ann, nil))
		s.wantError(s.AddAccount(s.Context(), account("bob", "ann@example.com"), nil), market.ErrExists)
		s.equal(get[market.Account](s)(s.AccountByEmail(s.Context(), "ANN@example.com")), ann)
	},
	"a Google subject is unique, but several accounts may have none": func(s env) {
		ann, bob := account("ann", "ann@example.com"), account("bob", "bob@example.com")
		s.ok(s.AddAccount(s.Context(), ann, nil))
		s.ok(s.AddAccount(s.Context(), bob, nil))
		ann.GoogleSub, ann.Version = "g1", 2
		s.ok(s.SaveAccount(s.Context(), ann, nil))
		bob.GoogleSub, bob.Version = "g1", 2
		s.wantError(s.SaveAccount(s.Context(), bob, nil), market.ErrExists)
		carl := account("carl", "carl@example.com")
		carl.GoogleSub = "g1"
		s.wantError(s.AddAccount(s.Context(), carl, nil), market.ErrExists)
		s.equal(get[market.Account](s)(s.AccountByGoogle(s.Context(), "g1")), ann)
		wantNotFound[market.Account](s)(s.AccountByGoogle(s.Context(), ""))
		wantNotFound[market.Account](s)(s.AccountByGoogle(s.Context(), "G1"))
	},
	"save is compare-and-set": func(s env) {
		ann := account("ann", "ann@example.com")
		s.wantError(s.SaveAccount(s.Context(), ann, nil), market.ErrNotFound)
		s.ok(s.AddAccount(s.Context(), ann, nil))
		for _, version := range []int64{0, 1, 3} {
			ann.Version = version
			s.wantError(s.SaveAccount(s.Context(), ann, nil), market.ErrConflict)
		}
		ann.Version, ann.DisplayName, ann.Email = 2, "Ann B.", "b@example.com"
		s.ok(s.SaveAccount(s.Context(), ann, nil))
		s.equal(get[market.Account](s)(s.Account(s.Context(), "ann")), ann)
		s.equal(get[market.Account](s)(s.AccountByEmail(s.Context(), "b@example.com")), ann)
		wantNotFound[market.Account](s)(s.AccountByEmail(s.Context(), "ann@example.com"))
	},
	"purging makes the address and the subject available": func(s env) {
		ann := account("ann", "ann@example.com")
		ann.Removed, ann.GoogleSub = true, "g1"
		s.ok(s.AddAccount(s.Context(), ann, nil))
		s.ok(s.PurgeAccount(s.Context(), "ann", nil))
		wantNotFound[market.Account](s)(s.Account(s.Context(), "ann"))
		wantNotFound[market.Account](s)(s.AccountByGoogle(s.Context(), "g1"))
		again := account("anew", "ann@example.com")
		again.GoogleSub = "g1"
		s.ok(s.AddAccount(s.Context(), again, nil))
		s.ok(s.PurgeAccount(s.Context(), "ann", nil))
		s.equal(get[market.Account](s)(s.Account(s.Context(), "anew")), again)
	},
	"orphaned accounts are old, not removed and without a user": func(s env) {
		add := func(uid string, change func(*market.Account)) {
			a := account(uid, uid+"@example.com")
			a.CreatedAt = noon.Add(-time.Minute)
			change(&a)
			s.ok(s.AddAccount(s.Context(), a, nil))
		}
		for _, uid := range []string{"a", "c", "e"} {
			add(uid, func(*market.Account) {})
		}
		add("b", func(a *market.Account) { a.Removed = true })
		add("d", func(a *market.Account) { a.CreatedAt = noon })
		add("f", func(a *market.Account) { a.CreatedAt = time.Time{} })
		add("g", func(*market.Account) {})
		s.ok(s.AddUser(s.Context(), user("g", "g@example.com"), nil))
		add("h", func(*market.Account) {})
		removed := user("h", "h@example.com")
		removed.Removed = true
		s.ok(s.AddUser(s.Context(), removed, nil))
		add("i", func(*market.Account) {})
		s.ok(s.PurgeAccount(s.Context(), "i", nil))

		wantOrphaned := func(after string, limit int, last string, want ...string) {
			s.Helper()
			uids, end, err := s.OrphanedAccounts(s.Context(), after, noon, limit)
			s.ok(err)
			s.equal(uids, want)
			s.equal(end, last)
		}
		wantOrphaned("", 20, "", "a", "c", "e")
		wantOrphaned("", 3, "c", "a", "c")
		wantOrphaned("c", 3, "f", "e")
		wantOrphaned("f", 3, "")
	},
}
