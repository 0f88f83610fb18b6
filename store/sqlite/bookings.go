package sqlite

import (
	"context"
	"time"

	"secondring/market"
)

// bookingColumns are the columns of bookings in the order of bookingFields.
const bookingColumns = "id, buyer_uid, user_name, email, product_id, seller_uid, product_name, brand_id, brand, img, " +
	"price, phone, location, status, hold_until, intent, intent_at, attempt, closing, closing_at, " +
	"due, ended_at, version, created_at, terms_version, seller, network, turn, fulfilment, commission, payout, dispute"

var (
	bookingTable   = newTable("bookings", bookingColumns, "payout_state")
	bookingSwap    = bookingTable.swap("booking")
	qBooking       = query("SELECT " + bookingColumns + " FROM bookings WHERE id = ?")
	qLastBooking   = query("SELECT " + bookingColumns + " FROM bookings WHERE buyer_uid = ? AND product_id = ? ORDER BY id DESC LIMIT 1")
	qHeldBookings  = query("SELECT " + bookingColumns + " FROM bookings WHERE buyer_uid = ? AND status = 'held' ORDER BY id DESC LIMIT 0 + ?")
	qBookingsDue   = query("SELECT " + bookingColumns + " FROM bookings WHERE intent = '' AND due IS NOT NULL AND due <= ? ORDER BY due, id LIMIT 0 + ?")
	qIntentsDue    = query("SELECT " + bookingColumns + " FROM bookings WHERE intent <> '' AND due IS NOT NULL AND due <= ? ORDER BY due, id LIMIT 0 + ?")
	qPurgeBookings = query(`DELETE FROM bookings WHERE rowid IN (
		SELECT rowid FROM bookings INDEXED BY bookings_ended WHERE status IN ('expired', 'cancelled') AND due IS NULL
		AND ended_at IS NOT NULL AND ended_at < ? ORDER BY ended_at LIMIT 0 + ?)`)
	qCountHeldByBuyer = query(`SELECT count(*) FROM (
		SELECT 1 FROM bookings WHERE buyer_uid = ? AND status = 'held' LIMIT 0 + ?)`)
	qCountHeldByNetwork = query(`SELECT count(*) FROM (
		SELECT 1 FROM bookings WHERE network = ? AND status = 'held' AND network <> '' LIMIT 0 + ?)`)

	qSellerBookings = query("SELECT " + bookingColumns + " FROM bookings WHERE seller_uid = ? AND id < ? ORDER BY id DESC LIMIT 0 + ?")
	buyerBookings   = listing[market.Booking]{
		page: query("SELECT " + bookingColumns + " FROM bookings WHERE buyer_uid = ? AND id < ? ORDER BY id DESC LIMIT 0 + ?"), fields: bookingFields, countName: "bookings",
	}
)

func bookingFields(b *market.Booking) []any {
	return []any{
		&b.ID, &b.BuyerUID, &b.UserName, &b.Email, &b.ProductID, &b.SellerUID, &b.ProductName,
		&b.BrandID, &b.Brand, &b.Img, &b.Price, &b.Phone, &b.Location, &b.Status,
		timeColumn{&b.HoldUntil},
		&b.Intent,
		timeColumn{&b.IntentAt},
		&b.Attempt, &b.Closing,
		timeColumn{&b.ClosingAt},
		timeColumn{&b.Due},
		timeColumn{&b.EndedAt},
		&b.Version,
		timeColumn{&b.CreatedAt},
		&b.TermsVersion,
		asJSON(&b.Seller),
		&b.Network,
		&b.Turn,
		asJSON(&b.Fulfilment),
		&b.Commission,
		asJSON(&b.Payout),
		asJSON(&b.Dispute),
	}
}

// bookingValues returns the fields of a booking, then its value of payout_state.
func bookingValues(b market.Booking) []any { return append(bookingFields(&b), string(b.PayoutState())) }

