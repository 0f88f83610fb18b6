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

// storeHook is a market.StoreHook that counts bookings, payments and failures. Of
// the reads it counts only those that the relay and the probes make all the time: when these
// fail, other reads fail too.
func (m *metrics) storeHook(ctx context.Context, call market.StoreCall, do func() error) error {
	refund := call.Method == "SavePayment" && m.isRefund(ctx, call.Entity)
	hasNewStatus := m.hasNewStatus(ctx, call)
	err := do()
	if err != nil {
		m.countFailure(call, err)
		return err
	}
	switch entity := call.Entity.(type) {
	case market.Booking:
		if hasNewStatus {
			m.bookings.WithLabelValues(string(entity.Status)).Inc()
		}
	case market.Payment:
		if refund {
			m.refunds.Inc()
		}
		if call.Method == "AddPayment" {
			m.payments.Inc()
			m.dollars.Add(float64(entity.Price))
		}
	}
	return nil
}

// isRefund returns whether a payment is about to be marked as refunded. A refunded payment is
// also saved when its buyer's account is deleted, which is no refund.
func (m *metrics) isRefund(ctx context.Context, entity any) bool {
	p, ok := entity.(market.Payment)
	if !ok || p.RefundedAt.IsZero() {
		return false
	}
	old, err := m.store.PaymentOf(ctx, p.Transaction)
	return err == nil && old.RefundedAt.IsZero()
}

// hasNewStatus returns whether a call is about to store a booking with a new status. A booking is
// also saved for other reasons, such as a step of its order.
func (m *metrics) hasNewStatus(ctx context.Context, call market.StoreCall) bool {
	b, ok := call.Entity.(market.Booking)
	if !ok || call.Method == "AddBooking" {
		return ok
	}
	old, err := m.store.Booking(ctx, b.ID)
	return err == nil && old.Status != b.Status
}

func (m *metrics) countFailure(call market.StoreCall, err error) {
	for _, refusal := range refusals {
		if errors.Is(err, refusal) {
			return
		}
	}
	op := opWrite
	if call.Read {
		op = opRead
	}
	m.storeErrors.WithLabelValues(op).Inc()
}
