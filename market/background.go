package market

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// What runs when nobody calls. Every node runs all of it; see Runner.

// AddTransitions adds what ends or completes by time: holds, bookings that a crash interrupted, the
// cascades of changed users, and addresses that no order needs any more.
func (m *Market) AddTransitions(r *Runner) {
	expired := DueItems[Booking]{
		Clock: m.clock, Read: m.store.BookingsDue, ID: bookingID, Due: bookingDue, Workers: 1,
		Do: func(ctx context.Context, b Booking) error {
			// A booking that has an intent now belongs to the payment checks.
			_, _, err := m.releaseHold(ctx, b, BookingExpired)
			return err
		},
	}
	held := heldPhones{market: m, log: r.log}
	sweeps := sweeps{market: m}
	cases := DueItems[Case]{
		Clock: m.clock, Read: m.store.CasesDue, ID: caseID, Due: func(c Case) time.Time { return c.Due }, Workers: 1, Do: m.advanceCase,
	}
	addresses := DueRecords(m.clock, m.store, addressKind, 1, m.eraseAddress)
	r.Add(
		Work{Name: "expired holds", Queue: "order", Look: holdLook, Pause: shortPause, Step: expired.Step},
		Work{Name: "interrupted bookings", Step: held.step},
		Work{Name: "cascades", Queue: "sweep", Ahead: sweepFor, Pause: shortPause, Step: sweeps.step},
		Work{Name: "cases", Queue: CaseQueue, Pause: shortPause, Step: cases.Step},
		Work{Name: "addresses", Queue: addressKind, Look: time.Hour, Step: addresses.Step},
	)
}

// holdLook is how often a node looks for holds of other nodes, which may have been killed. A hold may
// be short, and must end within a second of its time.
const holdLook = time.Second

func bookingDue(b Booking) time.Time { return b.Due }

// AddPaymentChecks adds the checks of orders at the card provider, and the search for disputes.
func (m *Market) AddPaymentChecks(r *Runner) {
	checks := DueItems[Booking]{
		Clock: m.clock, Read: m.store.IntentsDue, ID: bookingID, Due: bookingDue, Workers: paymentWorkers, Do: m.checkPayment,
	}
	r.Add(Work{Name: "payment checks", Queue: "intent", Look: 2 * holdLook, Pause: shortPause, Step: checks.Step})
	r.AddTask(m.store, "disputes", disputesEvery, func(ctx context.Context, _ *Job) error { return m.findDisputes(ctx) })
}

// AddPurges adds the deletion of what has expired.
func (m *Market) AddPurges(r *Runner) {
	r.AddTask(m.store, "purge", purgeEvery, func(ctx context.Context, _ *Job) error { return m.purge(ctx) })
	r.AddTask(m.store, "orphaned-accounts", orphanedAccountsEvery, m.purgeOrphanedAccounts)
}

// Times of interrupted bookings.
const (
	bookingDelay = 3 * time.Second // how long after the hold its booking may be written
	holdsOverlap = time.Minute     // how much earlier holds are read again, because clocks differ
)

// heldPhones completes the bookings of held phones whose process was killed between the two writes.
type heldPhones struct {
	market *Market
	log    *slog.Logger
	from   time.Time // holds made before this have their bookings
}

// step checks the new holds. The first time it checks every held phone.
func (h *heldPhones) step(ctx context.Context) (next time.Time, err error) {
	to := h.market.clock.Now().Add(-bookingDelay)
	if to.Before(h.from) { // the clock was set back
		h.from = time.Time{}
	}
	var errs []error
	for from := h.from; ; {
		held, err := h.market.store.ProductsHeld(ctx, from, to, dueBatch)
		if err != nil {
			return next, err
		}
		for _, p := range held {
			errs = append(errs, h.complete(ctx, p))
		}
		if len(held) < dueBatch {
			break
		}
		if last := held[len(held)-1].Hold.At; last.After(from) {
			from = last // read again those of the same millisecond
		} else {
			from = last.Add(time.Millisecond)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return next, err
	}
	h.from = to.Add(-holdsOverlap)
	return next, nil
}

func (h *heldPhones) complete(ctx context.Context, p Product) error {
	b, err := h.market.store.Booking(ctx, p.Hold.BookingID)
	if errors.Is(err, ErrNotFound) {
		h.log.WarnContext(ctx, "interrupted booking is completed", "booking", p.Hold.BookingID)
		b, err = h.market.bookingOf(ctx, p)
		if code := CodeOf(err); code == CodeTooMany || code == CodeOver {
			return nil
		}
	}
	if err != nil {
		return err
	}
	// An ended booking must not hold a phone that it has not bought.
	if b.Status != BookingHeld && b.Status != BookingPaid {
		err = h.market.releasePhone(ctx, p.ID, b.ID)
	}
	return err
}
