package market

import (
	"context"
	"errors"
	"time"
)

// Payments are settled only here, whatever reports them: the
// buyer's browser, the provider's webhook, or the payment reconciler who asks. Each step is
// one compare-and-set, and all of them may be done again from the first, by any
// number of nodes at once:
//
//  1. the payment is recorded, once for its transaction;
//  2. the phone goes from held by this booking, or from free, to sold;
//  3. the payment's outcome is decided: kept, or returned where there was no phone;
//  4. the booking becomes paid, or the money goes back and it becomes refunded.

// Settle reads an intent from the provider and settles it. Everything that learns of an
// intent calls it: nil too where it is none of the market's, or
// nothing has been charged. ErrNoBooking where it was charged for a booking that
// is not there: then the money has gone back, if this market made the intent.
// ErrRefundWaits where that refund has failed and is made again after a pause.
func (m *Market) Settle(ctx context.Context, intentID string) error {
	in, err := m.payments.Intent(ctx, intentID)
	if errors.Is(err, ErrNoIntent) {
		return nil
	}
	if err != nil || in.BookingID == "" || in.Status != IntentSucceeded {
		return err
	}
	_, err = m.settle(ctx, in)
	switch CodeOf(err) {
	case CodeRefunded:
		return nil
	case CodeNotFound:
		return m.settleUnknown(ctx, in)
	}
	return err
}

// settleUnknown gives the money of a charge back that no booking asks for. It is
// recorded as a payment, so that the accounts are complete.
func (m *Market) settleUnknown(ctx context.Context, in Intent) error {
	if !in.Ours {
		return ErrNoBooking
	}
	b := Booking{ID: in.BookingID, ProductID: in.ProductID, BuyerUID: in.BuyerUID, Price: int(in.Cents / centsPerDollar)}
	pay, err := m.recorded(ctx, b, in)
	if err != nil {
		return err
	}
	for pay.Outcome == PaymentUndecided {
		if pay, err = m.decide(ctx, pay, PaymentReturned); err != nil {
			return err
		}
	}
	if pay.Outcome == PaymentKept { // it has bought a phone: nobody takes that back unasked
		return ErrNoBooking
	}
	again, err := m.giveBack(ctx, b, in, pay)
	if err != nil {
		return err
	}
	if !in.Returned && !again { // no booking is there that the payment reconciler would look at
		return ErrRefundWaits
	}
	if err := m.noteRefund(ctx, in, pay, again); err != nil {
		return err
	}
	return ErrNoBooking
}

// pays tells whether this intent is for this very booking, and for its price.
func (in Intent) pays(b Booking) bool {
	return in.BookingID == b.ID && in.ProductID == b.ProductID && in.BuyerUID == b.BuyerUID &&
		in.Cents == b.cents() && in.Currency == Currency
}

// settle returns the payment if the phone is the buyer's, CodeRefunded if the
// money went back.
func (m *Market) settle(ctx context.Context, in Intent) (Payment, error) {
	b, err := m.booking(ctx, in.BookingID)
	if err != nil {
		return Payment{}, err
	}
	if !in.pays(b) {
		return Payment{}, refuse(CodeInvalid, "The payment is not what the booking asks for")
	}
	pay, err := m.recorded(ctx, b, in)
	if err != nil {
		return Payment{}, err
	}
	if pay, err = m.decided(ctx, b, in, pay); err != nil {
		return Payment{}, err
	}
	if pay.Outcome == PaymentKept && !in.Returned {
		if pay, err = m.moneyIsHere(ctx, pay); err != nil {
			return Payment{}, err
		}
		return pay, m.paid(ctx, b, in)
	}
	again := false
	if pay.Outcome == PaymentReturned {
		if again, err = m.giveBack(ctx, b, in, pay); err != nil {
			return Payment{}, err
		}
	}
	if err := m.noteRefund(ctx, in, pay, again); err != nil {
		return Payment{}, err
	}
	if err := m.refunded(ctx, b, in); err != nil {
		return Payment{}, err
	}
	if pay.Outcome == PaymentKept {
		return Payment{}, refuse(CodeRefunded, "This payment has been refunded")
	}
	return Payment{}, refuse(CodeRefunded, "This phone is no longer available. Your payment has been refunded in full")
}

