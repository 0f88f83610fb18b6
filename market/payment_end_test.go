package market_test

import (
	"errors"
	"testing"
	"time"

	"secondring/market"
)

// step lets the janitor and the payment reconciler do all that is due.
func (w *env) step() {
	w.t.Helper()
	w.must(w.janitor.Step(w.ctx))
	w.must(w.till.Step(w.ctx))
	w.must(w.janitor.Step(w.ctx))
}

func (w *env) intentIs(id string, want market.IntentStatus) {
	w.t.Helper()
	in, err := w.bank.Intent(w.ctx, id)
	w.must(err)
	if in.Status != want {
		w.t.Errorf("the intent is %s, want %s", in.Status, want)
	}
}

func TestAtTheDeadlineTheIntentIsCancelledAndThePhoneFree(t *testing.T) {
	w := newEnv(t)
	b, id := w.order(w.buyer(), w.phone(w.seller()))
	w.clock.Pass(time.Hour)
	w.step()
	w.intentIs(id, market.IntentCancelled)
	w.stands(b, market.BookingExpired, false, false)
	if w.bank.Confirm(id) {
		t.Error("charged after the phone was freed")
	}
}

func TestMoneyThatArrivedBeforeTheDeadlineBuysThePhone(t *testing.T) {
	w := newEnv(t)
	b, id := w.order(w.buyer(), w.phone(w.seller()))
	w.bank.Confirm(id)
	w.clock.Pass(time.Hour)
	w.step()
	w.stands(b, market.BookingPaid, true, true)
}

func TestOnlyAConfirmedCancelFreesThePhone(t *testing.T) {
	w := newEnv(t)
	b, id := w.order(w.buyer(), w.phone(w.seller()))
	w.bank.SetUnavailable(true)
	for range 8 {
		w.clock.Pass(time.Hour)
		w.must(w.janitor.Step(w.ctx))
		if err := w.till.Step(w.ctx); !errors.Is(err, market.ErrPaymentsAway) {
			t.Fatal(err)
		}
		w.stands(b, market.BookingHeld, true, false)
	}
	w.bank.SetUnavailable(false)
	w.clock.Pass(5 * time.Minute)
	w.step()
	w.intentIs(id, market.IntentCancelled)
	w.stands(b, market.BookingExpired, false, false)
}

// processing is a hold past its deadline whose payment the bank is deciding.
func processing(t *testing.T) (w *env, buyer market.Actor, b market.Booking, id string) {
	t.Helper()
	w = newEnv(t)
	buyer = w.buyer()
	b, id = w.order(buyer, w.phone(w.seller()))
	w.bank.Process(id)
	w.clock.Pass(time.Hour)
	w.step()
	w.clock.Pass(59 * time.Minute)
	w.step()
	w.stands(b, market.BookingHeld, true, false)
	return w, buyer, b, id
}

func TestAPaymentInProcessingKeepsThePhoneAnHourLonger(t *testing.T) {
	w, _, b, _ := processing(t)
	w.clock.Pass(5 * time.Minute)
	w.step()
	w.stands(b, market.BookingExpired, false, false)
}

func TestALateSuccessTakesAPhoneThatIsStillFree(t *testing.T) {
	w, buyer, b, id := processing(t)
	w.clock.Pass(5 * time.Minute)
	w.step()
	w.bank.Confirm(id)
	w.clock.Pass(5 * time.Minute)
	w.step() // nobody brings the news: the payment reconciler goes on asking
	w.stands(b, market.BookingPaid, true, true)
	if got := w.stored(market.Product{ID: b.ProductID}).Hold; got.BuyerUID != buyer.User.UID || got.Phone != "01800000" {
		t.Errorf("sold to %+v", got)
	}
}

func TestALateSuccessOnATakenPhoneIsRefunded(t *testing.T) {
	for name, gone := range map[string]func(w *env, p market.Product){
		"held by another": func(w *env, p market.Product) { w.booked(w.buyer(), p) },
		"dearer now":      func(w *env, p market.Product) { w.must(w.reprice(p, p.ResalePrice+10)) },
		"worse than it was": func(w *env, p market.Product) {
			text := "For parts"
			_, err := w.ChangeProduct(w.ctx, w.sellerOf(p), p.ID, market.ProductChange{Description: &text})
			w.must(err)
		},
		"withdrawn":        func(w *env, p market.Product) { w.must(w.withdrawn(p)) },
		"bought by itself": func(w *env, p market.Product) { w.buy(p) },
	} {
		t.Run(name, func(t *testing.T) {
			w, buyer, b, id := processing(t)
			w.clock.Pass(5 * time.Minute)
			w.step()
			gone(w, w.stored(market.Product{ID: b.ProductID}))
			w.bank.Confirm(id)
			_, err := w.pay(buyer, b, id)
			w.refused(err, market.CodeRefunded)
			w.must(w.Settle(w.ctx, id))
			_, err = w.pay(buyer, b, id)
			w.refused(err, market.CodeRefunded)
			if got := w.storedBooking(b); got.Status != market.BookingRefunded || got.View().Paid {
				t.Errorf("the booking is %s", got.Status)
			}
			if w.bank.Refunds(id) != 1 {
				t.Errorf("refunded %d times", w.bank.Refunds(id))
			}
		})
	}
}

