package storetest

import "secondring/market"

var accountCases = cases{
	"an e-mail is unique, removed accounts included": func(s shop) {
		ann := account("ann", "Ann@Example.com")
		s.ok(s.AddAccount(s.Context(), ann))
		s.refused(s.AddAccount(s.Context(), account("bob", "ann@example.com ")), market.ErrExists)
		s.refused(s.AddAccount(s.Context(), account("ann", "other@example.com")), market.ErrExists)
		ann.Removed, ann.Version = true, 2
		s.ok(s.SaveAccount(s.Context(), ann, nil))
		s.refused(s.AddAccount(s.Context(), account("bob", "ann@example.com")), market.ErrExists)
		s.same(get[market.Account](s)(s.AccountByEmail(s.Context(), "ANN@example.com")), ann)
	},
	"a Google subject is unique, none is not": func(s shop) {
		ann, bob := account("ann", "ann@example.com"), account("bob", "bob@example.com")
		s.ok(s.AddAccount(s.Context(), ann))
		s.ok(s.AddAccount(s.Context(), bob))
		ann.GoogleSub, ann.Version = "g1", 2
		s.ok(s.SaveAccount(s.Context(), ann, nil))
		bob.GoogleSub, bob.Version = "g1", 2
		s.refused(s.SaveAccount(s.Context(), bob, nil), market.ErrExists)
		carl := account("carl", "carl@example.com")
		carl.GoogleSub = "g1"
		s.refused(s.AddAccount(s.Context(), carl), market.ErrExists)
		s.same(get[market.Account](s)(s.AccountByGoogle(s.Context(), "g1")), ann)
		missing[market.Account](s)(s.AccountByGoogle(s.Context(), ""))
		missing[market.Account](s)(s.AccountByGoogle(s.Context(), "G1"))
	},
	"save is compare-and-set": func(s shop) {
		ann := account("ann", "ann@example.com")
		s.refused(s.SaveAccount(s.Context(), ann, nil), market.ErrNotFound)
		s.ok(s.AddAccount(s.Context(), ann))
		for _, version := range []int64{0, 1, 3} {
			ann.Version = version
			s.refused(s.SaveAccount(s.Context(), ann, nil), market.ErrConflict)
		}
		ann.Version, ann.DisplayName, ann.Email = 2, "Ann B.", "b@example.com"
		s.ok(s.SaveAccount(s.Context(), ann, nil))
		s.same(get[market.Account](s)(s.Account(s.Context(), "ann")), ann)
		s.same(get[market.Account](s)(s.AccountByEmail(s.Context(), "b@example.com")), ann)
		missing[market.Account](s)(s.AccountByEmail(s.Context(), "ann@example.com"))
	},
	"purging frees the address and the subject": func(s shop) {
		ann := account("ann", "ann@example.com")
		ann.Removed, ann.GoogleSub = true, "g1"
		s.ok(s.AddAccount(s.Context(), ann))
		s.ok(s.PurgeAccount(s.Context(), "ann", nil))
		missing[market.Account](s)(s.Account(s.Context(), "ann"))
		missing[market.Account](s)(s.AccountByGoogle(s.Context(), "g1"))
		again := account("anew", "ann@example.com")
		again.GoogleSub = "g1"
		s.ok(s.AddAccount(s.Context(), again))
		s.ok(s.PurgeAccount(s.Context(), "ann", nil))
		s.same(get[market.Account](s)(s.Account(s.Context(), "anew")), again)
	},
}
