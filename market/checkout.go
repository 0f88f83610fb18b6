package market

import (
	"context"
	"errors"
	"slices"
	"time"
)

// OpenPaymentRequest is the payload of POST /create-payment-intent. The price must be the
// booking's.
type OpenPaymentRequest struct {
	BookingID string // "" means the caller's one payable booking at that price
	OnPage    string // the booking on whose payment page the caller is; it decides between several at that price
	Price     *int   // whole US dollars
	Wrong     Fields
}

// OpenPayment returns the client secret with which the buyer's browser pays for
// a booking. A booking has one intent, however often this is called.
func (m *Market) OpenPayment(ctx context.Context, who Actor, in OpenPaymentRequest) (clientSecret string, err error) {
	b, err := m.payable(ctx, who, in)
	if err != nil {
		return "", err
	}
	if clientSecret, err = m.openIntent(ctx, b); err != nil {
		return "", err
	}
	if err := m.mayBePaidFor(ctx, b); err != nil {
		return "", err
	}
	return clientSecret, nil
}

func (m *Market) payable(ctx context.Context, who Actor, in OpenPaymentRequest) (Booking, error) {
	b, err := m.ownBooking(ctx, who, in.BookingID)
	if err != nil {
		return Booking{}, err
	}
	f := FieldsOf(in.Wrong)
	if in.Price == nil {
		f.Add("price", "is required, in whole US dollars")
	}
	if err := f.Err(); err != nil {
		return Booking{}, err
	}
	if in.BookingID == "" {
		if b, err = m.onlyPayable(ctx, who, in.OnPage, *in.Price); err != nil {
			return Booking{}, err
		}
	}
	if *in.Price != b.Price {
		return Booking{}, Invalid("price", "is not the booking's price")
	}
	if b.Delivery == DeliverySend && b.Address == "" {
		return Booking{}, Invalid("address", "is required: this phone is sent to you. Enter the address on the payment page")
	}
	return b, nil
}

// ownBooking returns the booking with the payload's ID to its buyer; the zero Booking if id
// is "".
func (m *Market) ownBooking(ctx context.Context, who Actor, id string) (b Booking, err error) {
	if id != "" {
		if b, err = m.booking(ctx, id); err != nil {
			return b, err
		}
	}
	if !who.User.MayBuy() || (id != "" && !b.isBuyer(who)) {
		return Booking{}, forbidden("You can only pay for your own bookings")
	}
	return b, nil
}

