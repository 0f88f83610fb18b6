package market

import (
	"context"
	"errors"
	"time"
)

// Times of the checks of payments at the provider.
const (
	paymentWorkers = 8                // bookings that are checked at the same time
	refreshTimeout = 10 * time.Second // for one booking
	maxProcessing  = time.Hour        // how long a payment in processing extends the hold
)

// paymentClaim is the kind of the records of claimed bookings. A claim expires with the time for one booking.
const paymentClaim = "payment-check"

// checkPayment reads the intent of a booking from the provider: often for holds that are ending, and
// from time to time for all others, in case a webhook was lost. It claims the booking, so that only one
// node asks the provider. The claim is a record of its own, because Due changes in the same write as the
// state of the order.
func (m *Market) checkPayment(ctx context.Context, b Booking) error {
	claim := Record{Kind: paymentClaim, ID: b.ID, Expires: m.clock.Now().Add(refreshTimeout), Version: 1}
	err := m.store.AddRecord(ctx, claim, nil)
	if errors.Is(err, ErrExists) {
		err = m.takeOverClaim(ctx, claim)
	}
	if err != nil {
		return ignoreTaken(err)
	}
	now, err := m.store.Booking(ctx, b.ID)
	if err == nil && now.Version == b.Version { // otherwise another node has just checked it
		err = m.refreshPayments(ctx, []Booking{b})
	}
	return errors.Join(err, m.store.RemoveRecords(context.WithoutCancel(ctx), paymentClaim, []string{b.ID}))
}

// takeOverClaim takes the claim of a node that was killed. It returns ErrConflict or ErrNotFound if it
// cannot.
func (m *Market) takeOverClaim(ctx context.Context, claim Record) error {
	other, err := m.store.Record(ctx, claim.Kind, claim.ID)
	if err != nil {
		return err
	}
	if other.Expires.After(m.clock.Now()) {
		return ErrConflict
	}
	claim.Version = other.Version + 1
	return m.store.SaveRecord(ctx, claim)
}

// refreshPayments calls refreshPayment for bookings, several at a time.
func (m *Market) refreshPayments(ctx context.Context, all []Booking) error {
	return concurrently(paymentWorkers, all, func(b Booking) error {
		ctx, cancel := context.WithTimeout(ctx, refreshTimeout)
		defer cancel()
		_, err := m.refreshPayment(ctx, b)
		return err
	})
}

// refreshPayment does what the state of a booking's payment at the provider requires: it may
// apply the payment, end the hold, or pay the seller out. It returns the booking afterwards.
func (m *Market) refreshPayment(ctx context.Context, b Booking) (Booking, error) {
	var err error
	if !m.clock.Now().Before(b.HoldUntil) {
		if b, err = m.startRelease(ctx, b, BookingExpired); err != nil {
			return b, err
		}
	}
	in, err := m.intentState(ctx, b)
	if err != nil {
		return b, errors.Join(err, m.scheduleCheck(context.WithoutCancel(ctx), b))
	}
	switch {
	case in.Status == IntentSucceeded:
		if _, err := m.applyPayment(ctx, in); err != nil && CodeOf(err) != CodeRefunded {
			return b, errors.Join(err, m.scheduleCheck(context.WithoutCancel(ctx), b))
		}
		return m.continueOrder(ctx, in)
	case in.Status == IntentCancelled:
		return m.continueWithoutCharge(ctx, b)
	case in.Status == IntentProcessing && b.Closing != "" && !m.clock.Now().Before(b.ClosingAt.Add(maxProcessing)):
		return m.finishRelease(ctx, b, m.nextCheck(b)) // the bank takes too long; a later payment is applied when it arrives
	}
	return b, m.scheduleCheck(ctx, b)
}

// Intervals at which refunded payments are checked again: a refund may fail for weeks, and
// a dispute takes months.
const (
	minReturnCheck   = time.Hour
	maxReturnCheck   = 24 * time.Hour
	returnCheckedFor = 120 * 24 * time.Hour
)

