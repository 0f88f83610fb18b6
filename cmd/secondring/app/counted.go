package app

import (
	"context"
	"errors"

	"secondring/market"
)

// counted is a store that tells the meter what the market has done, and what the
// store could not. Of reads it sees those that the relay and the probes make all
// the time: when they fail, the others do.
type counted struct {
	market.Store
	meter *meter
}

// refusals are answers of a store that works.
var refusals = []error{
	market.ErrNotFound, market.ErrExists, market.ErrConflict, market.ErrLimit, market.ErrInUse, context.Canceled,
}

// ended counts a failure, and passes it on.
func (c counted) ended(op string, err error) error {
	if err == nil {
		return nil
	}
	for _, refusal := range refusals {
		if errors.Is(err, refusal) {
			return err
		}
	}
	c.meter.faults.WithLabelValues(op).Inc()
	return err
}

// AddBooking implements market.Store.
func (c counted) AddBooking(ctx context.Context, b market.Booking, most int, events []market.Event) error {
	err := c.ended(toWrite, c.Store.AddBooking(ctx, b, most, events))
	if err == nil {
		c.meter.bookings.WithLabelValues(string(b.Status)).Inc()
	}
	return err
}

// SaveBooking implements market.Store. What is told to nobody changes no status.
func (c counted) SaveBooking(ctx context.Context, b market.Booking, events []market.Event) error {
	err := c.ended(toWrite, c.Store.SaveBooking(ctx, b, events))
	if err == nil && len(events) > 0 {
		c.meter.bookings.WithLabelValues(string(b.Status)).Inc()
	}
	return err
}

// AddPayment implements market.Store.
func (c counted) AddPayment(ctx context.Context, p market.Payment, events []market.Event) error {
	err := c.ended(toWrite, c.Store.AddPayment(ctx, p, events))
	if err == nil {
		c.meter.payments.Inc()
		c.meter.dollars.Add(float64(p.Price))
	}
	return err
}

// SavePayment implements market.Store. A refund is counted when it is noted first:
// a payment is also written when its buyer leaves.
func (c counted) SavePayment(ctx context.Context, p market.Payment, events []market.Event) error {
	refund := false
	if !p.RefundedAt.IsZero() {
		old, err := c.PaymentOf(ctx, p.Transaction)
		refund = err == nil && old.RefundedAt.IsZero()
	}
	err := c.ended(toWrite, c.Store.SavePayment(ctx, p, events))
	if err == nil && refund {
		c.meter.refunds.Inc()
	}
	return err
}

// AddProduct implements market.Store.
func (c counted) AddProduct(ctx context.Context, p market.Product, events []market.Event) error {
	return c.ended(toWrite, c.Store.AddProduct(ctx, p, events))
}

// SaveProduct implements market.Store.
func (c counted) SaveProduct(ctx context.Context, p market.Product, events []market.Event) error {
	return c.ended(toWrite, c.Store.SaveProduct(ctx, p, events))
}

// AddSession implements market.Store.
func (c counted) AddSession(ctx context.Context, s market.Session) error {
	return c.ended(toWrite, c.Store.AddSession(ctx, s))
}

// PendingEvents implements market.Store.
func (c counted) PendingEvents(ctx context.Context, limit int) ([]market.Event, error) {
	events, err := c.Store.PendingEvents(ctx, limit)
	return events, c.ended(toRead, err)
}

// Backlog implements market.Store.
func (c counted) Backlog(ctx context.Context, limit int) (market.Backlog, error) {
	backlog, err := c.Store.Backlog(ctx, limit)
	return backlog, c.ended(toRead, err)
}

// Ping implements market.Store.
func (c counted) Ping(ctx context.Context) error { return c.ended(toRead, c.Store.Ping(ctx)) }
