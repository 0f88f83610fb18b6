package market

import (
	"context"
	"errors"
	"time"
)

// RemoveUser deletes a buyer or a seller. It ends their access and their open holds, and
// removes their phones. It returns 0 if another call has removed them.
func (m *Market) RemoveUser(ctx context.Context, who Actor, id string) (int, error) {
	target, err := m.store.UserByID(ctx, id)
	if errors.Is(err, ErrNotFound) || (err == nil && target.Removed) {
		return 0, missing("user")
	}
	if err != nil {
		return 0, err
	}
	if err := mustAdmin(who); err != nil {
		return 0, err
	}
	changed := 0
	err = m.changeUser(ctx, target.UID, func(u *User) []Effect {
		target = *u
		if u.Admin || u.Removed {
			return nil
		}
		now := m.clock.Now()
		u.Removed, u.SweepUntil, changed = true, now.Add(sweepFor), 1
		u.Version++
		target = *u
		return append(append(userEvents(TypeUserRemoved, *u, now), signOutEvents(*u, now)...), removedBy(who, *u, now))
	})
	if err != nil {
		return 0, err
	}
	if target.Admin {
		return 0, forbidden("An admin's account cannot be deleted")
	}
	if changed == 0 {
		return 0, nil // another call has removed them
	}
	return changed, m.sweepRemovedNow(ctx, target)
}

// isRemoved returns whether a person was removed, or is no user.
func (m *Market) isRemoved(ctx context.Context, uid string) (bool, error) {
	u, err := m.store.User(ctx, uid)
	return errors.Is(err, ErrNotFound) || u.Removed, ignoreNotFound(err)
}

// removedBy returns the audit log entry of an admin's removal of a user.
func removedBy(who Actor, u User, at time.Time) AuditEntry {
	action := ActionRemoveBuyer
	if u.IsSeller() {
		action = ActionRemoveSeller
	}
	return NewAuditEntry(at, &who.User, action).OfPerson(u.ID, u.Name)
}

// signOutEvents returns the events that sign a removed person out and close their sockets on
// every node.
func signOutEvents(u User, at time.Time) []Effect {
	me := meEvent(TypeAccountRemoved, u, at)
	me.Data = encode(TombstoneView{ID: u.ID, Version: u.Version})
	return []Effect{me, ControlEvent(TypeAccessEnded, Control{UID: u.UID}, at)}
}

// sweepRemovedNow does the cascade of a removal as far as that is possible at once. It asks
// the provider about payments that must be checked first. If the provider is unavailable, the
// payment check asks again, and the runner repeats the cascade.
func (m *Market) sweepRemovedNow(ctx context.Context, u User) error {
	waiting, err := m.sweepRemoved(ctx, u)
	if err != nil || len(waiting) == 0 {
		return err
	}
	if m.refreshPayments(ctx, waiting) == nil {
		_, err = m.sweepRemoved(ctx, u)
	}
	return err
}

// sweepRemoved ends a removed person's access, open holds, waits and phones for sale. Paid
// orders stay. It does not call the provider: it returns the closing bookings whose payment
// must be checked first.
func (m *Market) sweepRemoved(ctx context.Context, u User) (waiting []Booking, err error) {
	if err := m.closeAccount(ctx, u); err != nil {
		return nil, err
	}
	if err := errors.Join(m.leaveWaitlists(ctx, u.UID), m.deleteWatching(ctx, u.UID), m.leaveThreads(ctx, u.UID)); err != nil {
		return nil, err
	}
	if waiting, err = m.closeHolds(ctx, u.UID); err != nil {
		return waiting, err
	}
	err = m.eachProductOf(ctx, u.UID, func(p Product) error {
		b, err := m.endHoldAndWithdraw(ctx, p)
		if b != nil {
			waiting = append(waiting, *b)
		}
		return err
	})
	if err == nil && u.Leaving {
		err = m.erasePerson(ctx, u)
	}
	if err == nil { // last, because the end of holds and waits adds notifications
		err = m.store.DeleteNotifications(ctx, u.UID)
	}
	return waiting, err
}

// closeHolds ends a buyer's holds. It returns those whose payment must be checked first.
func (m *Market) closeHolds(ctx context.Context, uid string) ([]Booking, error) {
	for {
		held, err := m.store.HeldBookings(ctx, uid, sweepPage)
		if err != nil {
			return nil, err
		}
		var waiting []Booking
		for _, b := range held {
			b, isPending, err := m.releaseHold(ctx, b, BookingCancelled)
			if err != nil {
				return nil, err
			}
			if isPending {
				waiting = append(waiting, b)
			}
		}
		if len(held) < sweepPage || len(waiting) == len(held) {
			return waiting, nil
		}
	}
}

