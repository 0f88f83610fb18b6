package market_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

// reconciled compares the market's payments with its bank's. Nobody settles
// anything meanwhile, unless meanwhile does.
func (w *env) reconciled(since time.Time, meanwhile func()) market.Reconciled {
	w.t.Helper()
	done, err := market.Reconcile(w.ctx, w.store, w.bank, since, func(context.Context) error {
		meanwhile()
		return nil
	})
	w.must(err)
	return done
}

func nothing() {}

// bought is an order that is paid.
func (w *env) bought() (market.Booking, string) {
	w.t.Helper()
	buyer := w.buyer()
	b, id := w.order(buyer, w.phone(w.seller()))
	w.bank.Confirm(id)
	_, err := w.pay(buyer, b, id)
	w.must(err)
	return b, id
}

func TestReconcileFindsNothingWhereAllAgrees(t *testing.T) {
	w := newEnv(t)
	w.bought()
	w.order(w.buyer(), w.phone(w.seller())) // not paid yet
	buyer := w.buyer()
	b, id := w.order(buyer, w.phone(w.seller()))
	w.bank.Confirm(id)
	w.bank.Change(id, func(in *market.Intent) { in.Returned = true })
	_, err := w.pay(buyer, b, id)
	if market.CodeOf(err) != market.CodeRefunded {
		t.Fatal(err)
	}
	other, err := w.bank.OpenIntent(w.ctx, market.IntentOrder{BookingID: "of another market", Cents: 100})
	w.must(err)
	w.bank.Confirm(other.ID)
	if done := w.reconciled(time.Time{}, nothing); len(done.Differences) > 0 || done.Compared != 3 || done.Foreign != 1 {
		t.Errorf("%+v", done)
	}
}

func TestReconcileFindsEachDifference(t *testing.T) {
	const day = 24 * time.Hour
	for problem, make := range map[string]func(w *env) (id string){
		"The market has neither a payment nor the booking": func(w *env) string {
			in, err := w.bank.OpenIntent(w.ctx, market.IntentOrder{BookingID: "lost", ProductID: "lost too", BuyerUID: "ann", Cents: 12000})
			w.must(err)
			w.bank.Change(in.ID, func(in *market.Intent) { in.Ours = true })
			w.bank.Confirm(in.ID)
			return in.ID
		},
		"no payment of it; its booking is held": func(w *env) string {
			_, id := w.order(w.buyer(), w.phone(w.seller()))
			w.bank.Confirm(id)
			return id
		},
		"The provider has charged nothing: its intent is cancelled": func(w *env) string {
			_, id := w.bought()
			w.bank.Change(id, func(in *market.Intent) { in.Status = market.IntentCancelled })
			return id
		},
		"The market has 40.00 USD. The provider has charged 30.00 USD": func(w *env) string {
			_, id := w.bought()
			w.bank.Change(id, func(in *market.Intent) { in.Cents = 3000 })
			return id
		},
		"The money has gone back at the provider": func(w *env) string {
			_, id := w.bought()
			w.bank.Change(id, func(in *market.Intent) { in.Returned = true })
			return id
		},
		"The provider still has it": func(w *env) string {
			b, id := w.bought()
			w.bank.Change(id, func(in *market.Intent) { in.Returned = true })
			w.must(w.Settle(w.ctx, id))
			w.stands(b, market.BookingRefunded, true, true)
			w.bank.FailRefund(id)
			return id
		},
		"kept the money, and its booking is expired": func(w *env) string {
			b, id := w.bought()
			b = w.storedBooking(b)
			b.Status = market.BookingExpired
			b.Version++
			w.must(w.store.SaveBooking(w.ctx, b, nil))
			return id
		},
		"The provider does not know it": func(w *env) string {
			pay := market.Payment{
				ID: market.NewID(w.clock.Now()), Transaction: "pi_unknown", BookingID: "b", Price: 40,
				Outcome: market.PaymentKept, Version: 1, CreatedAt: w.clock.Now(),
			}
			w.must(w.store.AddPayment(w.ctx, pay, nil))
			return pay.Transaction
		},
	} {
		t.Run(problem, func(t *testing.T) {
			w := newEnv(t)
			w.bought() // which agrees
			w.clock.Pass(day)
			id := make(w)
			done := w.reconciled(time.Time{}, nothing)
			if len(done.Differences) != 1 || done.Differences[0].IntentID != id || !strings.Contains(done.Differences[0].Problem, problem) {
				t.Errorf("%+v", done)
			}
		})
	}
}

func TestReconcileLooksTwiceAtAPaymentThatArrivesMeanwhile(t *testing.T) {
	w := newEnv(t)
	_, id := w.order(w.buyer(), w.phone(w.seller()))
	w.bank.Confirm(id)
	done := w.reconciled(time.Time{}, func() { w.must(w.Settle(w.ctx, id)) })
	if len(done.Differences) > 0 || done.Compared != 1 {
		t.Errorf("%+v", done)
	}
}

func TestReconcileLeavesOutOlderPayments(t *testing.T) {
	w := newEnv(t)
	old := market.Payment{
		ID: market.NewID(w.clock.Now()), Transaction: "pi_old", Price: 40, Version: 1, CreatedAt: w.clock.Now(),
	}
	w.must(w.store.AddPayment(w.ctx, old, nil))
	if done := w.reconciled(w.clock.Now(), nothing); len(done.Differences) != 1 {
		t.Errorf("%+v", done)
	}
	if done := w.reconciled(w.clock.Now().Add(time.Second), nothing); len(done.Differences) > 0 || done.Compared > 0 {
		t.Errorf("%+v", done)
	}
}
