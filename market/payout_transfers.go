package market

import (
	"context"
	"errors"
	"time"
)

// The payment check makes the transfers of an order equal to what the order has earned
// its seller. It stores a transfer before it makes it, and before it reverses it. After a
// crash it asks the provider whether it was done. So in the end each transfer of the
// provider is in the ledger.

// payoutStep is the next step of an order's payout.
type payoutStep int

const (
	payoutNothing  payoutStep = iota
	payoutTransfer            // transfer the money to the seller
	payoutFind                // find out whether a begun transfer was made: the order was refunded or disputed since
	payoutReverse             // reverse the transfer
)

// Times of transfers.
const (
	minPayoutPause = time.Minute   // before the first retry of a transfer that was not possible
	maxPayoutPause = 6 * time.Hour // the longest pause between retries
	// transferMayArrive is how long after Payout.At the provider may still receive the request
	// of a transfer. It is well above refreshTimeout.
	transferMayArrive = time.Minute
)

func (m *Market) payoutStep(b Booking) payoutStep {
	_, net := b.earned()
	isBegun := b.Payout.isBegun()
	switch {
	case b.IsPaidOut():
		if b.Payout.IsTransfer && (net == 0 || !b.Payout.TakingBackAt.IsZero()) {
			return payoutReverse
		}
	case isBegun && (net == 0 || b.isDisputed()):
		return payoutFind
	case net > 0 && !b.isDisputed() && (isBegun || m.rules.Payouts == PayoutsStripe):
		return payoutTransfer
	}
	return payoutNothing
}

// isBegun returns whether the payout is a transfer whose ID is not known yet.
func (p *Payout) isBegun() bool { return p != nil && p.Reference == "" && p.TakenBackAt.IsZero() }

// payOut does the next step of an order's payout and returns the order.
func (m *Market) payOut(ctx context.Context, b Booking, in Intent) (Booking, error) {
	settledAt := b.Fulfilment.SettledAt
	var err error
	switch m.payoutStep(b) {
	case payoutTransfer:
		b, err = m.transfer(ctx, b, in)
	case payoutFind:
		b, err = m.findTransfer(ctx, b)
	case payoutReverse:
		b, err = m.reverseTransfer(ctx, b)
	case payoutNothing:
	}
	if err != nil {
		_, scheduleErr := m.payoutLater(context.WithoutCancel(ctx), b, settledAt)
		err = errors.Join(err, scheduleErr)
	}
	return b, err
}

// payoutLater schedules another check of an order, after a pause that grows with the time
// since waitsSince: when the order was settled, or the seller got into debt.
func (m *Market) payoutLater(ctx context.Context, b Booking, waitsSince time.Time) (Booking, error) {
	now := m.clock.Now()
	b.Due = now.Add(min(max(now.Sub(waitsSince)/4, minPayoutPause), maxPayoutPause))
	m.checkDisputeInTime(&b)
	return m.saveIfUnchanged(ctx, b)
}

// transfer transfers the money to the seller, if their account can receive it. Otherwise it
// tries again later. It first asks the provider whether the transfer was made by a process
// that was killed, or before the store was restored from a backup.
func (m *Market) transfer(ctx context.Context, b Booking, in Intent) (Booking, error) {
	account, err := m.accountOfSeller(ctx, b)
	isSellerDeleted := errors.Is(err, ErrNotFound)
	if err != nil && !isSellerDeleted {
		return b, err
	}
	if account != nil {
		var isBegun bool
		if b, isBegun, err = m.beginTransfer(ctx, b); err != nil || !isBegun {
			return b, err
		}
		seller, err := m.store.User(ctx, b.SellerUID)
		if err != nil {
			return b, err
		}
		if seller.Leaving { // they may have read the order before it was begun: see leaving.go
			return m.payoutLater(ctx, b, b.Fulfilment.SettledAt)
		}
	}
	if b.Payout.isBegun() {
		id, err := m.payouts.TransferOf(ctx, b.ID, b.Payout.Number)
		if err != nil {
			return b, unavailable(err)
		}
		if id != "" {
			return m.storeTransfer(ctx, b, id)
		}
	}
	switch {
	case isSellerDeleted:
		b.Due = time.Time{}
		return m.saveIfUnchanged(ctx, b)
	case account == nil:
		return m.payoutLater(ctx, b, b.Fulfilment.SettledAt)
	}
	return m.makeTransfer(ctx, b, in, account.ID)
}

// makeTransfer requests a transfer whose start was just stored.
func (m *Market) makeTransfer(ctx context.Context, b Booking, in Intent, accountID string) (Booking, error) {
	id, err := m.payouts.Transfer(ctx, TransferRequest{
		BookingID: b.ID, Number: b.Payout.Number, ChargeID: in.ChargeID, AccountID: accountID, Cents: b.Payout.Cents,
	})
	if errors.Is(err, ErrNoPayoutAccount) {
		if _, err := m.setPayoutReady(ctx, b.SellerUID, accountID, false); err != nil {
			return b, err
		}
		return m.payoutLater(ctx, b, b.Fulfilment.SettledAt)
	}
	if err != nil {
		return b, unavailable(err)
	}
	return m.storeTransfer(ctx, b, id)
}

