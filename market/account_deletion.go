package market

import (
	"context"
	"errors"
)

// DeleteAccount deletes the account of a person who asks for it. Access, holds and
// phones end as in RemoveUser. The person's data is erased from the orders and payments
// that are kept. The janitor repeats this for sweepFor, because a call that the person
// made before may still be writing. It returns CodeForbidden for an admin, whose role
// must be revoked first, and CodeOpenOrders if the person has bought or sold a phone
// whose order is not settled, or whose payment is disputed.
func (m *Market) DeleteAccount(ctx context.Context, a Account) error {
	target, err := m.store.User(ctx, a.UID)
	if errors.Is(err, ErrNotFound) { // the account never became a user
		return m.purgeAccount(ctx, a.UID)
	}
	if err != nil {
		return err
	}
	if err := m.hasNoOpenOrders(ctx, target); err != nil {
		return err
	}
	err = m.changeUser(ctx, a.UID, func(u *User) []Event {
		target = *u
		if u.Admin || u.Removed {
			return nil
		}
		now := m.clock.Now()
		u.Removed, u.Leaving, u.SweepUntil = true, true, now.Add(sweepFor)
		u.Version++
		target = *u
		entry := NewAuditEntry(now, u, ActionDeleteAccount).OfPerson(u.ID, u.Name)
		return append(append(userEvents(TypeUserRemoved, *u, now), signOutEvents(*u, now)...), entry.Event())
	})
	if err != nil {
		return err
	}
	if target.Admin {
		return forbidden("An admin's account cannot be deleted")
	}
	return m.sweepRemovedNow(ctx, target)
}

// hasNoOpenOrders returns an error for a user who has bought or sold a phone whose order is
// not settled, or disputed: each side needs the other's contact data until then.
func (m *Market) hasNoOpenOrders(ctx context.Context, u User) error {
	err := m.eachBookingOf(ctx, u.UID, func(b Booking) error { return m.mustBeSettled(ctx, b) })
	if err != nil {
		return err
	}
	return m.eachProductOf(ctx, u.UID, func(p Product) error {
		if p.Hold == nil {
			return nil
		}
		b, err := m.store.Booking(ctx, p.Hold.BookingID)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		return m.mustBeSettled(ctx, b)
	})
}

// mustBeSettled returns an error if an order is paid and not settled, or if its payment is
// disputed. If a payment has begun, it asks the provider first: the payment may have succeeded
// just now.
func (m *Market) mustBeSettled(ctx context.Context, b Booking) error {
	if b.Status == BookingHeld && b.Intent != "" {
		var err error
		if b, err = m.refreshPayment(ctx, b); err != nil {
			return unavailable(err)
		}
	}
	if b.isDisputed() {
		return refuse(CodeOpenOrders, "You have an order whose payment is disputed: "+b.title()+
			". You can delete your account when that is decided")
	}
	if b.Status != BookingPaid || b.AfterSale().State == FulfilmentSettled {
		return nil
	}
	return refuse(CodeOpenOrders, "You have an order that is not completed: "+b.title()+
		". You can delete your account when it is")
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
	err := m.store.EndSessions(ctx, uid, []Event{event})
	if err == nil {
		m.NotifyRelay()
	}
	return err
}

// erasePerson erases a person's data from orders, payments, the phones they bought and the
// audit log, and deletes their reports. It is safe to repeat.
func (m *Market) erasePerson(ctx context.Context, u User) error {
	return errors.Join(
		m.eachBookingOf(ctx, u.UID, func(b Booking) error { return m.eraseFromBooking(ctx, b) }),
		m.eachPaymentOf(ctx, u.UID, func(p Payment) error { return m.eraseFromPayment(ctx, p) }),
		m.eachReportBy(ctx, u.UID, func(r Report) error { return m.withdrawReport(ctx, r) }),
		m.store.EraseFromAuditLog(ctx, u.ID),
	)
}

// eraseFromBooking skips a booking that is still held: its payment may still buy the
// phone.
func (m *Market) eraseFromBooking(ctx context.Context, b Booking) error {
	for b.Status != BookingHeld {
		if err := m.eraseBuyer(ctx, b); err != nil {
			return err
		}
		if b.UserName == "" && b.Email == "" && b.Phone == "" && b.Location == "" && b.Seller == nil {
			return nil
		}
		b.UserName, b.Email, b.Phone, b.Location, b.Seller = "", "", "", "", nil
		b.Version++
		err := m.store.SaveBooking(ctx, b, bookingEvents(b, m.clock.Now()))
		if !errors.Is(err, ErrConflict) {
			m.NotifyRelay()
			return err
		}
		if b, err = m.store.Booking(ctx, b.ID); err != nil {
			return err
		}
	}
	return nil
}

// eraseBuyer erases the buyer from the phone that the booking bought, and sends the
// seller an event.
func (m *Market) eraseBuyer(ctx context.Context, b Booking) error {
	return m.changeIfExists(ctx, b.ProductID, func(p *Product) (string, error) {
		if !p.HeldBy(b.ID) || !p.Hold.hasBuyer() {
			return "", nil
		}
		hold := *p.Hold
		hold.Name, hold.Email, hold.Phone, hold.Location = "", "", "", ""
		p.Hold = &hold
		return TypeProductChanged, nil
	})
}

// hasBuyer returns whether the hold has the buyer's data.
func (h Hold) hasBuyer() bool {
	return h.Name != "" || h.Email != "" || h.Phone != "" || h.Location != ""
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
	err := m.store.RemoveReport(ctx, r, reportEvents(TypeReportRemoved, r, m.clock.Now()))
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrConflict) {
		return nil // an admin removes the user at the same time
	}
	m.NotifyRelay()
	return err
}
