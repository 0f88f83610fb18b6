package market

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// PayOut marks a released order as paid out to its seller, for admins who have paid it
// outside the market. It returns 0 if it is already marked with the same reference.
func (m *Market) PayOut(ctx context.Context, who Actor, id, reference string, wrong Fields) (int, error) {
	b, err := m.orderForAdmin(ctx, who, id, func(f Fields) { f.text("reference", reference, maxShort) }, wrong)
	if err != nil {
		return 0, err
	}
	return m.recordPayout(ctx, who, b, reference)
}

// maxPaidAtOnce is the number of orders that one call can mark as paid out.
const maxPaidAtOnce = 200

// PayOutOrders marks several released orders of one seller as paid out with one reference, as
// PayOut does. It returns how many of them have it now, so a repeated call returns the same. If
// one of them cannot be paid out, it changes none. A call that was interrupted can be repeated.
func (m *Market) PayOutOrders(ctx context.Context, who Actor, ids []string, reference string, wrong Fields) (int, error) {
	orders, err := m.ordersToPayOut(ctx, who, ids, reference, wrong)
	if err != nil {
		return 0, err
	}
	for _, b := range orders {
		if _, err := m.payoutIsDone(b, reference); err != nil {
			return 0, about(b, err)
		}
	}
	for _, b := range orders {
		if _, err := m.recordPayout(ctx, who, b, reference); err != nil {
			return 0, about(b, err)
		}
	}
	return len(orders), nil
}

// ordersToPayOut returns the orders of these IDs, each once, if they are of one seller.
func (m *Market) ordersToPayOut(ctx context.Context, who Actor, ids []string, reference string, wrong Fields) ([]Booking, error) {
	if err := mustHandleMoney(who); err != nil {
		return nil, err
	}
	f := FieldsOf(wrong)
	if len(ids) == 0 || len(ids) > maxPaidAtOnce {
		f.Add("ids", fmt.Sprintf("must be 1 to %d orders", maxPaidAtOnce))
		ids = nil
	}
	f.text("reference", reference, maxShort)
	var orders []Booking
	for _, id := range ids {
		if slices.ContainsFunc(orders, func(b Booking) bool { return b.ID == id }) {
			continue
		}
		b, err := m.booking(ctx, id)
		if err != nil {
			return nil, err
		}
		if err := mayDecide(who, b); err != nil {
			return nil, err
		}
		if orders = append(orders, b); b.SellerUID != orders[0].SellerUID {
			f.Add("ids", "must be orders of one seller")
		}
	}
	return orders, f.Err()
}

// about returns an error of the market with the order that it is about.
func about(b Booking, err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	return refuse(e.Code, e.Message+": "+b.title()+" ("+b.ID+")")
}

// recordPayout marks an order as paid out. It returns 0 if it is already marked with the reference.
func (m *Market) recordPayout(ctx context.Context, who Actor, b Booking, reference string) (int, error) {
	return m.changeBooking(ctx, b, func(b *Booking, now time.Time) (bool, []Effect, error) {
		if isDone, err := m.payoutIsDone(*b, reference); isDone || err != nil {
			return false, nil, err
		}
		_, net := b.earned()
		effects := m.setPayout(b, Payout{Cents: net, Reference: reference, At: now}, now)
		seller, err := m.idOf(ctx, b.SellerUID)
		return true, append(effects, NewAuditEntry(now, &who.User, ActionPayOut).of(b.ID, b.title(), seller)), err
	})
}

// payoutIsDone returns whether the order is marked as paid out with the reference, or why it cannot
// be.
func (m *Market) payoutIsDone(b Booking, reference string) (bool, error) {
	_, net := b.earned()
	switch {
	case m.rules.Payouts != PayoutsManual:
		return false, refuse(CodeClosed, "We do not record payouts by hand at present")
	case b.IsPaidOut() && b.Payout.Reference == reference:
		return true, nil
	case b.Payout.isBegun():
		return false, refuse(CodeConflict, "A transfer to the seller has begun")
	case b.IsPaidOut():
		return false, refuse(CodePaid, "This order has been paid out already, with the reference "+b.Payout.Reference)
	case b.isDisputed():
		return false, errDisputed()
	case net == 0:
		return false, refuse(CodeConflict, "This order's money is not the seller's yet")
	}
	return false, nil
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
