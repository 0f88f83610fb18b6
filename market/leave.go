package market

import (
	"context"
	"errors"
	"time"
)

// Leave deletes the account of a person who wants to go. Their access, holds and
// phones end as when an admin deletes them (RemoveUser); what stays, for others
// or for the books, loses the person. That is begun here and gone on with by the
// upkeep, whichever process runs it, until nothing that was under way can have
// slipped past. CodeForbidden for an admin, who is revoked first; CodeOpenOrders
// while an order of theirs, bought or sold, was paid less than orderOpen ago.
func (m *Market) Leave(ctx context.Context, a Account) error {
	target, err := m.store.User(ctx, a.UID)
	if errors.Is(err, ErrNotFound) { // signed up, and never became anybody
		return m.forgetAccount(ctx, a.UID)
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
		line := NewLine(now, u, DeedLeave).OfPerson(u.ID, u.Name)
		return append(append(userEvents(TypeUserRemoved, *u, now), goodbye(*u, now)...), line.Event())
	})
	if err != nil {
		return err
	}
	if target.Admin {
		return forbidden("An admin's account cannot be deleted")
	}
	waiting, err := m.sweepRemoved(ctx, target)
	if err != nil || len(waiting) == 0 {
		return err
	}
	if m.askAll(ctx, waiting) == nil {
		_, err = m.sweepRemoved(ctx, target)
	}
	return err
}

// orderOpen is how long after its payment an order keeps both sides here: they
// need each other until the phone is handed over.
const orderOpen = 14 * 24 * time.Hour

// hasNoOpenOrders refuses whoever has bought or sold a phone that was paid for
// within orderOpen.
func (m *Market) hasNoOpenOrders(ctx context.Context, u User) error {
	err := m.eachBookingOf(ctx, u.UID, func(b Booking) error { return m.mustBeOver(ctx, b) })
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
		return m.mustBeOver(ctx, b)
	})
}

// mustBeOver refuses for an order that was paid lately. Of one whose payment has
// begun the provider is asked first: it may have succeeded just now.
func (m *Market) mustBeOver(ctx context.Context, b Booking) error {
	if b.Status == BookingHeld && b.Intent != "" {
		var err error
		if b, err = m.ask(ctx, b); err != nil {
			return away(err)
		}
	}
	until := b.EndedAt.Add(orderOpen)
	if b.Status != BookingPaid || !m.clock.Now().Before(until) {
		return nil
	}
	return refuse(CodeOpenOrders, "You have an order that was paid in the last 14 days: "+b.Brand+" "+b.ProductName+
		". You can delete your account after "+until.Format("2 January 2006")+", when it is certainly handed over")
}

// forgetAccount takes an account away for good: its address is free again.
func (m *Market) forgetAccount(ctx context.Context, uid string) error {
	if err := m.endAccess(ctx, uid); err != nil {
		return err
	}
	return m.store.PurgeAccount(ctx, uid, nil)
}

// endAccess ends a person's sessions, and their tokens and sockets on every node.
func (m *Market) endAccess(ctx context.Context, uid string) error {
	over := controlEvent(TypeAccessEnded, Control{UID: uid}, m.clock.Now())
	err := m.store.EndSessions(ctx, uid, "", []Event{over})
	if err == nil {
		m.Wake()
	}
	return err
}

// forgetPerson takes the person out of what stays of them: orders, payments,
// the phones they bought, the trail. Their reports go. Each step may be done
// again, and finds nothing to do then.
func (m *Market) forgetPerson(ctx context.Context, u User) error {
	return errors.Join(
		m.eachBookingOf(ctx, u.UID, func(b Booking) error { return m.forgetInBooking(ctx, b) }),
		m.eachPaymentOf(ctx, u.UID, func(p Payment) error { return m.forgetInPayment(ctx, p) }),
		m.eachReportBy(ctx, u.UID, func(r Report) error { return m.withdrawReport(ctx, r) }),
		m.store.ForgetInLines(ctx, u.ID),
	)
}

// forgetInBooking leaves a booking that is still held alone: until its payment
// has been asked about it may yet buy the phone.
func (m *Market) forgetInBooking(ctx context.Context, b Booking) error {
	for b.Status != BookingHeld {
		if err := m.forgetBuyer(ctx, b); err != nil {
			return err
		}
		if b.UserName == "" && b.Email == "" && b.Phone == "" && b.Location == "" && b.Seller == nil {
			return nil
		}
		b.UserName, b.Email, b.Phone, b.Location, b.Seller = "", "", "", "", nil
		b.Version++
		err := m.store.SaveBooking(ctx, b, nil) // its buyer, the only reader, is gone
		if !errors.Is(err, ErrConflict) {
			return err
		}
		if b, err = m.store.Booking(ctx, b.ID); err != nil {
			return err
		}
	}
	return nil
}

// forgetBuyer takes the person off the phone that the booking bought, and tells
// its seller.
func (m *Market) forgetBuyer(ctx context.Context, b Booking) error {
	_, err := m.changeProduct(ctx, b.ProductID, func(p *Product) (string, error) {
		if !p.HeldBy(b.ID) || !p.Hold.hasBuyer() {
			return "", nil
		}
		hold := *p.Hold
		hold.Name, hold.Email, hold.Phone, hold.Location = "", "", "", ""
		p.Hold = &hold
		return TypeProductChanged, nil
	})
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// hasBuyer tells whether the hold says who it is.
func (h Hold) hasBuyer() bool {
	return h.Name != "" || h.Email != "" || h.Phone != "" || h.Location != ""
}

func (m *Market) forgetInPayment(ctx context.Context, p Payment) error {
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
		return nil // by an admin, at this moment
	}
	m.Wake()
	return err
}
