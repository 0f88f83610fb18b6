package market

import (
	"context"
	"errors"
	"slices"
	"time"
)

// To apply a payment is to decide whether the market keeps the money or returns it, and to
// change the phone and the booking accordingly. (The order of a kept payment is settled later,
// when it is decided who gets the money: see Fulfilment.)
//
// All payments are applied here, whether the buyer's browser, the provider's webhook or
// the payment check reports them. Each step is one compare-and-set. Any number of
// nodes may run or repeat all steps at the same time:
//
//  1. the payment is recorded, once for its transaction;
//  2. the phone goes from held by this booking, or from available, to sold;
//  3. the payment's outcome is decided: kept, or returned if there was no phone;
//  4. the booking becomes paid, or the money goes back and it becomes refunded.

// ApplyPayment reads an intent from the provider and applies its payment. It returns nil
// also if the intent is not the market's, or nothing was charged. It returns ErrNoBooking if
// the intent was charged for an unknown booking: the money is refunded then, if this market
// made the intent. It returns ErrRefundWaits if that refund failed and is due again after a
// pause.
func (m *Market) ApplyPayment(ctx context.Context, intentID string) error {
	in, err := m.payments.Intent(ctx, intentID)
	if errors.Is(err, ErrNoIntent) {
		return nil
	}
	if err != nil || in.BookingID == "" || in.Status != IntentSucceeded {
		return err
	}
	_, err = m.applyPayment(ctx, in)
	switch CodeOf(err) {
	case CodeRefunded:
		return nil
	case CodeNotFound:
		return m.refundUnknown(ctx, in)
	}
	return err
}

// refundUnknown refunds a charge whose booking does not exist. It records the charge as
// a payment, so that the accounts are complete.
func (m *Market) refundUnknown(ctx context.Context, in Intent) error {
	if !in.IsOwn {
		return ErrNoBooking
	}
	b := Booking{ID: in.BookingID, ProductID: in.ProductID, BuyerUID: in.BuyerUID, Price: int(in.Cents / centsPerDollar)}
	pay, err := m.recordPayment(ctx, b, in)
	if err != nil {
		return err
	}
	for pay.Outcome == PaymentUndecided {
		if pay, err = m.saveOutcome(ctx, pay, PaymentReturned); err != nil {
			return err
		}
	}
	if pay.Outcome == PaymentKept { // it bought a phone: an operator has to decide
		return ErrNoBooking
	}
	isRequested, err := m.refund(ctx, b, in, pay)
	if err != nil {
		return err
	}
	if !in.Returned && !isRequested { // the payment check does not find it without a booking
		return ErrRefundWaits
	}
	if isRequested || pay.RefundedAt.IsZero() {
		if _, err := m.saveRefundedAt(ctx, pay, m.clock.Now()); errors.Is(err, ErrConflict) {
			return m.refundUnknown(ctx, in)
		} else if err != nil {
			return err
		}
	}
	return ErrNoBooking
}

// pays returns whether the intent is for this booking and its price.
func (in Intent) pays(b Booking) bool {
	return in.BookingID == b.ID && in.ProductID == b.ProductID && in.BuyerUID == b.BuyerUID &&
		in.Cents == b.cents() && in.Currency == Currency
}

// applyPayment returns the payment if it bought the phone, and CodeRefunded if it was
// refunded. The intent may be older than what concurrent calls have stored.
func (m *Market) applyPayment(ctx context.Context, in Intent) (Payment, error) {
	for {
		pay, err := m.tryApplyPayment(ctx, in)
		if !errors.Is(err, ErrConflict) {
			return pay, err
		}
	}
}

// tryApplyPayment applies the payment. It returns ErrConflict if another call has changed the
// payment in the meantime.
func (m *Market) tryApplyPayment(ctx context.Context, in Intent) (Payment, error) {
	b, err := m.booking(ctx, in.BookingID)
	if err != nil {
		return Payment{}, err
	}
	if !in.pays(b) {
		return Payment{}, refuse(CodeInvalid, "The payment does not match the booking")
	}
	pay, err := m.recordPayment(ctx, b, in)
	if err != nil {
		return Payment{}, err
	}
	if pay, err = m.decideOutcome(ctx, b, in, pay); err != nil {
		return Payment{}, err
	}
	// The intent may be older than the stored payment. So it is read again before the payment
	// is corrected.
	if in.Returned == pay.RefundedAt.IsZero() {
		if in, err = m.payments.Intent(ctx, in.ID); err != nil {
			return Payment{}, unavailable(err)
		}
	}
	if pay.Outcome == PaymentReturned {
		return Payment{}, m.returnPayment(ctx, b, in, pay)
	}
	if err := m.followDispute(ctx, b, in); err != nil {
		return Payment{}, err
	}
	if in.Returned {
		return Payment{}, m.recordReturn(ctx, b, in, pay)
	}
	return m.keepPayment(ctx, b, in, pay)
}