// buy sells the phone to another buyer.
func (w *env) buy(p market.Product) {
	w.t.Helper()
	buyer := w.buyer()
	b, id := w.order(buyer, p)
	w.bank.Confirm(id)
	_, err := w.pay(buyer, b, id)
	w.must(err)
}

func (w *env) sellerOf(p market.Product) market.Actor {
	w.t.Helper()
	u, err := w.store.User(w.ctx, p.SellerUID)
	w.must(err)
	return market.Actor{User: u}
}

func (w *env) reprice(p market.Product, price int) error {
	_, err := w.ChangeProduct(w.ctx, w.sellerOf(p), p.ID, market.ProductChange{ResalePrice: &price})
	return err
}

func (w *env) withdrawn(p market.Product) error {
	_, err := w.RemoveProduct(w.ctx, w.sellerOf(p), p.ID)
	return err
}

func TestCancellingABookingCancelsItsIntent(t *testing.T) {
	w := newEnv(t)
	buyer := w.buyer()
	b, id := w.order(buyer, w.phone(w.seller()))
	n, err := w.CancelBooking(w.ctx, buyer, b.ID)
	w.must(err)
	if n != 1 {
		t.Errorf("%d bookings cancelled", n)
	}
	w.intentIs(id, market.IntentCancelled)
	w.stands(b, market.BookingCancelled, false, false)
}

func TestCancellingTooLateFindsThePhoneBought(t *testing.T) {
	w := newEnv(t)
	buyer := w.buyer()
	b, id := w.order(buyer, w.phone(w.seller()))
	w.bank.Confirm(id)
	_, err := w.CancelBooking(w.ctx, buyer, b.ID)
	w.refused(err, market.CodePaid)
	w.stands(b, market.BookingPaid, true, true)
}

func TestCancellingWhileTheBankDecidesWaitsForIt(t *testing.T) {
	w := newEnv(t)
	buyer := w.buyer()
	b, id := w.order(buyer, w.phone(w.seller()))
	w.bank.Process(id)
	_, err := w.CancelBooking(w.ctx, buyer, b.ID)
	w.refused(err, market.CodeProcessing)
	w.bank.Change(id, func(in *market.Intent) { in.Status = market.IntentOpen }) // the bank said no
	w.clock.Pass(time.Minute)
	w.step()
	w.intentIs(id, market.IntentCancelled)
	w.stands(b, market.BookingCancelled, false, false)
}

func TestCancellingWhileTheProviderIsAwayIsDoneLater(t *testing.T) {
	w := newEnv(t)
	buyer := w.buyer()
	b, _ := w.order(buyer, w.phone(w.seller()))
	w.bank.SetUnavailable(true)
	_, err := w.CancelBooking(w.ctx, buyer, b.ID)
	w.refused(err, market.CodeUnavailable)
	w.bank.SetUnavailable(false)
	w.clock.Pass(time.Minute)
	w.step()
	w.stands(b, market.BookingCancelled, false, false)
}

func TestDeletingAPersonCancelsTheirIntents(t *testing.T) {
	for name, who := range map[string]func(buyer, seller market.Actor) market.Actor{
		"the buyer":  func(buyer, _ market.Actor) market.Actor { return buyer },
		"the seller": func(_, seller market.Actor) market.Actor { return seller },
	} {
		t.Run(name, func(t *testing.T) {
			w := newEnv(t)
			seller, buyer := w.seller(), w.buyer()
			admin, p := w.admin(), w.phone(seller)
			b, id := w.order(buyer, p)
			_, err := w.RemoveUser(w.ctx, admin, who(buyer, seller).User.ID)
			w.must(err)
			w.intentIs(id, market.IntentCancelled)
			if got := w.storedBooking(b).Status; got != market.BookingCancelled {
				t.Errorf("the booking is %s", got)
			}
			got, err := w.store.Product(w.ctx, p.ID)
			if withdrawn := errors.Is(err, market.ErrNotFound); withdrawn != (name == "the seller") || got.Booked() {
				t.Errorf("the phone: %+v, %v", got, err)
			}
		})
	}
}

