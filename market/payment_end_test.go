package market_test

import (
	"errors"
	"testing"
	"time"

	"secondring/market"
)

// step runs all work of the janitor and the payment reconciler that is due.
func (e *env) step() {
	e.t.Helper()
	e.must(e.janitor.Step(e.ctx))
	e.must(e.reconciler.Step(e.ctx))
	e.must(e.janitor.Step(e.ctx))
}

// stepEvery runs the background jobs a number of times, with a pause after each.
func (e *env) stepEvery(pause time.Duration, times int) {
	e.t.Helper()
	for range times {
		e.step()
		e.clock.Pass(pause)
	}
}

// wantIntent fails the test unless the intent has this status.
func (e *env) wantIntent(id string, want market.IntentStatus) {
	e.t.Helper()
	in, err := e.bank.Intent(e.ctx, id)
	e.must(err)
	if in.Status != want {
		e.t.Errorf("the intent is %s, want %s", in.Status, want)
	}
}

func TestDeadlineCancelsIntentAndReleasesPhone(t *testing.T) {
	e := newEnv(t)
	b, id := e.bookWithIntent(e.buyer(), e.phone(e.seller()))
	e.clock.Pass(time.Hour)
	e.step()
	e.wantIntent(id, market.IntentCancelled)
	e.wantBooking(b, market.BookingExpired, false, false)
	if e.bank.Confirm(id) {
		t.Error("the card was charged after the phone was released")
	}
}

func TestPaymentBeforeDeadlineBuysPhone(t *testing.T) {
	e := newEnv(t)
	b, id := e.bookWithIntent(e.buyer(), e.phone(e.seller()))
	e.bank.Confirm(id)
	e.clock.Pass(time.Hour)
	e.step()
	e.wantBooking(b, market.BookingPaid, true, true)
}

func TestPhoneIsReleasedOnlyAfterConfirmedCancel(t *testing.T) {
	e := newEnv(t)
	b, id := e.bookWithIntent(e.buyer(), e.phone(e.seller()))
	e.bank.SetUnavailable(true)
	for range 8 {
		e.clock.Pass(time.Hour)
		e.must(e.janitor.Step(e.ctx))
		if err := e.reconciler.Step(e.ctx); !errors.Is(err, market.ErrPaymentsUnavailable) {
			t.Fatal(err)
		}
		e.wantBooking(b, market.BookingHeld, true, false)
	}
	e.bank.SetUnavailable(false)
	e.clock.Pass(5 * time.Minute)
	e.step()
	e.wantIntent(id, market.IntentCancelled)
	e.wantBooking(b, market.BookingExpired, false, false)
}

// bookingInProcess returns an expired hold whose payment the bank is processing.
func bookingInProcess(t *testing.T) (e *env, buyer market.Actor, b market.Booking, id string) {
	t.Helper()
	e = newEnv(t)
	buyer = e.buyer()
	b, id = e.bookWithIntent(buyer, e.phone(e.seller()))
	e.bank.Process(id)
	e.clock.Pass(time.Hour)
	e.step()
	e.clock.Pass(59 * time.Minute)
	e.step()
	e.wantBooking(b, market.BookingHeld, true, false)
	return e, buyer, b, id
}

func TestProcessingPaymentExtendsHoldByAnHour(t *testing.T) {
	e, _, b, _ := bookingInProcess(t)
	e.clock.Pass(5 * time.Minute)
	e.step()
	e.wantBooking(b, market.BookingExpired, false, false)
}

func TestLatePaymentTakesAvailablePhone(t *testing.T) {
	e, buyer, b, id := bookingInProcess(t)
	e.clock.Pass(5 * time.Minute)
	e.step()
	e.bank.Confirm(id)
	e.clock.Pass(5 * time.Minute)
	e.step() // there is no webhook, so the payment reconciler polls the intent
	e.wantBooking(b, market.BookingPaid, true, true)
	if got := e.stored(market.Product{ID: b.ProductID}).Hold; got.BuyerUID != buyer.User.UID || got.Phone != "01800000" {
		t.Errorf("the phone is sold to %+v", got)
	}
}

func TestLatePaymentForTakenPhoneIsRefunded(t *testing.T) {
	for name, change := range map[string]func(e *env, p market.Product){
		"booked by another buyer": func(e *env, p market.Product) { e.mustBook(e.buyer(), p) },
		"price increased":         func(e *env, p market.Product) { e.must(e.changePrice(p, p.ResalePrice+10)) },
		"description changed": func(e *env, p market.Product) {
			text := "For parts"
			_, err := e.ChangeProduct(e.ctx, e.sellerOf(p), p.ID, market.ProductChange{Description: &text})
			e.must(err)
		},
		"removed":               func(e *env, p market.Product) { e.must(e.removeAsSeller(p)) },
		"sold to another buyer": func(e *env, p market.Product) { e.sellToAnotherBuyer(p) },
	} {
		t.Run(name, func(t *testing.T) {
			e, buyer, b, id := bookingInProcess(t)
			e.clock.Pass(5 * time.Minute)
			e.step()
			change(e, e.stored(market.Product{ID: b.ProductID}))
			e.bank.Confirm(id)
			_, err := e.pay(buyer, b, id)
			e.wantCode(err, market.CodeRefunded)
			e.must(e.Settle(e.ctx, id))
			_, err = e.pay(buyer, b, id)
			e.wantCode(err, market.CodeRefunded)
			if got := e.storedBooking(b); got.Status != market.BookingRefunded || got.View().Paid {
				t.Errorf("the booking is %s", got.Status)
			}
			if e.bank.Refunds(id) != 1 {
				t.Errorf("refunded %d times, want 1", e.bank.Refunds(id))
			}
		})
	}
}

