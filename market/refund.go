package market

import (
	"context"
	"errors"
	"time"
)

// returnPayment refunds a payment that bought no phone. It returns CodeRefunded.
func (m *Market) returnPayment(ctx context.Context, b Booking, in Intent, pay Payment) error {
	isRequested, err := m.refund(ctx, b, in, pay)
	if err != nil {
		return err
	}
	if err := m.storeRefund(ctx, b, in, pay, isRequested); err != nil {
		return err
	}
	return refuse(CodeRefunded, "This phone is no longer available. Your payment has been refunded in full")
}

// recordReturn stores that the money of a kept payment went back: it was refunded, or the
// bank took it for a dispute. It returns CodeRefunded.
func (m *Market) recordReturn(ctx context.Context, b Booking, in Intent, pay Payment) error {
	if err := m.storeRefund(ctx, b, in, pay, false); err != nil {
		return err
	}
	return refuse(CodeRefunded, "This payment has been refunded")
}

// storeRefund stores a refund on the payment, unless it has one and this is no new one, and
// on the booking.
func (m *Market) storeRefund(ctx context.Context, b Booking, in Intent, pay Payment, isNew bool) error {
	if isNew || pay.RefundedAt.IsZero() {
		var err error
		if pay, err = m.saveRefundedAt(ctx, pay, m.clock.Now()); err != nil {
			return err
		}
	}
	// The phone comes first. After a crash the refund is stored again.
	if err := m.showSale(ctx, b, in.ID, true); err != nil {
		return err
	}
	return m.markRefunded(ctx, b, in, pay.RefundedAt)
}

// refund requests a refund from the provider and releases the phone if this intent had
// bought it. isRequested is true if this call requested the refund. A failed refund is
// requested again after a pause.
func (m *Market) refund(ctx context.Context, b Booking, in Intent, pay Payment) (isRequested bool, err error) {
	if !in.Returned && !m.clock.Now().Before(nextRefund(in, pay)) {
		if err := m.payments.Refund(ctx, in.ID, in.FailedRefunds); err != nil {
			return false, unavailable(err)
		}
		isRequested = true
	}
	return isRequested, m.endHold(ctx, b.ProductID, func(p Product) bool {
		return p.HeldBy(b.ID) && (!p.Sold || p.Hold.Transaction == in.ID)
	}, returnedNotice)
}

// Pauses between the acceptance of a refund that failed and the next request.
const (
	minRefundPause = time.Hour
	maxRefundPause = 24 * time.Hour
)

// refundPause returns the pause before the next request if at least one refund has failed. Each
// pause is twice the one before, up to maxRefundPause.
func (in Intent) refundPause() time.Duration {
	return min(minRefundPause<<min(in.FailedRefunds-1, 10), maxRefundPause)
}

// nextRefund returns the earliest time of the next refund request; zero for the first.
func nextRefund(in Intent, pay Payment) time.Time {
	if in.FailedRefunds == 0 || pay.RefundedAt.IsZero() {
		return time.Time{}
	}
	return pay.RefundedAt.Add(in.refundPause())
}

// saveRefundedAt stores on the payment when its money was last refunded; zero if the market
// has the money. It returns ErrConflict if another call has changed the payment.
func (m *Market) saveRefundedAt(ctx context.Context, pay Payment, at time.Time) (Payment, error) {
	stored := pay
	pay.RefundedAt = at
	pay.Version++
	err := m.store.SavePayment(ctx, pay, pay.ledgerEntries(stored, m.clock.Now()))
	if err == nil && stored.RefundedAt.IsZero() && !at.IsZero() {
		m.counters.CountRefund()
	}
	return pay, err
}

// markRefunded marks the booking as refunded, unless another payment bought its phone.
// It schedules another check: the refund may still fail, or the market may win the
// dispute.
func (m *Market) markRefunded(ctx context.Context, b Booking, in Intent, at time.Time) error {
	return m.endHoldAndChange(ctx, b, func(b *Booking) bool {
		next, ok := b.Status.after(stepRefund)
		if !ok || (b.Status == BookingPaid && b.Intent != in.ID) {
			return false
		}
		b.Status, b.Intent = next, in.ID
		b.Due = m.nextReturnCheck(*b, at)
		if m.payoutStep(*b) != payoutNothing { // the seller has the money
			b.Due = m.clock.Now()
		}
		return true
	})
}

// requestRefund requests the refund that was decided. The next check finds the money
// returned, or requests the refund again after a pause if it has failed.
func (m *Market) requestRefund(ctx context.Context, b Booking, in Intent) (Booking, error) {
	if err := m.payments.Refund(ctx, in.ID, in.FailedRefunds); err != nil {
		return b, errors.Join(unavailable(err), m.scheduleCheck(context.WithoutCancel(ctx), b))
	}
	b.Due = m.clock.Now().Add(time.Second)
	if in.FailedRefunds > 0 {
		b.Due = b.Due.Add(in.refundPause())
	}
	if in.IsPartTaken { // the provider does not refund a disputed charge
		b.Due = b.Due.Add(minReturnCheck)
	}
	return m.saveIfUnchanged(ctx, b)
}