// endHoldAndWithdraw ends the hold on a phone, if any, and removes the phone. It returns the
// booking whose payment must be checked first, or nil.
func (m *Market) endHoldAndWithdraw(ctx context.Context, p Product) (waiting *Booking, err error) {
	for {
		if waiting, err = m.withdrawOnce(ctx, p); err != nil || waiting != nil {
			return waiting, err
		}
		p, err = m.store.Product(ctx, p.ID)
		if errors.Is(err, ErrNotFound) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func (m *Market) withdrawOnce(ctx context.Context, p Product) (waiting *Booking, err error) {
	if len(p.Waitlist) > 0 { // otherwise the phone would go to the first of them
		return nil, m.endWaitlist(ctx, p.ID)
	}
	if p.Hold != nil {
		b, err := m.bookingOf(ctx, p)
		if code := CodeOf(err); code == CodeTooMany || code == CodeOver { // the buyer does not get the phone
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if b, isPending, err := m.releaseHold(ctx, b, BookingCancelled); err != nil || isPending {
			return &b, err
		}
		if !p.Sold {
			return nil, m.releasePhone(ctx, p.ID, b.ID) // an ended booking must not hold it
		}
	}
	return nil, ignoreConflict(m.withdraw(ctx, p)) // the next repetition retries a changed phone
}

// closeAccount removes the account. Its address stays taken.
func (m *Market) closeAccount(ctx context.Context, u User) error {
	for {
		a, err := m.store.Account(ctx, u.UID)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if a.Removed {
			break
		}
		a.Removed, a.PasswordHash, a.GoogleSub, a.Links, a.Devices, a.SecondFactor, a.Address = true, "", "", nil, nil, nil, nil
		a.Phone, a.Location = "", ""
		a.Version++
		if err = m.store.SaveAccount(ctx, a, nil); err == nil {
			break
		} else if !errors.Is(err, ErrConflict) {
			return err
		}
	}
	return m.store.EndSessions(ctx, u.UID, nil)
}

// purgeAccount deletes an account. Its address can sign up again.
func (m *Market) purgeAccount(ctx context.Context, uid string) error {
	if err := m.endAccess(ctx, uid); err != nil {
		return err
	}
	return m.store.PurgeAccount(ctx, uid, nil)
}

// endAccess ends a person's sessions, and their tokens and sockets on every node.
func (m *Market) endAccess(ctx context.Context, uid string) error {
	event := ControlEvent(TypeAccessEnded, Control{UID: uid}, m.clock.Now())
	return m.store.EndSessions(ctx, uid, []Effect{event})
}

// erasePerson erases a person's data from orders, payments, the phones they bought and the
// audit log, and deletes their reports. It is safe to repeat.
func (m *Market) erasePerson(ctx context.Context, u User) error {
	return errors.Join(
		m.eachBookingOf(ctx, u.UID, func(b Booking) error { return m.eraseFromBooking(ctx, b) }),
		m.eachBookingOfSeller(ctx, u.UID, func(b Booking) error { return m.eraseSeller(ctx, b) }),
		m.eachPaymentOf(ctx, u.UID, func(p Payment) error { return m.eraseFromPayment(ctx, p) }),
		m.eachReportBy(ctx, u.UID, func(r Report) error { return m.withdrawReport(ctx, r) }),
		m.store.EraseFromAuditLog(ctx, u.ID),
	)
}

// eraseFromBooking skips a booking that is still held: its payment may still buy the
// phone.
func (m *Market) eraseFromBooking(ctx context.Context, b Booking) error {
	for b.Status != BookingHeld {
		if err := m.changeHold(ctx, b.ProductID, func(p Product) bool { return p.HeldBy(b.ID) }, func(h *Hold) { h.setBuyer(Contact{}) }); err != nil {
			return err
		}
		if b.Address != "" {
			if err := m.store.RemoveRecords(ctx, addressKind, []string{b.Address}); err != nil {
				return err
			}
		}
		if b.UserName == "" && b.Email == "" && b.Phone == "" && b.Location == "" && b.Address == "" {
			return nil
		}
		b.UserName, b.Email, b.Phone, b.Location, b.Address = "", "", "", "", ""
		b.Version++
		err := m.store.SaveBooking(ctx, b, m.bookingEvents(b, m.clock.Now()))
		if !errors.Is(err, ErrConflict) {
			return err
		}
		if b, err = m.store.Booking(ctx, b.ID); err != nil {
			return err
		}
	}
	return nil
}

// eraseSeller erases the seller's contact data from a booking.
func (m *Market) eraseSeller(ctx context.Context, b Booking) error {
	_, err := m.changeBooking(ctx, b, func(b *Booking, now time.Time) (bool, []Effect, error) {
		if b.Seller == nil {
			return false, nil, nil
		}
		b.Seller = nil
		return true, m.bookingEvents(*b, now), nil
	})
	return err
}

func (m *Market) eraseFromPayment(ctx context.Context, p Payment) error {
	for p.Email != "" {
		p.Email = ""
		p.Version++
		err := m.store.SavePayment(ctx, p, nil)
		if !errors.Is(err, ErrConflict) {
			return err
		}
		if p, err = m.store.PaymentOf(ctx, p.Transaction); err != nil {
			return err
		}
	}
	return nil
}

func (m *Market) withdrawReport(ctx context.Context, r Report) error {
	r.Version++
	err := m.store.RemoveReport(ctx, r, m.reportEvents(TypeReportRemoved, r, m.clock.Now()))
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrConflict) {
		return nil // an admin removes the user at the same time
	}
	return err
}
