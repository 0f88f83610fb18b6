package market_test

import (
	"errors"
	"testing"
	"time"

	"secondring/market"
)

func TestProviderRefundOrDisputeMarksBooking(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	b, id := e.bookWithIntent(buyer, e.phone(e.seller()))
	e.bank.Confirm(id)
	_, err := e.pay(buyer, b, id)
	e.must(err)
	e.bank.Change(id, func(in *market.Intent) { in.Returned = true })
	e.must(e.ApplyPayment(e.ctx, id))
	e.wantBooking(b, market.BookingRefunded, true, true)
	payment, err := e.store.PaymentOf(e.ctx, id)
	e.must(err)
	if payment.RefundedAt.IsZero() || e.bank.Refunds(id) != 0 {
		t.Errorf("the payment is %+v, refunded by the market %d times", payment, e.bank.Refunds(id))
	}
}

func TestRefundBeforePaymentIsAppliedReleasesPhone(t *testing.T) {
	e := newEnv(t)
	b, id := e.bookWithIntent(e.buyer(), e.phone(e.seller()))
	e.bank.Confirm(id)
	e.bank.Change(id, func(in *market.Intent) { in.Returned = true })
	e.must(e.ApplyPayment(e.ctx, id))
	e.wantBooking(b, market.BookingRefunded, false, false)
}

func TestForeignIntentsAreIgnored(t *testing.T) {
	e := newEnv(t)
	in, err := e.bank.OpenIntent(e.ctx, market.IntentRequest{Cents: 100})
	e.must(err)
	e.bank.Confirm(in.ID)
	e.must(e.ApplyPayment(e.ctx, in.ID))
	e.must(e.ApplyPayment(e.ctx, "pi_none"))
	in, err = e.bank.OpenIntent(e.ctx, market.IntentRequest{BookingID: "of another market", Cents: 100})
	e.must(err)
	e.bank.Confirm(in.ID)
	if err := e.ApplyPayment(e.ctx, in.ID); !errors.Is(err, market.ErrNoBooking) {
		t.Errorf("applying another market's charge returned %v", err)
	}
	if e.bank.Refunds(in.ID) != 0 {
		t.Error("another market's charge was refunded")
	}
}

// After a restore the booking of a succeeded payment may be missing. The money is refunded
// once and the error is returned to the caller.
func TestChargeWithoutBookingIsRefunded(t *testing.T) {
	e := newEnv(t)
	in, err := e.bank.OpenIntent(e.ctx, market.IntentRequest{BookingID: "missing booking", ProductID: "missing phone", BuyerUID: "ann", Cents: 12000})
	e.must(err)
	e.bank.Change(in.ID, func(in *market.Intent) { in.IsOwn = true })
	e.must(e.ApplyPayment(e.ctx, in.ID)) // nothing is charged yet
	e.bank.Confirm(in.ID)
	e.bank.SetUnavailable(true)
	if err := e.ApplyPayment(e.ctx, in.ID); !errors.Is(err, market.ErrPaymentsUnavailable) {
		t.Fatal(err)
	}
	e.bank.SetUnavailable(false)
	for range 3 { // the webhook is delivered again
		if err := e.ApplyPayment(e.ctx, in.ID); !errors.Is(err, market.ErrNoBooking) {
			t.Fatal(err)
		}
	}
	payment, err := e.store.PaymentOf(e.ctx, in.ID)
	e.must(err)
	if e.bank.Refunds(in.ID) != 1 || payment.RefundedAt.IsZero() || payment.Outcome != market.PaymentReturned || payment.Price != 120 {
		t.Errorf("refunded %d times, payment %+v", e.bank.Refunds(in.ID), payment)
	}
}

// There is no booking that the payment reconciler would check again. So the webhook returns
// an error, and is delivered again, until the refund is made.
func TestFailedRefundOfChargeWithoutBookingIsRetried(t *testing.T) {
	e := newEnv(t)
	in, err := e.bank.OpenIntent(e.ctx, market.IntentRequest{BookingID: "missing booking", ProductID: "missing phone", BuyerUID: "ann", Cents: 12000})
	e.must(err)
	e.bank.Change(in.ID, func(in *market.Intent) { in.IsOwn = true })
	e.bank.Confirm(in.ID)
	if err := e.ApplyPayment(e.ctx, in.ID); !errors.Is(err, market.ErrNoBooking) {
		t.Fatal(err)
	}
	e.bank.FailRefund(in.ID)
	if err := e.ApplyPayment(e.ctx, in.ID); !errors.Is(err, market.ErrRefundWaits) {
		t.Fatalf("the error is %v, want %v", err, market.ErrRefundWaits)
	}
	e.clock.Pass(61 * time.Minute)
	if err := e.ApplyPayment(e.ctx, in.ID); !errors.Is(err, market.ErrNoBooking) {
		t.Fatal(err)
	}
	if e.bank.Refunds(in.ID) != 2 {
		t.Errorf("refunded %d times, want 2", e.bank.Refunds(in.ID))
	}
}

