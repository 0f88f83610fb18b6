package market

import (
	"context"
	"errors"
	"iter"
	"time"
)

// IntentStatus is how far a payment intent has come.
type IntentStatus string

// The statuses that matter to the market. A provider's finer ones, such as
// waiting for a card or for its owner's bank, are all IntentOpen.
const (
	IntentOpen       IntentStatus = "open"       // nothing is charged, and may yet be
	IntentProcessing IntentStatus = "processing" // the bank is deciding: it cannot be cancelled
	IntentSucceeded  IntentStatus = "succeeded"  // the money was taken
	IntentCancelled  IntentStatus = "cancelled"  // nothing was charged, nor ever will be
)

// Currency is what all prices are in.
const Currency = "usd"

const centsPerDollar = 100

// Intent is one try to take the money for a booking, as the provider has it.
type Intent struct {
	ID           string
	ClientSecret string // lets the buyer's browser confirm this intent, and no other
	ChargeID     string // the newest try to charge the card; "" before the first
	Status       IntentStatus
	Cents        int64
	Currency     string // lower case
	// Who and what for, as it was written on the intent when it was made.
	BookingID, ProductID, BuyerUID string
	// Returned says that the money went back: refunded in full, or disputed and
	// not won.
	Returned bool
	// FailedRefunds counts the refunds that the provider accepted and that failed
	// later: their money is here again.
	FailedRefunds int
	// Dispute is how far a dispute of the payment has come; "" without. Its money may be
	// Returned while it is open. DisputedAt is when it was opened, whole seconds.
	Dispute    DisputeState
	DisputedAt time.Time
	// Ours says that this very market made the intent, and not another one that
	// shares the account at the provider. False of intents made before markets
	// had a name there.
	Ours bool
}

// IntentOrder is what an intent is made from. Orders with the same BookingID and Attempt
// lead to one intent.
type IntentOrder struct {
	BookingID, ProductID, BuyerUID string
	Attempt                        int
	Cents                          int64
	Email                          string // where the provider sends the receipt
	About                          string // what is bought, for the receipt
}

// Payments is the provider of card payments. Its methods return
// ErrPaymentsAway, wrapped, when it cannot be asked now, and ErrNoIntent where
// it knows no such intent.
type Payments interface {
	// OpenIntent makes the intent, or returns the one made from the same order.
	OpenIntent(ctx context.Context, o IntentOrder) (Intent, error)
	// Intent returns the current state of an intent.
	Intent(ctx context.Context, id string) (Intent, error)
	// CancelIntent cancels the intent if that is still possible and returns its state.
	// Only IntentCancelled guarantees that nothing will be charged.
	CancelIntent(ctx context.Context, id string) (Intent, error)
	// Refund refunds a succeeded intent in full, once for each attempt; repeated calls do
	// nothing. The attempt is the intent's FailedRefunds.
	Refund(ctx context.Context, id string, attempt int) error
	DisputeList
}

// Errors of a Payments. They never reach a person as they are.
var (
	ErrPaymentsAway = errors.New("payments: the provider cannot be asked now")
	ErrNoIntent     = errors.New("payments: no such intent")
	// ErrNoBooking is Settle's of a charge for a booking that the market does not
	// know, as after a restore from an earlier moment.
	ErrNoBooking = errors.New("payments: a charge without a booking")
	// ErrRefundWaits is Settle's of a charge without a booking whose refund has
	// failed and is not made again yet: Settle has to be called again later.
	ErrRefundWaits = errors.New("payments: a failed refund is made again later")
)

// NoPayments is the Payments of a process that takes none, such as a
// subcommand: it cannot be asked.
type NoPayments struct{}

// OpenIntent returns ErrPaymentsAway.
func (NoPayments) OpenIntent(context.Context, IntentOrder) (Intent, error) {
	return Intent{}, ErrPaymentsAway
}

// Intent returns ErrPaymentsAway.
func (NoPayments) Intent(context.Context, string) (Intent, error) { return Intent{}, ErrPaymentsAway }

// CancelIntent returns ErrPaymentsAway.
func (NoPayments) CancelIntent(context.Context, string) (Intent, error) {
	return Intent{}, ErrPaymentsAway
}

// Refund returns ErrPaymentsAway.
func (NoPayments) Refund(context.Context, string, int) error { return ErrPaymentsAway }

// Disputes yields ErrPaymentsAway.
func (NoPayments) Disputes(context.Context, time.Time) iter.Seq2[DisputedIntent, error] {
	return func(yield func(DisputedIntent, error) bool) { yield(DisputedIntent{}, ErrPaymentsAway) }
}
