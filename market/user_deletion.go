package market

import (
	"context"
	"errors"
	"time"
)

// sweepFor is how long the janitor repeats the cascade of a verification or a removal. It
// is longer than any call may take, so that the cascade finds phones and holds that calls
// in progress have written.
const sweepFor = 40 * time.Second

// sweepPage is how many entities one step of a cascade reads.
const sweepPage = 200

// sweepSeller sets Verified and SellerEmail on every phone of a seller. If the seller may
// no longer advertise, it stops the advertising of their phones.
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

// sweepRemoved ends a removed person's access, open holds, waits and phones for sale. Paid
// orders stay. It does not call the provider: it returns the closing bookings whose payment
// must be checked first.
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
		b, err := m.endHoldAndWithdraw(ctx, p)
		if b != nil {
			waiting = append(waiting, *b)
		}
		return err
	})
	if err == nil && u.Leaving {
		err = m.forgetPerson(ctx, u)
	}
	if err == nil { // last, because the end of holds and waits adds notifications
		err = m.store.ForgetNotifications(ctx, u.UID)
	}
	return waiting, err
}

// keepContact updates the seller's contact data in the order of a sold phone before the
// phone is removed. It keeps the data if an admin removes the seller. It erases the data if
// the seller deletes their account, because then all of their orders are settled.
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

// closeHolds ends a buyer's holds. It returns those whose payment must be checked first.
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
		b, err := m.bookingOf(ctx, p, "")
		if CodeOf(err) == CodeTooMany { // the buyer is over the limit, and does not get the phone
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if b, left, err := m.releaseHold(ctx, b, BookingCancelled); err != nil || left {
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