// sellToAnotherBuyer sells the phone to another buyer.
func (e *env) sellToAnotherBuyer(p market.Product) {
	e.t.Helper()
	buyer := e.buyer()
	e.mustPay(buyer, e.mustBook(buyer, p))
}

func (e *env) sellerOf(p market.Product) market.Actor {
	e.t.Helper()
	u, err := e.store.User(e.ctx, p.SellerUID)
	e.must(err)
	return market.Actor{User: u}
}

// changePrice changes a phone's price as its seller.
func (e *env) changePrice(p market.Product, price int) error {
	_, err := e.ChangeProduct(e.ctx, e.sellerOf(p), p.ID, market.ProductChange{ResalePrice: &price})
	return err
}

// removeAsSeller removes a phone as its seller.
func (e *env) removeAsSeller(p market.Product) error {
	_, err := e.RemoveProduct(e.ctx, e.sellerOf(p), p.ID)
	return err
}

func TestCancelBookingCancelsIntent(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	b, id := e.bookWithIntent(buyer, e.phone(e.seller()))
	n, err := e.CancelBooking(e.ctx, buyer, b.ID)
	e.must(err)
	if n != 1 {
		t.Errorf("%d bookings were cancelled, want 1", n)
	}
	e.wantIntent(id, market.IntentCancelled)
	e.wantBooking(b, market.BookingCancelled, false, false)
}

func TestCancelAfterPaymentIsRefused(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	b, id := e.bookWithIntent(buyer, e.phone(e.seller()))
	e.bank.Confirm(id)
	_, err := e.CancelBooking(e.ctx, buyer, b.ID)
	e.wantCode(err, market.CodePaid)
	e.wantBooking(b, market.BookingPaid, true, true)
}

func TestCancelWaitsForProcessingPayment(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	b, id := e.bookWithIntent(buyer, e.phone(e.seller()))
	e.bank.Process(id)
	_, err := e.CancelBooking(e.ctx, buyer, b.ID)
	e.wantCode(err, market.CodeProcessing)
	e.bank.Change(id, func(in *market.Intent) { in.Status = market.IntentOpen }) // the bank has declined the payment
	e.clock.Pass(time.Minute)
	e.step()
	e.wantIntent(id, market.IntentCancelled)
	e.wantBooking(b, market.BookingCancelled, false, false)
}

func TestCancelDuringProviderOutageIsDoneLater(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	b, _ := e.bookWithIntent(buyer, e.phone(e.seller()))
	e.bank.SetUnavailable(true)
	_, err := e.CancelBooking(e.ctx, buyer, b.ID)
	e.wantCode(err, market.CodeUnavailable)
	e.bank.SetUnavailable(false)
	e.clock.Pass(time.Minute)
	e.step()
	e.wantBooking(b, market.BookingCancelled, false, false)
}

func TestRemovedUserIntentsAreCancelled(t *testing.T) {
	for name, who := range map[string]func(buyer, seller market.Actor) market.Actor{
		"the buyer":  func(buyer, _ market.Actor) market.Actor { return buyer },
		"the seller": func(_, seller market.Actor) market.Actor { return seller },
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			seller, buyer := e.seller(), e.buyer()
			admin, p := e.admin(), e.phone(seller)
			b, id := e.bookWithIntent(buyer, p)
			_, err := e.RemoveUser(e.ctx, admin, who(buyer, seller).User.ID)
			e.must(err)
			e.wantIntent(id, market.IntentCancelled)
			if got := e.storedBooking(b).Status; got != market.BookingCancelled {
				t.Errorf("the booking is %s", got)
			}
			got, err := e.store.Product(e.ctx, p.ID)
			if isRemoved := errors.Is(err, market.ErrNotFound); isRemoved != (name == "the seller") || got.Booked() {
				t.Errorf("the phone is %+v, %v", got, err)
			}
		})
	}
}

func TestSucceededPaymentIsKeptAfterUserRemoval(t *testing.T) {
	for name, who := range map[string]func(buyer, seller market.Actor) market.Actor{
		"the buyer":  func(buyer, _ market.Actor) market.Actor { return buyer },
		"the seller": func(_, seller market.Actor) market.Actor { return seller },
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			seller, buyer := e.seller(), e.buyer()
			admin := e.admin()
			b, id := e.bookWithIntent(buyer, e.phone(seller))
			e.bank.Confirm(id)
			_, err := e.RemoveUser(e.ctx, admin, who(buyer, seller).User.ID)
			e.must(err)
			if got := e.storedBooking(b).Status; got != market.BookingPaid || e.bank.Refunds(id) != 0 {
				t.Errorf("the booking is %s, %d refunds", got, e.bank.Refunds(id))
			}
		})
	}
}

