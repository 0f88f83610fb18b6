package market

import (
	"context"
	"errors"
	"time"
)

// The payment reconciler makes what the seller of an order has got by transfer equal to what
// the order has earned them. It notes a transfer before it makes it, and before it takes it
// back: after a kill it asks the provider what became of it. So each transfer of the provider
// is in the ledger in the end, whatever happens to the order in between.

// payoutStep is what the payment reconciler has to do about the payout of an order.
type payoutStep int

const (
	payoutNothing  payoutStep = iota
	payoutTransfer            // transfer the money to the seller
	payoutFind                // find out whether a transfer was made that was begun: the order is refunded or disputed by now
	payoutTakeBack            // take the transfer back
)

// Times of transfers.
const (
	payoutPauseFirst = time.Minute   // until a transfer that was not possible is tried again
	payoutPauseMost  = 6 * time.Hour // the pause grows up to this
	// transferMayArrive is how long after it was begun a transfer may still arrive at the
	// provider. It is well above askTime.
	transferMayArrive = time.Minute
)

func (m *Market) payoutStep(b Booking) payoutStep {
	_, net := b.earned()
	isBegun := b.Payout.isBegun()
	switch {
	case b.IsPaidOut():
		if b.Payout.IsTransfer && (net == 0 || !b.Payout.TakingBackAt.IsZero()) {
			return payoutTakeBack
		}
	case isBegun && (net == 0 || b.isDisputed()):
		return payoutFind
	case net > 0 && !b.isDisputed() && (isBegun || m.rules.Payouts == PayoutsStripe):
		return payoutTransfer
	}
	return payoutNothing
}

// isBegun tells whether a transfer was noted whose ID is not known yet.
func (p *Payout) isBegun() bool { return p != nil && p.Reference == "" && p.TakenBackAt.IsZero() }

// payOut does the next step of an order's payout. It returns the order afterwards.
func (m *Market) payOut(ctx context.Context, b Booking, in Intent) (Booking, error) {
	since := b.AfterSale().SettledAt
	var err error
	switch m.payoutStep(b) {
	case payoutTransfer:
		b, err = m.transfer(ctx, b, in)
	case payoutFind:
		b, err = m.findTransfer(ctx, b)
	case payoutTakeBack:
		b, err = m.takeBack(ctx, b)
	case payoutNothing:
	}
	if err != nil {
		_, noteErr := m.payoutLater(context.WithoutCancel(ctx), b, since)
		err = errors.Join(err, noteErr)
	}
	return b, err
}

// payoutLater has an order looked at again, after a pause that grows with the time since then.
func (m *Market) payoutLater(ctx context.Context, b Booking, since time.Time) (Booking, error) {
	now := m.clock.Now()
	b.Due = now.Add(min(max(now.Sub(since)/4, payoutPauseFirst), payoutPauseMost))
	if look := m.nextReturnLook(b); b.Status == BookingRefunded && !look.IsZero() && look.Before(b.Due) {
		b.Due = look
	}
	return m.noted(ctx, b)
}

// transfer pays the seller, if their account can receive money. Else the money waits. It asks
// the provider first whether the transfer was made: by a process that was killed, or before
// the store was restored from a backup.
func (m *Market) transfer(ctx context.Context, b Booking, in Intent) (Booking, error) {
	account, err := m.accountOfSeller(ctx, b)
	hasLeft := errors.Is(err, ErrNotFound)
	if err != nil && !hasLeft {
		return b, err
	}
	if account != nil && !b.Payout.isBegun() {
		var isBegun bool
		if b, isBegun, err = m.beginTransfer(ctx, b); err != nil || !isBegun {
			return b, err
		}
	}
	if b.Payout.isBegun() {
		id, err := m.payouts.TransferOf(ctx, b.ID, b.Payout.Number)
		if err != nil {
			return b, unavailable(err)
		}
		if id != "" {
			return m.transferred(ctx, b, id)
		}
	}
	switch {
	case hasLeft:
		b.Due = time.Time{}
		return m.noted(ctx, b)
	case account == nil:
		return m.payoutLater(ctx, b, b.Fulfilment.SettledAt)
	}
	return m.makeTransfer(ctx, b, in, account.ID)
}

