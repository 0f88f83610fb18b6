package market_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

// fulfil performs an action on an order, and fails the test unless it changes the order.
func (e *env) fulfil(who market.Actor, b market.Booking, in market.FulfilmentRequest) {
	e.t.Helper()
	n, err := e.Fulfil(e.ctx, who, b.ID, in)
	e.must(err)
	if n != 1 {
		e.t.Fatalf("%s changed %d orders, want 1", in.Action, n)
	}
}

// refund makes an admin refund an order.
func (e *env) refund(b market.Booking) {
	e.t.Helper()
	n, err := e.RefundOrder(e.ctx, e.admin(), b.ID, "The phone was stolen.", nil)
	e.must(err)
	if n != 1 {
		e.t.Fatalf("%d orders are refunded, want 1", n)
	}
}

// passDeadline lets the time of an order pass: until the check of its payment, its reminder and its
// deadline.
func (e *env) passDeadline(b market.Booking) {
	e.t.Helper()
	for range 3 {
		e.clock.Pass(max(0, e.storedBooking(b).Due.Sub(e.clock.Now())))
		e.step()
	}
}

// wantState fails the test unless the order has this state and this outcome.
func (e *env) wantState(b market.Booking, state market.FulfilmentState, outcome market.FulfilmentOutcome) {
	e.t.Helper()
	if f := e.storedBooking(b).Fulfilment; f == nil || f.State != state || f.Outcome != outcome {
		e.t.Fatalf("the order is %+v, want %s with the outcome %q", f, state, outcome)
	}
}

var (
	sent     = market.FulfilmentRequest{Action: "send", Carrier: "Royal Mail", Tracking: "RM 1"}
	received = market.FulfilmentRequest{Action: "received"}
	problem  = market.FulfilmentRequest{Action: "problem", Reason: "The screen is broken."}
	release  = market.FulfilmentRequest{Action: "settle", Outcome: "release", Reason: "The photos show no damage."}
	answer   = market.FulfilmentRequest{Action: "answer", Text: "It was whole when I sent it."}

	returnFirst = market.FulfilmentRequest{Action: "settle", Outcome: "return", Reason: "The screen is broken."}
	sentBack    = market.FulfilmentRequest{Action: "return", Carrier: "Royal Mail", Tracking: "RM 9"}
	returned    = market.FulfilmentRequest{Action: "returned"}
	object      = market.FulfilmentRequest{Action: "object", Text: "This is another phone."}

	refund = market.FulfilmentRequest{Action: "settle", Outcome: "refund", Reason: "The phone never came."}
)

func TestPostedOrderIsSettledAfterTransitAndSettleAfter(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	e.wantNotified(seller, "booked: Your Nokia 3310 was booked.", "paid: Your Nokia 3310 is sold: the buyer has paid.")
	e.wantNotified(buyer, "order: Your payment for Nokia 3310 has arrived. Now get your phone from the seller.")
	e.fulfil(seller, b, sent)
	e.wantNotified(buyer, "order: Your Nokia 3310 is on its way with Royal Mail, number RM 1.")
	v := e.storedBooking(b).View().Fulfilment
	if v.Method != market.MethodPosted || v.Tracking != "RM 1" || v.SendBy != nil || !v.SettlesAt.Equal(e.clock.Now().Add(e.rules.Transit+e.rules.SettleAfter)) {
		t.Errorf("the order is shown as %+v", v)
	}
	e.clock.Pass(e.rules.Transit)
	e.step()
	e.wantNotified(buyer, "order: Has your Nokia 3310 come? On 11 November at 12:00 UTC the money goes to the seller, unless you report a problem.")
	e.clock.Pass(e.rules.SettleAfter - time.Second)
	e.step()
	e.wantState(b, market.FulfilmentSent, "")
	e.clock.Pass(time.Second)
	e.step()
	e.wantState(b, market.FulfilmentSettled, market.OutcomeRelease)
	e.wantNotified(buyer, "order: Your order of Nokia 3310 is completed.")
	e.wantNotified(seller, "order: Your sale of Nokia 3310 is completed.")
	if due := e.storedBooking(b).Due; !due.IsZero() {
		t.Errorf("the settled order is due again at %v", due)
	}
}

