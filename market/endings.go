package market

import (
	"context"
	"errors"
	"time"
)

// How a hold ends: by its deadline, by its buyer, or with either account. All
// ways lead through end, which any number of nodes may run at once.

// cancel ends a hold early. The intent is written first, so that upkeep
// finishes what a crash leaves. It tells whether this call ended it.
func (m *Market) cancel(ctx context.Context, b Booking) (bool, error) {
	for b.Status == BookingHeld && b.Closing == "" {
		b.Closing, b.Due = BookingCancelled, m.clock.Now()
		b.Version++
		err := m.store.SaveBooking(ctx, b, nil)
		if err == nil {
			break
		}
		if !errors.Is(err, ErrConflict) {
			return false, err
		}
		if b, err = m.store.Booking(ctx, b.ID); err != nil {
			return false, err
		}
	}
	return m.end(ctx, b)
}

// end frees the phone of a booking that is due, and then says so on the
// booking. It tells whether this call was the one that ended it.
func (m *Market) end(ctx context.Context, b Booking) (bool, error) {
	for b.Status == BookingHeld {
		if err := m.free(ctx, b.ProductID, b.ID); err != nil {
			return false, err
		}
		move := moveLapse
		if b.Closing == BookingCancelled {
			move = moveCancel
		}
		next, ok := b.Status.after(move)
		if !ok {
			return false, nil
		}
		now := m.clock.Now()
		b.Status, b.Closing, b.Due, b.EndedAt = next, "", time.Time{}, now
		b.Version++
		err := m.store.SaveBooking(ctx, b, bookingEvents(b, now))
		if err == nil {
			m.Wake()
			return true, nil
		}
		if !errors.Is(err, ErrConflict) {
			return false, err
		}
		if b, err = m.store.Booking(ctx, b.ID); err != nil {
			return false, err
		}
	}
	return false, nil
}

// sweepFor is how long upkeep repeats the cascade of a verify or a removal:
// longer than any call may take, so that a phone or a hold that was being
// written meanwhile is caught too.
const sweepFor = 40 * time.Second

// sweepPage is how many entities one step of a cascade looks at.
const sweepPage = 200

// sweepVerified marks every phone of a verified seller.
func (m *Market) sweepVerified(ctx context.Context, seller User) error {
	return m.eachProductOf(ctx, seller.UID, func(p Product) error {
		if p.Verified {
			return nil
		}
		_, err := m.changeProduct(ctx, p.ID, func(p *Product) (string, error) {
			if p.Verified {
				return "", nil
			}
			p.Verified = true
			return TypeProductChanged, nil
		})
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		return err
	})
}

// sweepRemoved ends what a removed person still has in the market: sign-in,
// open holds, phones on sale. Paid orders stay.
func (m *Market) sweepRemoved(ctx context.Context, u User) error {
	if err := m.closeAccount(ctx, u); err != nil {
		return err
	}
	for {
		held, err := m.store.HeldBookings(ctx, u.UID, sweepPage)
		if err != nil {
			return err
		}
		for _, b := range held {
			if _, err := m.cancel(ctx, b); err != nil {
				return err
			}
		}
		if len(held) < sweepPage {
			break
		}
	}
	return m.eachProductOf(ctx, u.UID, func(p Product) error { return m.withdrawAnyway(ctx, p) })
}

// withdrawAnyway ends the hold on a phone, if any, and removes it.
func (m *Market) withdrawAnyway(ctx context.Context, p Product) error {
	for {
		if p.Hold != nil && !p.Sold {
			b, err := m.bookingOf(ctx, p)
			if err == nil {
				_, err = m.cancel(ctx, b)
			}
			if err != nil && CodeOf(err) != CodeTooMany {
				return err
			}
		} else if err := m.withdraw(ctx, p); !errors.Is(err, ErrConflict) {
			if errors.Is(err, ErrNotFound) {
				return nil
			}
			return err
		}
		var err error
		if p, err = m.store.Product(ctx, p.ID); errors.Is(err, ErrNotFound) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// closeAccount takes the sign-in away. The address stays taken.
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
		a.Removed, a.PasswordHash, a.GoogleSub = true, "", ""
		a.Version++
		if err = m.store.SaveAccount(ctx, a); err == nil {
			break
		} else if !errors.Is(err, ErrConflict) {
			return err
		}
	}
	return m.store.EndSessions(ctx, u.UID, "", nil)
}

// eachProductOf visits every phone of a seller, newest first.
func (m *Market) eachProductOf(ctx context.Context, uid string, visit func(Product) error) error {
	page := Page{Limit: sweepPage}
	for {
		list, err := m.store.ProductsOfSeller(ctx, uid, page)
		if err != nil {
			return err
		}
		for _, p := range list.Items {
			if err := visit(p); err != nil {
				return err
			}
			page.After = p.ID
		}
		if !list.More {
			return nil
		}
	}
}
