package market_test

import (
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"secondring/market"
)

func (run *ledgerRun) checkConsistency(r *rapid.T, isSolvent bool) {
	var total market.Balance
	for _, order := range run.orders {
		b := run.storedBooking(order)
		entries, err := run.store.LedgerOfOrder(run.ctx, b.ID)
		run.must(err)
		balance := market.BalanceOf(entries)
		var kept, charged int64
		for _, in := range run.bank.All() {
			if in.BookingID == b.ID && in.Status == market.IntentSucceeded {
				charged += in.Cents
				if !in.Returned {
					kept += in.Cents
				}
			}
		}
		if balance.Charged != charged || balance.Charged-balance.Refunded != kept {
			r.Fatalf("%s: the provider has charged %d and keeps %d, the ledger has %+v: %+v", b.Status, charged, kept, balance, entries)
		}
		run.checkDispute(r, b)
		run.checkSides(r, b)
		run.checkDeadline(r, b)
		if want := run.waiting(b); balance.Waiting() != want {
			r.Fatalf("%s, %+v, paid out %+v: %d cents wait, want %d: %+v", b.Status, b.Fulfilment, b.Payout, balance.Waiting(), want, entries)
		}
		if view := *run.ViewForAdmin(b).Money; view != *(market.Order{Booking: b, Balance: balance}).View().Money {
			r.Fatalf("the order is shown with %+v, the ledger has %+v: %+v", view, balance, entries)
		}
		run.checkTransfers(r, b, balance, repaid(entries))
		if want := run.waiting(b); run.rules.Payouts == market.PayoutsStripe && isSolvent && want != 0 && run.isFinal(b) && !run.hasLeft(run.seller) {
			r.Fatalf("%s: %d cents did not reach their owner, paid out %+v", b.Status, want, b.Payout)
		}
		total.Charged, total.Refunded = total.Charged+balance.Charged, total.Refunded+balance.Refunded
		total.Commission, total.PaidOut = total.Commission+balance.Commission, total.PaidOut+balance.PaidOut
	}
	for _, d := range run.reconcile(time.Time{}, nil).Differences { // earlier runs had other banks
		if slices.ContainsFunc(run.orders, func(b market.Booking) bool { return b.ID == d.BookingID }) {
			r.Fatalf("reconcile finds the difference %+v", d)
		}
	}
	run.checkEarnings(r, total)
}

// checkDeadline fails the test unless an order that is not settled is due some time, and an order that
// was ended by time was so after its reminder had stood for its time.
func (run *ledgerRun) checkDeadline(r *rapid.T, b market.Booking) {
	f := b.Fulfilment
	if b.Status == market.BookingPaid && f.State != market.FulfilmentSettled && b.Due.IsZero() {
		r.Fatalf("the order %+v waits for nothing", f)
	}
	if f == nil {
		return
	}
	switch f.Reason {
	case market.ReasonNotSent:
		run.checkReminded(r, b, run.seller, "Please send")
	case market.ReasonNotReturned:
		run.checkReminded(r, b, run.buyer, "Please return")
	}
}

// checkReminded fails the test unless the side that lost by time was reminded half of the time before.
func (run *ledgerRun) checkReminded(r *rapid.T, b market.Booking, side market.Actor, text string) {
	if run.hasLeft(side) {
		return
	}
	all, err := run.store.NotificationsOf(run.ctx, side.User.UID, market.Page{Limit: 200})
	run.must(err)
	if !slices.ContainsFunc(all.Items, func(n market.Notification) bool {
		return n.ProductID == b.ProductID && strings.Contains(n.Text, text) && !n.At.After(b.Fulfilment.SettledAt.Add(-run.rules.SendWithin/2))
	}) {
		r.Fatalf("the order was settled at %v, and the side that lost was not reminded in time: %+v", b.Fulfilment.SettledAt, all.Items)
	}
}

