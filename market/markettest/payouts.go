package markettest

import (
	"context"
	"fmt"

	"secondring/market"
)

// payouts are the accounts of sellers and the transfers to them.
type payouts struct {
	accounts  map[string]*Account  // by UID and previous account
	transfers map[string]*Transfer // by booking and number
}

// Account is a seller's payout account.
type Account struct {
	ID, UID   string
	IsReady   bool
	IsDeleted bool  // the provider does not know the account any more
	Spent     int64 // cents that the seller has transferred to their own bank
}

// Transfer is a transfer to a seller's account.
type Transfer struct {
	ID, BookingID, AccountID string
	Cents                    int64
	IsReversed               bool
}

// OpenPayoutAccount implements market.PayoutProvider.
func (b *Bank) OpenPayoutAccount(_ context.Context, uid, after string) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.isUnavailable {
		return "", market.ErrPaymentsUnavailable
	}
	key := uid + " " + after
	if b.payouts.accounts[key] == nil {
		b.payouts.accounts[key] = &Account{ID: fmt.Sprint("acct_", ids.Add(1)), UID: uid}
	}
	return b.payouts.accounts[key].ID, nil
}

func (b *Bank) account(id string) (*Account, error) {
	if b.isUnavailable {
		return nil, fmt.Errorf("read: %w", market.ErrPaymentsUnavailable)
	}
	for _, a := range b.payouts.accounts {
		if a.ID == id && !a.IsDeleted {
			return a, nil
		}
	}
	return nil, market.ErrNoPayoutAccount
}

// ChangeAccount changes an account without the market's knowledge.
func (b *Bank) ChangeAccount(id string, change func(*Account)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, a := range b.payouts.accounts {
		if a.ID == id {
			change(a)
		}
	}
}

// OnboardingLink returns a URL that contains the account's ID.
func (b *Bank) OnboardingLink(_ context.Context, id string) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, err := b.account(id)
	return "https://bank.example.com/" + id, err
}

// PayoutAccount implements market.PayoutProvider.
func (b *Bank) PayoutAccount(_ context.Context, id string) (market.PayoutAccountState, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	a, err := b.account(id)
	if err != nil {
		return market.PayoutAccountState{}, err
	}
	return market.PayoutAccountState{UID: a.UID, IsReady: a.IsReady}, nil
}

// Transfer implements market.PayoutProvider.
func (b *Bank) Transfer(_ context.Context, r market.TransferRequest) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	a, err := b.account(r.AccountID)
	if err != nil {
		return "", err
	}
	key := fmt.Sprint(r.BookingID, " ", r.Number)
	if t := b.payouts.transfers[key]; t != nil && !b.IgnoresKeys {
		return t.ID, nil
	} else if t != nil {
		key += " repeated"
	}
	if !a.IsReady {
		return "", market.ErrNoPayoutAccount
	}
	b.payouts.transfers[key] = &Transfer{ID: fmt.Sprint("tr_", ids.Add(1)), BookingID: r.BookingID, AccountID: a.ID, Cents: r.Cents}
	return b.payouts.transfers[key].ID, nil
}

// TransferOf implements market.PayoutProvider.
func (b *Bank) TransferOf(_ context.Context, bookingID string, number int) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.isUnavailable {
		return "", market.ErrPaymentsUnavailable
	}
	if t := b.payouts.transfers[fmt.Sprint(bookingID, " ", number)]; t != nil && !t.IsReversed {
		return t.ID, nil
	}
	return "", nil
}

// ReverseTransfer implements market.PayoutProvider.
func (b *Bank) ReverseTransfer(_ context.Context, transferID string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.isUnavailable {
		return market.ErrPaymentsUnavailable
	}
	for _, t := range b.payouts.transfers {
		switch {
		case t.ID != transferID || t.IsReversed:
		case b.balance(t.AccountID) < t.Cents:
			return market.ErrInsufficientFunds
		default:
			t.IsReversed = true
		}
	}
	return nil
}

func (b *Bank) balance(accountID string) int64 {
	var cents int64
	for _, t := range b.payouts.transfers {
		if t.AccountID == accountID && !t.IsReversed {
			cents += t.Cents
		}
	}
	for _, a := range b.payouts.accounts {
		if a.ID == accountID {
			cents -= a.Spent
		}
	}
	return cents
}

// Transfers lists the transfers of a booking, of all numbers.
func (b *Bank) Transfers(bookingID string) []Transfer {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []Transfer
	for _, t := range b.payouts.transfers {
		if t.BookingID == bookingID {
			all = append(all, *t)
		}
	}
	return all
}
