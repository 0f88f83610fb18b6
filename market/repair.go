package market

import (
	"context"
	"errors"
	"fmt"
)

// What a person has to do about a difference that Repair does not repair.
const (
	adviceKeys     = "Check that the keys belong to this market's account at the provider."
	adviceAmount   = "Look at the intent in the provider's dashboard, and give back what was charged too much."
	adviceKept     = "Look at the order and at the intent, and refund the buyer at the provider if the phone is not theirs."
	adviceTransfer = "Look at the transfers of this booking in the provider's dashboard, and at what the seller's earnings say."
	adviceLedger   = "The store was changed by other means. Compare it with a backup; entries are never changed by hand."
)

// Repair applies the provider's state of an intent to the market, as after a webhook, and
// does what is due for its order, such as a refund that was decided. It returns no error
// for what it cannot repair: Reconcile still reports it. Any number of processes may call
// it at once.
func (m *Market) Repair(ctx context.Context, intentID string) error {
	if err := m.settleAgain(ctx, intentID); err != nil {
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
	return m.settleAgain(ctx, intentID)
}

// settleAgain is Settle without the errors of a charge that it cannot settle.
func (m *Market) settleAgain(ctx context.Context, intentID string) error {
	err := m.Settle(ctx, intentID)
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
		return Difference{Problem: "The provider has charged this. The market has neither a payment nor the booking."}
	}
	d := Difference{Problem: "The provider has charged this. The market has no payment of it; its booking is " + string(b.Status) + "."}
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
		return Difference{Problem: "The provider has a dispute about this, which is " + string(in.Dispute) + ". The market does not know that."}
	case in.Returned && !isRefunded:
		return Difference{Problem: "The money has gone back at the provider. The market does not know that."}
	case !in.Returned && isRefunded:
		return Difference{Problem: "The market has given the money back. The provider still has it: a refund has failed, or a dispute was won."}
	case !in.Returned && pay.Outcome == PaymentReturned:
		return Difference{Problem: "The money is to go back, and has not yet."}
	case pay.Outcome == PaymentUndecided:
		return Difference{Problem: "The market has not decided yet what becomes of this payment."}
	case pay.Outcome == PaymentKept && !isRefunded:
		return in.wrongBooking(b)
	case pay.Outcome == PaymentKept && b != nil && b.Status == BookingPaid && b.Intent == in.ID:
		return Difference{Problem: "The money has gone back, and its booking is still paid."}
	}
	return Difference{}
}

// wrongBooking returns the difference in the booking of a payment that was kept; the zero
// Difference if there is none.
func (in Intent) wrongBooking(b *Booking) Difference {
	switch {
	case b == nil:
		return Difference{Problem: "The market has kept the money, and has no such booking.", Advice: adviceKept}
	case b.Status == BookingRefunded && b.Intent != in.ID, b.Status == BookingPaid && b.Intent != in.ID:
		return Difference{Problem: "The market has kept the money, and its booking was paid by " + b.Intent + ".", Advice: adviceKept}
	case b.Status != BookingPaid:
		return Difference{Problem: "The market has kept the money, and its booking is " + string(b.Status) + "."}
	case b.AfterSale().Outcome == OutcomeRefund:
		return Difference{Problem: "A refund of this order was decided, and has not been made."}
	}
	return Difference{}
}
