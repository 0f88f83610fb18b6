package mongo

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/market"
)

// bookings: a held one has "holder", and a slot beside its keys. Of a buyer's
// slots, which are numbered from 0, each can be taken once: so no buyer holds
// more than there are slots. The write that ends a hold frees the slot too.
var bookings = kind[market.Booking]{
	name: "bookings", what: "booking",
	id:      func(b market.Booking) any { return b.ID },
	version: func(b market.Booking) int64 { return b.Version },
	keys: func(b market.Booking) bson.D {
		keys := bson.D{field("new", b.ID), field("buyer", b.BuyerUID), field("phone", b.ProductID)}
		if b.Status == market.BookingHeld {
			keys = append(keys, field("holder", b.BuyerUID))
			if b.Network != "" {
				keys = append(keys, field("network", b.Network))
			}
		}
		if payout := b.PayoutState(); payout != "" {
			keys = append(keys, field("payout", payout))
		}
		if due := "due"; !b.Due.IsZero() {
			if b.Intent != "" {
				due = "intentDue"
			}
			keys = append(keys, field(due, b.Due))
		}
		return keys
	},
}

// AddBooking stores a new booking: ErrExists where the ID is there, else
// ErrLimit where the buyer has maxHeld bookings in BookingHeld already.
func (s *Store) AddBooking(ctx context.Context, b market.Booking, maxHeld int, events []market.Event) error {
	for {
		taken, err := s.slots(ctx, b.BuyerUID, maxHeld)
		if err != nil {
			return err
		}
		if len(taken) >= maxHeld {
			return s.limitOf(ctx, b)
		}
		var slot *int
		if b.Status == market.BookingHeld {
			slot = new(freeSlot(taken, maxHeld))
		}
		err = bookings.addIn(ctx, s, b, slot, events)
		if !errors.Is(err, errOtherKey) { // else another booking was faster
			return err
		}
	}
}

// heldBy finds what a buyer holds, on the one shard where it is.
func heldBy(buyerUID string) bson.D {
	return bson.D{field("keys.buyer", buyerUID), field(holders, buyerUID)}
}

// slots returns the slots that a buyer has taken, up to limit of them.
func (s *Store) slots(ctx context.Context, buyerUID string, limit int) (taken map[int]bool, err error) {
	how := options.Find().SetProjection(bson.D{field("slot", 1)}).SetLimit(int64(max(limit, 1)))
	err = s.retry(ctx, "read slots", func(ctx context.Context) error {
		cursor, err := s.latest(bookings.name).Find(ctx, heldBy(buyerUID), how)
		if err != nil {
			return err
		}
		var held []struct{ Slot int }
		if err := cursor.All(ctx, &held); err != nil {
			return err
		}
		taken = map[int]bool{}
		for _, b := range held {
			taken[b.Slot] = true
		}
		return nil
	})
	return taken, err
}

// crowd is how many free slots a booking chooses from at random. With more of them,
// concurrent bookings choose the same slot less often.
const crowd = 64

// freeSlot is any of the first that are free and below what the limit leaves
// open.
func freeSlot(taken map[int]bool, limit int) int {
	var free []int
	for slot := range min(openBelow(taken, limit), len(taken)+crowd) {
		if !taken[slot] {
			free = append(free, slot)
		}
	}
	return free[rand.IntN(len(free))] //nolint:gosec // which one is no secret
}

// openBelow returns the slot from which on no more slots are taken: the limit, less one
// for each slot above it that is taken, from a time when the limit was higher.
// Concurrent bookings leave the result as it is, so they choose among the same slots
// even if they have read old data.
func openBelow(taken map[int]bool, limit int) int {
	below, above := limit, 0
	for slot := range taken {
		if slot >= limit {
			above++
		}
	}
	for below+above > limit {
		below--
		if taken[below] {
			above++
		}
	}
	return below
}

// limitOf returns why a buyer without a free slot cannot book: ErrExists for an ID that
// exists, else ErrLimit.
func (s *Store) limitOf(ctx context.Context, b market.Booking) error {
	_, err := s.Booking(ctx, b.ID)
	switch {
	case err == nil:
		return wrapError(ctx, "add booking", market.ErrExists)
	case errors.Is(err, market.ErrNotFound):
		return wrapError(ctx, "add booking", market.ErrLimit)
	default:
		return err
	}
}

// SaveBooking replaces the booking of that ID, with its version raised by one.
func (s *Store) SaveBooking(ctx context.Context, b market.Booking, events []market.Event) error {
	return bookings.save(ctx, s, b, events)
}

// Booking finds by ID.
func (s *Store) Booking(ctx context.Context, id string) (market.Booking, error) {
	return bookings.get(ctx, s, id)
}

// LastBooking returns a buyer's newest booking of a phone.
func (s *Store) LastBooking(ctx context.Context, buyerUID, productID string) (market.Booking, error) {
	return bookings.find(ctx, s, bson.D{field("keys.buyer", buyerUID), field("keys.phone", productID)}, newest)
}

// BookingsOf lists a buyer's bookings.
func (s *Store) BookingsOf(ctx context.Context, buyerUID string, page market.Page) (market.List[market.Booking], error) {
	return bookings.list(ctx, s, bson.D{field("keys.buyer", buyerUID)}, page)
}

// BookingsOfSeller returns a page of the bookings of a seller's phones, newest first.
func (s *Store) BookingsOfSeller(ctx context.Context, sellerUID string, page market.Page) ([]market.Booking, error) {
	return bookings.ofOne(ctx, s, "entity.selleruid", sellerUID, "keys.new", page)
}

// HeldBookings returns a buyer's bookings in BookingHeld.
func (s *Store) HeldBookings(ctx context.Context, buyerUID string, limit int) ([]market.Booking, error) {
	return bookings.collect(ctx, s, heldBy(buyerUID), nil, limit)
}

// HeldFrom counts the bookings in BookingHeld from a network, up to limit.
func (s *Store) HeldFrom(ctx context.Context, network string, limit int) (int, error) {
	return bookings.count(ctx, s, bson.D{field("keys.network", network)}, limit)
}

// BookingsDue returns bookings without an Intent whose Due is set and not after
// now, oldest Due first.
func (s *Store) BookingsDue(ctx context.Context, now time.Time, limit int) ([]market.Booking, error) {
	return s.bookingsDue(ctx, "keys.due", now, limit)
}

// IntentsDue returns bookings with an Intent whose Due is set and not after
// now, oldest Due first.
func (s *Store) IntentsDue(ctx context.Context, now time.Time, limit int) ([]market.Booking, error) {
	return s.bookingsDue(ctx, "keys.intentDue", now, limit)
}

func (s *Store) bookingsDue(ctx context.Context, key string, now time.Time, limit int) ([]market.Booking, error) {
	return bookings.collect(ctx, s, bson.D{field(key, set("$lte", now))},
		bson.D{field(key, 1), field("keys.new", 1)}, limit)
}

// PurgeBookings forgets up to limit bookings that ended before then without
// money, and returns how many.
func (s *Store) PurgeBookings(ctx context.Context, before time.Time, limit int) (purged int, err error) {
	for _, status := range []market.BookingStatus{market.BookingExpired, market.BookingCancelled} {
		if purged == limit {
			break
		}
		over := bson.D{
			field("entity.status", status), field("entity.endedat", set("$lt", before)),
			field("keys.due", absent), field("keys.intentDue", absent), field("waits", absent),
		}
		n, err := s.purgeFound(ctx, bookings.name, over, "entity.endedat", limit-purged)
		purged += n
		if err != nil {
			return purged, err
		}
	}
	return purged, nil
}
