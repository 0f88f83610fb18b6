package market_test

import (
	"errors"
	"testing"
	"time"

	"secondring/market"
)

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
			e.must(e.ApplyPayment(e.ctx, id))
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
			_, err := e.RemoveUser(e.ctx, admin, who(buyer, seller).User.ID, market.RemovalReason{})
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
			_, err := e.RemoveUser(e.ctx, admin, who(buyer, seller).User.ID, market.RemovalReason{})
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
	_, err := e.RemoveUser(e.ctx, admin, seller.User.ID, market.RemovalReason{})
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
