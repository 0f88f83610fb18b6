package market_test

import (
	"slices"
	"testing"
	"time"

	"secondring/market"
)

func (e *env) wantNotice(who market.Actor, text string) {
	e.t.Helper()
	list, err := e.store.NotificationsOf(e.ctx, who.User.UID, market.Page{Limit: 50})
	e.must(err)
	if !slices.ContainsFunc(list.Items, func(n market.Notification) bool { return n.Text == text }) {
		e.t.Errorf("there is no notification %q: %+v", text, list.Items)
	}
}

// sides are the two people of an order: the function returns one of them.
var sides = map[string]func(seller, buyer market.Actor) market.Actor{
	"the seller": func(seller, _ market.Actor) market.Actor { return seller },
	"the buyer":  func(_, buyer market.Actor) market.Actor { return buyer },
}

func TestNobodyLeavesWhileTheBankProcessesAPayment(t *testing.T) {
	for name, who := range sides {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			seller, buyer := e.seller(), e.buyer()
			b, id := e.bookWithIntent(buyer, e.phone(seller))
			e.bank.Process(id)
			e.wantCode(e.deleteAccount(who(seller, buyer)), market.CodeOpenOrders)
			for range 3 {
				e.passAndStep(time.Hour) // the hold ends, the payment is still processed
			}
			e.wantBooking(b, market.BookingExpired, false, false)
			e.wantCode(e.deleteAccount(who(seller, buyer)), market.CodeOpenOrders)
			e.bank.Confirm(id)
			e.wantCode(e.deleteAccount(who(seller, buyer)), market.CodeOpenOrders)
			e.wantBooking(b, market.BookingPaid, true, true)
		})
	}
}

func TestRefusedLeavingKeepsHolds(t *testing.T) {
	e, seller, buyer, _, _ := paidOrder(t)
	held, id := e.bookWithIntent(e.buyer(), e.phone(seller))
	own, _ := e.bookWithIntent(buyer, e.phone(e.seller()))
	e.wantCode(e.deleteAccount(seller), market.CodeOpenOrders)
	e.wantCode(e.deleteAccount(buyer), market.CodeOpenOrders)
	e.wantIntent(id, market.IntentOpen)
	e.wantBooking(held, market.BookingHeld, true, false)
	e.wantBooking(own, market.BookingHeld, true, false)
	if e.reload(seller).User.Leaving || e.reload(buyer).User.Leaving {
		t.Error("somebody who may not leave is leaving")
	}
}

// The process is killed after the first write of a person who leaves.
func TestPhoneOfSomebodyWhoIsLeavingCannotBePaid(t *testing.T) {
	for name, who := range sides {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			seller, buyer := e.seller(), e.buyer()
			b := e.mustBook(buyer, e.phone(seller))
			u := who(seller, buyer).User
			u.Leaving, u.SweepUntil = true, e.clock.Now().Add(40*time.Second)
			u.Version++
			e.must(e.store.SaveUser(e.ctx, u, nil))
			_, err := e.openPayment(buyer, b)
			e.wantCode(err, market.CodeClosed)
			e.passAndStep(time.Minute)
			e.mustPay(buyer, b) // the person stays
		})
	}
}

// The store was restored from a backup that has an open booking of somebody who has left.
func TestPaymentOfSomebodyWhoHasLeftIsRefunded(t *testing.T) {
	for name, who := range sides {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			seller, buyer := e.seller(), e.buyer()
			b, id := e.bookWithIntent(buyer, e.phone(seller))
			u := who(seller, buyer).User
			u.Leaving, u.Removed, u.SweepUntil = true, true, e.clock.Now()
			u.Version++
			e.must(e.store.SaveUser(e.ctx, u, nil))
			e.bank.Confirm(id)
			_, err := e.pay(buyer, b, id)
			e.wantCode(err, market.CodeRefunded)
			if e.bank.Refunds(id) != 1 || e.storedBooking(b).Status != market.BookingRefunded {
				t.Errorf("%d refunds, the booking is %+v", e.bank.Refunds(id), e.storedBooking(b))
			}
			if name == "the seller" {
				e.wantNotice(buyer, "Your payment for Nokia 3310 was refunded.")
			}
			e.passAndStep(time.Minute)
			e.passAndStep(time.Minute)
			if b := e.storedBooking(b); b.Status != market.BookingRefunded {
				t.Errorf("the booking is %+v", b)
			}
		})
	}
}

// The seller has left with a refunded order. Then the refund fails, and the market has the
// money of an order that was never completed.
func TestPaymentIsRefundedAgainIfASideHasLeft(t *testing.T) {
	for name, who := range sides {
		t.Run(name, func(t *testing.T) {
			e, seller, buyer, _, b := paidOrder(t)
			id := e.storedBooking(b).Intent
			e.must(e.bank.Refund(e.ctx, id, 0)) // in the provider's dashboard
			e.must(e.ApplyPayment(e.ctx, id))
			e.must(e.deleteAccount(who(seller, buyer)))
			e.bank.FailRefund(id)
			e.must(e.ApplyPayment(e.ctx, id))
			for range 4 {
				e.passAndStep(2 * time.Hour)
			}
			if got := e.storedBooking(b); got.Status != market.BookingRefunded || e.bank.Refunds(id) != 2 {
				t.Errorf("%d refunds, the booking is %s, %+v", e.bank.Refunds(id), got.Status, got.Fulfilment)
			}
		})
	}
}
