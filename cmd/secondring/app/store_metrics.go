package app

import (
	"context"
	"errors"

	"secondring/market"
)

// refusals are the errors that are no failures of the store.
var refusals = []error{
	market.ErrNotFound, market.ErrExists, market.ErrConflict, market.ErrLimit, market.ErrInUse, context.Canceled,
}

// CountBooking counts a booking that has got a status.
func (m *metrics) CountBooking(status market.BookingStatus) {
	m.bookings.WithLabelValues(string(status)).Inc()
}

// CountPayment counts a payment and its price.
func (m *metrics) CountPayment(dollars int) {
	m.payments.Inc()
	m.dollars.Add(float64(dollars))
}

// CountRefund counts a payment whose money was returned.
func (m *metrics) CountRefund() { m.refunds.Inc() }

// storeHook is a market.StoreHook that counts failures. Of the reads it counts only those that
// the relay and the probes make all the time: when these fail, other reads fail too.
func (m *metrics) storeHook(_ context.Context, call market.StoreCall, do func() error) error {
	err := do()
	if err != nil {
		m.countFailure(call, err)
	}
	return err
}

func (m *metrics) countFailure(call market.StoreCall, err error) {
	for _, refusal := range refusals {
		if errors.Is(err, refusal) {
			return
		}
	}
	op := opWrite
	if call.Op == market.OpRead {
		op = opRead
	}
	m.storeErrors.WithLabelValues(op).Inc()
}
