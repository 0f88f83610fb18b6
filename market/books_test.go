package market_test

import (
	"slices"
	"testing"
	"time"

	"secondring/market"
)

func TestBooksAddUpWaitingMoneyAndDebts(t *testing.T) {
	rules := defaultRules
	rules.Payouts, rules.Commission = market.PayoutsManual, 10
	e := newEnvWith(t, rules)
	admin := e.admin()
	paid := func() (market.Actor, market.Booking, string) {
		buyer := e.buyer()
		b, id := e.bookWithIntent(buyer, e.phone(e.seller()))
		e.bank.Confirm(id)
		e.must(e.ApplyPayment(e.ctx, id))
		return buyer, b, id
	}
	check := func(waiting, debts int64, unbalanced ...string) {
		t.Helper()
		got, err := e.Books(e.ctx)
		e.must(err)
		if got.Waiting != waiting || got.Debts != debts || !slices.Equal(got.Unbalanced, unbalanced) {
			t.Errorf("the books are %+v, want %d waiting, %d debts, unbalanced %v", got, waiting, debts, unbalanced)
		}
	}
	check(0, 0)
	paid()
	check(4000, 0)
	buyer, b, id := paid()
	e.fulfil(buyer, b, received)
	check(8000, 0)
	e.passDeadline(b)
	check(7600, 0) // the commission belongs to the market
	_, err := e.PayOut(e.ctx, admin, b.ID, "transfer 1", nil)
	e.must(err)
	check(4000, 0)
	e.bank.Dispute(id, e.clock.Now())
	e.clock.Pass(time.Hour)
	e.must(e.ApplyPayment(e.ctx, id))
	check(4000, 3600)
	e.bank.EndDispute(id, market.DisputeWon)
	e.must(e.ApplyPayment(e.ctx, id))
	check(4000, 0)
	e.addLedgerEntry(b, market.LedgerCommission, 1, "")
	check(4000, 1, b.ID)
}