// continueOrder does what is due for the order of an intent whose payment was applied, and
// returns the order. It schedules another check of money that went back.
func (m *Market) continueOrder(ctx context.Context, in Intent) (Booking, error) {
	b, err := m.store.Booking(ctx, in.BookingID)
	switch {
	case err != nil:
		return b, err
	case m.isAnswerDue(b):
		return m.sendDisputeAnswer(ctx, b)
	case b.Status == BookingPaid && b.isRefundDecided():
		return m.requestRefund(ctx, b, in)
	case m.payoutStep(b) != payoutNothing:
		return m.payOut(ctx, b, in)
	case b.Status == BookingRefunded:
		pay, err := m.store.PaymentOf(ctx, in.ID)
		if ignoreNotFound(err) != nil {
			return b, err
		}
		b.Due = m.nextReturnCheck(b, pay.RefundedAt)
		return m.saveIfUnchanged(ctx, b)
	case b.Status == BookingPaid:
		return m.meetDeadline(ctx, b)
	}
	return b, nil
}

// nextReturnCheck returns when the provider is asked next about money that went back at a time;
// zero when it needs no more checks.
func (m *Market) nextReturnCheck(b Booking, returnedAt time.Time) time.Time {
	if b.isDisputed() {
		return m.nextDisputeCheck(b)
	}
	now := m.clock.Now()
	since := now.Sub(returnedAt)
	if returnedAt.IsZero() {
		since = 0
	}
	if since > returnCheckedFor {
		return time.Time{}
	}
	return now.Add(min(max(since/2, minReturnCheck), maxReturnCheck))
}

// intentState returns the state of the intent. If the hold is ending or has ended, it tries to
// cancel the intent first. An intent that the provider does not know is returned as
// cancelled.
func (m *Market) intentState(ctx context.Context, b Booking) (in Intent, err error) {
	if b.Status == BookingPaid || (b.Status == BookingHeld && b.Closing == "") {
		in, err = m.payments.Intent(ctx, b.Intent)
	} else {
		in, err = m.payments.CancelIntent(ctx, b.Intent)
	}
	if errors.Is(err, ErrNoIntent) {
		return Intent{ID: b.Intent, Status: IntentCancelled}, nil
	}
	return in, err
}

// continueWithoutCharge continues with a booking whose intent cannot charge anything.
func (m *Market) continueWithoutCharge(ctx context.Context, b Booking) (Booking, error) {
	if b.Status == BookingHeld && b.Closing != "" {
		return m.finishRelease(ctx, b, time.Time{})
	}
	if b.Status == BookingPaid { // the server has the keys of another account, or had them a moment ago
		return b, m.scheduleCheck(ctx, b)
	}
	b.Due = time.Time{}
	if b.Status == BookingHeld { // the provider has cancelled it: the buyer may try with another
		b.withoutIntent()
	}
	return m.saveIfUnchanged(ctx, b)
}

// scheduleCheck schedules the next check of the booking.
func (m *Market) scheduleCheck(ctx context.Context, b Booking) error {
	b.Due = m.nextCheck(b)
	_, err := m.saveIfUnchanged(ctx, b)
	return err
}

// saveIfUnchanged saves a booking's data for the reconciler. If the booking has changed
// since it was read, it returns the current booking without a write.
func (m *Market) saveIfUnchanged(ctx context.Context, b Booking) (Booking, error) {
	b.Version++
	err := m.store.SaveBooking(ctx, b, nil)
	if errors.Is(err, ErrConflict) {
		return m.store.Booking(ctx, b.ID)
	}
	return b, err
}

// nextCheck returns when a booking's intent is checked next: soon at first, then less and
// less often; in time for the deadline; and often while a hold is ending.
func (m *Market) nextCheck(b Booking) time.Time {
	now := m.clock.Now()
	if b.Status != BookingHeld || b.Closing != "" {
		return now.Add(min(max(now.Sub(b.ClosingAt)/4, time.Second), 5*time.Minute))
	}
	next := now.Add(min(max(now.Sub(b.IntentAt)/2, 15*time.Second), 15*time.Minute))
	if next.After(b.HoldUntil) {
		return b.HoldUntil
	}
	return next
}