// recorded is the one record of a transaction.
func (m *Market) recorded(ctx context.Context, b Booking, in Intent) (Payment, error) {
	pay, err := m.store.PaymentOf(ctx, in.ID)
	if !errors.Is(err, ErrNotFound) {
		return pay, err
	}
	now := m.clock.Now()
	pay = Payment{
		ID: NewID(now), Transaction: in.ID, BookingID: b.ID, ProductID: b.ProductID, BuyerUID: b.BuyerUID,
		Email: b.Email, Price: b.Price, Version: 1, CreatedAt: now,
	}
	err = m.store.AddPayment(ctx, pay, nil)
	if errors.Is(err, ErrExists) {
		return m.store.PaymentOf(ctx, in.ID)
	}
	return pay, err
}

// decided settles what becomes of the money. The phone is asked first, but two
// who ask at different moments may hear different things: what the payment says
// decides, and a call that took the phone for money that is returned releases it.
func (m *Market) decided(ctx context.Context, b Booking, in Intent, pay Payment) (Payment, error) {
	for pay.Outcome == PaymentUndecided {
		outcome := PaymentReturned
		if !in.Returned {
			sold, err := m.sell(ctx, b, in)
			if err != nil {
				return pay, err
			}
			if sold {
				outcome = PaymentKept
			}
		}
		var err error
		if pay, err = m.decide(ctx, pay, outcome); err != nil {
			return pay, err
		}
	}
	return pay, nil
}

// decide writes the outcome. If another call has written the payment
// meanwhile, it returns the payment as that call wrote it.
func (m *Market) decide(ctx context.Context, pay Payment, outcome PaymentOutcome) (Payment, error) {
	pay.Outcome = outcome
	pay.Version++
	err := m.store.SavePayment(ctx, pay, nil)
	if errors.Is(err, ErrConflict) {
		return m.store.PaymentOf(ctx, pay.Transaction)
	}
	return pay, err
}

// sell takes the phone for the payment: from this booking's hold, or a free one
// on the terms that were booked. False where the phone was removed or is another buyer's.
func (m *Market) sell(ctx context.Context, b Booking, in Intent) (sold bool, err error) {
	_, err = m.changeProduct(ctx, b.ProductID, func(p *Product) (string, error) {
		sold = true
		switch {
		case p.HeldBy(b.ID) && p.Sold:
			sold = p.Hold.Transaction == in.ID
			return "", nil
		case p.HeldBy(b.ID):
			hold := *p.Hold
			hold.Transaction = in.ID
			p.Hold, p.Sold = &hold, true
			return TypeProductChanged, nil
		case !p.Booked() && p.ResalePrice == b.Price && p.TermsVersion == b.TermsVersion && b.Status != BookingRefunded:
			p.Hold, p.Sold = b.hold(in.ID), true
			return TypeProductBooked, nil
		}
		sold = false
		return "", nil
	})
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return sold, err
}

// hold is the claim that the booking had on the phone, bought by a transaction.
func (b Booking) hold(transaction string) *Hold {
	return &Hold{
		BookingID: b.ID, BuyerUID: b.BuyerUID, Name: b.UserName, Email: b.Email, Phone: b.Phone,
		Location: b.Location, At: b.CreatedAt, Until: b.HoldUntil, Transaction: transaction,
	}
}

// paid says so on the booking, and how its buyer reaches the seller from now on,
// even where the phone or the seller's account goes.
func (m *Market) paid(ctx context.Context, b Booking, in Intent) error {
	if !b.mayBePaid(in) {
		return nil
	}
	p, err := m.store.Product(ctx, b.ProductID)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	return m.changeBooking(ctx, b, func(b *Booking) bool {
		if !b.mayBePaid(in) {
			return false // said already
		}
		if b.Status == BookingRefunded { // look again soon: what was asked may be older than the refund
			b.Due = m.clock.Now().Add(lookAfterReturn)
		}
		b.Status, b.Intent = BookingPaid, in.ID
		if seller := p.contact(); seller != nil {
			b.Seller = seller
		}
		return true
	})
}

// lookAfterReturn is when the provider is asked again about money that came back
// to the market, by a dispute that was won or a refund that failed.
const lookAfterReturn = time.Minute

// mayBePaid tells whether the intent's money makes the booking paid: also one
// that was refunded, where that very money is here again.
func (b Booking) mayBePaid(in Intent) bool {
	if b.Status == BookingRefunded && b.Intent != in.ID {
		return false
	}
	_, ok := b.Status.after(movePay)
	return ok
}