// keepPayment marks the booking of a kept payment as paid. If the money was refunded before,
// the market has it again: the refund failed, or a dispute was won.
func (m *Market) keepPayment(ctx context.Context, b Booking, in Intent, pay Payment) (Payment, error) {
	isHidden := !pay.RefundedAt.IsZero() || b.Status == BookingRefunded // the seller does not see the buyer
	if isHidden && !b.isRefundDecided() {
		if err := m.showSale(ctx, b, in.ID, false); err != nil {
			return Payment{}, err
		}
	}
	if !pay.RefundedAt.IsZero() {
		var err error
		if pay, err = m.saveRefundedAt(ctx, pay, time.Time{}); err != nil {
			return Payment{}, err
		}
	}
	return pay, m.markPaid(ctx, b, in)
}

// recordPayment adds the payment of a transaction, or returns the one that exists.
func (m *Market) recordPayment(ctx context.Context, b Booking, in Intent) (Payment, error) {
	pay, err := m.store.PaymentOf(ctx, in.ID)
	if !errors.Is(err, ErrNotFound) {
		return pay, err
	}
	now := m.clock.Now()
	pay = Payment{
		ID: NewID(now), Transaction: in.ID, BookingID: b.ID, ProductID: b.ProductID, BuyerUID: b.BuyerUID,
		SellerUID: b.SellerUID, Email: b.Email, Price: b.Price, Postage: b.postage(), Version: 1, CreatedAt: now,
	}
	err = m.store.AddPayment(ctx, pay, pay.ledgerEntries(Payment{}, now))
	if errors.Is(err, ErrExists) {
		return m.store.PaymentOf(ctx, in.ID)
	}
	if err == nil {
		m.counters.CountPayment(pay.Price + pay.Postage)
	}
	return pay, err
}

// decideOutcome decides whether the payment is kept or returned. It tries to sell the
// phone first. Concurrent calls may get different results from that; the outcome that
// is stored first counts. If a call sold the phone and the stored outcome is to return
// the money, refund releases the phone.
func (m *Market) decideOutcome(ctx context.Context, b Booking, in Intent, pay Payment) (Payment, error) {
	for pay.Outcome == PaymentUndecided {
		outcome := PaymentReturned
		if !in.Returned {
			sold, err := m.sellToBuyer(ctx, b, in)
			if err != nil {
				return pay, err
			}
			if sold {
				outcome = PaymentKept
			}
		}
		var err error
		if pay, err = m.saveOutcome(ctx, pay, outcome); err != nil {
			return pay, err
		}
	}
	return pay, nil
}

// saveOutcome writes the outcome. If another call wrote the payment first, it returns
// that payment.
func (m *Market) saveOutcome(ctx context.Context, pay Payment, outcome PaymentOutcome) (Payment, error) {
	pay.Outcome = outcome
	pay.Version++
	err := m.store.SavePayment(ctx, pay, nil)
	if errors.Is(err, ErrConflict) {
		return m.store.PaymentOf(ctx, pay.Transaction)
	}
	return pay, err
}

// sellToBuyer marks the phone as sold. It returns false if that is not possible, or if one of the
// two sides has left. Then a phone that is marked is released with the refund.
func (m *Market) sellToBuyer(ctx context.Context, b Booking, in Intent) (sold bool, err error) {
	if sold, err = m.sell(ctx, b, in); err != nil || !sold {
		return false, err
	}
	for _, uid := range []string{b.BuyerUID, b.SellerUID} { // after the write of the phone: see leaving.go
		if isStaying, err := m.stays(ctx, uid); err != nil || !isStaying {
			return false, err
		}
	}
	return true, nil
}

// sell marks the phone as sold to the booking, if the booking holds the phone, or if
// the phone is available on the terms that were booked. It returns false if the phone
// was removed or is another buyer's.
func (m *Market) sell(ctx context.Context, b Booking, in Intent) (sold bool, err error) {
	_, err = m.changeProductWithEffects(ctx, b.ProductID, func(p *Product) (string, []Effect, error) {
		sold = true
		before := *p
		switch {
		case p.HeldBy(b.ID) && p.Sold:
			sold = p.Hold.Transaction == in.ID
			return "", nil, nil
		case p.HeldBy(b.ID):
			hold := *p.Hold
			hold.Transaction, hold.Network = in.ID, ""
			p.Hold, p.Sold, p.Waitlist = &hold, true, nil
			return TypeProductChanged, soldNotices(before, *p, m.clock.Now()), nil
		case !p.Booked() && p.ResalePrice == b.listPrice() && p.TermsVersion == b.TermsVersion && b.Status != BookingRefunded:
			p.Hold, p.Sold = b.hold(in.ID), true
			return TypeProductBooked, soldNotices(before, *p, m.clock.Now()), nil
		}
		sold = false
		return "", nil, nil
	})
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return sold, err
}

