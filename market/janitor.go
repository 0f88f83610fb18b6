package market

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// Times of the janitor.
const (
	janitorEvery = 250 * time.Millisecond // a hold expires within a second of its deadline
	holdsEvery   = 2 * time.Second        // how often held phones are compared with bookings
	bookingDelay = 3 * time.Second        // how long after the hold its booking may be written
	holdsOverlap = time.Minute            // how much earlier holds are read again, because clocks differ
	janitorBatch = 200
)

// Janitor ends expired holds, finishes what a crash has interrupted, and deletes what
// has expired. Every step is safe to run on any number of nodes at once.
type Janitor struct {
	market           *Market
	log              *slog.Logger
	last             time.Time // when the last step began
	holdsFrom        time.Time // holds made before this have their bookings
	nextHolds        time.Time
	sweeps           map[string]sweepPace // the schedules of cascades that are repeated, by User.ID
	nextSession      time.Time
	nextRecord       time.Time
	nextAuditEntry   time.Time
	nextBooking      time.Time
	nextNotification time.Time
	orphanedAccounts orphanedAccounts
}

// NewJanitor returns the janitor of a market.
func NewJanitor(m *Market, log *slog.Logger) *Janitor { return &Janitor{market: m, log: log} }

// Run runs until the context ends. A step that fails is tried again.
func (k *Janitor) Run(ctx context.Context) {
	repeat(ctx, janitorEvery, k.log, "janitor", k.Step)
}

// Step does all work that is due: expired and closing holds, held phones without a booking,
// cascades, and deletion of expired data (purge.go).
func (k *Janitor) Step(ctx context.Context) error {
	now := k.market.clock.Now()
	if now.Before(k.last) { // the clock was set back: the stored times are too late
		*k = Janitor{market: k.market, log: k.log}
	}
	k.last = now
	return errors.Join(
		k.endDue(ctx, now),
		k.completeBookings(ctx, now),
		k.sweep(ctx, now),
		k.purgeSessions(ctx, now),
		k.purgeRecords(ctx, now),
		k.purgeAuditEntries(ctx, now),
		k.purgeBookings(ctx, now),
		k.purgeNotifications(ctx, now),
		k.purgeOrphanedAccounts(ctx, now),
	)
}

func (k *Janitor) endDue(ctx context.Context, now time.Time) error {
	for {
		due, err := k.market.store.BookingsDue(ctx, now, janitorBatch)
		if err != nil {
			return err
		}
		for _, b := range due {
			// A booking that has an intent now belongs to the payment reconciler.
			if _, _, err := k.market.releaseHold(ctx, b, BookingExpired); err != nil {
				return err
			}
		}
		if len(due) < janitorBatch {
			return nil
		}
	}
}

// completeBookings writes the missing bookings of held phones after a crash between the two
// writes. In the first step it checks every held phone, later only new holds.
func (k *Janitor) completeBookings(ctx context.Context, now time.Time) error {
	if now.Before(k.nextHolds) {
		return nil
	}
	from, to := k.holdsFrom, now.Add(-bookingDelay)
	for {
		held, err := k.market.store.ProductsHeld(ctx, from, to, janitorBatch)
		if err != nil {
			return err
		}
		for _, p := range held {
			if err := k.completeBooking(ctx, p); err != nil {
				return err
			}
		}
		if len(held) < janitorBatch {
			break
		}
		if last := held[len(held)-1].Hold.At; last.After(from) {
			from = last // read again those of the same millisecond
		} else {
			from = last.Add(time.Millisecond)
		}
	}
	k.holdsFrom, k.nextHolds = to.Add(-holdsOverlap), now.Add(holdsEvery)
	return nil
}

func (k *Janitor) completeBooking(ctx context.Context, p Product) error {
	b, err := k.market.store.Booking(ctx, p.Hold.BookingID)
	if errors.Is(err, ErrNotFound) {
		k.log.WarnContext(ctx, "interrupted booking is completed", "booking", p.Hold.BookingID)
		b, err = k.market.bookingOf(ctx, p)
		if CodeOf(err) == CodeTooMany {
			return nil
		}
	}
	if err != nil {
		return err
	}
	if b.Status == BookingHeld {
		return nil
	}
	// An ended booking must not hold a phone that it has not bought.
	if b.Status != BookingPaid {
		err = k.market.releasePhone(ctx, p.ID, b.ID)
	}
	return err
}
