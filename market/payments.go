package market

import (
	"context"
	"errors"
	"iter"
	"time"
)

// IntentStatus is the state of a payment intent.
type IntentStatus string

// The statuses of the market. A provider's other statuses, such as waiting for a card or
// for 3-D Secure, are all IntentOpen.
const (
	IntentOpen       IntentStatus = "open"       // nothing is charged yet
	IntentProcessing IntentStatus = "processing" // the bank is deciding: it cannot be cancelled
	IntentSucceeded  IntentStatus = "succeeded"  // the money was taken
	IntentCancelled  IntentStatus = "cancelled"  // nothing was charged, nor will be
)

// Currency is the currency of all prices.
const Currency = "usd"

const centsPerDollar = 100

// Intent is the provider's record of one try to charge the buyer of a booking.
type Intent struct {
	ID           string
	ClientSecret string // allows the buyer's browser to confirm this intent, and no other
	ChargeID     string // the newest try to charge the card; "" before the first
	Status       IntentStatus
	Cents        int64
	Currency     string // lower case
	// The buyer, booking and product that the market sent when it created the intent.
	BookingID, ProductID, BuyerUID string
	// Returned is true if the money went back: it was refunded in full, or the bank took what
	// was left of it for disputes that the market has not won.
	Returned bool
	// IsPartTaken is true if the bank took only a part of the money, for disputes that the
	// market has not won. The money is not Returned then.
	IsPartTaken bool
	// FailedRefunds counts the refunds that the provider accepted and that failed later.
	// After each the market has the money again.
	FailedRefunds int
	// Dispute is the state of the payment's dispute; "" if there is none. The money may be
	// Returned while it is open. DisputedAt is when it was opened, in whole seconds.
	Dispute    DisputeState
	DisputedAt time.Time
	// IsOwn is true if this market made the intent, and not another one with the same
	// account at the provider. It is false for intents from before markets stored their
	// name there.
	IsOwn bool
}

// IntentRequest is the request for an intent. Requests with the same BookingID and Attempt
// lead to one intent.
type IntentRequest struct {
	BookingID, ProductID, BuyerUID string
	Attempt                        int
	Cents                          int64
	Email                          string // where the provider sends the receipt
	About                          string // the phone's name, for the receipt
}

// Payments is the provider of card payments. Its methods return ErrPaymentsUnavailable, wrapped,
// if the provider is unavailable, and ErrNoIntent if it does not know the intent.
type Payments interface {
	// OpenIntent creates the intent, or returns the existing one of an equal request.
	OpenIntent(ctx context.Context, r IntentRequest) (Intent, error)
	// Intent returns the current state of an intent.
	Intent(ctx context.Context, id string) (Intent, error)
	// CancelIntent cancels the intent if that is still possible and returns its state.
	// Only IntentCancelled guarantees that nothing will be charged.
	CancelIntent(ctx context.Context, id string) (Intent, error)
	// Refund refunds a succeeded intent in full, once for each attempt; repeated calls do
	// nothing, and so does a call for a disputed charge. The attempt is the intent's
	// FailedRefunds.
	Refund(ctx context.Context, id string, attempt int) error
	DisputeList
}

// Errors of Payments. Users never see them.
var (
	ErrPaymentsUnavailable = errors.New("payments: the provider is unavailable")
	ErrNoIntent            = errors.New("payments: no such intent")
	// ErrNoBooking is ApplyPayment's error for a charge for a booking that the market does not
	// know, for example after a restore of a backup.
	ErrNoBooking = errors.New("payments: a charge without a booking")
	// ErrRefundWaits is ApplyPayment's error for a charge without a booking whose refund has
	// failed. ApplyPayment has to be called again later.
	ErrRefundWaits = errors.New("payments: a failed refund will be requested again later")
)

// NoPayments is the Payments of a process that takes none, such as a subcommand. Its
// methods return ErrPaymentsUnavailable.
type NoPayments struct{}

// OpenIntent implements Payments.
func (NoPayments) OpenIntent(context.Context, IntentRequest) (Intent, error) {
	return Intent{}, ErrPaymentsUnavailable
}

// Intent implements Payments.
func (NoPayments) Intent(context.Context, string) (Intent, error) {
	return Intent{}, ErrPaymentsUnavailable
}

// CancelIntent implements Payments.
func (NoPayments) CancelIntent(context.Context, string) (Intent, error) {
	return Intent{}, ErrPaymentsUnavailable
}

// Refund implements Payments.
func (NoPayments) Refund(context.Context, string, int) error { return ErrPaymentsUnavailable }

// Disputes implements DisputeList.
func (NoPayments) Disputes(context.Context, time.Time) iter.Seq2[DisputedIntent, error] {
	return func(yield func(DisputedIntent, error) bool) { yield(DisputedIntent{}, ErrPaymentsUnavailable) }
}