// contact is how to reach the phone's seller; nil where the phone was removed.
func (p Product) contact() *Contact {
	if p.ID == "" {
		return nil
	}
	return &Contact{Name: p.SellerName, Email: p.SellerEmail, Phone: p.Phone, Location: p.Location}
}

// giveBack returns the money, and the phone if it was taken for it. It tells
// whether a refund was made just now. One that has failed is made again after a
// pause.
func (m *Market) giveBack(ctx context.Context, b Booking, in Intent, pay Payment) (again bool, err error) {
	if !in.Returned && !m.clock.Now().Before(nextRefund(in, pay)) {
		if err := m.payments.Refund(ctx, in.ID, in.FailedRefunds); err != nil {
			return false, away(err)
		}
		again = true
	}
	_, err = m.changeProduct(ctx, b.ProductID, func(p *Product) (string, error) {
		if !p.HeldBy(b.ID) || (p.Sold && p.Hold.Transaction != in.ID) {
			return "", nil
		}
		p.Hold, p.Sold = nil, false
		return TypeProductReleased, nil
	})
	if errors.Is(err, ErrNotFound) {
		err = nil
	}
	return again, err
}

// Pauses before a refund that has failed is made again, from the moment at which
// the last one was accepted.
const (
	refundPause     = time.Hour
	refundPauseMost = 24 * time.Hour
)

// nextRefund is when the money may be sent back next: at once the first time.
func nextRefund(in Intent, pay Payment) time.Time {
	if in.FailedRefunds == 0 || pay.RefundedAt.IsZero() {
		return time.Time{}
	}
	return pay.RefundedAt.Add(min(refundPause<<min(in.FailedRefunds-1, 10), refundPauseMost))
}

// noteRefund says on the payment when its money went back last.
func (m *Market) noteRefund(ctx context.Context, in Intent, pay Payment, again bool) error {
	before := pay.RefundedAt
	for pay.RefundedAt.IsZero() || (again && pay.RefundedAt.Equal(before)) {
		pay.RefundedAt = m.clock.Now()
		pay.Version++
		err := m.store.SavePayment(ctx, pay, nil)
		if err == nil {
			return nil
		}
		if !errors.Is(err, ErrConflict) {
			return err
		}
		if pay, err = m.store.PaymentOf(ctx, in.ID); err != nil {
			return err
		}
	}
	return nil
}

// moneyIsHere says on the payment that its money did not go back after all.
func (m *Market) moneyIsHere(ctx context.Context, pay Payment) (Payment, error) {
	for !pay.RefundedAt.IsZero() {
		pay.RefundedAt = time.Time{}
		pay.Version++
		err := m.store.SavePayment(ctx, pay, nil)
		if errors.Is(err, ErrConflict) {
			pay, err = m.store.PaymentOf(ctx, pay.Transaction)
		}
		if err != nil {
			return pay, err
		}
	}
	return pay, nil
}

// refunded says so on the booking, unless another payment has bought its phone.
// The provider is asked again later: a refund may still fail, a dispute be won.
func (m *Market) refunded(ctx context.Context, b Booking, in Intent) error {
	return m.changeBooking(ctx, b, func(b *Booking) bool {
		next, ok := b.Status.after(moveRefund)
		if !ok || (b.Status == BookingPaid && b.Intent != in.ID) {
			return false
		}
		b.Status, b.Intent = next, in.ID
		b.Due = m.nextReturnLook(*b)
		return true
	})
}

// changeBooking ends a booking's time on hold, until no other change is in
// between, and tells its buyer. The change returns false to leave it alone.
func (m *Market) changeBooking(ctx context.Context, b Booking, change func(*Booking) bool) error {
	for {
		now := m.clock.Now()
		held := b.Status == BookingHeld
		b.Due = time.Time{}
		if !change(&b) {
			return nil
		}
		if held {
			b.EndedAt = now
		}
		b.Closing, b.ClosingAt, b.Network = "", time.Time{}, ""
		b.Version++
		err := m.store.SaveBooking(ctx, b, bookingEvents(b, now))
		if err == nil {
			m.NotifyRelay()
			return nil
		}
		if !errors.Is(err, ErrConflict) {
			return err
		}
		if b, err = m.store.Booking(ctx, b.ID); err != nil {
			return err
		}
	}
}
