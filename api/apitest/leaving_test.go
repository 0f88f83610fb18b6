package apitest_test

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"secondring/market"
)

// A buyer or a seller deletes their account while the buyer confirms the card and reports the
// payment. Either the order is paid and both are still there, or the person has left and nothing
// was charged, or it was refunded.
func TestLeavingBesideAPayment(t *testing.T) { newOrdersEnv(t).leaveBesidePayments() }

// The same with MongoDB.
func TestLeavingBesideAPaymentOnMongo(t *testing.T) {
	newOrdersEnv(t, func(s *setup) { s.engine = mongoEngine(t) }).leaveBesidePayments()
}

func (e *ordersEnv) leaveBesidePayments() {
	for name, pick := range map[string]func(seller, buyer *person) *person{
		"the seller": func(seller, _ *person) *person { return seller },
		"the buyer":  func(_, buyer *person) *person { return buyer },
	} {
		for i := range 10 {
			number := fmt.Sprint(name, i)
			seller, buyer := e.env.seller("S"+number), e.env.buyer("B"+number)
			id := buyer.book(seller.addPhone(e.brand))
			secret := buyer.createIntent(id)
			payment := buyer.paymentFields(id, secret)
			leaver, left := pick(seller, buyer), response{}
			var both sync.WaitGroup
			both.Go(func() { left = leaver.leave() })
			both.Go(func() {
				e.confirm(secret, "pm_card_visa")
				buyer.postPayment(payment)
			})
			both.Wait()
			e.wantPaidOrLeft(id, left)
		}
	}
}

// wantPaidOrLeft runs the background jobs and compares the order with the response to the person
// who leaves.
func (e *ordersEnv) wantPaidOrLeft(id string, left response) {
	e.t.Helper()
	for range 3 {
		e.clock.Pass(time.Minute)
		must(e.t, errors.Join(e.janitor.Step(e.t.Context()), e.reconciler.Step(e.t.Context())))
	}
	e.admin.refreshToken()
	order := e.orderInList(id)
	switch left.StatusCode {
	case http.StatusConflict:
		left.wantError(http.StatusConflict, market.CodeOpenOrders)
		if order.Status != market.BookingPaid || order.Seller == nil || order.Email == "" || order.Money.Waiting != 12000 {
			e.t.Errorf("the person has not left, the order is %+v, %+v", order, order.Money)
		}
	case http.StatusNoContent:
		if order.Status == market.BookingPaid || order.Status == market.BookingHeld || order.Money.Charged != order.Money.Refunded {
			e.t.Errorf("the person has left, the order is %+v, %+v", order, order.Money)
		}
	default:
		e.t.Errorf("leaving: status %d: %s", left.StatusCode, left.body)
	}
}
