package market_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

// reconciled compares the market's payments with the bank's. It runs meanwhile during the
// comparison, unless that is nil.
func (e *env) reconciled(since time.Time, meanwhile func()) market.Reconciled {
	e.t.Helper()
	done, err := market.Reconcile(e.ctx, e.store, e.bank, since, func(context.Context) error {
		meanwhile()
		return nil
	})
	e.must(err)
	return done
}

func nothing() {}

// bought returns a paid order.
func (e *env) bought() (market.Booking, string) {
	e.t.Helper()
	buyer := e.buyer()
	b, id := e.order(buyer, e.phone(e.seller()))
	e.bank.Confirm(id)
	_, err := e.pay(buyer, b, id)
	e.must(err)
	return b, id
}

// enter adds an entry without a cause to the ledger.
func (e *env) enter(b market.Booking, kind market.LedgerKind, cents int64, reference string) {
	e.t.Helper()
	b = e.storedBooking(b)
	b.Version++
	entry := market.LedgerEntry{ID: market.NewID(e.clock.Now()), BookingID: b.ID, SellerUID: b.SellerUID, BuyerUID: b.BuyerUID, Kind: kind, Cents: cents, Reference: reference, At: e.clock.Now()}
	e.must(e.store.SaveBooking(e.ctx, b, []market.Event{entry.Event()}))
}

func TestReconcileWithoutDifferences(t *testing.T) {
	e := newEnv(t)
	e.bought()
	e.order(e.buyer(), e.phone(e.seller())) // not paid yet
	buyer := e.buyer()
	b, id := e.order(buyer, e.phone(e.seller()))
	e.bank.Confirm(id)
	e.bank.Change(id, func(in *market.Intent) { in.Returned = true })
	_, err := e.pay(buyer, b, id)
	if market.CodeOf(err) != market.CodeRefunded {
		t.Fatal(err)
	}
	other, err := e.bank.OpenIntent(e.ctx, market.IntentRequest{BookingID: "of another market", Cents: 100})
	e.must(err)
	e.bank.Confirm(other.ID)
	if done := e.reconciled(time.Time{}, nothing); len(done.Differences) > 0 || done.Compared != 3 || done.Foreign != 1 {
		t.Errorf("%+v", done)
	}
}

func TestReconcileFindsEachDifference(t *testing.T) {
	const day = 24 * time.Hour
	for problem, make := range map[string]func(e *env) (id string){
		"The market has neither a payment nor the booking": func(e *env) string {
			in, err := e.bank.OpenIntent(e.ctx, market.IntentRequest{BookingID: "lost", ProductID: "lost too", BuyerUID: "ann", Cents: 12000})
			e.must(err)
			e.bank.Change(in.ID, func(in *market.Intent) { in.Ours = true })
			e.bank.Confirm(in.ID)
			return in.ID
		},
		"no payment of it; its booking is held": func(e *env) string {
			_, id := e.order(e.buyer(), e.phone(e.seller()))
			e.bank.Confirm(id)
			return id
		},
		"The provider has charged nothing: its intent is cancelled": func(e *env) string {
			_, id := e.bought()
			e.bank.Change(id, func(in *market.Intent) { in.Status = market.IntentCancelled })
			return id
		},
		"The market has 40.00 USD. The provider has charged 30.00 USD": func(e *env) string {
			_, id := e.bought()
			e.bank.Change(id, func(in *market.Intent) { in.Cents = 3000 })
			return id
		},
		"The money has gone back at the provider": func(e *env) string {
			_, id := e.bought()
			e.bank.Change(id, func(in *market.Intent) { in.Returned = true })
			return id
		},
		"The provider still has it": func(e *env) string {
			b, id := e.bought()
			e.bank.Change(id, func(in *market.Intent) { in.Returned = true })
			e.must(e.Settle(e.ctx, id))
			e.expectBooking(b, market.BookingRefunded, true, true)
			e.bank.FailRefund(id)
			return id
		},
		"The ledger has 40.01 USD charged": func(e *env) string {
			b, id := e.bought()
			e.enter(b, market.LedgerCharge, 1, id)
			return id
		},
		"The ledger has 0.01 USD commission": func(e *env) string {
			b, id := e.bought()
			e.enter(b, market.LedgerCommission, 1, "")
			return id
		},
		"A refund of this order was decided": func(e *env) string {
			b, id := e.bought()
			e.refund(b)
			return id
		},
		"The provider has a dispute about this, which is open": func(e *env) string {
			_, id := e.bought()
			e.bank.Dispute(id, e.clock.Now())
			return id
		},
		"kept the money, and its booking is expired": func(e *env) string {
			b, id := e.bought()
			b = e.storedBooking(b)
			b.Status = market.BookingExpired
			b.Version++
			e.must(e.store.SaveBooking(e.ctx, b, nil))
			return id
		},
		"The provider does not know it": func(e *env) string {
			pay := market.Payment{
				ID: market.NewID(e.clock.Now()), Transaction: "pi_unknown", BookingID: "b", Price: 40,
				Outcome: market.PaymentKept, Version: 1, CreatedAt: e.clock.Now(),
			}
			e.must(e.store.AddPayment(e.ctx, pay, nil))
			return pay.Transaction
		},
	} {
		t.Run(problem, func(t *testing.T) {
			e := newEnv(t)
			e.bought() // no difference
			e.clock.Pass(day)
			id := make(e)
			done := e.reconciled(time.Time{}, nothing)
			if len(done.Differences) != 1 || done.Differences[0].IntentID != id || !strings.Contains(done.Differences[0].Problem, problem) {
				t.Fatalf("%+v", done)
			}
			needsPerson := done.Differences[0].Advice != ""
			for range 2 { // the second repairs nothing
				e.must(e.Repair(e.ctx, id))
			}
			e.clock.Pass(time.Second)
			e.must(e.Repair(e.ctx, id))
			if done := e.reconciled(time.Time{}, nothing); (len(done.Differences) > 0) != needsPerson {
				t.Errorf("repaired: %+v", done)
			}
		})
	}
}

