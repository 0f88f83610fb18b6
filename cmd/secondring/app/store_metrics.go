package app

import (
	"context"
	"errors"

	"secondring/market"
)

// countedStore is a store that counts bookings, payments and failures in the metrics.
// Of reads it counts those that the relay and the probes make all the time: when
// these fail, other reads fail too.
type countedStore struct {
	market.Store
	meter *metrics
}

// refusals are the errors of a store that works.
var refusals = []error{
	market.ErrNotFound, market.ErrExists, market.ErrConflict, market.ErrLimit, market.ErrInUse, context.Canceled,
}

// count counts a failure and returns the error.
func (c countedStore) count(op string, err error) error {
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
func (c countedStore) AddBooking(ctx context.Context, b market.Booking, most int, events []market.Event) error {
	err := c.count(toWrite, c.Store.AddBooking(ctx, b, most, events))
	if err == nil {
		c.meter.bookings.WithLabelValues(string(b.Status)).Inc()
	}
	return err
}

// SaveBooking implements market.Store. A write without events changes no status.
func (c countedStore) SaveBooking(ctx context.Context, b market.Booking, events []market.Event) error {
	err := c.count(toWrite, c.Store.SaveBooking(ctx, b, events))
	if err == nil && len(events) > 0 {
		c.meter.bookings.WithLabelValues(string(b.Status)).Inc()
	}
	return err
}

// AddPayment implements market.Store.
func (c countedStore) AddPayment(ctx context.Context, p market.Payment, events []market.Event) error {
	err := c.count(toWrite, c.Store.AddPayment(ctx, p, events))
	if err == nil {
		c.meter.payments.Inc()
		c.meter.dollars.Add(float64(p.Price))
	}
	return err
}

// SavePayment implements market.Store. A refund is counted when RefundedAt is set
// for the first time: a payment is also saved when its buyer leaves.
func (c countedStore) SavePayment(ctx context.Context, p market.Payment, events []market.Event) error {
	refund := false
	if !p.RefundedAt.IsZero() {
		old, err := c.PaymentOf(ctx, p.Transaction)
		refund = err == nil && old.RefundedAt.IsZero()
	}
	err := c.count(toWrite, c.Store.SavePayment(ctx, p, events))
	if err == nil && refund {
		c.meter.refunds.Inc()
	}
	return err
}

// AddProduct implements market.Store.
func (c countedStore) AddProduct(ctx context.Context, p market.Product, events []market.Event) error {
	return c.count(toWrite, c.Store.AddProduct(ctx, p, events))
}

// SaveProduct implements market.Store.
func (c countedStore) SaveProduct(ctx context.Context, p market.Product, events []market.Event) error {
	return c.count(toWrite, c.Store.SaveProduct(ctx, p, events))
}

// AddSession implements market.Store.
func (c countedStore) AddSession(ctx context.Context, s market.Session) error {
	return c.count(toWrite, c.Store.AddSession(ctx, s))
}

// PendingEvents implements market.Store.
func (c countedStore) PendingEvents(ctx context.Context, limit int) ([]market.Event, error) {
	events, err := c.Store.PendingEvents(ctx, limit)
	return events, c.count(toRead, err)
}

// Backlog implements market.Store.
func (c countedStore) Backlog(ctx context.Context, limit int) (market.Backlog, error) {
	backlog, err := c.Store.Backlog(ctx, limit)
	return backlog, c.count(toRead, err)
}

// Ping implements market.Store.
func (c countedStore) Ping(ctx context.Context) error { return c.count(toRead, c.Store.Ping(ctx)) }
