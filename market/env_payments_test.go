package market_test

import (
	"errors"
	"testing"
	"time"

	"secondring/market"
)

// bookWithIntent books a phone and opens a payment intent for the booking.
func (e *env) bookWithIntent(buyer market.Actor, p market.Product) (market.Booking, string) {
	e.t.Helper()
	b := e.mustBook(buyer, p)
	_, err := e.openPayment(buyer, b)
	e.must(err)
	b = e.storedBooking(b)
	return b, b.Intent
}

// openPayment requests an intent for a booking. It returns the client secret.
func (e *env) openPayment(buyer market.Actor, b market.Booking) (string, error) {
	return e.OpenPayment(e.ctx, buyer, market.OpenPaymentRequest{BookingID: b.ID, Price: &b.Price})
}

// pay sends the request that the buyer's browser sends after it charged the card.
func (e *env) pay(buyer market.Actor, b market.Booking, intent string) (market.Payment, error) {
	return e.Pay(e.ctx, buyer, market.PaymentRequest{
		BookingID: b.ID, Transaction: intent, Email: buyer.User.Email, Price: &b.Price,
	})
}

// wantBooking fails the test unless the booking has this status and its phone is held and
// sold as given.
func (e *env) wantBooking(b market.Booking, status market.BookingStatus, booked, sold bool) {
	e.t.Helper()
	if got := e.storedBooking(b); got.Status != status {
		e.t.Errorf("the booking is %s, want %s", got.Status, status)
	}
	p, err := e.store.Product(e.ctx, b.ProductID)
	e.must(err)
	if p.Booked() != booked || p.Sold != sold {
		e.t.Errorf("the phone is booked %v, sold %v, want %v, %v", p.Booked(), p.Sold, booked, sold)
	}
}

// mustPay pays for a booking.
func (e *env) mustPay(buyer market.Actor, b market.Booking) {
	e.t.Helper()
	_, err := e.openPayment(buyer, b)
	e.must(err)
	b = e.storedBooking(b)
	e.bank.Confirm(b.Intent)
	_, err = e.pay(buyer, b, b.Intent)
	e.must(err)
}

// cancelAsBuyer cancels a booking as its buyer.
func (e *env) cancelAsBuyer(b market.Booking) error {
	u, err := e.store.User(e.ctx, b.BuyerUID)
	e.must(err)
	_, err = e.CancelBooking(e.ctx, market.Actor{User: u}, b.ID)
	return err
}

// passAndStep moves the clock and runs the background jobs.
func (e *env) passAndStep(d time.Duration) {
	e.t.Helper()
	e.clock.Pass(d)
	e.must(errors.Join(e.janitor.Step(e.ctx), e.reconciler.Step(e.ctx)))
}

// step runs all work of the janitor and the payment reconciler that is due.
func (e *env) step() {
	e.t.Helper()
	e.must(e.janitor.Step(e.ctx))
	e.must(e.reconciler.Step(e.ctx))
	e.must(e.janitor.Step(e.ctx))
}

// stepEvery runs the background jobs a number of times, with a pause after each.
func (e *env) stepEvery(pause time.Duration, times int) {
	e.t.Helper()
	for range times {
		e.step()
		e.clock.Pass(pause)
	}
}

// wantIntent fails the test unless the intent has this status.
func (e *env) wantIntent(id string, want market.IntentStatus) {
	e.t.Helper()
	in, err := e.bank.Intent(e.ctx, id)
	e.must(err)
	if in.Status != want {
		e.t.Errorf("the intent is %s, want %s", in.Status, want)
	}
}

// sellToAnotherBuyer sells the phone to another buyer.
func (e *env) sellToAnotherBuyer(p market.Product) {
	e.t.Helper()
	buyer := e.buyer()
	e.mustPay(buyer, e.mustBook(buyer, p))
}

func (e *env) sellerOf(p market.Product) market.Actor {
	e.t.Helper()
	u, err := e.store.User(e.ctx, p.SellerUID)
	e.must(err)
	return market.Actor{User: u}
}

// changePrice changes a phone's price as its seller.
func (e *env) changePrice(p market.Product, price int) error {
	_, err := e.ChangeProduct(e.ctx, e.sellerOf(p), p.ID, market.ProductChange{ResalePrice: &price})
	return err
}

// removeAsSeller removes a phone as its seller.
func (e *env) removeAsSeller(p market.Product) error {
	_, err := e.RemoveProduct(e.ctx, e.sellerOf(p), p.ID, market.RemovalReason{})
	return err
}

func (e *env) deleteAccount(who market.Actor) error {
	return e.DeleteAccount(e.ctx, market.Account{UID: who.User.UID})
}

// paidOrder returns a new environment with a phone and its paid order.
func paidOrder(t *testing.T) (e *env, seller, buyer market.Actor, p market.Product, b market.Booking) {
	t.Helper()
	rules := defaultRules
	rules.Payouts = market.PayoutsManual
	e = newEnvWith(t, rules)
	seller, buyer = e.seller(), e.buyer()
	p = e.phone(seller)
	b = e.mustBook(buyer, p)
	e.mustPay(buyer, b)
	return e, seller, buyer, p, b
}
