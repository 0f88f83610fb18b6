package market_test

import (
	"testing"
	"time"

	"secondring/market"
)

// The seller of a refunded sale is told so on the phone; nobody else is, and no other sale is called
// refunded.
func TestRefundedSaleIsCalledRefunded(t *testing.T) {
	decide := func(e *env, admin market.Actor, b market.Booking, outcome string) {
		e.t.Helper()
		_, err := e.Fulfil(e.ctx, admin, b.ID, market.FulfilmentRequest{Action: "settle", Outcome: outcome, Reason: "It is broken"})
		e.must(err)
		e.stepEvery(time.Hour, 3)
	}
	for name, c := range map[string]struct {
		refunded bool
		act      func(e *env, buyer market.Actor, b market.Booking)
	}{
		"paid":     {false, func(*env, market.Actor, market.Booking) {}},
		"released": {false, func(e *env, _ market.Actor, b market.Booking) { decide(e, e.admin(), b, "release") }},
		"decided":  {true, func(e *env, _ market.Actor, b market.Booking) { decide(e, e.admin(), b, "refund") }},
		"refunded after its end": {true, func(e *env, _ market.Actor, b market.Booking) {
			admin := e.admin()
			decide(e, admin, b, "release")
			_, err := e.RefundOrder(e.ctx, admin, b.ID, "It was stolen", nil)
			e.must(err)
			e.stepEvery(time.Hour, 3)
		}},
		"disputed": {true, func(e *env, _ market.Actor, b market.Booking) {
			e.bank.Dispute(e.storedBooking(b).Intent, e.clock.Now())
			e.must(e.ApplyPayment(e.ctx, e.storedBooking(b).Intent))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			e, _, buyer, p, b := paidOrder(t)
			c.act(e, buyer, b)
			stored := e.stored(p)
			if got := stored.ViewForSeller().Refunded; got != c.refunded {
				t.Errorf("the seller reads refunded: %v", got)
			}
			if stored.ViewWithContact().Refunded || stored.ViewForVisitor().Refunded {
				t.Error("others read that the sale was refunded")
			}
		})
	}
}