// checkEarnings compares what the seller sees with the ledger.
func (run *ledgerRun) checkEarnings(r *rapid.T, total market.Balance) {
	if run.hasLeft(run.seller) {
		return
	}
	earnings, err := run.Earnings(run.ctx, run.seller, market.Page{Limit: 200})
	run.must(err)
	if v := earnings.View(); v.Waiting != total.Waiting() || v.PaidOut != total.PaidOut {
		r.Fatalf("the seller sees %+v, the ledger has %+v", v, total)
	}
	checkFigures(r, earnings, total)
}

// checkFigures fails the test unless each sale is in one figure at most, and the figures add up to the
// money that the market has or had.
func checkFigures(r *rapid.T, earnings market.Earnings, total market.Balance) {
	var earned, handover, due, buyers int64 // buyers: on its way back to them, minus what the seller owes
	for _, line := range earnings.Lines.Items {
		b, f, waiting := line.Booking, line.Booking.Fulfilment, line.Balance.Waiting()
		switch {
		case b.Status == market.BookingPaid && (f == nil || f.State != market.FulfilmentSettled):
			handover += waiting
		case b.Status == market.BookingPaid && f.Outcome == market.OutcomeRelease && !b.IsPaidOut():
			due, earned = due+waiting, earned+waiting
		default:
			buyers += waiting
			if b.Status == market.BookingPaid && f.Outcome == market.OutcomeRelease {
				earned += line.Balance.PaidOut
			}
		}
	}
	v := earnings.View()
	if v.Earned != earned || v.Handover != handover || v.Due != due || v.Handover < 0 || v.Due < 0 {
		r.Fatalf("the seller sees %+v, want %d earned, %d for the handover and %d due", v, earned, handover, due)
	}
	if kept := total.Charged - total.Refunded - total.Commission; v.Handover+v.Due+v.PaidOut+buyers != kept {
		r.Fatalf("the figures %+v and %d of buyers do not add up to %d", v, buyers, kept)
	}
}

// checkDispute fails the test unless the order has the state of the dispute of the payment
// that bought the phone.
func (run *ledgerRun) checkDispute(r *rapid.T, b market.Booking) {
	pay, err := run.store.PaymentOf(run.ctx, b.Intent)
	if err != nil || pay.Outcome != market.PaymentKept {
		return
	}
	in, err := run.bank.Intent(run.ctx, b.Intent)
	run.must(err)
	var stored market.DisputeState
	if b.Dispute != nil {
		stored = b.Dispute.State
	}
	if stored != in.Dispute {
		r.Fatalf("%s: the provider has a dispute that is %q, the order has %+v", b.Status, in.Dispute, b.Dispute)
	}
}

// isFinal returns whether all of an order's money should have reached its owner.
func (run *ledgerRun) isFinal(b market.Booking) bool {
	isFrozen := b.Dispute != nil && b.Dispute.State == market.DisputeOpen
	return b.Status != market.BookingPaid || (b.Fulfilment.Outcome == market.OutcomeRelease && !isFrozen)
}

// checkTransfers compares the provider's transfers for an order with its ledger. What the seller has
// paid back outside the market was not reversed.
func (run *ledgerRun) checkTransfers(r *rapid.T, b market.Booking, balance market.Balance, repaid int64) {
	if run.rules.Payouts != market.PayoutsStripe {
		return
	}
	var cents int64
	all := run.bank.Transfers(b.ID)
	for _, t := range all {
		if !t.IsReversed {
			cents += t.Cents
		}
	}
	if cents != balance.PaidOut+repaid {
		r.Fatalf("%s, %+v: the provider has transferred %d, the ledger has %d: %+v", b.Status, b.Payout, cents, balance.PaidOut, all)
	}
}

// waiting returns the money that the market should have for an order, by the order's state.
func (run *ledgerRun) waiting(b market.Booking) int64 {
	total, commission := int64(b.Price)*100, int64(b.Price)*int64(run.rules.Commission)
	if b.Delivery == market.DeliverySend {
		total += 12_00
	}
	var paidOut int64
	if b.IsPaidOut() {
		paidOut = total - commission
	}
	switch {
	case b.Status != market.BookingPaid:
		return -paidOut // the buyer was refunded, or never paid
	case b.Fulfilment.Outcome == market.OutcomeRelease:
		return total - commission - paidOut
	default:
		return total - paidOut // not settled, or its refund is pending
	}
}
