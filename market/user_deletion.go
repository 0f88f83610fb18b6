package market

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"time"
)

// RemoveUser closes the account of a buyer or a seller: a decided case, see closePerson. It returns 0 if
// another call has removed them.
func (m *Market) RemoveUser(ctx context.Context, who Actor, id string, reason RemovalReason) (int, error) {
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
	if target.Admin {
		return 0, forbidden("An admin's account cannot be deleted")
	}
	d, err := reason.decision(DecisionClose)
	if err != nil {
		return 0, err
	}
	return m.removeByCase(ctx, who, caseOfUser(target), d)
}

// isRemoved returns whether a person was removed, or is no user.
func (m *Market) isRemoved(ctx context.Context, uid string) (bool, error) {
	u, err := m.store.User(ctx, uid)
	return errors.Is(err, ErrNotFound) || u.Removed, ignoreNotFound(err)
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
// orders stay. If a case has closed the account, the phones are hidden and the account is sealed; otherwise
// they are deleted. It does not call the provider: it returns the closing bookings whose payment
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
	if u.Closed != "" {
		hiding, err := m.hidePhonesOf(ctx, u.UID)
		return append(waiting, hiding...), errors.Join(err, m.store.DeleteNotifications(ctx, u.UID))
	}
	err = m.eachProductOf(ctx, u.UID, func(p Product) error {
		b, err := m.endHoldAndWithdraw(ctx, p, nothingMore)
		if b != nil {
			waiting = append(waiting, *b)
		}
		return err
	})
	if err == nil {
		err = m.eachHiddenPhoneOf(ctx, u.UID, func(h HiddenPhone) error { return m.store.RemoveHiddenPhone(ctx, h) })
	}
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

// nothingMore returns no more effects of the removal of a phone.
func nothingMore(Product) []Effect { return nil }

// endHoldAndWithdraw ends the hold on a phone, if any, and removes the phone, with more effects. It returns the
// booking whose payment must be checked first, or nil.
func (m *Market) endHoldAndWithdraw(ctx context.Context, p Product, more func(Product) []Effect) (waiting *Booking, err error) {
	for {
		if waiting, err = m.withdrawOnce(ctx, p, more); err != nil || waiting != nil {
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

func (m *Market) withdrawOnce(ctx context.Context, p Product, more func(Product) []Effect) (waiting *Booking, err error) {
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
	return nil, ignoreConflict(m.withdraw(ctx, p, more(p)...)) // the next repetition retries a changed phone
}

// closeAccount removes the account. Its address stays taken. An account that a case has closed is sealed: how
// it signs in is kept.
func (m *Market) closeAccount(ctx context.Context, u User) error {
	err := m.changeAccount(ctx, u.UID, func(a *Account) bool {
		before := *a
		a.Removed = true
		if u.Closed == "" {
			a.PasswordHash, a.GoogleSub, a.Links, a.Devices, a.SecondFactor, a.Address = "", "", nil, nil, nil, nil
			a.Phone, a.Location = "", ""
		}
		return !reflect.DeepEqual(*a, before)
	})
	if err != nil {
		return err
	}
	return m.store.EndSessions(ctx, u.UID, nil)
}

// openAccount gives a sealed account back to a person who is in the market again.
func (m *Market) openAccount(ctx context.Context, u User) error {
	return m.changeAccount(ctx, u.UID, func(a *Account) bool {
		wasSealed := a.Removed
		a.Removed = false
		return wasSealed
	})
}

// changeAccount changes an account, if there is one. change returns false to change nothing.
func (m *Market) changeAccount(ctx context.Context, uid string, change func(*Account) bool) error {
	for {
		a, err := m.store.Account(ctx, uid)
		if err != nil || !change(&a) {
			return ignoreNotFound(err)
		}
		a.Version++
		if err = m.store.SaveAccount(ctx, a, nil); !errors.Is(err, ErrConflict) {
			return err
		}
	}
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

// erasePerson erases a person's data from orders, payments, the phones they bought, their reports and the
// audit log. It is safe to repeat.
func (m *Market) erasePerson(ctx context.Context, u User) error {
	return errors.Join(
		m.eachBookingOf(ctx, u.UID, func(b Booking) error { return m.eraseFromBooking(ctx, b) }),
		m.eachBookingOfSeller(ctx, u.UID, func(b Booking) error { return m.eraseSeller(ctx, b) }),
		m.eachPaymentOf(ctx, u.UID, func(p Payment) error { return m.eraseFromPayment(ctx, p) }),
		m.eraseReporter(ctx, u.UID),
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

// eraseReporter removes the name of a person from their reports, which stay.
func (m *Market) eraseReporter(ctx context.Context, uid string) error {
	err := m.eachReportBy(ctx, uid, func(r Report) error {
		r.ReporterUID, r.UserName, r.Email = "", "", ""
		r.Version++
		return ignoreConflict(m.store.SaveReport(ctx, r, m.reportEvents(TypeReportCreated, r, m.clock.Now())))
	})
	if err != nil {
		return err
	}
	return each(func(page Page) ([]Case, error) { return m.store.CasesReportedBy(ctx, uid, page) }, caseID, func(c Case) error {
		_, err := m.changeCase(ctx, c.ID, func(c *Case, _ time.Time) ([]Effect, error) {
			changed := false
			c.Reports = slices.Clone(c.Reports)
			for i, r := range c.Reports {
				if r.ReporterUID == uid {
					c.Reports[i].ReporterUID, c.Reports[i].By, changed = "", "", true
				}
			}
			if !changed {
				return nil, nil
			}
			return []Effect{}, nil
		})
		return ignoreNotFound(err)
	})
}

func caseID(c Case) string { return c.ID }