// refundedBooking returns a payment that was refunded because the phone was not available.
func refundedBooking(t *testing.T) (e *env, b market.Booking, id string) {
	t.Helper()
	e = newEnv(t)
	p := e.phone(e.seller())
	b, id = e.bookWithIntent(e.buyer(), p)
	e.bank.Confirm(id)
	_, err := e.RemoveProduct(e.ctx, e.admin(), p.ID, market.RemovalReason{})
	e.must(err)
	if e.bank.Refunds(id) != 1 {
		t.Fatal("the payment was not refunded")
	}
	return e, b, id
}

func TestFailedRefundIsRetried(t *testing.T) {
	e, b, id := refundedBooking(t)
	e.bank.FailRefund(id)
	e.must(e.ApplyPayment(e.ctx, id)) // the webhook reports the failure; the refund is retried after a pause
	if e.bank.Refunds(id) != 1 {
		t.Fatal("the refund was retried without a pause")
	}
	e.clock.Pass(61 * time.Minute)
	e.step()
	if e.bank.Refunds(id) != 2 {
		t.Fatalf("refunded %d times, want 2", e.bank.Refunds(id))
	}
	e.bank.FailRefund(id) // this time without a webhook
	for range 3 * 24 {
		e.clock.Pass(time.Hour)
		e.step()
	}
	if e.bank.Refunds(id) != 3 {
		t.Errorf("refunded %d times, want 3", e.bank.Refunds(id))
	}
	if got := e.storedBooking(b).Status; got != market.BookingRefunded {
		t.Errorf("the booking is %s", got)
	}
}

func TestWonDisputeMakesOrderPaid(t *testing.T) {
	for name, hasWebhook := range map[string]bool{"with a webhook": true, "without a webhook": false} {
		t.Run(name, func(t *testing.T) {
			e, _, _, p, b := paidOrder(t)
			id := e.storedBooking(b).Intent
			e.bank.Change(id, func(in *market.Intent) { in.Returned = true })
			e.must(e.ApplyPayment(e.ctx, id))
			e.wantBooking(b, market.BookingRefunded, true, true)
			e.bank.Change(id, func(in *market.Intent) { in.Returned = false })
			if hasWebhook {
				e.must(e.ApplyPayment(e.ctx, id))
			} else {
				e.clock.Pass(2 * time.Hour)
				e.step()
			}
			e.wantBooking(b, market.BookingPaid, true, true)
			payment, err := e.store.PaymentOf(e.ctx, id)
			e.must(err)
			if !payment.RefundedAt.IsZero() || e.stored(p).Hold.Transaction != id {
				t.Errorf("the payment is %+v", payment)
			}
			e.clock.Pass(2 * time.Minute)
			e.step()
			e.wantBooking(b, market.BookingPaid, true, true)
		})
	}
}

// An order is refunded long after its hold ended. The provider accepts the refund, which fails
// much later, without a webhook.
func TestRefundIsCheckedFor120DaysAfterIt(t *testing.T) {
	e, _, _, _, b := paidOrder(t)
	intent := e.storedBooking(b).Intent
	e.clock.Pass(200 * day)
	e.refund(b)
	e.stepEvery(time.Minute, 3)
	e.wantBooking(b, market.BookingRefunded, true, true)
	e.stepEvery(day, 118)
	e.bank.FailRefund(intent)
	e.stepEvery(day, 3)
	if got := e.bank.Refunds(intent); got != 2 {
		t.Errorf("the order was refunded %d times, want 2", got)
	}
	e.stepEvery(day, 125)
	e.wantBooking(b, market.BookingRefunded, true, true)
	if due := e.storedBooking(b).Due; !due.IsZero() {
		t.Errorf("the order is still checked, at %v", due)
	}
}
