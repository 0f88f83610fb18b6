package market

import (
	"context"
	"errors"
	"time"
)

// A hold that is not paid ends at its deadline, when its buyer cancels it, when an admin
// removes the phone, or with the account of the buyer or the seller. In each case
// startRelease marks the booking, and finishRelease ends the hold. Any number of nodes may run
// them at once.

// cancel ends a hold early and returns the new booking. It is still held if its payment
// is being processed, and paid if the payment succeeded first.
func (m *Market) cancel(ctx context.Context, b Booking) (Booking, error) {
	b, pending, err := m.releaseHold(ctx, b, BookingCancelled)
	if err != nil || !pending {
		return b, err
	}
	b, err = m.refreshPayment(ctx, b)
	return b, unavailable(err)
}

// releaseHold ends a hold as expired or cancelled. If the booking has an intent, it only
// starts the release and pending is true: the provider must be asked first.
func (m *Market) releaseHold(ctx context.Context, b Booking, as BookingStatus) (after Booking, pending bool, err error) {
	b, err = m.startRelease(ctx, b, as)
	if err != nil || b.Status != BookingHeld {
		return b, false, err
	}
	if b.Intent != "" {
		return b, true, nil
	}
	b, err = m.finishRelease(ctx, b, time.Time{})
	return b, false, err
}

// startRelease stores on the booking that its hold is ending, and its next status. It
// is the first write, so that the runner can finish after a crash, and no new intent is made. The hold does not count for its network any more, so that
// the next buyer can have the same network.
func (m *Market) startRelease(ctx context.Context, b Booking, as BookingStatus) (Booking, error) {
	for b.Status == BookingHeld && b.Closing == "" {
		now := m.clock.Now()
		b.Closing, b.ClosingAt, b.Due, b.Network = as, now, now, ""
		b.Version++
		err := m.store.SaveBooking(ctx, b, nil)
		if err == nil {
			break
		}
		if !errors.Is(err, ErrConflict) {
			return b, err
		}
		if b, err = m.store.Booking(ctx, b.ID); err != nil {
			return b, err
		}
	}
	return b, nil
}

// finishRelease makes the phone of a closing booking available, and then ends the
// booking. It is called only when nothing can be charged, or with the time at which the
// payment is checked next.
func (m *Market) finishRelease(ctx context.Context, b Booking, checkAt time.Time) (Booking, error) {
	for b.Status == BookingHeld {
		if err := m.releasePhone(ctx, b.ProductID, b.ID); err != nil {
			return b, err
		}
		step := stepExpire
		if b.Closing == BookingCancelled {
			step = stepCancel
		}
		next, ok := b.Status.after(step)
		if !ok {
			return b, nil
		}
		now := m.clock.Now()
		isWithdrawn := false
		if next == BookingCancelled {
			var err error
			if isWithdrawn, err = m.isWithdrawn(ctx, b); err != nil {
				return b, err
			}
		}
		b.Status, b.Closing, b.Due, b.EndedAt, b.Network = next, "", checkAt, now, ""
		b.Version++
		err := m.store.SaveBooking(ctx, b, append(m.bookingEvents(b, now), endedNotice(b, isWithdrawn, now)...))
		if err == nil {
			m.counters.CountBooking(b.Status)
			return b, m.offerFollows(ctx, b)
		}
		if !errors.Is(err, ErrConflict) {
			return b, err
		}
		if b, err = m.store.Booking(ctx, b.ID); err != nil {
			return b, err
		}
	}
	return b, nil
}

// isWithdrawn returns whether a booking ends because its phone or its seller was removed, or its seller was suspended.
func (m *Market) isWithdrawn(ctx context.Context, b Booking) (bool, error) {
	if _, err := m.store.Product(ctx, b.ProductID); err != nil {
		return errors.Is(err, ErrNotFound), ignoreNotFound(err)
	}
	return m.isAway(ctx, b.SellerUID)
}

// releasePhone ends the hold of this booking if it still holds the phone.
func (m *Market) releasePhone(ctx context.Context, productID, bookingID string) error {
	return m.endHold(ctx, productID, heldUnsold(bookingID), releasedNotice)
}

func heldUnsold(bookingID string) func(Product) bool {
	return func(p Product) bool { return p.HeldBy(bookingID) && !p.Sold }
}

// endHold ends the phone's hold, or undoes a sale, if the phone is as expected. The same
// write gives the phone to the first on the waitlist, or makes it available. The next write
// adds the booking of that buyer; after a crash the runner adds it. notices returns
// further events for the phone before and after.
func (m *Market) endHold(
	ctx context.Context, productID string, isExpected func(Product) bool, notices func(before, after Product, at time.Time) []Effect,
) error {
	var after Product
	_, err := m.changeProductWithEffects(ctx, productID, func(p *Product) (string, []Effect, error) {
		if after = (Product{}); !isExpected(*p) {
			return "", nil, nil
		}
		now := m.clock.Now()
		next, err := m.nextTurn(ctx, *p, now)
		if err != nil {
			return "", nil, err
		}
		before := *p
		p.Sold, p.Hold, p.Waitlist = false, next.hold, next.waitlist
		after = *p
		effects, err := m.withoutAway(ctx, p.SellerUID, append(notices(before, after, now), passedNotices(after, next.passed, now)...))
		if err != nil {
			return "", nil, err
		}
		if p.Hold == nil {
			return TypeProductReleased, effects, nil
		}
		return TypeProductBooked, effects, nil
	})
	if err != nil || after.Hold == nil {
		return ignoreNotFound(err)
	}
	_, err = m.bookingOf(ctx, after)
	if CodeOf(err) == CodeTooMany { // the next buyer has the phone
		return nil
	}
	return err
}