func TestRemovedSellerPhoneWaitsForProcessingPayment(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	admin, p := e.admin(), e.phone(seller)
	b, id := e.bookWithIntent(buyer, p)
	e.bank.SetUnavailable(true)
	_, err := e.RemoveUser(e.ctx, admin, seller.User.ID)
	e.must(err)
	e.clock.Pass(10 * time.Minute) // longer than any sweep
	e.must(e.janitor.Step(e.ctx))
	e.wantBooking(b, market.BookingHeld, true, false)
	e.bank.SetUnavailable(false)
	e.clock.Pass(10 * time.Minute)
	e.step()
	e.wantIntent(id, market.IntentCancelled)
	if _, err := e.store.Product(e.ctx, p.ID); !errors.Is(err, market.ErrNotFound) {
		t.Errorf("the phone of a removed seller is still there: %v", err)
	}
	if got := e.storedBooking(b).Status; got != market.BookingCancelled {
		t.Errorf("the booking is %s", got)
	}
}

func TestProviderRefundOrDisputeMarksBooking(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	b, id := e.bookWithIntent(buyer, e.phone(e.seller()))
	e.bank.Confirm(id)
	_, err := e.pay(buyer, b, id)
	e.must(err)
	e.bank.Change(id, func(in *market.Intent) { in.Returned = true })
	e.must(e.Settle(e.ctx, id))
	e.wantBooking(b, market.BookingRefunded, true, true)
	payment, err := e.store.PaymentOf(e.ctx, id)
	e.must(err)
	if payment.RefundedAt.IsZero() || e.bank.Refunds(id) != 0 {
		t.Errorf("the payment is %+v, refunded by the market %d times", payment, e.bank.Refunds(id))
	}
}

func TestRefundBeforeSettlementReleasesPhone(t *testing.T) {
	e := newEnv(t)
	b, id := e.bookWithIntent(e.buyer(), e.phone(e.seller()))
	e.bank.Confirm(id)
	e.bank.Change(id, func(in *market.Intent) { in.Returned = true })
	e.must(e.Settle(e.ctx, id))
	e.wantBooking(b, market.BookingRefunded, false, false)
}

func TestForeignIntentsAreIgnored(t *testing.T) {
	e := newEnv(t)
	in, err := e.bank.OpenIntent(e.ctx, market.IntentRequest{Cents: 100})
	e.must(err)
	e.bank.Confirm(in.ID)
	e.must(e.Settle(e.ctx, in.ID))
	e.must(e.Settle(e.ctx, "pi_none"))
	in, err = e.bank.OpenIntent(e.ctx, market.IntentRequest{BookingID: "of another market", Cents: 100})
	e.must(err)
	e.bank.Confirm(in.ID)
	if err := e.Settle(e.ctx, in.ID); !errors.Is(err, market.ErrNoBooking) {
		t.Errorf("settling another market's charge returned %v", err)
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
	e.bank.Change(in.ID, func(in *market.Intent) { in.Ours = true })
	e.must(e.Settle(e.ctx, in.ID)) // nothing is charged yet
	e.bank.Confirm(in.ID)
	e.bank.SetUnavailable(true)
	if err := e.Settle(e.ctx, in.ID); !errors.Is(err, market.ErrPaymentsUnavailable) {
		t.Fatal(err)
	}
	e.bank.SetUnavailable(false)
	for range 3 { // the webhook is delivered again
		if err := e.Settle(e.ctx, in.ID); !errors.Is(err, market.ErrNoBooking) {
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
	e.bank.Change(in.ID, func(in *market.Intent) { in.Ours = true })
	e.bank.Confirm(in.ID)
	if err := e.Settle(e.ctx, in.ID); !errors.Is(err, market.ErrNoBooking) {
		t.Fatal(err)
	}
	e.bank.FailRefund(in.ID)
	if err := e.Settle(e.ctx, in.ID); !errors.Is(err, market.ErrRefundWaits) {
		t.Fatalf("the error is %v, want %v", err, market.ErrRefundWaits)
	}
	e.clock.Pass(61 * time.Minute)
	if err := e.Settle(e.ctx, in.ID); !errors.Is(err, market.ErrNoBooking) {
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
	_, err := e.RemoveProduct(e.ctx, e.admin(), p.ID)
	e.must(err)
	if e.bank.Refunds(id) != 1 {
		t.Fatal("the payment was not refunded")
	}
	return e, b, id
}

func TestFailedRefundIsRetried(t *testing.T) {
	e, b, id := refundedBooking(t)
	e.bank.FailRefund(id)
	e.must(e.Settle(e.ctx, id)) // the webhook reports the failure; the refund is retried after a pause
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
			e.must(e.Settle(e.ctx, id))
			e.wantBooking(b, market.BookingRefunded, true, true)
			e.bank.Change(id, func(in *market.Intent) { in.Returned = false })
			if hasWebhook {
				e.must(e.Settle(e.ctx, id))
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