func TestTrackingNumberCanBeCorrectedWhileThePhoneIsOnItsWay(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	e.fulfil(seller, b, sent)
	before := e.storedBooking(b)
	e.clock.Pass(time.Hour)
	_, err := e.Fulfil(e.ctx, seller, b.ID, sent)
	e.wantCode(err, market.CodeConflict)
	corrected := sent
	corrected.Tracking = "RM 2"
	e.fulfil(seller, b, corrected)
	after := e.storedBooking(b)
	want := *before.Fulfilment
	want.Tracking, want.Corrections = "RM 2", 1
	if !reflect.DeepEqual(*after.Fulfilment, want) || !after.Due.Equal(before.Due) {
		t.Errorf("the order is %+v, due %v, want %+v, due %v", after.Fulfilment, after.Due, want, before.Due)
	}
	if notified := e.notificationTexts(buyer); notified[len(notified)-1] != "order: Your Nokia 3310 is on its way with Royal Mail, number RM 2." {
		t.Errorf("the buyer was notified: %q", notified)
	}
	e.fulfil(buyer, b, received)
	_, err = e.Fulfil(e.ctx, seller, b.ID, sent)
	e.wantCode(err, market.CodeConflict)
}

// The buyer is notified of each correction.
func TestTrackingNumberCanBeCorrectedFiveTimes(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	for i := range 6 {
		in := sent
		in.Tracking = fmt.Sprint("RM ", i)
		e.fulfil(seller, b, in)
	}
	for _, in := range []market.FulfilmentRequest{sent, {Action: "send", Carrier: "Another", Tracking: "RM 5"}} {
		_, err := e.Fulfil(e.ctx, seller, b.ID, in)
		e.wantCode(err, market.CodeTooMany)
	}
	if f := e.storedBooking(b).Fulfilment; f.Tracking != "RM 5" {
		t.Errorf("the order is %+v", f)
	}
	e.fulfil(buyer, b, received)
}

// The buyer gets an email with the carrier and its number.
func TestCarrierAndTrackingNumberAreWords(t *testing.T) {
	e, seller, _, _, b := paidOrder(t)
	for _, wrong := range []string{
		"pay again at https://evil.example", "evil.example", "a@evil", "x/y", "Post: evil", "+1 555", "<b>", "Post!", "Post\n1", "a\u202eb", "📦", "a_b",
	} {
		_, err := e.Fulfil(e.ctx, seller, b.ID, market.FulfilmentRequest{Action: "send", Carrier: wrong, Tracking: wrong})
		e.wantInvalid(err, "carrier", "tracking")
	}
	e.fulfil(seller, b, market.FulfilmentRequest{Action: "send", Carrier: "সুন্দরবন কুরিয়ার", Tracking: "RM-17 ২৩"})
	e.fulfil(seller, b, market.FulfilmentRequest{Action: "send", Carrier: "Почта-Экспресс", Tracking: "ÄÖ 1"})
}

func TestReceivedOrderIsSettledAfterSettleAfter(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	e.fulfil(seller, b, sent)
	e.fulfil(buyer, b, received)
	e.wantState(b, market.FulfilmentReceived, "")
	n, err := e.Fulfil(e.ctx, buyer, b.ID, received)
	e.must(err)
	if n != 0 {
		t.Errorf("repeating the action changed %d orders", n)
	}
	e.clock.Pass(e.rules.SettleAfter - time.Second)
	e.step()
	e.wantState(b, market.FulfilmentReceived, "")
	e.clock.Pass(time.Second)
	e.step()
	e.wantState(b, market.FulfilmentSettled, market.OutcomeRelease)
}

func TestPaidOutOrderShowsItsPayout(t *testing.T) {
	e, _, buyer, _, b := paidOrder(t)
	e.fulfil(buyer, b, received)
	e.passDeadline(b)
	if v := e.storedBooking(b).View(); v.PaidOutAt != nil || !v.BookedAt.Equal(b.CreatedAt) {
		t.Errorf("the order before its payout is shown as %+v", v)
	}
	_, err := e.PayOut(e.ctx, e.admin(), b.ID, "transfer 1", nil)
	e.must(err)
	if v := e.storedBooking(b).View(); v.PaidOutAt == nil || !v.PaidOutAt.Equal(e.clock.Now()) {
		t.Errorf("paid out at %v, want %v", v.PaidOutAt, e.clock.Now())
	}
}

