package market_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

// reconcile compares the market's payments with the bank's. It calls during between reading
// the two, unless that is nil.
func (e *env) reconcile(since time.Time, during func()) market.Reconciled {
	e.t.Helper()
	done, err := market.Reconcile(e.ctx, e.store, e.bank, since, func(context.Context) error {
		if during != nil {
			during()
		}
		return nil
	})
	e.must(err)
	return done
}

// addPaidOrder adds a paid order, and returns it and its intent.
func (e *env) addPaidOrder() (market.Booking, string) {
	e.t.Helper()
	buyer := e.buyer()
	b := e.mustBook(buyer, e.phone(e.seller()))
	e.mustPay(buyer, b)
	return b, e.storedBooking(b).Intent
}

// addLedgerEntry adds an entry without a cause to the ledger.
func (e *env) addLedgerEntry(b market.Booking, kind market.LedgerKind, cents int64, reference string) {
	e.t.Helper()
	b = e.storedBooking(b)
	b.Version++
	entry := market.LedgerEntry{ID: market.NewID(e.clock.Now()), BookingID: b.ID, SellerUID: b.SellerUID, BuyerUID: b.BuyerUID, Kind: kind, Cents: cents, Reference: reference, At: e.clock.Now()}
	e.must(e.store.SaveBooking(e.ctx, b, []market.Effect{entry}))
}

func TestReconcileWithoutDifferences(t *testing.T) {
	e := newEnv(t)
	e.addPaidOrder()
	e.bookWithIntent(e.buyer(), e.phone(e.seller())) // not paid yet
	buyer := e.buyer()
	b, id := e.bookWithIntent(buyer, e.phone(e.seller()))
	e.bank.Confirm(id)
	e.bank.Change(id, func(in *market.Intent) { in.Returned = true })
	_, err := e.pay(buyer, b, id)
	if market.CodeOf(err) != market.CodeRefunded {
		t.Fatal(err)
	}
	other, err := e.bank.OpenIntent(e.ctx, market.IntentRequest{BookingID: "of another market", Cents: 100})
	e.must(err)
	e.bank.Confirm(other.ID)
	if done := e.reconcile(time.Time{}, nil); len(done.Differences) > 0 || done.Compared != 3 || done.Foreign != 1 {
		t.Errorf("the result is %+v", done)
	}
}

func TestReconcileFindsEachDifference(t *testing.T) {
	for problem, create := range map[string]func(e *env) (id string){
		"The market has neither a payment nor a booking for it": func(e *env) string {
			in, err := e.bank.OpenIntent(e.ctx, market.IntentRequest{BookingID: "missing booking", ProductID: "missing phone", BuyerUID: "ann", Cents: 12000})
			e.must(err)
			e.bank.Change(in.ID, func(in *market.Intent) { in.IsOwn = true })
			e.bank.Confirm(in.ID)
			return in.ID
		},
		"no payment for it, and the booking is held": func(e *env) string {
			_, id := e.bookWithIntent(e.buyer(), e.phone(e.seller()))
			e.bank.Confirm(id)
			return id
		},
		"The provider has charged nothing: its intent is cancelled": func(e *env) string {
			_, id := e.addPaidOrder()
			e.bank.Change(id, func(in *market.Intent) { in.Status = market.IntentCancelled })
			return id
		},
		"The market has 40.00 USD. The provider has charged 30.00 USD": func(e *env) string {
			_, id := e.addPaidOrder()
			e.bank.Change(id, func(in *market.Intent) { in.Cents = 3000 })
			return id
		},
		"The provider has returned the money to the buyer": func(e *env) string {
			_, id := e.addPaidOrder()
			e.bank.Change(id, func(in *market.Intent) { in.Returned = true })
			return id
		},
		"The provider still has the money": func(e *env) string {
			b, id := e.addPaidOrder()
			e.bank.Change(id, func(in *market.Intent) { in.Returned = true })
			e.must(e.ApplyPayment(e.ctx, id))
			e.wantBooking(b, market.BookingRefunded, true, true)
			e.bank.FailRefund(id)
			return id
		},
		"The ledger has 40.01 USD charged": func(e *env) string {
			b, id := e.addPaidOrder()
			e.addLedgerEntry(b, market.LedgerCharge, 1, id)
			return id
		},
		"The ledger has 0.01 USD commission": func(e *env) string {
			b, id := e.addPaidOrder()
			e.addLedgerEntry(b, market.LedgerCommission, 1, "")
			return id
		},
		"A refund of this order was decided": func(e *env) string {
			b, id := e.addPaidOrder()
			e.refund(b)
			return id
		},
		"The provider has a dispute about this payment, which is open": func(e *env) string {
			_, id := e.addPaidOrder()
			e.bank.Dispute(id, e.clock.Now())
			return id
		},
		"for a dispute that was lost. The ledger does not contain that": func(e *env) string {
			_, id := e.addPaidOrder()
			e.bank.Change(id, func(in *market.Intent) {
				in.Dispute, in.DisputedAt, in.IsPartTaken = market.DisputeLost, e.clock.Now(), true
			})
			e.must(e.ApplyPayment(e.ctx, id))
			return id
		},
		"kept the money, but the booking is expired": func(e *env) string {
			b, id := e.addPaidOrder()
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
			e.addPaidOrder() // has no difference
			e.clock.Pass(day)
			id := create(e)
			done := e.reconcile(time.Time{}, nil)
			if len(done.Differences) != 1 || done.Differences[0].IntentID != id || !strings.Contains(done.Differences[0].Problem, problem) {
				t.Fatalf("the result is %+v, want this difference", done)
			}
			needsPerson := done.Differences[0].Advice != ""
			for range 2 { // the second call repairs nothing
				e.must(e.Repair(e.ctx, id))
			}
			e.clock.Pass(time.Second)
			e.must(e.Repair(e.ctx, id))
			if done := e.reconcile(time.Time{}, nil); (len(done.Differences) > 0) != needsPerson {
				t.Errorf("the result after the repair is %+v", done)
			}
		})
	}
}