// makeTransfer asks the provider for a transfer that was begun.
func (m *Market) makeTransfer(ctx context.Context, b Booking, in Intent, accountID string) (Booking, error) {
	id, err := m.payouts.Transfer(ctx, TransferOrder{
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
	return m.transferred(ctx, b, id)
}

// accountOfSeller returns the payout account of an order's seller; nil if it cannot receive
// money, ErrNotFound if there is no such user any more.
func (m *Market) accountOfSeller(ctx context.Context, b Booking) (*PayoutAccount, error) {
	u, err := m.store.User(ctx, b.SellerUID)
	if err != nil || u.PayoutAccount == nil || u.PayoutAccount.IsReady {
		return u.PayoutAccount, err
	}
	a, err := m.askAboutAccount(ctx, u)
	if err != nil || a == nil || !a.IsReady {
		return nil, unavailable(err)
	}
	return a, nil
}

// beginTransfer notes the next transfer of an order. If the order has changed since it was
// read, nothing is noted and the current order returned: it is looked at again.
func (m *Market) beginTransfer(ctx context.Context, b Booking) (after Booking, isBegun bool, err error) {
	_, net := b.earned()
	number := 1
	if b.Payout != nil {
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

// findTransfer looks for a transfer that was begun, for an order that earns nothing any more, or
// whose money is frozen.
func (m *Market) findTransfer(ctx context.Context, b Booking) (Booking, error) {
	id, err := m.payouts.TransferOf(ctx, b.ID, b.Payout.Number)
	if err != nil {
		return b, unavailable(err)
	}
	if id != "" {
		return m.transferred(ctx, b, id)
	}
	if until := b.Payout.At.Add(transferMayArrive); m.clock.Now().Before(until) {
		b.Due = until
		return m.noted(ctx, b)
	}
	return m.editPayout(ctx, b, func(p *Payout, now time.Time) []Event {
		p.TakenBackAt = now // there was nothing to take back
		return nil
	})
}

// transferred stores that a transfer was made, even if the order has changed since: then it is
// taken back next.
func (m *Market) transferred(ctx context.Context, b Booking, id string) (Booking, error) {
	number := b.Payout.Number
	_, err := m.editBooking(ctx, b, func(b *Booking, now time.Time) (bool, []Event, error) {
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

// takeBack takes a transfer back. If the seller has too little money, the order stays with a
// debt, and it is tried again.
func (m *Market) takeBack(ctx context.Context, b Booking) (Booking, error) {
	transfer := b.Payout.Reference
	if b.Payout.TakingBackAt.IsZero() {
		p := *b.Payout
		p.TakingBackAt = m.clock.Now()
		b.Payout = &p
		var err error
		if b, err = m.noted(ctx, b); err != nil || b.Payout == nil || b.Payout.Reference != transfer || b.Payout.TakingBackAt.IsZero() {
			return b, err
		}
	}
	err := m.payouts.TakeBack(ctx, transfer)
	if errors.Is(err, ErrShort) {
		return m.owed(ctx, b)
	}
	if err != nil {
		return b, unavailable(err)
	}
	return m.editPayout(ctx, b, func(p *Payout, now time.Time) []Event {
		p.TakenBackAt = now
		return []Event{notify(b.SellerUID, NotifyPaid, "The money for your "+b.title()+" was taken back: the buyer was refunded.", linkEarnings, now)}
	})
}

// owed stores that a transfer could not be taken back, and has it tried again after a pause.
func (m *Market) owed(ctx context.Context, b Booking) (Booking, error) {
	if b.Payout.ShortAt.IsZero() {
		b, err := m.editPayout(ctx, b, func(p *Payout, now time.Time) []Event {
			p.TakingBackAt, p.ShortAt = time.Time{}, now
			return []Event{notify(b.SellerUID, NotifyPaid, "The buyer of your "+b.title()+
				" was refunded, and your payout account has too little money to return. It is tried again.", linkEarnings, now)}
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

// editPayout changes a payout that is a transfer, unless another process was faster.
func (m *Market) editPayout(ctx context.Context, b Booking, change func(*Payout, time.Time) []Event) (Booking, error) {
	before := *b.Payout
	_, err := m.editBooking(ctx, b, func(b *Booking, now time.Time) (bool, []Event, error) {
		if p := b.Payout; p == nil || p.Number != before.Number || p.Reference != before.Reference || !p.TakenBackAt.IsZero() {
			return false, nil, nil
		}
		p := before
		told := change(&p, now)
		return true, append(m.setPayout(b, p, now), told...), nil
	})
	if err != nil {
		return b, err
	}
	return m.store.Booking(ctx, b.ID)
}
