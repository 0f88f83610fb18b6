package market

import (
	"context"
	"errors"
	"time"
)

// How a hold ends: by its deadline, by its buyer, or with either account. All
// ways lead through end, which any number of nodes may run at once.

// cancel ends a hold early, and returns the booking as it is then: still held
// where its payment is being processed, paid where that was faster.
func (m *Market) cancel(ctx context.Context, b Booking) (Booking, error) {
	b, left, err := m.letGo(ctx, b, BookingCancelled)
	if err != nil || !left {
		return b, err
	}
	b, err = m.ask(ctx, b)
	return b, away(err)
}

// letGo ends a hold as expired or cancelled. One with an intent is only closed,
// and told to be left: the provider must be asked first.
func (m *Market) letGo(ctx context.Context, b Booking, as BookingStatus) (after Booking, left bool, err error) {
	b, err = m.close(ctx, b, as)
	if err != nil || b.Status != BookingHeld {
		return b, false, err
	}
	if b.Intent != "" {
		return b, true, nil
	}
	b, err = m.end(ctx, b, time.Time{})
	return b, false, err
}

// close says on the booking that its hold is ending, and as what. It is written
// before anything else is done, so that upkeep and the cashier finish what a
// crash leaves, and so that no intent is made any more.
func (m *Market) close(ctx context.Context, b Booking, as BookingStatus) (Booking, error) {
	for b.Status == BookingHeld && b.Closing == "" {
		now := m.clock.Now()
		b.Closing, b.ClosingAt, b.Due = as, now, now
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

// end frees the phone of a booking that is closing, and then says so on the
// booking. It is called only when nothing is or can be charged any more, or with
// a time at which the cashier looks again.
func (m *Market) end(ctx context.Context, b Booking, again time.Time) (Booking, error) {
	for b.Status == BookingHeld {
		if err := m.free(ctx, b.ProductID, b.ID); err != nil {
			return b, err
		}
		move := moveLapse
		if b.Closing == BookingCancelled {
			move = moveCancel
		}
		next, ok := b.Status.after(move)
		if !ok {
			return b, nil
		}
		now := m.clock.Now()
		b.Status, b.Closing, b.Due, b.EndedAt, b.Network = next, "", again, now, ""
		b.Version++
		err := m.store.SaveBooking(ctx, b, bookingEvents(b, now))
		if err == nil {
			m.Wake()
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

// sweepFor is how long upkeep repeats the cascade of a verify or a removal:
// longer than any call may take, so that a phone or a hold that was being
// written meanwhile is caught too.
const sweepFor = 40 * time.Second

// sweepPage is how many entities one step of a cascade looks at.
const sweepPage = 200

// sweepVerified brings every phone of a seller in line with whether the seller is
// verified. Phones of a seller who may not advertise any more leave Home.
func (m *Market) sweepVerified(ctx context.Context, seller User) error {
	verified := seller.IsVerified()
	mayAdvertise := verified || m.rules.Advertise != AdvertiseVerified
	right := func(p Product) bool { return p.Verified == verified && (mayAdvertise || !p.Advertised) }
	return m.eachProductOf(ctx, seller.UID, func(p Product) error {
		if right(p) {
			return nil
		}
		_, err := m.changeProduct(ctx, p.ID, func(p *Product) (string, error) {
			if right(*p) {
				return "", nil
			}
			p.Verified, p.Advertised = verified, p.Advertised && mayAdvertise
			return TypeProductChanged, nil
		})
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		return err
	})
}

// sweepRemoved ends what a removed person still has in the market: sign-in,
// open holds, phones on sale. Paid orders stay. It asks no provider: it returns
// the bookings that are closing and whose payment must be asked about first.
func (m *Market) sweepRemoved(ctx context.Context, u User) (waiting []Booking, err error) {
	if err := m.closeAccount(ctx, u); err != nil {
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
	return waiting, err
}

// keepContact sees to what the order of a sold phone says of its seller before
// the phone goes: of one whom an admin deletes, how to reach them; of one who
// leaves, whose orders are all over, nothing.
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
			m.Wake()
			return err
		}
	}
}

// closeHolds ends a buyer's holds, but for those whose payment must be asked
// about first.
func (m *Market) closeHolds(ctx context.Context, uid string) ([]Booking, error) {
	for {
		held, err := m.store.HeldBookings(ctx, uid, sweepPage)
		if err != nil {
			return nil, err
		}
		var waiting []Booking
		for _, b := range held {
			b, left, err := m.letGo(ctx, b, BookingCancelled)
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
	if p.Hold != nil {
		b, err := m.bookingOf(ctx, p, "")
		if CodeOf(err) == CodeTooMany { // lost, and the phone with it
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if b, left, err := m.letGo(ctx, b, BookingCancelled); err != nil || left {
			return &b, err
		}
		if !p.Sold {
			return nil, m.free(ctx, p.ID, b.ID) // an ended booking may not keep it
		}
	}
	err = m.withdraw(ctx, p)
	if errors.Is(err, ErrConflict) || errors.Is(err, ErrNotFound) {
		err = nil // looked at again
	}
	return nil, err
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
