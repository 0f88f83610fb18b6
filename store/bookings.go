package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"secondring/market"
)

// AddBooking stores a new booking. It returns ErrExists if the ID exists, else ErrLimit if the
// buyer has maxHeld held bookings.
//
// A held booking has a slot. A buyer's slots are numbered, and a unique key allows each once, so
// concurrent bookings cannot exceed the limit. The write that ends a hold also frees its slot.
func (s *Store) AddBooking(ctx context.Context, b market.Booking, maxHeld int, effects []market.Effect) error {
	for {
		held, err := bookings.page(ctx, s, Keys{"holder": b.BuyerUID}, market.Page{Limit: maxHeld})
		if err != nil {
			return err
		}
		if len(held) >= maxHeld {
			return s.limitError(ctx, b)
		}
		added := booking{Booking: b}
		if b.Status == market.BookingHeld {
			added.Slot = freeSlot(held, maxHeld)
		}
		err = bookings.add(ctx, s, added, effects)
		if _, taken := errors.AsType[*TakenError](err); !taken { // otherwise a concurrent booking took the slot
			return err
		}
	}
}

// slotChoices is from how many free slots freeSlot chooses. With more of them, concurrent bookings
// choose the same slot less often.
const slotChoices = 64

// freeSlot returns a random free slot: one of the lowest that are below openBelow.
func freeSlot(held []booking, limit int) int {
	taken := map[int]bool{}
	for _, b := range held {
		taken[b.Slot] = true
	}
	var free []int
	for slot := range min(openBelow(taken, limit), len(taken)+slotChoices) {
		if !taken[slot] {
			free = append(free, slot)
		}
	}
	return free[rand.IntN(len(free))] //nolint:gosec // the choice need not be secret
}

// openBelow returns the bound below which a booking may take a slot. It is the limit, less one for
// each slot at or above the bound that is still taken from when the limit was higher. A concurrent
// booking takes a slot below the bound and does not change it, so bookings choose among the same
// slots even if they have read stale data.
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

// limitError returns the error of a booking by a buyer without a free slot.
func (s *Store) limitError(ctx context.Context, b market.Booking) error {
	_, err := s.Booking(ctx, b.ID)
	switch {
	case err == nil:
		return fmt.Errorf("add booking: %w", market.ErrExists)
	case errors.Is(err, market.ErrNotFound):
		return fmt.Errorf("add booking: %w", market.ErrLimit)
	default:
		return err
	}
}

// SaveBooking replaces a booking. While it is held it keeps its slot.
func (s *Store) SaveBooking(ctx context.Context, b market.Booking, effects []market.Effect) error {
	saved := booking{Booking: b}
	if b.Status == market.BookingHeld {
		before, err := bookings.get(ctx, s, b.ID)
		if err != nil {
			return err
		}
		saved.Slot = before.Slot
	}
	return bookings.save(ctx, s, saved, effects)
}

// Booking returns the booking with an ID.
func (s *Store) Booking(ctx context.Context, id string) (market.Booking, error) {
	b, err := bookings.get(ctx, s, id)
	return b.Booking, err
}

func withoutSlots(all []booking, err error) ([]market.Booking, error) {
	var plain []market.Booking
	for _, b := range all {
		plain = append(plain, b.Booking)
	}
	return plain, err
}

func bookingList(list market.List[booking], err error) (market.List[market.Booking], error) {
	items, err := withoutSlots(list.Items, err)
	return market.List[market.Booking]{Items: items, Total: list.Total, More: list.More}, err
}

// LastBooking returns a buyer's newest booking of a phone.
func (s *Store) LastBooking(ctx context.Context, buyerUID, productID string) (market.Booking, error) {
	b, err := bookings.newest(ctx, s, Keys{"buyer": buyerUID, "phone": productID})
	return b.Booking, err
}

// BookingsOf lists a buyer's bookings.
func (s *Store) BookingsOf(ctx context.Context, buyerUID string, page market.Page) (market.List[market.Booking], error) {
	return bookingList(bookings.list(ctx, s, Keys{"buyer": buyerUID}, page, CountAll))
}

// BookingsOfSeller returns a page of the bookings of a seller's phones.
func (s *Store) BookingsOfSeller(ctx context.Context, sellerUID string, page market.Page) ([]market.Booking, error) {
	return withoutSlots(bookings.page(ctx, s, Keys{"seller": sellerUID}, page))
}

// SalesOf lists a seller's sales.
func (s *Store) SalesOf(ctx context.Context, sellerUID string, page market.Page) (market.List[market.Booking], error) {
	return bookingList(bookings.list(ctx, s, Keys{"sales": sellerUID}, page, market.MaxOrdersCounted))
}

