package market

import (
	"context"
	"errors"
	"slices"
)

// RemoveProduct removes a phone. A seller may remove their own phone for good, unless it is held or
// paid. An admin may remove any phone that is not paid: this is a decided case, which hides the phone and
// ends its hold. It returns 0 if the phone was removed already.
func (m *Market) RemoveProduct(ctx context.Context, who Actor, id string, reason RemovalReason) (int, error) {
	p, err := m.product(ctx, id)
	if err != nil {
		return 0, err
	}
	if !who.User.Admin && !ownedBy(p, who) {
		return 0, forbidden("Only its seller or an admin can delete this phone")
	}
	d, err := reason.decision(DecisionRemove)
	if err != nil {
		return 0, err
	}
	if p.Sold || (p.Booked() && !who.User.Admin) {
		return 0, heldOrPaid(p, "deleted")
	}
	if who.User.Admin {
		target, err := m.caseOfPhone(ctx, p)
		if err != nil {
			return 0, err
		}
		return m.removeByCase(ctx, who, target, d)
	}
	if err := m.dropHidden(ctx, p.ID); err != nil {
		return 0, err
	}
	err = m.withdraw(ctx, p)
	switch {
	case errors.Is(err, ErrConflict):
		return m.RemoveProduct(ctx, who, id, reason)
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

// withdraw removes the phone in the version that was read, with more effects.
func (m *Market) withdraw(ctx context.Context, p Product, more ...Effect) error {
	before := p
	p.Version++
	p.Waitlist = nil
	now := m.clock.Now()
	effects := slices.Concat(m.productEvents(TypeProductRemoved, before, p, now), withdrawnNotices(before, now), more)
	return m.store.RemoveProduct(ctx, p, effects)
}
