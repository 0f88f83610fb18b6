package market

import (
	"context"
	"errors"
	"slices"
)

// RemoveProduct removes a phone. A seller may remove their own phone unless it is held or
// paid. An admin may remove any phone that is not paid; this ends its hold. It returns 0 if
// the phone was removed already.
func (m *Market) RemoveProduct(ctx context.Context, who Actor, id string) (int, error) {
	p, err := m.product(ctx, id)
	if err != nil {
		return 0, err
	}
	if !who.User.Admin && !ownedBy(p, who) {
		return 0, forbidden("Only its seller or an admin can delete this phone")
	}
	if p.Sold || (p.Booked() && !who.User.Admin) {
		return 0, heldOrPaid(p, "deleted")
	}
	effects, err := m.adminRemovalEffects(ctx, who, p)
	if err != nil {
		return 0, err
	}
	if p.Hold != nil {
		err = m.takeDown(ctx, p, effects...)
	} else {
		err = m.withdraw(ctx, p, effects...)
	}
	switch {
	case errors.Is(err, ErrConflict):
		return m.RemoveProduct(ctx, who, id)
	case errors.Is(err, ErrNotFound):
		return 0, nil
	case err != nil:
		return 0, err
	}
	return 1, nil
}

// takeDown removes a held phone and ends its hold. The booking is closed first, so that
// the runner finishes after a crash. The phone is removed
// before the provider is asked, so that a payment that has succeeded finds no phone and
// is refunded.
func (m *Market) takeDown(ctx context.Context, p Product, effects ...Effect) error {
	b, err := m.bookingOf(ctx, p)
	if CodeOf(err) == CodeTooMany { // the buyer was over the limit, and the phone is available again
		return ErrConflict
	}
	if err != nil {
		return err
	}
	if b, err = m.startRelease(ctx, b, BookingCancelled); err != nil {
		return err
	}
	if err := m.withdraw(ctx, p, effects...); err != nil {
		return err
	}
	_, err = m.cancel(ctx, b)
	if CodeOf(err) == CodeUnavailable {
		return nil // the payment check asks again
	}
	return err
}

// adminRemovalEffects returns the audit log entry of an admin's removal of a phone, and the
// notification of its seller. It returns none if the seller removes the phone.
func (m *Market) adminRemovalEffects(ctx context.Context, who Actor, p Product) ([]Effect, error) {
	if !who.User.Admin {
		return nil, nil
	}
	seller, err := m.idOf(ctx, p.SellerUID)
	if err != nil {
		return nil, err
	}
	now := m.clock.Now()
	entry := NewAuditEntry(now, &who.User, ActionRemovePhone).of(p.ID, p.Name, seller)
	return m.withoutRemoved(ctx, []Effect{entry, removedNotice(p, now)})
}

// withdraw removes the phone in the version that was read, with more events.
func (m *Market) withdraw(ctx context.Context, p Product, more ...Effect) error {
	before := p
	p.Version++
	p.Waitlist = nil
	now := m.clock.Now()
	effects := slices.Concat(m.productEvents(TypeProductRemoved, before, p, now), withdrawnNotices(before, now), more)
	return m.store.RemoveProduct(ctx, p, effects)
}