func TestAPaymentThatSucceededStandsWhenSomebodyIsDeleted(t *testing.T) {
	for name, who := range map[string]func(buyer, seller market.Actor) market.Actor{
		"the buyer":  func(buyer, _ market.Actor) market.Actor { return buyer },
		"the seller": func(_, seller market.Actor) market.Actor { return seller },
	} {
		t.Run(name, func(t *testing.T) {
			w := newEnv(t)
			seller, buyer := w.seller(), w.buyer()
			admin := w.admin()
			b, id := w.order(buyer, w.phone(seller))
			w.bank.Confirm(id)
			_, err := w.RemoveUser(w.ctx, admin, who(buyer, seller).User.ID)
			w.must(err)
			if got := w.storedBooking(b).Status; got != market.BookingPaid || w.bank.Refunds(id) != 0 {
				t.Errorf("the booking is %s, %d refunds", got, w.bank.Refunds(id))
			}
		})
	}
}

func TestADeletedSellersPhoneWaitsForTheBank(t *testing.T) {
	w := newEnv(t)
	seller, buyer := w.seller(), w.buyer()
	admin, p := w.admin(), w.phone(seller)
	b, id := w.order(buyer, p)
	w.bank.SetUnavailable(true)
	_, err := w.RemoveUser(w.ctx, admin, seller.User.ID)
	w.must(err)
	w.clock.Pass(10 * time.Minute) // longer than any sweep
	w.must(w.janitor.Step(w.ctx))
	w.stands(b, market.BookingHeld, true, false)
	w.bank.SetUnavailable(false)
	w.clock.Pass(10 * time.Minute)
	w.step()
	w.intentIs(id, market.IntentCancelled)
	if _, err := w.store.Product(w.ctx, p.ID); !errors.Is(err, market.ErrNotFound) {
		t.Errorf("the phone of a deleted seller is still there: %v", err)
	}
	if got := w.storedBooking(b).Status; got != market.BookingCancelled {
		t.Errorf("the booking is %s", got)
	}
}

func TestARefundOrDisputeAtTheProviderMarksTheBookingAndKeepsThePhoneWithdrawn(t *testing.T) {
	w := newEnv(t)
	buyer := w.buyer()
	b, id := w.order(buyer, w.phone(w.seller()))
	w.bank.Confirm(id)
	_, err := w.pay(buyer, b, id)
	w.must(err)
	w.bank.Change(id, func(in *market.Intent) { in.Returned = true })
	w.must(w.Settle(w.ctx, id))
	w.stands(b, market.BookingRefunded, true, true)
	payment, err := w.store.PaymentOf(w.ctx, id)
	w.must(err)
	if payment.RefundedAt.IsZero() || w.bank.Refunds(id) != 0 {
		t.Errorf("%+v, refunded %d times by us", payment, w.bank.Refunds(id))
	}
}

func TestMoneyReturnedBeforeAnybodyHeardOfItFreesThePhone(t *testing.T) {
	w := newEnv(t)
	b, id := w.order(w.buyer(), w.phone(w.seller()))
	w.bank.Confirm(id)
	w.bank.Change(id, func(in *market.Intent) { in.Returned = true })
	w.must(w.Settle(w.ctx, id))
	w.stands(b, market.BookingRefunded, false, false)
}

func TestIntentsThatAreNotOursAreLeftAlone(t *testing.T) {
	w := newEnv(t)
	in, err := w.bank.OpenIntent(w.ctx, market.IntentOrder{Cents: 100})
	w.must(err)
	w.bank.Confirm(in.ID)
	w.must(w.Settle(w.ctx, in.ID))
	w.must(w.Settle(w.ctx, "pi_none"))
	in, err = w.bank.OpenIntent(w.ctx, market.IntentOrder{BookingID: "of another shop", Cents: 100})
	w.must(err)
	w.bank.Confirm(in.ID)
	if err := w.Settle(w.ctx, in.ID); !errors.Is(err, market.ErrNoBooking) {
		t.Errorf("another shop's charge: %v", err)
	}
	if w.bank.Refunds(in.ID) != 0 {
		t.Error("another shop's money was returned")
	}
}

