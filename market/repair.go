package market

import (
	"context"
	"errors"
	"fmt"
)

// What a person has to do about a difference that Repair does not repair.
const (
	adviceKeys     = "Check that the keys belong to this market's account at the provider."
	adviceAmount   = "Check the intent in the provider's dashboard, and refund what was charged too much."
	adviceKept     = "Check the order and the intent. Refund the buyer at the provider if the phone is not theirs."
	advicePart     = "Look at the dispute in the provider's dashboard, and decide about the order. The market pays for the part."
	adviceTransfer = "Check the transfers of this booking in the provider's dashboard, and the seller's earnings."
	adviceLedger   = "The store was changed by other means. Compare it with a backup. Never change ledger entries by hand."
)

// Repair applies the provider's state of an intent to the market, as after a webhook, and
// does what is due for its order, such as a refund that was decided. It returns no error
// for what it cannot repair: Reconcile still reports it. Any number of processes may call
// it at once.
func (m *Market) Repair(ctx context.Context, intentID string) error {
	if err := m.applyPaymentAgain(ctx, intentID); err != nil {
		return err
	}
	in, err := m.payments.Intent(ctx, intentID)
	if errors.Is(err, ErrNoIntent) {
		return nil
	}
	if err != nil || in.BookingID == "" || in.Status != IntentSucceeded {
		return err
	}
	b, err := m.store.Booking(ctx, in.BookingID)
	if errors.Is(err, ErrNotFound) || (err == nil && b.Intent != in.ID) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := m.continueOrder(ctx, in); err != nil {
		return err
	}
	return m.applyPaymentAgain(ctx, intentID)
}

// applyPaymentAgain is ApplyPayment without the errors of a charge that it cannot apply.
func (m *Market) applyPaymentAgain(ctx context.Context, intentID string) error {
	err := m.ApplyPayment(ctx, intentID)
	if errors.Is(err, ErrNoBooking) || errors.Is(err, ErrRefundWaits) || CodeOf(err) == CodeInvalid {
		return nil
	}
	return err
}

// missingPayment returns the difference of an intent for which the market has no payment;
// the zero Difference if there is none.
func (in Intent) missingPayment(b *Booking) Difference {
	switch {
	case in.Status != IntentSucceeded || in.Returned:
		return Difference{}
	case b == nil:
		return Difference{Problem: "The provider has charged this amount. The market has neither a payment nor a booking for it."}
	}
	d := Difference{Problem: "The provider has charged this amount. The market has no payment for it, and the booking is " + string(b.Status) + "."}
	if !in.pays(*b) {
		d.Advice = adviceAmount
	}
	return d
}

// differsFrom returns the difference between an intent and the market's payment and
// booking; the zero Difference if there is none.
func (in Intent) differsFrom(pay Payment, b *Booking) Difference {
	isRefunded := !pay.RefundedAt.IsZero()
	switch {
	case in.Status != IntentSucceeded:
		return Difference{Problem: "The market has this payment. The provider has charged nothing: its intent is " + string(in.Status) + ".", Advice: adviceKeys}
	case in.Cents != pay.cents() || in.Currency != Currency:
		return Difference{Problem: fmt.Sprintf("The market has %s. The provider has charged %s.", Money(pay.cents(), Currency), Money(in.Cents, in.Currency)), Advice: adviceAmount}
	case pay.Outcome == PaymentKept && b != nil && !b.hasDispute(in):
		return Difference{Problem: "The provider has a dispute about this payment, which is " + string(in.Dispute) + ". The market has not recorded that."}
	case in.Returned && !isRefunded:
		return Difference{Problem: "The provider has returned the money to the buyer. The market has not recorded that."}
	case !in.Returned && isRefunded:
		return Difference{Problem: "The market has recorded a refund. The provider still has the money: the refund failed, or a dispute was won."}
	case !in.Returned && pay.Outcome == PaymentReturned:
		return Difference{Problem: "The payment must be refunded, and the refund has not been made."}
	case pay.Outcome == PaymentUndecided:
		return Difference{Problem: "The market has not decided about this payment yet."}
	case pay.Outcome == PaymentKept && !isRefunded:
		return in.wrongBooking(b)
	case pay.Outcome == PaymentKept && b != nil && b.Status == BookingPaid && b.Intent == in.ID:
		return Difference{Problem: "The money was returned to the buyer, but the booking is still paid."}
	}
	return Difference{}
}

// wrongBooking returns the difference in the booking of a payment that was kept; the zero
// Difference if there is none.
func (in Intent) wrongBooking(b *Booking) Difference {
	switch {
	case b == nil:
		return Difference{Problem: "The market has kept the money, but has no such booking.", Advice: adviceKept}
	case b.Status == BookingRefunded && b.Intent != in.ID, b.Status == BookingPaid && b.Intent != in.ID:
		return Difference{Problem: "The market has kept the money, but another intent paid the booking: " + b.Intent + ".", Advice: adviceKept}
	case b.Status != BookingPaid:
		return Difference{Problem: "The market has kept the money, but the booking is " + string(b.Status) + "."}
	case b.isRefundDecided():
		return Difference{Problem: "A refund of this order was decided, but it has not been made."}
	case b.isPartLost():
		return Difference{Problem: "The bank has given the buyer a part of the money, for a dispute that was lost. The ledger does not contain that.", Advice: advicePart}
	}
	return Difference{}
}
