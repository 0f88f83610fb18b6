package market_test

import (
	"errors"
	"testing"
	"time"

	"secondring/market"
)

// dying is the market in a process that dies when a booking becomes so.
func (w *env) dying(when market.BookingStatus) *market.Market {
	return market.New(&failing{Store: w.store, saveBooking: func(b market.Booking) error {
		if b.Status == when {
			return errCrash
		}
		return nil
	}}, w.clock, plainRules, w.bank)
}

func TestASecondChargeOfOneBookingIsReturned(t *testing.T) {
	w := newEnv(t)
	buyer := w.buyer()
	b, first := w.order(buyer, w.phone(w.seller()))
	second, err := w.bank.OpenIntent(w.ctx, market.IntentOrder{
		BookingID: b.ID, ProductID: b.ProductID, BuyerUID: b.BuyerUID, Attempt: 9, Cents: 4000,
	})
	w.must(err)
	w.bank.Confirm(first)
	w.bank.Confirm(second.ID)
	w.must(w.Settle(w.ctx, first))
	_, err = w.pay(buyer, b, second.ID)
	w.refused(err, market.CodeRefunded)
	w.stands(b, market.BookingPaid, true, true)
	if w.bank.Refunds(first) != 0 || w.bank.Refunds(second.ID) != 1 {
		t.Errorf("returned: %d of the first, %d of the second", w.bank.Refunds(first), w.bank.Refunds(second.ID))
	}
}

func TestASaleCutShortIsFinished(t *testing.T) {
	for name, news := range map[string]func(w *env, buyer market.Actor, b market.Booking) error{
		"by the browser": func(w *env, buyer market.Actor, b market.Booking) error {
			_, err := w.pay(buyer, b, b.Intent)
			return err
		},
		"by the webhook": func(w *env, _ market.Actor, b market.Booking) error { return w.Settle(w.ctx, b.Intent) },
		"by the payment reconciler": func(w *env, _ market.Actor, _ market.Booking) error {
			w.clock.Pass(time.Minute)
			return w.till.Step(w.ctx)
		},
		"by the deadline": func(w *env, _ market.Actor, _ market.Booking) error {
			w.clock.Pass(time.Hour)
			w.must(w.janitor.Step(w.ctx))
			return w.till.Step(w.ctx)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newEnv(t)
			buyer := w.buyer()
			b, id := w.order(buyer, w.phone(w.seller()))
			w.bank.Confirm(id)
			if err := w.dying(market.BookingPaid).Settle(w.ctx, id); !errors.Is(err, errCrash) {
				t.Fatal(err)
			}
			w.stands(b, market.BookingHeld, true, true)
			w.must(news(w, buyer, b))
			w.stands(b, market.BookingPaid, true, true)
		})
	}
}

func TestASaleCutShortStandsWhenItsSellerIsDeleted(t *testing.T) {
	w := newEnv(t)
	seller := w.seller()
	admin := w.admin()
	b, id := w.order(w.buyer(), w.phone(seller))
	w.bank.Confirm(id)
	if err := w.dying(market.BookingPaid).Settle(w.ctx, id); !errors.Is(err, errCrash) {
		t.Fatal(err)
	}
	_, err := w.RemoveUser(w.ctx, admin, seller.User.ID)
	w.must(err)
	if got := w.storedBooking(b).Status; got != market.BookingPaid || w.bank.Refunds(id) != 0 {
		t.Errorf("the booking is %s, %d refunds", got, w.bank.Refunds(id))
	}
}

func TestARefundCutShortIsFinishedOnce(t *testing.T) {
	w, _, b, id := processing(t)
	w.clock.Pass(5 * time.Minute)
	w.step()
	w.booked(w.buyer(), w.stored(market.Product{ID: b.ProductID}))
	w.bank.Confirm(id)
	if err := w.dying(market.BookingRefunded).Settle(w.ctx, id); !errors.Is(err, errCrash) {
		t.Fatal(err)
	}
	w.clock.Pass(5 * time.Minute)
	w.step()
	if got := w.storedBooking(b).Status; got != market.BookingRefunded || w.bank.Refunds(id) != 1 {
		t.Errorf("the booking is %s, %d refunds", got, w.bank.Refunds(id))
	}
}

// One node found the phone in other hands and returns the money; another, a
// moment later, found it free and took it. What the payment says stands.
func TestAPhoneTakenForMoneyThatGoesBackIsReleased(t *testing.T) {
	w := newEnv(t)
	b, id := w.order(w.buyer(), w.phone(w.seller()))
	w.bank.Confirm(id)
	late := market.New(&failing{Store: w.store, saveProduct: func(p market.Product) {
		if !p.Sold {
			return
		}
		pay, err := w.store.PaymentOf(w.ctx, id)
		w.must(err)
		pay.Outcome = market.PaymentReturned
		pay.Version++
		w.must(w.store.SavePayment(w.ctx, pay, nil))
	}}, w.clock, plainRules, w.bank)
	w.must(late.Settle(w.ctx, id))
	w.must(w.Settle(w.ctx, id))
	w.stands(b, market.BookingRefunded, false, false)
	if w.bank.Refunds(id) != 1 {
		t.Errorf("returned %d times", w.bank.Refunds(id))
	}
}
