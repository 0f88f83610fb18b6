package market

import (
	"context"
	"errors"
	"slices"
)

// A person who leaves may have a payment in progress, for a phone that they buy or sell. The call
// of the person does this, in this order:
//
//  1. It stores User.Leaving. From now on no buyer gets the client secret of an intent for an
//     order of the person (mayBePaidFor).
//  2. It cancels the open intents of these orders. The provider decides whether that comes before
//     the payment.
//  3. It reads all orders of the person. If one is not finished, it takes User.Leaving back.
//  4. It removes the user, unless the user has changed since step 1.
//
// If the process is killed before step 4, the person stays: the runner takes User.Leaving back
// (sweepOne), and the person can ask again.
//
// A payment can still succeed unseen, for example after a restore. Each payment marks the phone as
// sold, and then takes User.Leaving of both sides back (sellToBuyer). So it comes before step 3,
// or prevents step 4, or finds the user removed: then it is refunded.

// DeleteAccount deletes the account of a person who asks for it. Access, holds and
// phones end as in RemoveUser. The person's data is erased from the orders and payments
// that are kept. The runner repeats this for sweepFor, because a call that the person
// made before may still be writing. It returns CodeForbidden for an admin, whose role
// must be revoked first, and CodeOpenOrders if an order of the person is not finished
// (mayBeLeft).
func (m *Market) DeleteAccount(ctx context.Context, a Account) error {
	for {
		u, err := m.store.User(ctx, a.UID)
		switch {
		case errors.Is(err, ErrNotFound): // the account never became a user
			return m.purgeAccount(ctx, a.UID)
		case err != nil:
			return err
		case u.Admin:
			return forbidden("An admin's account cannot be deleted")
		}
		if !u.Removed {
			u, err = m.leave(ctx, u)
		}
		if err == nil {
			return m.sweepRemovedNow(ctx, u)
		}
		if !errors.Is(err, ErrConflict) {
			return err
		}
	}
}

// leave removes a user who has no open orders. It returns ErrConflict if another call, such as
// a payment, has changed the user.
func (m *Market) leave(ctx context.Context, u User) (User, error) {
	if err := m.hasNoOpenOrders(ctx, u, m.payments.Intent); err != nil {
		return u, err
	}
	if !u.Leaving {
		u.Leaving, u.SweepUntil = true, m.clock.Now().Add(sweepFor)
		effects := m.userChanged(&u)
		if err := m.store.SaveUser(ctx, u, effects); err != nil {
			return u, err
		}
	}
	if err := m.hasNoOpenOrders(ctx, u, m.payments.CancelIntent); err != nil {
		_, stayErr := m.stays(context.WithoutCancel(ctx), u.UID)
		return u, errors.Join(err, stayErr)
	}
	now := m.clock.Now()
	u.Removed, u.SweepUntil = true, now.Add(sweepFor)
	u.Version++
	entry := NewAuditEntry(now, &u, ActionDeleteAccount).OfPerson(u.ID, u.Name)
	open, err := m.leavesOpen(ctx, u, now)
	if err != nil {
		return u, err
	}
	return u, m.store.SaveUser(ctx, u, slices.Concat(userEvents(TypeUserRemoved, u, now), signOutEvents(u, now), []Effect{entry}, open))
}

// stays takes User.Leaving back. It returns false if the person has left, or is not stored any
// more. A person whom an admin has just removed has not left: what they have paid stays.
func (m *Market) stays(ctx context.Context, uid string) (bool, error) {
	isStaying := false
	err := m.changeUser(ctx, uid, func(u *User) []Effect {
		isStaying = !u.Removed || !u.Leaving
		if u.Removed || !u.Leaving {
			return nil
		}
		u.Leaving = false
		return m.userChanged(u)
	})
	return isStaying, ignoreNotFound(err)
}