// CountCancelledSales counts the bookings that their seller has cancelled.
func (s *Store) CountCancelledSales(ctx context.Context, sellerUID string) (int, error) {
	return bookings.count(ctx, s, Keys{"cancelledBy": sellerUID})
}

// SalesSums adds up a seller's sales by their EarningState.
func (s *Store) SalesSums(ctx context.Context, sellerUID string) (map[market.EarningState]market.SalesSum, error) {
	totals, err := s.engine.Totals(ctx, &bookings.Info, Keys{"sales": sellerUID}, "sale", "waiting", "paidOut")
	sums := map[market.EarningState]market.SalesSum{}
	for state, total := range totals {
		sums[market.EarningState(state)] = market.SalesSum{Waiting: total[0], PaidOut: total[1]}
	}
	return sums, err
}

// HeldBookings returns up to limit of a buyer's held bookings.
func (s *Store) HeldBookings(ctx context.Context, buyerUID string, limit int) ([]market.Booking, error) {
	return withoutSlots(bookings.page(ctx, s, Keys{"holder": buyerUID}, market.Page{Limit: limit}))
}

// HeldFrom counts the held bookings from a network, up to limit.
func (s *Store) HeldFrom(ctx context.Context, network string, limit int) (int, error) {
	if network == "" {
		return 0, nil
	}
	found, err := s.engine.Find(ctx, &bookings.Info, Find{Where: Keys{"network": network}, CountTo: limit})
	return found.Total, err
}

// BookingsDue returns up to limit bookings without an Intent that are due, the oldest first.
func (s *Store) BookingsDue(ctx context.Context, now time.Time, limit int) ([]market.Booking, error) {
	return withoutSlots(bookings.until(ctx, s, "order", now, limit))
}

// IntentsDue returns the same for bookings with an Intent.
func (s *Store) IntentsDue(ctx context.Context, now time.Time, limit int) ([]market.Booking, error) {
	return withoutSlots(bookings.until(ctx, s, "intent", now, limit))
}

// Orders lists the bookings that match a filter.
func (s *Store) Orders(ctx context.Context, f market.OrderFilter, page market.Page) (market.List[market.Booking], error) {
	where := Keys{}
	for key, value := range map[string]string{
		"buyer": f.BuyerUID, "seller": f.SellerUID, "status": string(f.Status), "state": string(f.State), "payout": string(f.Payout),
		"tabs": string(f.Tab),
	} {
		if value != "" {
			where[key] = value
		}
	}
	if f.Terms != nil {
		where["terms"] = f.Terms
	}
	return bookingList(bookings.list(ctx, s, where, page, market.MaxOrdersCounted))
}

// PurgeBookings removes up to limit expired or cancelled bookings that ended before that time.
func (s *Store) PurgeBookings(ctx context.Context, before time.Time, limit int) (int, error) {
	return bookings.purge(ctx, s, before, limit)
}

// AddPayment stores a new payment.
func (s *Store) AddPayment(ctx context.Context, p market.Payment, effects []market.Effect) error {
	return payments.add(ctx, s, p, effects)
}

// SavePayment replaces a payment.
func (s *Store) SavePayment(ctx context.Context, p market.Payment, effects []market.Effect) error {
	return payments.save(ctx, s, p, effects)
}

// PaymentOf returns the payment of a transaction.
func (s *Store) PaymentOf(ctx context.Context, transaction string) (market.Payment, error) {
	return payments.newest(ctx, s, Keys{"transaction": transaction})
}

// Payments returns a page of all payments.
func (s *Store) Payments(ctx context.Context, page market.Page) ([]market.Payment, error) {
	return payments.page(ctx, s, nil, page)
}

// PaymentsOf returns a page of a buyer's payments.
func (s *Store) PaymentsOf(ctx context.Context, buyerUID string, page market.Page) ([]market.Payment, error) {
	return payments.page(ctx, s, Keys{"buyer": buyerUID}, page)
}

// LedgerOfOrder returns all entries of an order, by ID.
func (s *Store) LedgerOfOrder(ctx context.Context, bookingID string) ([]market.LedgerEntry, error) {
	return s.ledgerBy(ctx, Keys{"booking": bookingID})
}

// LedgerOfOrders returns all entries of several orders.
func (s *Store) LedgerOfOrders(ctx context.Context, bookingIDs []string) ([]market.LedgerEntry, error) {
	return s.ledgerBy(ctx, Keys{"booking": bookingIDs})
}

func (s *Store) ledgerBy(ctx context.Context, where Keys) ([]market.LedgerEntry, error) {
	return ledger.find(ctx, s, Find{Where: where, Ascending: true, Limit: noLimit})
}

// Ledger returns a page of all entries.
func (s *Store) Ledger(ctx context.Context, page market.Page) ([]market.LedgerEntry, error) {
	return ledger.page(ctx, s, nil, page)
}