// AddBooking stores a new booking. It returns ErrExists if the ID exists, and ErrLimit if the
// buyer already has maxHeld bookings in BookingHeld.
func (s *Store) AddBooking(ctx context.Context, b market.Booking, maxHeld int, events []market.Event) error {
	return s.write(ctx, "add booking", func(tx *conn) error {
		if exists, err := tx.has(bookingSwap.qExists, b.ID); err != nil {
			return err
		} else if exists {
			return market.ErrExists
		}
		var held int
		if err := tx.row(qCountHeldByBuyer, []any{&held}, b.BuyerUID, maxHeld); err != nil {
			return err
		}
		if held >= maxHeld {
			return market.ErrLimit
		}
		if _, err := tx.exec(bookingSwap.qInsert, bookingValues(b)...); err != nil {
			return err
		}
		return tx.addEvents(events)
	})
}

// SaveBooking replaces the booking with the same ID if the version is one above the stored
// one. Otherwise it returns ErrConflict, or ErrNotFound if none is stored with this ID.
func (s *Store) SaveBooking(ctx context.Context, b market.Booking, events []market.Event) error {
	return bookingSwap.save(ctx, s, bookingValues(b), b.ID, b.Version, events)
}

// Booking returns the booking with an ID.
func (s *Store) Booking(ctx context.Context, id string) (market.Booking, error) {
	return find(ctx, s, "booking", qBooking, bookingFields, id)
}

// LastBooking returns a buyer's newest booking of a phone.
func (s *Store) LastBooking(ctx context.Context, buyerUID, productID string) (market.Booking, error) {
	return find(ctx, s, "last booking", qLastBooking, bookingFields, buyerUID, productID)
}

// BookingsOf lists a buyer's bookings, newest first.
func (s *Store) BookingsOf(ctx context.Context, buyerUID string, page market.Page) (market.List[market.Booking], error) {
	return list(ctx, s, buyerBookings, page, buyerUID)
}

// BookingsOfSeller returns a page of the bookings of a seller's phones, newest first.
func (s *Store) BookingsOfSeller(ctx context.Context, sellerUID string, page market.Page) ([]market.Booking, error) {
	return findPage(ctx, s, "bookings of a seller", qSellerBookings, bookingFields, sellerUID, page)
}

// HeldBookings returns up to limit of a buyer's bookings in BookingHeld, newest first.
func (s *Store) HeldBookings(ctx context.Context, buyerUID string, limit int) ([]market.Booking, error) {
	return collect(ctx, s, "held bookings", qHeldBookings, bookingFields, buyerUID, limit)
}

// HeldFrom counts the bookings in BookingHeld from a network, up to limit.
func (s *Store) HeldFrom(ctx context.Context, network string, limit int) (held int, err error) {
	err = s.read(ctx, "count held bookings", func(c *conn) error {
		return c.row(qCountHeldByNetwork, []any{&held}, network, limit)
	})
	return held, err
}

// BookingsDue returns up to limit bookings without an Intent whose Due is set and not after
// now, oldest Due first.
func (s *Store) BookingsDue(ctx context.Context, now time.Time, limit int) ([]market.Booking, error) {
	return collect(ctx, s, "bookings due", qBookingsDue, bookingFields, now.UnixMilli(), limit)
}

// IntentsDue returns up to limit bookings with an Intent whose Due is set and not after now,
// oldest Due first.
func (s *Store) IntentsDue(ctx context.Context, now time.Time, limit int) ([]market.Booking, error) {
	return collect(ctx, s, "intents due", qIntentsDue, bookingFields, now.UnixMilli(), limit)
}

// PurgeBookings deletes up to limit expired or cancelled bookings that ended before that time
// and whose Due is not set, and returns how many it deleted.
func (s *Store) PurgeBookings(ctx context.Context, before time.Time, limit int) (purged int, err error) {
	return s.exec(ctx, "purge bookings", qPurgeBookings, timeParam(before), limit)
}
