package market

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"
)

// An offer that is accepted is a hold first, then a booking, and then the status of the offer. The
// process may be killed in between. So the booking is written only for an offer that still stands
// (stillStands), and each change of the booking has a record, by which the offer follows (agreedBooking).

// stillStands returns CodeOver, and makes the phone available, if the offer of its Hold ended, or got
// another price, before the hold: by an answer, a block or its deadline. An answer of that moment finds
// the Hold, and is refused: see AnswerOffer.
func (m *Market) stillStands(ctx context.Context, p Product) error {
	held := p.Hold.Offer
	o, err := m.store.Offer(ctx, held.ID)
	isOver := !o.Status.IsOpen() && o.Status != OfferAccepted && o.Status != OfferLapsed || o.price() != held.Price
	if err != nil || !isOver {
		return ignoreNotFound(err)
	}
	if _, err := m.store.Booking(ctx, p.Hold.BookingID); !errors.Is(err, ErrNotFound) {
		return err // it was accepted before
	}
	if err := m.endHold(ctx, p.ID, heldUnsold(p.Hold.BookingID), refusedNotice); err != nil {
		return err
	}
	return offerIsOver()
}

// stillHeld returns CodeOver, and ends a new booking, if another call has ended the hold before the
// booking was written, because the offer was over. (buyerMayHold has checked the buyer's network.)
func (m *Market) stillHeld(ctx context.Context, b Booking) error {
	p, err := m.store.Product(ctx, b.ProductID)
	if err != nil || p.HeldBy(b.ID) {
		return ignoreNotFound(err)
	}
	if _, err := m.cancel(ctx, b); err != nil {
		return err
	}
	return offerIsOver()
}

// agreedKind is the kind of the records of changed bookings of offers.
const agreedKind = "agreed-booking"

// agreedBooking returns the record of a change of a booking, by which its offer follows if the process
// is killed.
func agreedBooking(b Booking, at time.Time) []Effect {
	if b.OfferID == "" {
		return nil
	}
	id := b.ID + ":" + strconv.FormatInt(b.Version, 10)
	return []Effect{Record{Kind: agreedKind, ID: id, Data: encode(b.ID), Due: at.Add(bookingDelay), Version: 1}}
}

func (m *Market) followBooking(ctx context.Context, r Record) error {
	var id string
	if err := json.Unmarshal(r.Data, &id); err != nil {
		return err
	}
	b, err := m.store.Booking(ctx, id)
	if err == nil {
		err = m.offerFollows(ctx, b)
	}
	if ignoreNotFound(err) != nil {
		return err
	}
	return m.store.RemoveRecords(ctx, r.Kind, []string{r.ID})
}

// offerFollows sets the status of the offer that a booking is of. It reads the booking after the offer,
// and again after the change: another call may have changed both.
func (m *Market) offerFollows(ctx context.Context, b Booking) error {
	for isChanged := b.OfferID != ""; isChanged; {
		var err error
		isChanged, err = m.changeOffer(ctx, b.OfferID, "", func(o *Offer) (bool, error) {
			b, err := m.store.Booking(ctx, b.ID)
			if err != nil {
				return false, err
			}
			to := OfferLapsed
			if wasPaid := b.Fulfilment != nil; wasPaid || b.Status == BookingHeld {
				to = OfferAccepted
			}
			if o.Status == to {
				return false, nil
			}
			o.Status, o.BookingID, o.ExpiresAt = to, b.ID, b.HoldUntil
			if b.Price == o.Price { // it was accepted while the seller named another price
				o.Counter = 0
			}
			return true, nil
		})
		if err != nil {
			return ignoreNotFound(err)
		}
	}
	return nil
}
