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
	// DisputeID is the provider's ID of that dispute. AnswerBy is until when the bank takes an answer;
	// zero if it takes none. IsAnswered is true if the provider has one.
	DisputeID  string
	AnswerBy   time.Time
	IsAnswered bool
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
	// AnswerDispute sends the answer to a dispute to the bank. The provider accepts one. A repeated call
	// with the same answer does nothing for a day; after that see Intent.IsAnswered.
	AnswerDispute(ctx context.Context, a DisputeAnswer) error
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

// AnswerDispute implements Payments.
func (NoPayments) AnswerDispute(context.Context, DisputeAnswer) error { return ErrPaymentsUnavailable }

// PayoutAccount is a seller's account at the provider of payouts.
type PayoutAccount struct {
	ID      string `json:"id" doc:"ID of the account at Stripe"`
	IsReady bool   `json:"ready" doc:"Whether the account can receive money"` // as last read from the provider
}

// PayoutAccountState is the provider's state of an account.
type PayoutAccountState struct {
	UID     string // the UID of the user that it was opened for
	IsReady bool
}

// TransferRequest is the request for a transfer. Requests with the same BookingID and Number
// lead to one transfer.
type TransferRequest struct {
	BookingID string
	Number    int    // counts the transfers of the booking from 1
	ChargeID  string // the charge whose money is transferred
	AccountID string // the seller's account
	Cents     int64
}

// PayoutProvider has the accounts of sellers, and transfers money to them. Its methods
// return ErrPaymentsUnavailable, wrapped, if the provider is unavailable, and ErrNoPayoutAccount
// if it does not know the account.
type PayoutProvider interface {
	// OpenPayoutAccount opens an account for a user, or returns the ID of the one that was
	// opened with the same arguments. after is the user's earlier account that the provider
	// does not know any more; "" for the first.
	OpenPayoutAccount(ctx context.Context, uid, after string) (id string, err error)
	// OnboardingLink returns the URL of the page on which the seller enters the data that
	// the provider requires. It can be used once, within some minutes.
	OnboardingLink(ctx context.Context, id string) (url string, err error)
	// PayoutAccount returns the current state of an account.
	PayoutAccount(ctx context.Context, id string) (PayoutAccountState, error)
	// Transfer makes the transfer, or returns the ID of the existing one of an equal request.
	// The provider recognizes an equal request for a day: call TransferOf first for an older
	// one. It returns ErrNoPayoutAccount also if the account cannot receive money.
	Transfer(ctx context.Context, r TransferRequest) (id string, err error)
	// TransferOf returns the ID of a transfer that was made and not reversed; "" if there
	// is none.
	TransferOf(ctx context.Context, bookingID string, number int) (id string, err error)
	// ReverseTransfer reverses a whole transfer, once; repeated calls do nothing. It returns
	// ErrInsufficientFunds if the account has too little money.
	ReverseTransfer(ctx context.Context, transferID string) error
}

// Errors of a PayoutProvider. Users never see them.
var (
	ErrNoPayoutAccount   = errors.New("payouts: no account that can receive money")
	ErrInsufficientFunds = errors.New("payouts: the account has too little money")
)

// noPayouts is the PayoutProvider of a market without one. Its methods return
// ErrPaymentsUnavailable.
type noPayouts struct{}

func (noPayouts) OpenPayoutAccount(context.Context, string, string) (string, error) {
	return "", ErrPaymentsUnavailable
}

func (noPayouts) OnboardingLink(context.Context, string) (string, error) {
	return "", ErrPaymentsUnavailable
}

func (noPayouts) PayoutAccount(context.Context, string) (PayoutAccountState, error) {
	return PayoutAccountState{}, ErrPaymentsUnavailable
}

func (noPayouts) Transfer(context.Context, TransferRequest) (string, error) {
	return "", ErrPaymentsUnavailable
}

func (noPayouts) TransferOf(context.Context, string, int) (string, error) {
	return "", ErrPaymentsUnavailable
}

func (noPayouts) ReverseTransfer(context.Context, string) error { return ErrPaymentsUnavailable }
