package storetest

import (
	"strings"

	"secondring/market"
)

var paymentCases = cases{
	"a transaction is recorded once": func(s env) {
		p := payment("b1")
		s.ok(s.AddPayment(s.Context(), p, effects(event(p.ID, 1), event("b1", 2))))
		again := payment("b1")
		s.wantError(s.AddPayment(s.Context(), again, effects(event(again.ID, 1))), market.ErrExists)
		s.wantEvents(event(p.ID, 1), event("b1", 2))
		s.equal(get[market.Payment](s)(s.PaymentOf(s.Context(), p.Transaction)), p)

		other := payment("b2")
		s.ok(s.AddPayment(s.Context(), other, nil))
		other.Transaction, other.Version = p.Transaction, 2
		s.wantError(s.SavePayment(s.Context(), other, effects(event(other.ID, 2))), market.ErrExists)
		s.wantEvents()
		s.equal(get[market.Payment](s)(s.PaymentOf(s.Context(), p.Transaction)), p)
	},
	"an id is taken once": func(s env) {
		p, duplicate := payment("b1"), payment("b2")
		duplicate.ID = p.ID
		s.ok(s.AddPayment(s.Context(), p, nil))
		s.wantError(s.AddPayment(s.Context(), duplicate, effects(event(duplicate.ID, 1))), market.ErrExists)
		s.wantEvents()
		wantNotFound[market.Payment](s)(s.PaymentOf(s.Context(), duplicate.Transaction))
	},
	"a booking can have two payments": func(s env) {
		first, second := payment("b1"), payment("b1")
		second.Transaction = "pi_2"
		s.ok(s.AddPayment(s.Context(), first, nil))
		s.ok(s.AddPayment(s.Context(), second, nil))
		s.equal(get[market.Payment](s)(s.PaymentOf(s.Context(), first.Transaction)), first)
		s.equal(get[market.Payment](s)(s.PaymentOf(s.Context(), second.Transaction)), second)
	},
	"a transaction is found by its exact text": func(s env) {
		p := payment("b1")
		s.ok(s.AddPayment(s.Context(), p, nil))
		for _, other := range []string{"", p.ID, p.BookingID, strings.ToUpper(p.Transaction), p.Transaction + " ", "pi_%"} {
			wantNotFound[market.Payment](s)(s.PaymentOf(s.Context(), other))
		}
		upper := payment("B1")
		upper.Transaction = strings.ToUpper(p.Transaction)
		s.ok(s.AddPayment(s.Context(), upper, nil))
	},
	"all payments, newest first, in pages": func(s env) {
		var want []market.Payment
		for _, b := range []string{"b1", "b2", "b3"} {
			p := payment(b)
			p.Transaction = "pi_" + b
			s.ok(s.AddPayment(s.Context(), p, nil))
			want = append([]market.Payment{p}, want...)
		}
		s.equal(get[[]market.Payment](s)(s.Payments(s.Context(), market.Page{Limit: 2})), want[:2])
		s.equal(get[[]market.Payment](s)(s.Payments(s.Context(), market.Page{Limit: 2, After: want[1].ID})), want[2:])
		s.equal(get[[]market.Payment](s)(s.Payments(s.Context(), market.Page{Limit: 2, After: want[2].ID})), []market.Payment(nil))
	},
	"save is compare-and-set": func(s env) {
		p := payment("b1")
		s.wantError(s.SavePayment(s.Context(), p, effects(event(p.ID, 1))), market.ErrNotFound)
		s.ok(s.AddPayment(s.Context(), p, nil))
		stale := p
		stale.RefundedAt = noon
		for _, version := range []int64{0, 1, 3} {
			stale.Version = version
			s.wantError(s.SavePayment(s.Context(), stale, effects(event(p.ID, version))), market.ErrConflict)
		}
		s.wantEvents()
		s.equal(get[market.Payment](s)(s.PaymentOf(s.Context(), p.Transaction)), p)
		p.Version, p.RefundedAt = 2, noon
		s.ok(s.SavePayment(s.Context(), p, effects(event(p.ID, 2))))
		s.wantEvents(event(p.ID, 2))
		s.equal(get[market.Payment](s)(s.PaymentOf(s.Context(), p.Transaction)), p)
	},
}
