package market

import (
	"context"
	"errors"
)

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
