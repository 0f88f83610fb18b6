package market

import (
	"context"
	"errors"
	"time"
)

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
		if b.UserName == "" && b.Email == "" && b.Phone == "" && b.Location == "" && b.Seller == nil {
			return nil
		}
		b.UserName, b.Email, b.Phone, b.Location, b.Seller = "", "", "", "", nil
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
