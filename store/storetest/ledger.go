package storetest

import (
	"slices"
	"strings"

	"secondring/market"
)

func ledgerEntry(booking, seller string) market.LedgerEntry {
	e := filled[market.LedgerEntry]()
	e.BookingID, e.SellerUID = booking, seller
	return e
}

var ledgerCases = cases{
	"an entry is stored once with its write": func(s env) {
		p, e := payment("pi_1"), ledgerEntry("b1", "sam")
		s.ok(s.AddPayment(s.Context(), p, effects(e)))
		for range 2 { // also once its event is published
			s.equal(get[[]market.LedgerEntry](s)(s.LedgerOfOrder(s.Context(), "b1")), []market.LedgerEntry{e})
			s.ok(s.EventsPublished(s.Context(), get[[]market.Event](s)(s.PendingEvents(s.Context(), 9))))
		}
		p.Version++
		taken := ledgerEntry("b1", "sam")
		taken.Cents = -taken.Cents
		s.ok(s.SavePayment(s.Context(), p, effects(taken)))
		s.equal(len(get[[]market.LedgerEntry](s)(s.LedgerOfOrder(s.Context(), "b1"))), 2)
	},
	"a refused write adds no entry": func(s env) {
		p := payment("pi_1")
		s.ok(s.AddPayment(s.Context(), p, nil))
		s.wantError(s.AddPayment(s.Context(), payment("pi_1"), effects(ledgerEntry("b1", "sam"))), market.ErrExists)
		p.Version += 2
		s.wantError(s.SavePayment(s.Context(), p, effects(ledgerEntry("b1", "sam"))), market.ErrConflict)
		s.equal(len(get[[]market.LedgerEntry](s)(s.Ledger(s.Context(), market.Page{Limit: 9}))), 0)
	},
	"entries of an order, of several and of all": func(s env) {
		var all, ofOrder []market.LedgerEntry
		for _, e := range []market.LedgerEntry{ledgerEntry("b1", "sam"), ledgerEntry("b2", "sue"), ledgerEntry("b3", "sam"), ledgerEntry("b1", "sam")} {
			s.ok(s.EndSession(s.Context(), "none", effects(e)))
			all = append(all, e)
			if e.BookingID == "b1" {
				ofOrder = append(ofOrder, e)
			}
		}
		s.equal(get[[]market.LedgerEntry](s)(s.LedgerOfOrder(s.Context(), "b1")), ofOrder)
		several := get[[]market.LedgerEntry](s)(s.LedgerOfOrders(s.Context(), []string{"b1", "b3", "none"}))
		slices.SortFunc(several, func(a, b market.LedgerEntry) int { return strings.Compare(a.ID, b.ID) })
		s.equal(several, []market.LedgerEntry{all[0], all[2], all[3]})
		s.equal(len(get[[]market.LedgerEntry](s)(s.LedgerOfOrders(s.Context(), []string{}))), 0)
		slices.Reverse(all)
		first := get[[]market.LedgerEntry](s)(s.Ledger(s.Context(), market.Page{Limit: 3}))
		s.equal(first, all[:3])
		s.equal(get[[]market.LedgerEntry](s)(s.Ledger(s.Context(), market.Page{Limit: 3, After: first[2].ID})), all[3:])
	},
}
