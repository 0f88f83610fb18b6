package market

import (
	"context"
	"errors"
	"time"
)

// sweepFor is how long the janitor repeats the cascade of a verification or a removal.
// It is longer than any call may take, so that the cascade reaches phones and holds that
// were written by calls in progress.
const sweepFor = 40 * time.Second

// sweepPage is how many entities one step of a cascade looks at.
const sweepPage = 200

// sweepSeller sets Verified and SellerEmail on every phone of a seller. Phones of a seller
// who may no longer advertise are no longer advertised.
func (m *Market) sweepSeller(ctx context.Context, seller User) error {
	verified := seller.IsVerified()
	mayAdvertise := verified || m.rules.Advertise != AdvertiseVerified
	right := func(p Product) bool {
		return p.Verified == verified && p.SellerEmail == seller.Email && (mayAdvertise || !p.Advertised)
	}
	return m.eachProductOf(ctx, seller.UID, func(p Product) error {
		if right(p) {
			return nil
		}
		return m.changeIfThere(ctx, p.ID, func(p *Product) (string, error) {
			if right(*p) {
				return "", nil
			}
			p.Verified, p.SellerEmail, p.Advertised = verified, seller.Email, p.Advertised && mayAdvertise
			return TypeProductChanged, nil
		})
	})
}

// sweepRemoved ends what a removed person still has: sign-in, open holds, phones for
// sale. Paid orders stay. It makes no call to the provider: it returns the closing
// bookings whose payment must be asked about first.
func (m *Market) sweepRemoved(ctx context.Context, u User) (waiting []Booking, err error) {
	if err := m.closeAccount(ctx, u); err != nil {
		return nil, err
	}
	if err := errors.Join(m.leaveWaitlists(ctx, u.UID), m.forgetWatching(ctx, u.UID)); err != nil {
		return nil, err
	}
	if waiting, err = m.closeHolds(ctx, u.UID); err != nil {
		return waiting, err
	}
	err = m.eachProductOf(ctx, u.UID, func(p Product) error {
		if err := m.keepContact(ctx, p, u); err != nil {
			return err
		}
		b, err := m.withdrawAnyway(ctx, p)
		if b != nil {
			waiting = append(waiting, *b)
		}
		return err
	})
	if err == nil && u.Leaving {
		err = m.forgetPerson(ctx, u)
	}
	if err == nil { // last: the end of holds and waits has told the person
		err = m.store.ForgetNotifications(ctx, u.UID)
	}
	return waiting, err
}

// keepContact updates the seller's contact data in the order of a sold phone before
// the phone is removed: it is kept where an admin removes the seller, and erased
// where the seller leaves, whose orders are all over.
func (m *Market) keepContact(ctx context.Context, p Product, seller User) error {
	if !p.Sold || p.Hold == nil {
		return nil
	}
	for {
		b, err := m.store.Booking(ctx, p.Hold.BookingID)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if (b.Seller == nil) == seller.Leaving || b.BuyerUID == "" {
			return nil
		}
		if b.Seller = p.contact(); seller.Leaving {
			b.Seller = nil
		}
		b.Version++
		err = m.store.SaveBooking(ctx, b, bookingEvents(b, m.clock.Now()))
		if !errors.Is(err, ErrConflict) {
			m.NotifyRelay()
			return err
		}
	}
}

// closeHolds ends a buyer's holds. It returns those whose payment must be asked about
// first.
func (m *Market) closeHolds(ctx context.Context, uid string) ([]Booking, error) {
	for {
		held, err := m.store.HeldBookings(ctx, uid, sweepPage)
		if err != nil {
			return nil, err
		}
		var waiting []Booking
		for _, b := range held {
			b, left, err := m.releaseHold(ctx, b, BookingCancelled)
			if err != nil {
				return nil, err
			}
			if left {
				waiting = append(waiting, b)
			}
		}
		if len(held) < sweepPage || len(waiting) == len(held) {
			return waiting, nil
		}
	}
}

// withdrawAnyway ends the hold on a phone, if any, and removes it. It returns
// the booking that must be asked about first, if there is one.
func (m *Market) withdrawAnyway(ctx context.Context, p Product) (waiting *Booking, err error) {
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
		b, err := m.bookingOf(ctx, p, "")
		if CodeOf(err) == CodeTooMany { // lost, and the phone with it
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if b, left, err := m.releaseHold(ctx, b, BookingCancelled); err != nil || left {
			return &b, err
		}
		if !p.Sold {
			return nil, m.releasePhone(ctx, p.ID, b.ID) // an ended booking may not keep it
		}
	}
	return nil, unlessChanged(m.withdraw(ctx, p)) // a changed phone is looked at again
}

// closeAccount ends the sign-in. The address stays taken.
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
		a.Removed, a.PasswordHash, a.GoogleSub, a.Links, a.Devices, a.SecondFactor = true, "", "", nil, nil, nil
		a.Version++
		if err = m.store.SaveAccount(ctx, a, nil); err == nil {
			break
		} else if !errors.Is(err, ErrConflict) {
			return err
		}
	}
	return m.store.EndSessions(ctx, u.UID, "", nil)
}

// eachProductOf visits every phone of a seller, newest first.
func (m *Market) eachProductOf(ctx context.Context, uid string, visit func(Product) error) error {
	return each(func(page Page) ([]Product, error) { return items(m.store.ProductsOfSeller(ctx, uid, page)) },
		func(p Product) string { return p.ID }, visit)
}
