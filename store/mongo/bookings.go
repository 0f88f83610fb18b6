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

// bookings is the collection of bookings. A held booking has the key "holder" and a slot
// number. The slots of a buyer are numbered from 0, and a unique index allows each slot once,
// so that concurrent bookings cannot exceed the limit. The write that ends a hold also frees
// its slot.
var bookings = kind[market.Booking]{
	name: "bookings", singular: "booking",
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

// AddBooking stores a new booking. It returns ErrExists if the ID exists, and otherwise
// ErrLimit if the buyer already has maxHeld bookings in BookingHeld.
func (s *Store) AddBooking(ctx context.Context, b market.Booking, maxHeld int, events []market.Event) error {
	for {
		taken, err := s.buyerSlots(ctx, b.BuyerUID, maxHeld)
		if err != nil {
			return err
		}
		if len(taken) >= maxHeld {
			return s.limitError(ctx, b)
		}
		var slot *int
		if b.Status == market.BookingHeld {
			slot = new(freeSlot(taken, maxHeld))
		}
		err = bookings.addWithSlot(ctx, s, b, slot, events)
		if !errors.Is(err, errUniqueKeyTaken) { // otherwise a concurrent booking took the slot: try again
			return err
		}
	}
}

// heldFilter matches the held bookings of a buyer. It contains the shard key, so that only one
// shard is queried.
func heldFilter(buyerUID string) bson.D {
	return bson.D{field("keys.buyer", buyerUID), field(holderKey, buyerUID)}
}

// buyerSlots returns the slots of up to limit held bookings of a buyer.
func (s *Store) buyerSlots(ctx context.Context, buyerUID string, limit int) (taken map[int]bool, err error) {
	opts := options.Find().SetProjection(bson.D{field("slot", 1)}).SetLimit(int64(max(limit, 1)))
	err = s.retry(ctx, "read slots", func(ctx context.Context) error {
		cursor, err := s.latest(bookings.name).Find(ctx, heldFilter(buyerUID), opts)
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

// slotChoices is the number of free slots from which freeSlot chooses at random. With more of
// them, concurrent bookings choose the same slot less often.
const slotChoices = 64

// freeSlot returns a random free slot: one of the lowest that are below openBelow.
func freeSlot(taken map[int]bool, limit int) int {
	var free []int
	for slot := range min(openBelow(taken, limit), len(taken)+slotChoices) {
		if !taken[slot] {
			free = append(free, slot)
		}
	}
	return free[rand.IntN(len(free))] //nolint:gosec // the choice need not be secret
}

// openBelow returns the bound below which a booking may take a slot. It is the limit, less one
// for each slot at or above the bound that is still taken from when the limit was higher. A
// concurrent booking takes a slot below the bound and does not change it, so that bookings
// choose among the same slots even if they have read stale data.
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

// limitError returns the error of a booking by a buyer without a free slot: ErrExists if the
// booking's ID exists, otherwise ErrLimit.
func (s *Store) limitError(ctx context.Context, b market.Booking) error {
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

// SaveBooking replaces the booking with the ID of b. The version of b must be one above the
// stored version.
func (s *Store) SaveBooking(ctx context.Context, b market.Booking, events []market.Event) error {
	return bookings.save(ctx, s, b, events)
}

// Booking returns the booking with an ID.
func (s *Store) Booking(ctx context.Context, id string) (market.Booking, error) {
	return bookings.get(ctx, s, id)
}

// LastBooking returns a buyer's newest booking of a phone.
func (s *Store) LastBooking(ctx context.Context, buyerUID, productID string) (market.Booking, error) {
	return bookings.findOne(ctx, s, bson.D{field("keys.buyer", buyerUID), field("keys.phone", productID)}, newestFirst)
}

// BookingsOf returns a page of a buyer's bookings, newest first, and the number of all.
func (s *Store) BookingsOf(ctx context.Context, buyerUID string, page market.Page) (market.List[market.Booking], error) {
	return bookings.list(ctx, s, bson.D{field("keys.buyer", buyerUID)}, page)
}

// BookingsOfSeller returns a page of the bookings of a seller's phones, newest first.
func (s *Store) BookingsOfSeller(ctx context.Context, sellerUID string, page market.Page) ([]market.Booking, error) {
	return bookings.collectBy(ctx, s, "entity.selleruid", sellerUID, "keys.new", page)
}

// HeldBookings returns up to limit of a buyer's bookings in BookingHeld, in any order.
func (s *Store) HeldBookings(ctx context.Context, buyerUID string, limit int) ([]market.Booking, error) {
	return bookings.collect(ctx, s, heldFilter(buyerUID), nil, limit)
}

// HeldFrom counts the bookings in BookingHeld from a network, up to limit if that is above 0.
func (s *Store) HeldFrom(ctx context.Context, network string, limit int) (int, error) {
	return bookings.count(ctx, s, bson.D{field("keys.network", network)}, limit)
}

// BookingsDue returns up to limit bookings without an Intent whose Due is set and not after
// now, oldest Due first.
func (s *Store) BookingsDue(ctx context.Context, now time.Time, limit int) ([]market.Booking, error) {
	return s.bookingsDue(ctx, "keys.due", now, limit)
}

// IntentsDue returns up to limit bookings with an Intent whose Due is set and not after
// now, oldest Due first.
func (s *Store) IntentsDue(ctx context.Context, now time.Time, limit int) ([]market.Booking, error) {
	return s.bookingsDue(ctx, "keys.intentDue", now, limit)
}

func (s *Store) bookingsDue(ctx context.Context, key string, now time.Time, limit int) ([]market.Booking, error) {
	return bookings.collect(ctx, s, bson.D{field(key, timeRange("$lte", now))},
		bson.D{field(key, 1), field("keys.new", 1)}, limit)
}

// PurgeBookings deletes up to limit bookings in BookingExpired or BookingCancelled that ended
// before that time, have no Due and have no unpublished events. It returns how many it deleted.
func (s *Store) PurgeBookings(ctx context.Context, before time.Time, limit int) (purged int, err error) {
	for _, status := range []market.BookingStatus{market.BookingExpired, market.BookingCancelled} {
		if purged == limit {
			break
		}
		filter := bson.D{
			field("entity.status", status), field("entity.endedat", timeRange("$lt", before)),
			field("keys.due", absent), field("keys.intentDue", absent), field("waits", absent),
		}
		n, err := s.purgeMatching(ctx, bookings.name, filter, "entity.endedat", limit-purged)
		purged += n
		if err != nil {
			return purged, err
		}
	}
	return purged, nil
}