func TestReconcileChecksPaymentsThatArriveDuringIt(t *testing.T) {
	e := newEnv(t)
	_, id := e.bookWithIntent(e.buyer(), e.phone(e.seller()))
	e.bank.Confirm(id)
	done := e.reconcile(time.Time{}, func() { e.must(e.ApplyPayment(e.ctx, id)) })
	if len(done.Differences) > 0 || done.Compared != 1 {
		t.Errorf("the result is %+v", done)
	}
}

func TestReconcileIgnoresOlderPayments(t *testing.T) {
	e := newEnv(t)
	old := market.Payment{
		ID: market.NewID(e.clock.Now()), Transaction: "pi_old", Price: 40, Version: 1, CreatedAt: e.clock.Now(),
	}
	e.must(e.store.AddPayment(e.ctx, old, nil))
	if done := e.reconcile(e.clock.Now(), nil); len(done.Differences) != 1 {
		t.Errorf("the result is %+v", done)
	}
	if done := e.reconcile(e.clock.Now().Add(time.Second), nil); len(done.Differences) > 0 || done.Compared > 0 {
		t.Errorf("the result is %+v", done)
	}
}

// A transfer that the market does not know is repaired. One that was reversed at the
// provider needs a person.
func TestReconcileComparesTransfers(t *testing.T) {
	rules := defaultRules
	rules.Payouts, rules.SettleAfter = market.PayoutsStripe, 0
	e := newEnvWith(t, rules)
	seller := e.seller()
	e.onboard(seller)
	transferred := func() market.Booking {
		b := e.addSettledOrder(seller, e.buyer())
		e.step()
		if b = e.storedBooking(b); !b.IsPaidOut() {
			t.Fatalf("the order has the payout %+v, want a transfer", b.Payout)
		}
		return b
	}
	b := transferred()
	wantDifference := func(problem string, needsPerson bool) {
		t.Helper()
		d := e.reconcile(time.Time{}, nil).Differences
		if problem == "" && len(d) == 0 {
			return
		}
		if len(d) != 1 || !strings.Contains(d[0].Problem, problem) || (d[0].Advice != "") != needsPerson {
			t.Fatalf("the differences are %+v, want %q", d, problem)
		}
	}
	wantDifference("", false)
	e.must(e.bank.ReverseTransfer(e.ctx, b.Payout.Reference))
	wantDifference("The provider does not know it, or has reversed it", true)
	e.must(e.Repair(e.ctx, b.Intent))
	wantDifference("The provider does not know it, or has reversed it", true)

	b = transferred()
	known := *b.Payout
	unknown := known
	unknown.Reference = ""
	b.Payout = &unknown
	b.Version++
	undo := market.LedgerEntry{
		ID: market.NewID(e.clock.Now()), BookingID: b.ID, SellerUID: b.SellerUID, BuyerUID: b.BuyerUID,
		Kind: market.LedgerPayout, Cents: -known.Cents, At: e.clock.Now(),
	}
	e.must(e.store.SaveBooking(e.ctx, b, []market.Effect{undo}))
	problemsOfOrder := func() (problems []string) {
		for _, d := range e.reconcile(time.Time{}, nil).Differences {
			if d.BookingID == b.ID {
				problems = append(problems, d.Problem)
			}
		}
		return problems
	}
	if got := problemsOfOrder(); len(got) != 1 || !strings.Contains(got[0], known.Reference+" to the seller. The market has not recorded that") {
		t.Errorf("the problems are %q", got)
	}
	e.must(e.Repair(e.ctx, b.Intent))
	if got := problemsOfOrder(); len(got) > 0 || e.storedBooking(b).Payout.Reference != known.Reference {
		t.Errorf("the problems after the repair are %q", got)
	}
}

func TestMoneyIsFormattedWithOneSign(t *testing.T) {
	for cents, want := range map[int64]string{
		0: "0.00 USD", 5: "0.05 USD", 12000: "120.00 USD", -5: "-0.05 USD", -100: "-1.00 USD", -3720: "-37.20 USD",
	} {
		if got := market.Money(cents, market.Currency); got != want {
			t.Errorf("%d cents are formatted as %q, want %q", cents, got, want)
		}
	}
}
