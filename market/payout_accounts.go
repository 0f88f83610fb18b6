package market

import (
	"context"
	"errors"
)

// OpenOnboarding opens a payout account for the caller, if they have none, and returns the
// URL of the provider's page on which they set it up, for sellers. The URL can be used
// once, within some minutes.
func (m *Market) OpenOnboarding(ctx context.Context, who Actor) (url string, err error) {
	if !who.User.IsSeller() {
		return "", forbidden("Only sellers are paid out")
	}
	if m.rules.Payouts != PayoutsStripe {
		return "", refuse(CodeClosed, "We do not pay sellers through Stripe at present")
	}
	u, err := m.store.User(ctx, who.User.UID)
	if err != nil {
		return "", err
	}
	if u.PayoutAccount != nil {
		url, err = m.payouts.OnboardingLink(ctx, u.PayoutAccount.ID)
		if !errors.Is(err, ErrNoPayoutAccount) {
			return url, unavailable(err)
		}
	}
	id, err := m.openPayoutAccount(ctx, u)
	if err != nil {
		return "", err
	}
	url, err = m.payouts.OnboardingLink(ctx, id)
	return url, unavailable(err)
}

// openPayoutAccount opens an account that replaces the user's account, if any. Of several
// concurrent calls the first one decides.
func (m *Market) openPayoutAccount(ctx context.Context, u User) (string, error) {
	before := u.PayoutAccount
	after := ""
	if before != nil {
		after = before.ID
	}
	id, err := m.payouts.OpenPayoutAccount(ctx, u.UID, after)
	if err != nil {
		return "", unavailable(err)
	}
	err = m.changeUser(ctx, u.UID, func(u *User) []Effect {
		switch {
		case u.Removed:
			return nil
		case u.PayoutAccount != nil && u.PayoutAccount.ID != after:
			id = u.PayoutAccount.ID
			return nil
		}
		u.PayoutAccount = &PayoutAccount{ID: id}
		return m.userChanged(u)
	})
	return id, err
}

// RefreshPayoutAccount reads an account from the provider and stores whether it can receive
// money. Once it can, the seller's unpaid orders are checked at once. It does nothing for
// an account that belongs to no user.
func (m *Market) RefreshPayoutAccount(ctx context.Context, id string) error {
	state, err := m.payouts.PayoutAccount(ctx, id)
	if errors.Is(err, ErrNoPayoutAccount) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = m.setPayoutReady(ctx, state.UID, id, state.IsReady)
	return ignoreNotFound(err)
}

// refreshAccountOf returns the user's account as the provider has it now.
func (m *Market) refreshAccountOf(ctx context.Context, u User) (*PayoutAccount, error) {
	state, err := m.payouts.PayoutAccount(ctx, u.PayoutAccount.ID)
	if err != nil && !errors.Is(err, ErrNoPayoutAccount) {
		return nil, err
	}
	return m.setPayoutReady(ctx, u.UID, u.PayoutAccount.ID, state.IsReady)
}

// setPayoutReady stores whether the user's account can receive money, and returns the
// account; nil if the user has another one.
func (m *Market) setPayoutReady(ctx context.Context, uid, id string, isReady bool) (a *PayoutAccount, err error) {
	err = m.changeUser(ctx, uid, func(u *User) []Effect {
		a = nil
		if u.PayoutAccount == nil || u.PayoutAccount.ID != id {
			return nil
		}
		a = u.PayoutAccount
		if a.IsReady == isReady {
			return nil
		}
		a = &PayoutAccount{ID: id, IsReady: isReady}
		u.PayoutAccount = a
		return append(m.userChanged(u), payoutAccountNotice(*u, m.clock.Now())...)
	})
	if err == nil && a != nil && a.IsReady {
		err = m.checkPayoutsNow(ctx, uid)
	}
	return a, err
}

// checkPayoutsNow schedules an immediate check of a seller's orders that wait for their
// payout.
func (m *Market) checkPayoutsNow(ctx context.Context, sellerUID string) error {
	filter := OrderFilter{SellerUID: sellerUID, Payout: EarningDue}
	return each(func(page Page) ([]Booking, error) { return items(m.store.Orders(ctx, filter, page)) }, bookingID, func(b Booking) error {
		if b.Due.IsZero() || b.Due.After(m.clock.Now()) {
			return m.checkPayoutNow(ctx, b)
		}
		return nil
	})
}

// checkForgottenPayouts schedules the check of orders that no check is scheduled for, although their seller can
// receive the money: those that were released while PAYOUTS was not stripe.
func (m *Market) checkForgottenPayouts(ctx context.Context) error {
	if m.rules.Payouts != PayoutsStripe {
		return nil
	}
	filter := OrderFilter{Payout: EarningDue}
	return each(func(page Page) ([]Booking, error) { return items(m.store.Orders(ctx, filter, page)) }, bookingID, func(b Booking) error {
		if !b.Due.IsZero() {
			return nil
		}
		u, err := m.store.User(ctx, b.SellerUID)
		if err != nil || u.PayoutAccount == nil || !u.PayoutAccount.IsReady {
			return ignoreNotFound(err)
		}
		return m.checkPayoutNow(ctx, b)
	})
}

// checkPayoutNow schedules an immediate check of an order, if it waits for a transfer.
func (m *Market) checkPayoutNow(ctx context.Context, b Booking) error {
	if m.payoutStep(b) != payoutTransfer {
		return nil
	}
	b.Due = m.clock.Now()
	_, err := m.saveIfUnchanged(ctx, b)
	return err
}

// AccountState is the state of the seller's payout account; "" unless with PayoutsStripe.
type AccountState string

// The states.
const (
	AccountNone    AccountState = "none"    // the seller has none
	AccountPending AccountState = "pending" // it cannot receive money: the seller or the provider has not finished its setup
	AccountReady   AccountState = "ready"
)

// accountState returns the state of a seller's account. It asks the provider about an
// account that was not ready, because the seller may just come back from the provider's
// page. It does not store the answer: the webhook does, or the next check of an order that waits
// for its payout. If the provider is unavailable, it returns the stored state.
func (m *Market) accountState(ctx context.Context, uid string) (AccountState, error) {
	if m.rules.Payouts != PayoutsStripe {
		return "", nil
	}
	u, err := m.store.User(ctx, uid)
	switch {
	case err != nil:
		return "", err
	case u.PayoutAccount == nil:
		return AccountNone, nil
	case u.PayoutAccount.IsReady:
		return AccountReady, nil
	}
	state, err := m.payouts.PayoutAccount(ctx, u.PayoutAccount.ID)
	if err == nil && state.IsReady {
		return AccountReady, nil
	}
	if errors.Is(err, ErrPaymentsUnavailable) || errors.Is(err, ErrNoPayoutAccount) {
		err = nil
	}
	return AccountPending, err
}