// accountOfSeller returns the payout account of an order's seller. It returns nil if the
// account cannot receive money, and ErrNotFound if the user does not exist any more.
func (m *Market) accountOfSeller(ctx context.Context, b Booking) (*PayoutAccount, error) {
	u, err := m.store.User(ctx, b.SellerUID)
	if err != nil || u.PayoutAccount == nil || u.PayoutAccount.IsReady {
		return u.PayoutAccount, err
	}
	a, err := m.refreshAccountOf(ctx, u)
	if err != nil || a == nil || !a.IsReady {
		return nil, unavailable(err)
	}
	return a, nil
}

// beginTransfer stores the start of an order's next transfer. If one was begun before, it
// stores that it is requested again, because findTransfer must wait for each request. If the
// order has changed since it was read, it returns the current order without a write, and a
// later step continues.
func (m *Market) beginTransfer(ctx context.Context, b Booking) (after Booking, isBegun bool, err error) {
	_, net := b.earned()
	number := 1
	switch {
	case b.Payout.isBegun():
		number = b.Payout.Number
	case b.Payout != nil:
		number += b.Payout.Number
	}
	b.Payout = &Payout{Cents: net, At: m.clock.Now(), IsTransfer: true, Number: number}
	b.Version++
	err = m.store.SaveBooking(ctx, b, nil)
	if errors.Is(err, ErrConflict) {
		after, err = m.store.Booking(ctx, b.ID)
		return after, false, err
	}
	return b, err == nil, err
}

// findTransfer looks for a begun transfer of an order that earns nothing any more, or whose
// money is frozen.
func (m *Market) findTransfer(ctx context.Context, b Booking) (Booking, error) {
	id, err := m.payouts.TransferOf(ctx, b.ID, b.Payout.Number)
	if err != nil {
		return b, unavailable(err)
	}
	if id != "" {
		return m.storeTransfer(ctx, b, id)
	}
	if until := b.Payout.At.Add(transferMayArrive); m.clock.Now().Before(until) {
		b.Due = until
		return m.saveIfUnchanged(ctx, b)
	}
	return m.editPayout(ctx, b, func(p *Payout, now time.Time) []Effect {
		p.TakenBackAt = now // there is nothing to reverse
		return nil
	})
}

// storeTransfer stores that a transfer was made, also if the order has changed since. If it
// must not have been made, the next step reverses it.
func (m *Market) storeTransfer(ctx context.Context, b Booking, id string) (Booking, error) {
	number := b.Payout.Number
	_, err := m.changeBooking(ctx, b, func(b *Booking, now time.Time) (bool, []Effect, error) {
		if b.Payout == nil || b.Payout.Number != number || b.Payout.Reference != "" {
			return false, nil, nil // another process was faster
		}
		p := *b.Payout
		p.Reference, p.At, p.TakenBackAt = id, now, time.Time{}
		return true, m.setPayout(b, p, now), nil
	})
	if err != nil {
		return b, err
	}
	return m.store.Booking(ctx, b.ID)
}

// reverseTransfer reverses a transfer. If the seller's account has too little money, the order is
// a debt of the seller, and the reversal is tried again.
func (m *Market) reverseTransfer(ctx context.Context, b Booking) (Booking, error) {
	transfer := b.Payout.Reference
	if b.Payout.TakingBackAt.IsZero() {
		p := *b.Payout
		p.TakingBackAt = m.clock.Now()
		b.Payout = &p
		var err error
		if b, err = m.saveIfUnchanged(ctx, b); err != nil || b.Payout == nil || b.Payout.Reference != transfer || b.Payout.TakingBackAt.IsZero() {
			return b, err
		}
	}
	err := m.payouts.ReverseTransfer(ctx, transfer)
	if errors.Is(err, ErrInsufficientFunds) {
		return m.storeDebt(ctx, b)
	}
	if err != nil {
		return b, unavailable(err)
	}
	return m.editPayout(ctx, b, func(p *Payout, now time.Time) []Effect {
		p.TakenBackAt = now
		return []Effect{takenBackNotice(b, now)}
	})
}

// storeDebt stores that a transfer could not be reversed, and schedules a retry after a pause.
func (m *Market) storeDebt(ctx context.Context, b Booking) (Booking, error) {
	if b.Payout.ShortAt.IsZero() {
		b, err := m.editPayout(ctx, b, func(p *Payout, now time.Time) []Effect {
			p.TakingBackAt, p.ShortAt = time.Time{}, now
			return []Effect{debtNotice(b, now)}
		})
		if err != nil {
			return b, err
		}
		return m.payoutLater(ctx, b, b.Payout.ShortAt)
	}
	p := *b.Payout
	p.TakingBackAt = time.Time{}
	b.Payout = &p
	return m.payoutLater(ctx, b, p.ShortAt)
}

// editPayout changes a payout that is a transfer, unless another process has changed it.
func (m *Market) editPayout(ctx context.Context, b Booking, change func(*Payout, time.Time) []Effect) (Booking, error) {
	before := *b.Payout
	_, err := m.changeBooking(ctx, b, func(b *Booking, now time.Time) (bool, []Effect, error) {
		if p := b.Payout; p == nil || p.Number != before.Number || p.Reference != before.Reference || !p.At.Equal(before.At) || !p.TakenBackAt.IsZero() {
			return false, nil, nil
		}
		p := before
		effects := change(&p, now)
		return true, append(m.setPayout(b, p, now), effects...), nil
	})
	if err != nil {
		return b, err
	}
	return m.store.Booking(ctx, b.ID)
}
