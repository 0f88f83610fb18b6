package market_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

func TestSecondChargeIsRefunded(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	b, first := e.bookWithIntent(buyer, e.phone(e.seller()))
	second, err := e.bank.OpenIntent(e.ctx, market.IntentRequest{
		BookingID: b.ID, ProductID: b.ProductID, BuyerUID: b.BuyerUID, Attempt: 9, Cents: 4000,
	})
	e.must(err)
	e.bank.Confirm(first)
	e.bank.Confirm(second.ID)
	e.must(e.ApplyPayment(e.ctx, first))
	_, err = e.pay(buyer, b, second.ID)
	e.wantCode(err, market.CodeRefunded)
	e.wantBooking(b, market.BookingPaid, true, true)
	if e.bank.Refunds(first) != 0 || e.bank.Refunds(second.ID) != 1 {
		t.Errorf("refunded %d times the first charge, %d times the second, want 0 and 1", e.bank.Refunds(first), e.bank.Refunds(second.ID))
	}
}

func TestInterruptedPaymentIsCompleted(t *testing.T) {
	for name, complete := range map[string]func(e *env, buyer market.Actor, b market.Booking) error{
		"by the browser": func(e *env, buyer market.Actor, b market.Booking) error {
			_, err := e.pay(buyer, b, b.Intent)
			return err
		},
		"by the webhook": func(e *env, _ market.Actor, b market.Booking) error { return e.ApplyPayment(e.ctx, b.Intent) },
		"by the payment reconciler": func(e *env, _ market.Actor, _ market.Booking) error {
			e.clock.Pass(time.Minute)
			return e.reconciler.Step(e.ctx)
		},
		"by the deadline": func(e *env, _ market.Actor, _ market.Booking) error {
			e.clock.Pass(time.Hour)
			e.must(e.janitor.Step(e.ctx))
			return e.reconciler.Step(e.ctx)
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			buyer := e.buyer()
			b, id := e.bookWithIntent(buyer, e.phone(e.seller()))
			e.bank.Confirm(id)
			if err := e.crashingMarket(market.BookingPaid).ApplyPayment(e.ctx, id); !errors.Is(err, errCrash) {
				t.Fatal(err)
			}
			e.wantBooking(b, market.BookingHeld, true, true)
			e.must(complete(e, buyer, b))
			e.wantBooking(b, market.BookingPaid, true, true)
		})
	}
}

func TestInterruptedPaymentIsKeptAfterSellerRemoval(t *testing.T) {
	e := newEnv(t)
	seller := e.seller()
	admin := e.admin()
	b, id := e.bookWithIntent(e.buyer(), e.phone(seller))
	e.bank.Confirm(id)
	if err := e.crashingMarket(market.BookingPaid).ApplyPayment(e.ctx, id); !errors.Is(err, errCrash) {
		t.Fatal(err)
	}
	_, err := e.RemoveUser(e.ctx, admin, seller.User.ID, market.RemovalReason{})
	e.must(err)
	e.clock.Pass(time.Minute)
	e.step()
	if got := e.storedBooking(b).Status; got != market.BookingPaid || e.bank.Refunds(id) != 0 {
		t.Errorf("the booking is %s, %d refunds", got, e.bank.Refunds(id))
	}
}

func TestInterruptedRefundIsCompletedOnce(t *testing.T) {
	e, _, b, id := bookingInProcess(t)
	e.clock.Pass(5 * time.Minute)
	e.step()
	e.mustBook(e.buyer(), e.stored(market.Product{ID: b.ProductID}))
	e.bank.Confirm(id)
	if err := e.crashingMarket(market.BookingRefunded).ApplyPayment(e.ctx, id); !errors.Is(err, errCrash) {
		t.Fatal(err)
	}
	e.clock.Pass(5 * time.Minute)
	e.step()
	if got := e.storedBooking(b).Status; got != market.BookingRefunded || e.bank.Refunds(id) != 1 {
		t.Errorf("the booking is %s, %d refunds", got, e.bank.Refunds(id))
	}
}

// One node finds the phone unavailable and refunds the payment. Another finds it
// wantAvailable shortly after and sells it. The stored outcome of the payment decides.
func TestRefundedPaymentReleasesPhone(t *testing.T) {
	e := newEnv(t)
	b, id := e.bookWithIntent(e.buyer(), e.phone(e.seller()))
	e.bank.Confirm(id)
	delayed := market.New(&failingStore{Store: e.store, saveProduct: func(p market.Product) {
		if !p.Sold {
			return
		}
		payment, err := e.store.PaymentOf(e.ctx, id)
		e.must(err)
		payment.Outcome = market.PaymentReturned
		payment.Version++
		e.must(e.store.SavePayment(e.ctx, payment, nil))
	}}, e.clock, defaultRules, e.bank)
	e.must(delayed.ApplyPayment(e.ctx, id))
	e.must(e.ApplyPayment(e.ctx, id))
	e.wantBooking(b, market.BookingRefunded, false, false)
	if e.bank.Refunds(id) != 1 {
		t.Errorf("refunded %d times, want 1", e.bank.Refunds(id))
	}
}

// slowBank is a bank whose next response about an intent is delayed.
type slowBank struct {
	*markettest.Bank
	beforeAnswer func() // runs before the answer is returned
}

// Intent implements market.Payments.
func (b *slowBank) Intent(ctx context.Context, id string) (market.Intent, error) {
	in, err := b.Bank.Intent(ctx, id)
	if beforeAnswer := b.beforeAnswer; beforeAnswer != nil {
		b.beforeAnswer = nil
		beforeAnswer()
	}
	return in, err
}

// One node reads the intent. Before it continues, the money moves, and another node stores
// that and is killed before it changes the booking.
func TestDelayedResponseDoesNotUndoNewerState(t *testing.T) {
	for name, c := range map[string]struct {
		before, during func(b *markettest.Bank, intent string)
		killed, want   market.BookingStatus
		refunded       int64
	}{
		"a refund": {
			before: func(*markettest.Bank, string) {},
			during: func(b *markettest.Bank, intent string) {
				b.Change(intent, func(in *market.Intent) { in.Returned = true })
			},
			killed: market.BookingRefunded, want: market.BookingRefunded, refunded: 4000,
		},
		"a refund that failed": {
			before: func(b *markettest.Bank, intent string) {
				b.Change(intent, func(in *market.Intent) { in.Returned = true })
			},
			during: (*markettest.Bank).FailRefund,
			killed: market.BookingPaid, want: market.BookingPaid,
		},
	} {
		t.Run(name, func(t *testing.T) {
			e, _, _, _, b := paidOrder(t)
			intent := e.storedBooking(b).Intent
			c.before(e.bank, intent)
			e.must(e.ApplyPayment(e.ctx, intent))
			bank := &slowBank{Bank: e.bank, beforeAnswer: func() {
				c.during(e.bank, intent)
				if err := e.crashingMarket(c.killed).ApplyPayment(e.ctx, intent); !errors.Is(err, errCrash) {
					t.Fatal(err)
				}
			}}
			e.must(market.New(e.store, e.clock, defaultRules, bank).ApplyPayment(e.ctx, intent))
			if got := e.storedBooking(b).Status; got != c.want {
				t.Errorf("the booking is %s, want %s", got, c.want)
			}
			entries, err := e.store.LedgerOfOrder(e.ctx, b.ID)
			e.must(err)
			if got := market.BalanceOf(entries).Refunded; got != c.refunded {
				t.Errorf("%d cents are refunded, want %d: %+v", got, c.refunded, entries)
			}
		})
	}
}