// mayBePaidFor returns an error while the buyer or the seller of a booking leaves, and
// afterwards. It is called when the intent is stored with the booking, where the call of a person
// who leaves finds it.
func (m *Market) mayBePaidFor(ctx context.Context, b Booking) error {
	for _, uid := range []string{b.BuyerUID, b.SellerUID} {
		u, err := m.store.User(ctx, uid)
		if errors.Is(err, ErrNotFound) || err == nil && (u.Removed || u.Leaving) {
			return refuse(CodeClosed, "This booking cannot be paid now, because the buyer or the seller is deleting their account")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// hasNoOpenOrders returns an error for a user with an order that keeps them, as buyer or
// seller. decide is asked for the intent of each payment that is not decided yet.
func (m *Market) hasNoOpenOrders(ctx context.Context, u User, decide func(context.Context, string) (Intent, error)) error {
	check := func(b Booking) error {
		b, err := m.decidePayment(ctx, b, decide)
		if err != nil {
			return err
		}
		return m.mayBeLeft(b, u)
	}
	if err := m.eachBookingOf(ctx, u.UID, check); err != nil {
		return err
	}
	return m.eachBookingOfSeller(ctx, u.UID, check)
}

// decidePayment applies a payment that has succeeded, and returns the booking afterwards. It
// returns CodeOpenOrders if the bank is processing the payment.
func (m *Market) decidePayment(ctx context.Context, b Booking, decide func(context.Context, string) (Intent, error)) (Booking, error) {
	isEnded := b.Status == BookingExpired || b.Status == BookingCancelled
	if b.Intent == "" || b.Status != BookingHeld && (!isEnded || b.Due.IsZero()) {
		return b, nil
	}
	in, err := decide(ctx, b.Intent)
	switch {
	case errors.Is(err, ErrNoIntent):
		return b, nil // nothing can be charged
	case err != nil:
		return b, unavailable(err)
	case in.Status == IntentProcessing:
		return b, mustWait("the bank is still processing the payment for "+b.title(), "that is decided")
	case in.Status == IntentSucceeded:
		if _, err := m.applyPayment(ctx, in); err != nil && CodeOf(err) != CodeRefunded {
			return b, err
		}
		return m.store.Booking(ctx, b.ID)
	case in.Status == IntentCancelled:
		return m.continueWithoutCharge(ctx, b)
	}
	return b, nil
}

// mayBeLeft returns CodeOpenOrders if the order keeps this side in the market: it is paid and
// not settled, or disputed, because each side needs the other's contact data until then; or the
// seller's money is being transferred, or the seller has money that is the buyer's.
func (m *Market) mayBeLeft(b Booking, u User) error {
	switch {
	case b.isDisputed():
		return mustWait("the payment for your order is disputed: "+b.title(), "that is decided")
	case b.Status == BookingPaid && b.Fulfilment.State != FulfilmentSettled:
		return mustWait("you have an order that is not completed: "+b.title(), "it is")
	case b.SellerUID != u.UID:
		return nil
	case m.isTransferring(b, u):
		return mustWait("a transfer for your "+b.title()+" is in progress", "it is complete")
	}
	if _, net := b.earned(); b.IsPaidOut() && net == 0 {
		return mustWait("you owe us "+Money(b.Payout.Cents, Currency)+" for your "+b.title()+
			": you were paid, and the buyer was refunded", "you have paid it back")
	}
	return nil
}

// isTransferring returns whether a transfer to or from the seller of an order has begun, or begins
// at once.
func (m *Market) isTransferring(b Booking, seller User) bool {
	isReady := seller.PayoutAccount != nil && seller.PayoutAccount.IsReady
	return b.Payout.isBegun() || b.IsPaidOut() && !b.Payout.TakingBackAt.IsZero() || isReady && m.payoutStep(b) == payoutTransfer
}

// mustWait returns the error of a person who may not leave yet: why, and until when.
func mustWait(why, until string) error {
	return refuse(CodeOpenOrders, "You cannot delete your account yet, because "+why+". You can delete it when "+until)
}
