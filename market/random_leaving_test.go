package market_test

import (
	"sync"

	"pgregory.net/rapid"

	"secondring/market"
)

// repaymentReference is the reference of every repayment of a random run.
const repaymentReference = "repayment"

// leaveBesidePayment deletes the account of the buyer or the seller, while the buyer pays.
func (run *ledgerRun) leaveBesidePayment(m *market.Market, who market.Actor, b market.Booking) {
	var both sync.WaitGroup
	both.Go(func() { _ = m.DeleteAccount(run.ctx, market.Account{UID: who.User.UID}) })
	both.Go(func() { run.capture(run.Market, b) })
	both.Wait()
}

// hasLeft returns whether a person is removed, or not stored any more.
func (e *env) hasLeft(who market.Actor) bool {
	u, err := e.store.User(e.ctx, who.User.UID)
	return err != nil || u.Removed
}

// checkSides fails the test if a paid order that is not settled has lost its buyer or its seller.
// It has lost them if their data are erased. Those whom an admin removed are not erased.
func (e *env) checkSides(r *rapid.T, b market.Booking) {
	isOpen := b.Status == market.BookingPaid && b.Fulfilment.State != market.FulfilmentSettled
	if isOpen && (b.Email == "" || b.Seller == nil) {
		r.Fatalf("the open order has no buyer or no seller: %+v", b)
	}
}

// repaid returns how much the seller of an order has paid back outside the market.
func repaid(entries []market.LedgerEntry) (cents int64) {
	for _, entry := range entries {
		if entry.Kind == market.LedgerPayout && entry.Reference == repaymentReference {
			cents -= entry.Cents
		}
	}
	return cents
}