// hold returns the phone's Hold for this booking and the transaction that paid for it.
func (b Booking) hold(transaction string) *Hold {
	h := &Hold{
		BookingID: b.ID, BuyerUID: b.BuyerUID, Name: b.UserName, Email: b.Email, Phone: b.Phone,
		Location: b.Location, At: b.CreatedAt, Until: b.HoldUntil, Transaction: transaction,
	}
	if b.OfferID != "" {
		h.Offer = &HoldOffer{ID: b.OfferID, Price: b.Price, ListPrice: b.ListPrice}
	}
	return h
}

// markPaid marks the booking as paid. It copies the seller's contact data to the
// booking, which keeps them when the phone or the seller's account is deleted.
func (m *Market) markPaid(ctx context.Context, b Booking, in Intent) error {
	if !b.mayBePaid(in) {
		return nil
	}
	p, err := m.store.Product(ctx, b.ProductID)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	err = m.endHoldAndChange(ctx, b, func(b *Booking) bool {
		if !b.mayBePaid(in) {
			return false // it is paid already
		}
		if b.Status == BookingRefunded { // the intent may have been read before the refund: check it again soon
			b.Due = m.clock.Now().Add(checkAfterReturn)
		}
		if b.hasLostSide() {
			f := *b.Fulfilment
			f.State, b.Due = FulfilmentSettled, m.clock.Now()
			f.settle(OutcomeRefund, "The buyer or the seller has left.", b.Due)
			b.Fulfilment = &f
		}
		if b.Fulfilment == nil {
			b.Fulfilment = &Fulfilment{State: FulfilmentWaiting, PaidAt: m.clock.Now()}
			b.Fulfilment.begin(m.rules, m.clock.Now())
		}
		if b.Due.IsZero() {
			b.Due = b.Fulfilment.dueAt(m.clock.Now())
		}
		b.Status, b.Intent = BookingPaid, in.ID
		if seller := p.contact(); seller != nil {
			b.Seller = seller
		}
		m.checkDisputeInTime(b)
		return true
	})
	if err != nil {
		return err
	}
	return m.offerFollows(ctx, b) // the offer may have lapsed before
}

// checkAfterReturn is the time until the provider is asked again about a refunded
// payment whose money is available again: the market won a dispute, or the refund
// failed.
const checkAfterReturn = time.Minute

// mayBePaid returns whether the intent may make the booking paid. A refunded booking
// becomes paid again if the money of the same intent is available again.
func (b Booking) mayBePaid(in Intent) bool {
	if b.Status == BookingRefunded && b.Intent != in.ID {
		return false
	}
	_, ok := b.Status.after(stepPay)
	return ok
}

// hasLostSide returns whether the buyer or the seller of a refunded order, which was not completed,
// has left since. If the market has its money again, it must refund it again.
func (b Booking) hasLostSide() bool {
	f := b.Fulfilment
	return b.Status == BookingRefunded && f != nil && f.State != FulfilmentSettled && (b.Seller == nil || b.Email == "")
}

// contact returns the seller's contact data; nil if the phone was removed.
func (p Product) contact() *Contact {
	if p.ID == "" {
		return nil
	}
	return &Contact{Name: p.SellerName, Email: p.SellerEmail, Phone: p.Phone, Location: p.Location}
}

// endHoldAndChange applies a change to a booking, ends its hold, and stores an event for
// its readers. If change returns false, nothing is written.
func (m *Market) endHoldAndChange(ctx context.Context, b Booking, change func(*Booking) bool) error {
	_, err := m.changeBooking(ctx, b, func(b *Booking, now time.Time) (bool, []Effect, error) {
		before := *b
		b.Due = time.Time{}
		if !change(b) {
			return false, nil, nil
		}
		if before.Status == BookingHeld {
			b.EndedAt = now
		}
		b.Closing, b.ClosingAt, b.Network = "", time.Time{}, ""
		return true, slices.Concat(m.bookingEvents(*b, now), orderNotice(before.Status, *b, now), b.ledgerEntries(before, now)), nil
	})
	return err
}
