package market

import (
	"context"
	"time"
)

// PayOut marks a released order as paid out to its seller, for admins who have paid it
// outside the market. It returns 0 if it is already marked with the same reference.
func (m *Market) PayOut(ctx context.Context, who Actor, id, reference string, wrong Fields) (int, error) {
	b, err := m.orderForAdmin(ctx, who, id, func(f Fields) { f.text("reference", reference, maxShort) }, wrong)
	if err != nil {
		return 0, err
	}
	if m.rules.Payouts != PayoutsManual {
		return 0, refuse(CodeClosed, "We do not record payouts by hand at present")
	}
	return m.changeBooking(ctx, b, func(b *Booking, now time.Time) (bool, []Effect, error) {
		_, net := b.earned()
		switch {
		case b.IsPaidOut() && b.Payout.Reference == reference:
			return false, nil, nil
		case b.Payout.isBegun():
			return false, nil, refuse(CodeConflict, "A transfer to the seller has begun")
		case b.IsPaidOut():
			return false, nil, refuse(CodePaid, "This order has been paid out already, with the reference "+b.Payout.Reference)
		case b.isDisputed():
			return false, nil, errDisputed()
		case net == 0:
			return false, nil, refuse(CodeConflict, "This order's money is not the seller's yet")
		}
		effects := m.setPayout(b, Payout{Cents: net, Reference: reference, At: now}, now)
		seller, err := m.idOf(ctx, b.SellerUID)
		return true, append(effects, NewAuditEntry(now, &who.User, ActionPayOut).of(b.ID, b.title(), seller)), err
	})
}

// RecordRepayment records that the seller of a refunded order has paid back what they were paid
// for it, for admins who have received it outside the market. It returns 0 if it is already
// recorded with the same reference.
func (m *Market) RecordRepayment(ctx context.Context, who Actor, id, reference string, wrong Fields) (int, error) {
	b, err := m.orderForAdmin(ctx, who, id, func(f Fields) { f.text("reference", reference, maxShort) }, wrong)
	if err != nil {
		return 0, err
	}
	return m.changeBooking(ctx, b, func(b *Booking, now time.Time) (bool, []Effect, error) {
		switch {
		case b.Payout.isRepaid() && b.Payout.Repayment == reference:
			return false, nil, nil
		case b.Payout.isRepaid():
			return false, nil, refuse(CodePaid, "This has been paid back already, with the reference "+b.Payout.Repayment)
		case b.PayoutState() != EarningDebt:
			return false, nil, refuse(CodeConflict, "The seller owes nothing for this order")
		case !b.Payout.TakingBackAt.IsZero():
			return false, nil, refuse(CodeConflict, "The transfer to the seller is being reversed right now. Please try again in a moment")
		}
		p := *b.Payout
		p.Repayment, p.TakenBackAt = reference, now
		effects := append(m.setPayout(b, p, now), repaidNotice(*b, now))
		seller, err := m.idOf(ctx, b.SellerUID)
		return true, append(effects, NewAuditEntry(now, &who.User, ActionRepayment).of(b.ID, b.title(), seller)), err
	})
}

// setPayout changes an order's payout. It returns the events: the order's for both sides
// and the admins, the ledger entry, and the notification of a seller who was paid out.
func (m *Market) setPayout(b *Booking, p Payout, at time.Time) []Effect {
	before := *b
	b.Payout = &p
	switch {
	case m.payoutStep(*b) != payoutNothing:
		b.Due = at
	case b.Status == BookingRefunded, b.isDisputed():
		b.Due = m.nextReturnCheck(*b, at) // continueOrder counts from the refund
	case !b.Due.After(at):
		b.Due = time.Time{}
	}
	effects := append(m.bookingEvents(*b, at), b.ledgerEntries(before, at)...)
	if b.IsPaidOut() && !before.IsPaidOut() {
		effects = append(effects, paidOutNotice(*b, at))
	}
	return effects
}
