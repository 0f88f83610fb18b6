package market

import (
	"context"
	"errors"
	"iter"
	"time"
)

// DisputeState is the state of a dispute.
type DisputeState string

// The states.
const (
	DisputeOpen DisputeState = "open"
	DisputeWon  DisputeState = "won"  // the market keeps the money
	DisputeLost DisputeState = "lost" // the buyer keeps the money
)

// Dispute is a buyer's dispute of a payment at their card's bank: not a problem that the buyer
// reports to the market, see fulfilment.go. While it is open, the
// order's money is frozen: the order is not settled in the seller's favour, and not paid
// out. The bank takes the money at once, unless it only inquires. Then the order is
// BookingRefunded, and it is BookingPaid again if the market wins the dispute. If the bank takes
// only a part, the order stays paid, and an admin decides about it if the dispute is lost.
//
// An admin may answer it once: see dispute_answer.go.
type Dispute struct {
	ID            string       `json:"id,omitempty"` // at the provider
	State         DisputeState `json:"state"`
	OpenedAt      time.Time    `json:"openedAt"`               // the provider's time
	ClosedAt      time.Time    `json:"closedAt,omitzero"`      // when the market noticed its end
	AnswerBy      time.Time    `json:"answerBy,omitzero"`      // until when the bank takes an answer; zero if it takes none
	AnswerBegunAt time.Time    `json:"answerBegunAt,omitzero"` // when an admin decided to answer it
	AnsweredAt    time.Time    `json:"answeredAt,omitzero"`    // when the market noticed that the provider has an answer
}

// isDisputed returns whether a dispute freezes the order's money.
func (b Booking) isDisputed() bool { return b.Dispute != nil && b.Dispute.State == DisputeOpen }

// isPartLost returns whether the bank gave the buyer a part of the money, for a dispute that the
// market lost. An admin decides who gets the rest. If the bank gave back all of it, the order is
// BookingRefunded.
func (b Booking) isPartLost() bool {
	return b.Status == BookingPaid && b.Dispute != nil && b.Dispute.State == DisputeLost
}

// errDisputed is the error of a payout while the money is frozen.
func errDisputed() error {
	return refuse(CodeConflict, "The buyer disputes this payment at their bank. The money waits until that is decided")
}

// hasDispute returns whether the booking has stored the current state of the intent's
// dispute, if there is one. An intent that was read before the dispute ended does not open
// it again.
func (b Booking) hasDispute(in Intent) bool {
	switch d := b.Dispute; {
	case in.Dispute == "" || b.Intent != in.ID:
		return true
	case d == nil:
		return false
	case in.Dispute == DisputeOpen && d.State != DisputeOpen:
		return !in.DisputedAt.After(d.OpenedAt)
	default:
		return d.State == in.Dispute
	}
}

// hasAnswer returns whether an open dispute has the ID, the deadline and the answer that the provider has.
func (b Booking) hasAnswer(in Intent) bool {
	d := b.Dispute
	return in.Dispute != DisputeOpen || !b.isDisputed() || b.Intent != in.ID ||
		d.ID == in.DisputeID && d.AnswerBy.Equal(in.AnswerBy) && (!in.IsAnswered || !d.AnsweredAt.IsZero())
}

// disputeAfter returns the dispute as the provider has it, with what the market knows of its answer. old is the
// stored one; it may be nil or another dispute.
func (in Intent) disputeAfter(old *Dispute, now time.Time) *Dispute {
	d := &Dispute{ID: in.DisputeID, State: in.Dispute, OpenedAt: in.DisputedAt, AnswerBy: in.AnswerBy}
	if old != nil && old.ID == d.ID {
		d.AnswerBegunAt, d.AnsweredAt = old.AnswerBegunAt, old.AnsweredAt
	}
	if in.IsAnswered && d.AnsweredAt.IsZero() {
		d.AnsweredAt = now
	}
	return d
}

// followDispute stores the payment's dispute on the order, and notifies both sides and the admins
// of a new state. It is a separate write before the order's status changes. The
// reconciler checks the order at once, in case the process is killed between the two
// writes.
func (m *Market) followDispute(ctx context.Context, b Booking, in Intent) error {
	if b.hasDispute(in) && b.hasAnswer(in) {
		return nil
	}
	_, err := m.changeBooking(ctx, b, func(b *Booking, now time.Time) (bool, []Effect, error) {
		isKnown := b.hasDispute(in)
		if isKnown && b.hasAnswer(in) {
			return false, nil, nil
		}
		b.Dispute, b.Due = in.disputeAfter(b.Dispute, now), now
		if isKnown {
			return true, m.bookingEvents(*b, now), nil
		}
		if in.Dispute != DisputeOpen {
			b.Dispute.ClosedAt = now
			b.resume()
		}
		notices, err := m.disputeNotices(ctx, *b, in.IsPartTaken, now)
		return true, append(m.bookingEvents(*b, now), notices...), err
	})
	return err
}

// DisputedIntent is an intent with a dispute.
type DisputedIntent struct {
	IntentID string
	State    DisputeState
}

// DisputeList lists the disputes that were opened since a time, in any order. It includes
// disputes of other markets that use the same account. An error is the last value that it
// yields: ErrPaymentsUnavailable, wrapped, if the provider is unavailable.
type DisputeList interface {
	Disputes(ctx context.Context, since time.Time) iter.Seq2[DisputedIntent, error]
}

// How often the provider is asked for its disputes, and for those of how long. Settled orders are
// not checked any more one by one, and the webhook of a dispute may be lost.
const (
	disputesEvery  = time.Hour
	disputesWindow = 30 * 24 * time.Hour
)

// findDisputes applies the payments whose dispute has changed. It lists all disputes once,
// and then reads only these intents.
func (m *Market) findDisputes(ctx context.Context) error {
	var errs []error
	for d, err := range m.payments.Disputes(ctx, m.clock.Now().Add(-disputesWindow)) {
		if err != nil {
			return errors.Join(append(errs, err)...)
		}
		known, err := m.knowsDispute(ctx, d)
		if err == nil && !known {
			err = m.ApplyPayment(ctx, d.IntentID)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// knowsDispute returns whether the market has stored the current state of the dispute, or
// the dispute is about no order of this market.
func (m *Market) knowsDispute(ctx context.Context, d DisputedIntent) (bool, error) {
	pay, err := m.store.PaymentOf(ctx, d.IntentID)
	if errors.Is(err, ErrNotFound) || (err == nil && pay.Outcome != PaymentKept) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	b, err := m.store.Booking(ctx, pay.BookingID)
	if errors.Is(err, ErrNotFound) {
		return true, nil
	}
	return err == nil && (b.Intent != d.IntentID || (b.Dispute != nil && b.Dispute.State == d.State)), err
}

// nextDisputeCheck returns when the provider is asked next about an open dispute.
func (m *Market) nextDisputeCheck(b Booking) time.Time {
	now := m.clock.Now()
	return now.Add(min(max(now.Sub(b.Dispute.OpenedAt)/2, minReturnCheck), maxReturnCheck))
}

// checkDisputeInTime makes an order due at the next check of its open dispute, unless it is due
// earlier.
func (m *Market) checkDisputeInTime(b *Booking) {
	if !b.isDisputed() {
		return
	}
	if check := m.nextDisputeCheck(*b); b.Due.IsZero() || b.Due.After(check) {
		b.Due = check
	}
}
