package market

import (
	"context"
	"errors"
)

// PayoutAccount is a seller's account at the provider of payouts.
type PayoutAccount struct {
	ID      string `json:"id" doc:"Stripe's name for it"`
	IsReady bool   `json:"ready" doc:"It can receive money"` // as far as the market knows
}

// PayoutAccountState is an account as the provider has it.
type PayoutAccountState struct {
	UID     string // of the user that it was opened for
	IsReady bool
}

// TransferOrder is what a transfer is made from. Orders with the same BookingID and Number
// lead to one transfer.
type TransferOrder struct {
	BookingID string
	Number    int    // counts the transfers of the booking from 1
	ChargeID  string // the charge that the money comes from
	AccountID string // of the seller
	Cents     int64
}

// PayoutProvider has the accounts of sellers, and transfers money to them. Its methods return
// ErrPaymentsAway, wrapped, when it cannot be asked now, and ErrNoPayoutAccount where it does
// not know the account.
type PayoutProvider interface {
	// OpenPayoutAccount makes an account for a user, or returns the ID of the one that was
	// made from the same arguments. After is the user's account that the provider does not
	// know any more; "" for the first.
	OpenPayoutAccount(ctx context.Context, uid, after string) (id string, err error)
	// OnboardingLink makes the URL of the page on which the seller enters what the provider
	// needs to know. It works once, for some minutes.
	OnboardingLink(ctx context.Context, id string) (url string, err error)
	// PayoutAccount returns the current state of an account.
	PayoutAccount(ctx context.Context, id string) (PayoutAccountState, error)
	// Transfer makes the transfer, or returns the ID of the one that was made from the same
	// order within the last day: for an older one ask TransferOf first. It returns
	// ErrNoPayoutAccount also if the account cannot receive money.
	Transfer(ctx context.Context, o TransferOrder) (id string, err error)
	// TransferOf returns the ID of a transfer that was made and not taken back; "" if there is
	// none.
	TransferOf(ctx context.Context, bookingID string, number int) (id string, err error)
	// TakeBack takes a whole transfer back, once; repeated calls do nothing. It returns
	// ErrShort if the account has too little money.
	TakeBack(ctx context.Context, transferID string) error
}

// Errors of a PayoutProvider. They never reach a person as they are.
var (
	ErrNoPayoutAccount = errors.New("payouts: no account that can receive money")
	ErrShort           = errors.New("payouts: the account has too little money")
)

// noPayouts is the PayoutProvider of a market that was given none: it cannot be asked.
type noPayouts struct{}

func (noPayouts) OpenPayoutAccount(context.Context, string, string) (string, error) {
	return "", ErrPaymentsAway
}

func (noPayouts) OnboardingLink(context.Context, string) (string, error) { return "", ErrPaymentsAway }

func (noPayouts) PayoutAccount(context.Context, string) (PayoutAccountState, error) {
	return PayoutAccountState{}, ErrPaymentsAway
}

func (noPayouts) Transfer(context.Context, TransferOrder) (string, error) { return "", ErrPaymentsAway }

func (noPayouts) TransferOf(context.Context, string, int) (string, error) { return "", ErrPaymentsAway }

func (noPayouts) TakeBack(context.Context, string) error { return ErrPaymentsAway }
