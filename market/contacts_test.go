package market_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

// refunds are the ways in which a paid order is refunded.
var refunds = map[string]func(e *env, admin, buyer market.Actor, b market.Booking){
	"an admin's refund": func(e *env, admin, _ market.Actor, b market.Booking) {
		_, err := e.RefundOrder(e.ctx, admin, b.ID, "reason", nil)
		e.must(err)
	},
	"an admin's decision": func(e *env, admin, buyer market.Actor, b market.Booking) {
		e.fulfil(buyer, b, problem)
		e.fulfil(admin, b, refund)
	},
	"a refund at the provider": func(e *env, _, _ market.Actor, b market.Booking) {
		e.must(e.bank.Refund(e.ctx, b.Intent, 0))
		e.must(e.ApplyPayment(e.ctx, b.Intent))
	},
	"a dispute": func(e *env, _, _ market.Actor, b market.Booking) {
		e.bank.Dispute(b.Intent, e.clock.Now())
		e.must(e.ApplyPayment(e.ctx, b.Intent))
	},
	"a lost dispute": func(e *env, _, _ market.Actor, b market.Booking) {
		e.bank.Dispute(b.Intent, e.clock.Now())
		e.bank.EndDispute(b.Intent, market.DisputeLost)
		e.must(e.ApplyPayment(e.ctx, b.Intent))
	},
}

func TestSellerOfARefundedOrderDoesNotSeeTheBuyer(t *testing.T) {
	for name, refund := range refunds {
		t.Run(name, func(t *testing.T) {
			e, seller, buyer, p, b := paidOrder(t)
			admin := e.admin()
			b = e.storedBooking(b)
			refund(e, admin, buyer, b)
			e.stepEvery(time.Second, 3)
			e.wantBooking(b, market.BookingRefunded, true, true)
			e.wantHiddenFrom(seller, e.ViewFor(seller, e.storedBooking(b)), e.stored(p).ViewForSeller())
			if shown := e.stored(p).ViewForSeller(); shown.Buyer != nil || shown.BookingID != b.ID {
				t.Errorf("the seller sees the phone %+v", shown)
			}
			for _, who := range []market.Actor{buyer, admin} {
				if shown := e.ViewFor(who, e.storedBooking(b)); shown.Email != buyer.User.Email {
					t.Errorf("%s sees the order %+v", who.User.Name, shown)
				}
			}
			if shown := e.ViewFor(buyer, e.storedBooking(b)); shown.Seller.Email != "" || shown.Seller.Name == "" {
				t.Errorf("the buyer sees the seller %+v", shown.Seller)
			}
			if shown := e.ViewFor(admin, e.storedBooking(b)); shown.Seller.Email != seller.User.Email {
				t.Errorf("the admin sees the seller %+v", shown.Seller)
			}
			e.wantLastEventsWithoutBuyer(seller, b)
		})
	}
}

// wantHiddenFrom fails the test if a view for the seller has data of the buyer.
func (e *env) wantHiddenFrom(seller market.Actor, views ...any) {
	e.t.Helper()
	for _, view := range views {
		text, err := json.Marshal(view)
		e.must(err)
		for _, secret := range []string{"01800000", "Sylhet"} { // of env.book
			if strings.Contains(string(text), secret) {
				e.t.Errorf("%s sees %s in %s", seller.User.Name, secret, text)
			}
		}
	}
}

// wantLastEventsWithoutBuyer checks the newest events of the seller about the order and its phone.
func (e *env) wantLastEventsWithoutBuyer(seller market.Actor, b market.Booking) {
	e.t.Helper()
	last := map[string]json.RawMessage{}
	for _, event := range e.drain() {
		if event.Topic == market.TopicMe(seller.User.UID) {
			last[event.Entity] = event.Data
		}
	}
	if last[b.ID] == nil || last[b.ProductID] == nil {
		e.t.Error("the seller has no event of the order, or none of the phone")
	}
	e.wantHiddenFrom(seller, last[b.ID], last[b.ProductID])
}

func TestSellerSeesTheBuyerAgainAfterAWonDispute(t *testing.T) {
	e, seller, _, p, b := paidOrder(t)
	before := *e.stored(p).ViewForSeller().Buyer
	b = e.storedBooking(b)
	e.bank.Dispute(b.Intent, e.clock.Now())
	e.must(e.ApplyPayment(e.ctx, b.Intent))
	if shown := e.stored(p).ViewForSeller(); shown.Buyer != nil || !shown.Refunded {
		t.Fatalf("the seller sees the buyer %+v", shown.Buyer)
	}
	e.bank.EndDispute(b.Intent, market.DisputeWon)
	e.must(e.ApplyPayment(e.ctx, b.Intent))
	if shown := e.stored(p).ViewForSeller(); shown.Buyer == nil || *shown.Buyer != before || shown.Refunded {
		t.Errorf("the seller sees the buyer %+v, want %+v", shown.Buyer, before)
	}
	if shown := e.ViewFor(seller, e.storedBooking(b)); shown.Phone != before.Phone {
		t.Errorf("the seller sees the order %+v", shown)
	}
}

// A process is killed at each write of a refund, and of the end of a won dispute.
func TestKillDuringARefundLeavesNoContact(t *testing.T) {
	for writes := range 5 {
		for _, made := range []bool{false, true} {
			e, _, _, p, b := paidOrder(t)
			b = e.storedBooking(b)
			crashing := func() *market.Market {
				crash := &markettest.Crash{Writes: writes, Made: made, Die: func() error { return errCrash }}
				return market.New(markettest.Guarded(e.store, crash.Guard), e.clock, e.rules, e.bank)
			}
			e.bank.Dispute(b.Intent, e.clock.Now())
			_ = crashing().ApplyPayment(e.ctx, b.Intent)
			e.stepEvery(time.Hour, 3)
			e.wantBooking(b, market.BookingRefunded, true, true)
			if shown := e.stored(p).ViewForSeller(); shown.Buyer != nil || !shown.Refunded {
				t.Errorf("after a kill at write %d, which was made: %t, the seller sees the buyer %+v", writes, made, shown.Buyer)
			}
			e.bank.EndDispute(b.Intent, market.DisputeWon)
			_ = crashing().ApplyPayment(e.ctx, b.Intent)
			e.stepEvery(25*time.Hour, 3)
			e.wantBooking(b, market.BookingPaid, true, true)
			if shown := e.stored(p).ViewForSeller(); shown.Buyer == nil || shown.Refunded {
				t.Errorf("after a kill at write %d, which was made: %t, the seller does not see the buyer", writes, made)
			}
		}
	}
}

// An admin has decided to refund the order, and the refund fails again and again. The seller does not
// see the buyer meanwhile.
func TestFailingRefundHidesTheBuyer(t *testing.T) {
	e, seller, buyer, p, b := paidOrder(t)
	admin := e.admin()
	b = e.storedBooking(b)
	e.fulfil(buyer, b, problem)
	e.fulfil(admin, b, refund)
	e.wantHiddenFrom(seller, e.ViewFor(seller, e.storedBooking(b)))
	e.stepEvery(time.Second, 3)
	for range 2 {
		e.bank.FailRefund(b.Intent)
		e.must(e.ApplyPayment(e.ctx, b.Intent))
		e.wantHiddenFrom(seller, e.ViewFor(seller, e.storedBooking(b)), e.stored(p).ViewForSeller())
		e.stepEvery(time.Minute, 3)
	}
}