// After a restore from an earlier moment a booking may be gone whose payment
// succeeds. The money goes back, once, and somebody is told.
func TestAChargeWithoutABookingIsRefunded(t *testing.T) {
	w := newEnv(t)
	in, err := w.bank.OpenIntent(w.ctx, market.IntentOrder{BookingID: "lost", ProductID: "lost too", BuyerUID: "ann", Cents: 12000})
	w.must(err)
	w.bank.Change(in.ID, func(in *market.Intent) { in.Ours = true })
	w.must(w.Settle(w.ctx, in.ID)) // nothing is charged yet
	w.bank.Confirm(in.ID)
	w.bank.SetUnavailable(true)
	if err := w.Settle(w.ctx, in.ID); !errors.Is(err, market.ErrPaymentsAway) {
		t.Fatal(err)
	}
	w.bank.SetUnavailable(false)
	for range 3 { // the webhook is sent again
		if err := w.Settle(w.ctx, in.ID); !errors.Is(err, market.ErrNoBooking) {
			t.Fatal(err)
		}
	}
	pay, err := w.store.PaymentOf(w.ctx, in.ID)
	w.must(err)
	if w.bank.Refunds(in.ID) != 1 || pay.RefundedAt.IsZero() || pay.Outcome != market.PaymentReturned || pay.Price != 120 {
		t.Errorf("refunded %d times, payment %+v", w.bank.Refunds(in.ID), pay)
	}
}

// There is no booking that the payment reconciler would check again. So the webhook is
// refused, and delivered again, until the refund is made.
func TestAFailedRefundOfAChargeWithoutABookingIsMadeAgain(t *testing.T) {
	w := newEnv(t)
	in, err := w.bank.OpenIntent(w.ctx, market.IntentOrder{BookingID: "lost", ProductID: "lost too", BuyerUID: "ann", Cents: 12000})
	w.must(err)
	w.bank.Change(in.ID, func(in *market.Intent) { in.Ours = true })
	w.bank.Confirm(in.ID)
	if err := w.Settle(w.ctx, in.ID); !errors.Is(err, market.ErrNoBooking) {
		t.Fatal(err)
	}
	w.bank.FailRefund(in.ID)
	if err := w.Settle(w.ctx, in.ID); !errors.Is(err, market.ErrRefundWaits) {
		t.Fatalf("the refund has failed: %v", err)
	}
	w.clock.Pass(61 * time.Minute)
	if err := w.Settle(w.ctx, in.ID); !errors.Is(err, market.ErrNoBooking) {
		t.Fatal(err)
	}
	if w.bank.Refunds(in.ID) != 2 {
		t.Errorf("refunded %d times", w.bank.Refunds(in.ID))
	}
}

// lateRefund is a payment that found no phone and was sent back.
func lateRefund(t *testing.T) (w *env, b market.Booking, id string) {
	t.Helper()
	w = newEnv(t)
	p := w.phone(w.seller())
	b, id = w.order(w.buyer(), p)
	w.bank.Confirm(id)
	_, err := w.RemoveProduct(w.ctx, w.admin(), p.ID)
	w.must(err)
	if w.bank.Refunds(id) != 1 {
		t.Fatal("not refunded")
	}
	return w, b, id
}

func TestARefundThatFailsIsMadeAgain(t *testing.T) {
	w, b, id := lateRefund(t)
	w.bank.FailRefund(id)
	w.must(w.Settle(w.ctx, id)) // the webhook says so: a pause comes first
	if w.bank.Refunds(id) != 1 {
		t.Fatal("made again at once")
	}
	w.clock.Pass(61 * time.Minute)
	w.step()
	if w.bank.Refunds(id) != 2 {
		t.Fatalf("refunded %d times", w.bank.Refunds(id))
	}
	w.bank.FailRefund(id) // and again: nobody brings the news this time
	for range 3 * 24 {
		w.clock.Pass(time.Hour)
		w.step()
	}
	if w.bank.Refunds(id) != 3 {
		t.Errorf("refunded %d times", w.bank.Refunds(id))
	}
	if got := w.storedBooking(b).Status; got != market.BookingRefunded {
		t.Errorf("the booking is %s", got)
	}
}

func TestADisputeThatIsWonMakesTheOrderPaidAgain(t *testing.T) {
	for name, told := range map[string]bool{"the webhook says so": true, "nobody says so": false} {
		t.Run(name, func(t *testing.T) {
			w, _, _, p, b := paidOrder(t)
			id := w.storedBooking(b).Intent
			w.bank.Change(id, func(in *market.Intent) { in.Returned = true })
			w.must(w.Settle(w.ctx, id))
			w.stands(b, market.BookingRefunded, true, true)
			w.bank.Change(id, func(in *market.Intent) { in.Returned = false })
			if told {
				w.must(w.Settle(w.ctx, id))
			} else {
				w.clock.Pass(2 * time.Hour)
				w.step()
			}
			w.stands(b, market.BookingPaid, true, true)
			pay, err := w.store.PaymentOf(w.ctx, id)
			w.must(err)
			if !pay.RefundedAt.IsZero() || w.stored(p).Hold.Transaction != id {
				t.Errorf("payment %+v", pay)
			}
			w.clock.Pass(2 * time.Minute)
			w.step()
			w.stands(b, market.BookingPaid, true, true)
		})
	}
}