func TestReconcileChecksPaymentsThatArriveDuringIt(t *testing.T) {
	e := newEnv(t)
	_, id := e.order(e.buyer(), e.phone(e.seller()))
	e.bank.Confirm(id)
	done := e.reconciled(time.Time{}, func() { e.must(e.Settle(e.ctx, id)) })
	if len(done.Differences) > 0 || done.Compared != 1 {
		t.Errorf("%+v", done)
	}
}

func TestReconcileIgnoresOlderPayments(t *testing.T) {
	e := newEnv(t)
	old := market.Payment{
		ID: market.NewID(e.clock.Now()), Transaction: "pi_old", Price: 40, Version: 1, CreatedAt: e.clock.Now(),
	}
	e.must(e.store.AddPayment(e.ctx, old, nil))
	if done := e.reconciled(e.clock.Now(), nothing); len(done.Differences) != 1 {
		t.Errorf("%+v", done)
	}
	if done := e.reconciled(e.clock.Now().Add(time.Second), nothing); len(done.Differences) > 0 || done.Compared > 0 {
		t.Errorf("%+v", done)
	}
}

// A transfer that the market does not know is repaired. One that was reversed at the
// provider needs a person.
func TestReconcileComparesTransfers(t *testing.T) {
	rules := plainRules
	rules.Payouts = market.PayoutsStripe
	e := newEnvWith(t, rules)
	seller := e.seller()
	e.onboard(seller)
	transferred := func() market.Booking {
		b := e.released(seller, e.buyer())
		e.step()
		if b = e.storedBooking(b); !b.IsPaidOut() {
			t.Fatalf("%+v", b.Payout)
		}
		return b
	}
	b := transferred()
	check := func(problem string, needsPerson bool) {
		t.Helper()
		d := e.reconciled(time.Time{}, nothing).Differences
		if problem == "" && len(d) == 0 {
			return
		}
		if len(d) != 1 || !strings.Contains(d[0].Problem, problem) || (d[0].Advice != "") != needsPerson {
			t.Fatalf("%+v", d)
		}
	}
	check("", false)
	e.must(e.bank.ReverseTransfer(e.ctx, b.Payout.Reference))
	check("The provider does not know it, or has taken it back", true)
	e.must(e.Repair(e.ctx, b.Intent))
	check("The provider does not know it, or has taken it back", true)

	b = transferred()
	known := *b.Payout
	forgotten := known
	forgotten.Reference = ""
	b.Payout = &forgotten
	b.Version++
	undo := market.LedgerEntry{
		ID: market.NewID(e.clock.Now()), BookingID: b.ID, SellerUID: b.SellerUID, BuyerUID: b.BuyerUID,
		Kind: market.LedgerPayout, Cents: -known.Cents, At: e.clock.Now(),
	}
	e.must(e.store.SaveBooking(e.ctx, b, []market.Event{undo.Event()}))
	differ := func() (problems []string) {
		for _, d := range e.reconciled(time.Time{}, nothing).Differences {
			if d.BookingID == b.ID {
				problems = append(problems, d.Problem)
			}
		}
		return problems
	}
	if got := differ(); len(got) != 1 || !strings.Contains(got[0], known.Reference+" to the seller. The market does not know that") {
		t.Errorf("%q", got)
	}
	e.must(e.Repair(e.ctx, b.Intent))
	if got := differ(); len(got) > 0 || e.storedBooking(b).Payout.Reference != known.Reference {
		t.Errorf("repaired: %q", got)
	}
}