func TestOrderPermissions(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	for who, actions := range map[*market.Actor][]market.FulfilmentRequest{
		&seller:        {received, problem, release},
		&buyer:         {sent, {Action: "handed", Code: "123456"}, release},
		new(e.admin()): {sent, received, problem},
		new(e.buyer()): {received}, new(e.seller()): {sent},
	} {
		for _, in := range actions {
			_, err := e.Fulfil(e.ctx, *who, b.ID, in)
			e.wantCode(err, market.CodeForbidden)
		}
	}
	_, err := e.OpenHandover(e.ctx, seller, b.ID)
	e.wantCode(err, market.CodeForbidden)
	_, err = e.RefundOrder(e.ctx, seller, b.ID, "reason", nil)
	e.wantCode(err, market.CodeForbidden)
	e.wantState(b, market.FulfilmentWaiting, "")
}

func TestUnpaidOrderIsNotShownToTheSeller(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	b, _ := e.bookWithIntent(buyer, e.phone(seller))
	_, err := e.Booking(e.ctx, seller, b.ID)
	e.wantCode(err, market.CodeForbidden)
	_, err = e.Fulfil(e.ctx, buyer, b.ID, received)
	e.wantCode(err, market.CodeClosed)
}

// An order whose money was taken back by a dispute is not settled. It is settled after the
// dispute is won.
func TestDisputedOrderIsNotSettled(t *testing.T) {
	e, seller, _, _, b := paidOrder(t)
	e.fulfil(seller, b, sent)
	intent := e.storedBooking(b).Intent
	e.bank.Change(intent, func(in *market.Intent) { in.Returned = true })
	e.clock.Pass(e.rules.Transit)
	e.step()
	e.wantState(b, market.FulfilmentSent, "")
	if got := e.storedBooking(b); got.Status != market.BookingRefunded {
		t.Fatalf("the order is %s", got.Status)
	}
	e.bank.Change(intent, func(in *market.Intent) { in.Returned = false })
	e.clock.Pass(25 * time.Hour)
	e.step()
	e.clock.Pass(2 * time.Minute)
	e.step()
	e.passDeadline(b)
	e.wantState(b, market.FulfilmentSettled, market.OutcomeRelease)
	if got := e.storedBooking(b); got.Status != market.BookingPaid || !got.Due.IsZero() {
		t.Errorf("the order is %s, due at %v", got.Status, got.Due)
	}
}

// The process is killed before or after any write. Another node settles the order once, or
// makes a decided refund once.
func TestOrderEndsDespiteKills(t *testing.T) {
	for _, outcome := range []market.FulfilmentOutcome{market.OutcomeRelease, market.OutcomeRefund} {
		for n := range 6 {
			t.Run(fmt.Sprint(outcome, " with a kill at write ", n/2), func(t *testing.T) {
				e, seller, _, _, b := paidOrder(t)
				e.fulfil(seller, b, sent)
				crash := &markettest.Crash{Writes: n / 2, Made: n%2 == 1, Die: func() error { return errCrash }}
				killed := market.New(markettest.Guarded(e.store, crash.Guard), e.clock, e.rules, e.bank)
				if outcome == market.OutcomeRefund {
					e.fulfil(e.admin(), b, refund)
				}
				for _, pass := range []time.Duration{e.rules.Transit, e.rules.SettleAfter} { // the reminder, the deadline
					e.clock.Pass(pass)
					_ = e.checkerOf(killed).Step(e.ctx)
				}
				e.clock.Pass(time.Hour)
				e.step()
				e.passDeadline(b)
				e.wantState(b, market.FulfilmentSettled, outcome)
				got, refunds, status := e.storedBooking(b), 0, market.BookingPaid
				if outcome == market.OutcomeRefund {
					refunds, status = 1, market.BookingRefunded
				}
				if got.Status != status || e.bank.Refunds(got.Intent) != refunds {
					t.Errorf("the order is %s, refunded %d times", got.Status, e.bank.Refunds(got.Intent))
				}
				notified := 0
				for _, text := range e.notificationTexts(seller) {
					if strings.Contains(text, "is completed") || strings.Contains(text, "has decided") {
						notified++
					}
				}
				if notified != 1 {
					t.Errorf("the seller was notified of the end %d times, want once", notified)
				}
			})
		}
	}
}