// onlyPayable returns the caller's one booking that can be paid for at this price; of several, the one
// on whose payment page the caller is.
func (m *Market) onlyPayable(ctx context.Context, who Actor, onPage string, price int) (Booking, error) {
	held, err := m.store.HeldBookings(ctx, who.User.UID, m.rules.MaxHolds)
	if err != nil {
		return Booking{}, err
	}
	var found []Booking
	for _, b := range held {
		if b.Price == price && payableAt(b, m.clock.Now()) == nil {
			found = append(found, b)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Booking{}, Invalid("bookingId", "is required: you have no unpaid booking at this price")
	default:
		if i := slices.IndexFunc(found, func(b Booking) bool { return b.ID == onPage }); i >= 0 {
			return found[i], nil
		}
		return Booking{}, Invalid("bookingId", "is required: you have several unpaid bookings at this price")
	}
}

// payableAt returns an error if the booking cannot be paid for.
func payableAt(b Booking, now time.Time) error {
	switch {
	case b.Status == BookingPaid:
		return refuse(CodePaid, "This booking is paid already")
	case b.Status == BookingRefunded:
		return refuse(CodeClosed, "This booking was refunded. Book the phone again if it is still available")
	case b.Status == BookingCancelled || b.Closing == BookingCancelled:
		return refuse(CodeClosed, "This booking was cancelled. Book the phone again if it is still available")
	case b.Status == BookingExpired || b.Closing != "" || !now.Before(b.HoldUntil):
		return refuse(CodeClosed, "This booking has expired. Book the phone again if it is still available")
	}
	return nil
}

// openIntent creates the booking's intent, or finds it. It returns the client secret
// only after the intent is stored with the booking, because an unknown intent could not
// be cancelled when the hold ends.
func (m *Market) openIntent(ctx context.Context, b Booking) (string, error) {
	var in Intent
	for {
		err := payableAt(b, m.clock.Now())
		if err != nil {
			if in.ID != "" && in.ID != b.Intent { // another call was faster; this secret was not sent to anyone
				_, cancelErr := m.payments.CancelIntent(ctx, in.ID)
				err = errors.Join(err, cancelErr)
			}
			return "", err
		}
		if in, err = m.intentFor(ctx, b); err != nil {
			return "", err
		}
		isStored := b.Intent == in.ID
		switch {
		case in.Status == IntentSucceeded && isStored:
			if _, err := m.applyPayment(ctx, in); err != nil {
				return "", err
			}
			return "", refuse(CodePaid, "This booking is paid already")
		case in.Status != IntentCancelled && isStored:
			return in.ClientSecret, nil
		case in.Status == IntentCancelled:
			b.withoutIntent()
		default:
			b.Intent, b.IntentAt = in.ID, m.clock.Now()
			b.Due = m.nextCheck(b)
		}
		b.Version++
		err = m.store.SaveBooking(ctx, b, nil)
		if errors.Is(err, ErrConflict) {
			b, err = m.store.Booking(ctx, b.ID)
		}
		if err != nil {
			return "", err
		}
	}
}

// intentFor returns the booking's intent from the provider, and creates it if there is
// none.
func (m *Market) intentFor(ctx context.Context, b Booking) (Intent, error) {
	if b.Intent != "" {
		in, err := m.payments.Intent(ctx, b.Intent)
		if errors.Is(err, ErrNoIntent) {
			return Intent{ID: b.Intent, Status: IntentCancelled}, nil
		}
		return in, unavailable(err)
	}
	in, err := m.payments.OpenIntent(ctx, IntentRequest{
		BookingID: b.ID, ProductID: b.ProductID, BuyerUID: b.BuyerUID, Attempt: b.Attempt,
		Cents: b.cents(), Email: b.Email, About: b.Brand + " " + b.ProductName,
	})
	return in, unavailable(err)
}

// total returns what the buyer pays, in whole US dollars.
func (b Booking) total() int { return b.Price + b.postage() }

func (b Booking) cents() int64 { return int64(b.total()) * centsPerDollar }

// unavailable returns the error that users get while the provider cannot be reached.
func unavailable(err error) error {
	if errors.Is(err, ErrPaymentsUnavailable) {
		return errors.Join(refuse(CodeUnavailable, "The card provider cannot be reached right now. Please try again in a moment"), err)
	}
	return err
}

// PaymentRequest is the payload of POST /payments. All of it must agree with
// the store and with the provider's data of the transaction.
type PaymentRequest struct {
	BookingID, Transaction, Email string
	Price                         *int // whole US dollars
	Wrong                         Fields
}

// Pay records a payment that the buyer's browser reports, after checking it with the
// provider. It returns CodeUnpaid if the payment has not succeeded. A repeated call
// returns the same payment.
func (m *Market) Pay(ctx context.Context, who Actor, in PaymentRequest) (Payment, error) {
	b, err := m.ownBooking(ctx, who, in.BookingID)
	if err != nil {
		return Payment{}, err
	}
	if in.Email != "" && NormalEmail(in.Email) != NormalEmail(who.User.Email) {
		return Payment{}, forbidden("You can only pay for yourself")
	}
	if err := in.check(b); err != nil {
		return Payment{}, err
	}
	if b.Status == BookingPaid && b.Intent == in.Transaction {
		return m.store.PaymentOf(ctx, in.Transaction)
	}
	intent, err := m.payments.Intent(ctx, in.Transaction)
	switch {
	case errors.Is(err, ErrNoIntent), err == nil && !intent.pays(b):
		return Payment{}, Invalid("transactionId", "is no payment for this booking")
	case err != nil:
		return Payment{}, unavailable(err)
	case intent.Status == IntentProcessing:
		return Payment{}, refuse(CodeUnpaid, "Your payment is being processed. This page updates when it is complete")
	case intent.Status != IntentSucceeded:
		return Payment{}, refuse(CodeUnpaid, "The payment has not succeeded. Nothing was charged")
	}
	return m.applyPayment(ctx, intent)
}

func (in PaymentRequest) check(b Booking) error {
	f := FieldsOf(in.Wrong)
	f.text("bookingId", in.BookingID, maxShort)
	f.text("transactionId", in.Transaction, maxShort)
	f.text("email", in.Email, maxEmail)
	switch {
	case in.Price == nil:
		f.Add("price", "is required, in whole US dollars")
	case in.BookingID != "" && *in.Price != b.Price:
		f.Add("price", "is not the booking's price")
	}
	return f.Err()
}
