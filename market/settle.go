package market

import (
	"context"
	"errors"
	"time"
)

// Money that has arrived is settled here and nowhere else, whoever says so: the
// buyer's browser, the provider's webhook, or the cashier who asks. Each step is
// one compare-and-set, and all of them may be done again from the first, by any
// number of nodes at once:
//
//  1. the payment is recorded, once for its transaction;
//  2. the phone goes from held by this booking, or from free, to sold;
//  3. the payment's outcome is decided: kept, or returned where there was no phone;
//  4. the booking becomes paid, or the money goes back and it becomes refunded.

// Settle asks the provider about an intent and goes by the answer. It is for
// whoever hears of an intent: nil too where it is none of the market's, or
// nothing has been charged.
func (m *Market) Settle(ctx context.Context, intentID string) error {
	in, err := m.payments.Intent(ctx, intentID)
	if errors.Is(err, ErrNoIntent) {
		return nil
	}
	if err != nil || in.BookingID == "" || in.Status != IntentSucceeded {
		return err
	}
	_, err = m.settle(ctx, in)
	if code := CodeOf(err); code == CodeRefunded || code == CodeNotFound {
		return nil
	}
	return err
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
		return pay, m.paid(ctx, b, in)
	}
	if pay.Outcome == PaymentReturned {
		if err := m.giveBack(ctx, b, in); err != nil {
			return Payment{}, err
		}
	}
	if err := m.refunded(ctx, b, in, pay); err != nil {
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
// stands, and whoever took the phone for money that goes back lets go of it.
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
		pay.Outcome = outcome
		pay.Version++
		err := m.store.SavePayment(ctx, pay, nil)
		if errors.Is(err, ErrConflict) {
			pay, err = m.store.PaymentOf(ctx, in.ID)
		}
		if err != nil {
			return pay, err
		}
	}
	return pay, nil
}

// sell takes the phone for the payment: from this booking's hold, or a free one
// on the terms that were booked. False where the phone is gone or somebody else's.
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
	if _, ok := b.Status.after(movePay); !ok {
		return nil
	}
	p, err := m.store.Product(ctx, b.ProductID)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	return m.changeBooking(ctx, b, func(b *Booking) bool {
		next, ok := b.Status.after(movePay)
		if !ok {
			return false // said already, or refunded since
		}
		b.Status, b.Intent, b.Seller = next, in.ID, p.contact()
		return true
	})
}

// contact is how to reach the phone's seller; nil of a phone that is gone.
func (p Product) contact() *Contact {
	if p.ID == "" {
		return nil
	}
	return &Contact{Name: p.SellerName, Email: p.SellerEmail, Phone: p.Phone, Location: p.Location}
}

// giveBack returns the money, and the phone if it was taken for it.
func (m *Market) giveBack(ctx context.Context, b Booking, in Intent) error {
	if !in.Returned {
		if err := m.payments.Refund(ctx, in.ID); err != nil {
			return away(err)
		}
	}
	_, err := m.changeProduct(ctx, b.ProductID, func(p *Product) (string, error) {
		if !p.HeldBy(b.ID) || (p.Sold && p.Hold.Transaction != in.ID) {
			return "", nil
		}
		p.Hold, p.Sold = nil, false
		return TypeProductReleased, nil
	})
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// refunded says so on the payment and on the booking, unless another payment
// has bought its phone.
func (m *Market) refunded(ctx context.Context, b Booking, in Intent, pay Payment) error {
	for pay.RefundedAt.IsZero() {
		pay.RefundedAt = m.clock.Now()
		pay.Version++
		err := m.store.SavePayment(ctx, pay, nil)
		if errors.Is(err, ErrConflict) {
			pay, err = m.store.PaymentOf(ctx, in.ID)
		}
		if err != nil {
			return err
		}
	}
	return m.changeBooking(ctx, b, func(b *Booking) bool {
		next, ok := b.Status.after(moveRefund)
		if !ok || (b.Status == BookingPaid && b.Intent != in.ID) {
			return false
		}
		b.Status, b.Intent = next, in.ID
		return true
	})
}

// changeBooking ends a booking's time on hold, until no other change is in
// between, and tells its buyer. The change returns false to leave it alone.
func (m *Market) changeBooking(ctx context.Context, b Booking, change func(*Booking) bool) error {
	for {
		now := m.clock.Now()
		held := b.Status == BookingHeld
		if !change(&b) {
			return nil
		}
		if held {
			b.EndedAt = now
		}
		b.Closing, b.ClosingAt, b.Due = "", time.Time{}, time.Time{}
		b.Version++
		err := m.store.SaveBooking(ctx, b, bookingEvents(b, now))
		if err == nil {
			m.Wake()
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
