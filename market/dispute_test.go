package market_test

import (
	"context"
	"iter"
	"slices"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

// wantDispute fails the test unless the order has this status and its dispute has this
// state.
func (e *env) wantDispute(b market.Booking, status market.BookingStatus, state market.DisputeState) {
	e.t.Helper()
	b = e.storedBooking(b)
	v := b.View().Dispute
	if b.Status != status || v == nil || v.State != state || v.OpenedAt.IsZero() || (v.ClosedAt == nil) != (state == market.DisputeOpen) {
		e.t.Fatalf("the order is %s, its dispute %+v; want %s, %s", b.Status, v, status, state)
	}
}

// The market stores a dispute's states with webhooks and without them.
func TestDisputeDelaysSettlementUntilItsDecision(t *testing.T) {
	for name, hasWebhooks := range map[string]bool{"with webhooks": true, "without webhooks": false} {
		for _, end := range []market.DisputeState{market.DisputeWon, market.DisputeLost} {
			t.Run(string(end)+" "+name, func(t *testing.T) {
				e, seller, buyer, _, b := paidOrder(t)
				admin := e.admin()
				e.fulfil(seller, b, sent)
				intent := e.storedBooking(b).Intent
				passOn := func() {
					if hasWebhooks {
						e.must(e.ApplyPayment(e.ctx, intent))
					} else {
						e.clock.Pass(25 * time.Hour)
					}
					e.step()
				}
				e.bank.Dispute(intent, e.clock.Now())
				passOn()
				e.wantDispute(b, market.BookingRefunded, market.DisputeOpen)
				until := e.storedBooking(b).Dispute.AnswerBy.UTC().Format("2 January at 15:04 UTC")
				e.wantNotified(admin, "order: The buyer of Nokia 3310 disputes the payment. Please answer it before "+until+".")
				e.clock.Pass(200 * 24 * time.Hour) // longer than a refunded payment is checked
				e.step()
				e.wantState(b, market.FulfilmentSent, "")

				e.bank.EndDispute(intent, end)
				passOn()
				status, outcome, last := market.BookingRefunded, market.FulfilmentOutcome(""), "The dispute about your payment for Nokia 3310 was decided in your favour. Your bank has returned the money."
				if end == market.DisputeWon {
					status, outcome, last = market.BookingPaid, market.OutcomeRelease, "Your order of Nokia 3310 is completed."
				}
				e.wantDispute(b, status, end)
				e.passDeadline(b)
				if got := e.storedBooking(b).Fulfilment.Outcome; got != outcome {
					t.Errorf("the outcome is %q, want %q", got, outcome)
				}
				if all := e.notificationTexts(buyer); !slices.Contains(all, "order: "+last) {
					t.Errorf("the buyer was not notified of %q: %q", last, all)
				}
			})
		}
	}
}

// An inquiry of the bank takes no money. The order stays paid and is not settled.
func TestInquiryDelaysSettlement(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	admin := e.admin()
	intent := e.storedBooking(b).Intent
	e.bank.Change(intent, func(in *market.Intent) { in.Dispute, in.DisputedAt = market.DisputeOpen, e.clock.Now() })
	e.must(e.ApplyPayment(e.ctx, intent))
	e.wantDispute(b, market.BookingPaid, market.DisputeOpen)
	e.fulfil(seller, b, sent)
	e.fulfil(buyer, b, received)
	e.clock.Pass(10 * e.rules.SettleAfter)
	e.step()
	e.wantState(b, market.FulfilmentReceived, "")
	_, err := e.Fulfil(e.ctx, admin, b.ID, release)
	e.wantCode(err, market.CodeConflict)

	e.bank.EndDispute(intent, market.DisputeWon)
	e.clock.Pass(25 * time.Hour)
	e.step()
	e.passDeadline(b)
	e.wantDispute(b, market.BookingPaid, market.DisputeWon)
	e.wantState(b, market.FulfilmentSettled, market.OutcomeRelease)
}

// The bank takes a part of the money, and the market loses that dispute. The order waits for an
// admin.
func TestLostDisputeOfPartWaitsForAnAdmin(t *testing.T) {
	e, _, buyer, _, b := paidOrder(t)
	admin := e.admin()
	intent := e.storedBooking(b).Intent
	e.fulfil(buyer, b, received)
	e.bank.Change(intent, func(in *market.Intent) {
		in.Dispute, in.DisputedAt, in.IsPartTaken = market.DisputeOpen, e.clock.Now(), true
	})
	e.must(e.ApplyPayment(e.ctx, intent))
	e.wantDispute(b, market.BookingPaid, market.DisputeOpen)
	e.bank.Change(intent, func(in *market.Intent) { in.Dispute = market.DisputeLost })
	e.must(e.ApplyPayment(e.ctx, intent))
	e.wantDispute(b, market.BookingPaid, market.DisputeLost)
	e.wantNotified(admin, "order: The buyer of Nokia 3310 disputes the payment at their bank, which has not asked for an answer.",
		"order: The dispute about part of the payment for Nokia 3310 was lost. Please decide about the order.")
	e.stepEvery(day, 10)
	e.wantState(b, market.FulfilmentReceived, "")
	reminders := 0
	for _, text := range e.notificationTexts(admin) {
		if text == "order: The order of Nokia 3310 still waits for your decision." {
			reminders++
		}
	}
	if reminders != 7 { // on each day from the order's deadline on
		t.Errorf("the admin was reminded %d times in ten days, want 7", reminders)
	}
	_, err := e.Fulfil(e.ctx, admin, b.ID, release)
	e.must(err)
	e.wantState(b, market.FulfilmentSettled, market.OutcomeRelease)
}

// The provider refuses to refund a payment while a part of it is disputed.
func TestRefundOfPartlyDisputedOrderIsRequestedRarely(t *testing.T) {
	e, _, _, _, b := paidOrder(t)
	intent := e.storedBooking(b).Intent
	e.bank.Change(intent, func(in *market.Intent) {
		in.Dispute, in.DisputedAt, in.IsPartTaken = market.DisputeOpen, e.clock.Now(), true
	})
	e.must(e.ApplyPayment(e.ctx, intent))
	e.refund(b)
	e.step()
	if due := e.storedBooking(b).Due; due.Before(e.clock.Now().Add(time.Hour)) {
		t.Errorf("the refund is requested again at %v, now it is %v", due, e.clock.Now())
	}
}

// oldDisputes is a bank whose disputes are too old to be listed.
type oldDisputes struct{ *markettest.Bank }

// Disputes implements market.DisputeList.
func (oldDisputes) Disputes(context.Context, time.Time) iter.Seq2[market.DisputedIntent, error] {
	return func(func(market.DisputedIntent, error) bool) {}
}

// The webhook of the end of an inquiry is lost.
func TestOpenInquiryIsCheckedAfterEachChangeOfItsOrder(t *testing.T) {
	for name, change := range map[string]func(e *env, seller, buyer market.Actor, b market.Booking){
		"payment":  func(*env, market.Actor, market.Actor, market.Booking) {},
		"shipment": func(e *env, seller, _ market.Actor, b market.Booking) { e.fulfil(seller, b, sent) },
		"problem":  func(e *env, _, buyer market.Actor, b market.Booking) { e.fulfil(buyer, b, problem) },
		"receipt":  func(e *env, _, buyer market.Actor, b market.Booking) { e.fulfil(buyer, b, received) },
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			seller, buyer := e.seller(), e.buyer()
			b, intent := e.bookWithIntent(buyer, e.phone(seller))
			e.bank.Confirm(intent)
			e.bank.Change(intent, func(in *market.Intent) { in.Dispute, in.DisputedAt = market.DisputeOpen, e.clock.Now() })
			e.must(e.ApplyPayment(e.ctx, intent))
			e.wantDispute(b, market.BookingPaid, market.DisputeOpen)
			change(e, seller, buyer, b)
			e.bank.EndDispute(intent, market.DisputeWon)
			e.reconciler = e.checkerOf(market.New(e.store, e.clock, e.rules, oldDisputes{e.bank}))
			e.clock.Pass(25 * time.Hour)
			e.step()
			e.wantDispute(b, market.BookingPaid, market.DisputeWon)
		})
	}
}

// A settled order is not checked any more. It is not paid out once its dispute was found.
func TestDisputeOfSettledOrderIsFoundWithoutWebhook(t *testing.T) {
	rules := defaultRules
	rules.Payouts = market.PayoutsManual
	e := newEnvWith(t, rules)
	admin, buyer := e.admin(), e.buyer()
	b, id := e.bookWithIntent(buyer, e.phone(e.seller()))
	e.bank.Confirm(id)
	e.must(e.ApplyPayment(e.ctx, id))
	e.fulfil(buyer, b, received)
	reconciler := e.checkerOf(e.Market)
	e.clock.Pass(e.rules.SettleAfter)
	e.must(reconciler.Step(e.ctx))
	e.wantState(b, market.FulfilmentSettled, market.OutcomeRelease)
	intent := e.storedBooking(b).Intent
	e.bank.Change(intent, func(in *market.Intent) { in.Dispute, in.DisputedAt = market.DisputeOpen, e.clock.Now() })
	e.must(reconciler.Step(e.ctx))
	if e.storedBooking(b).Dispute != nil {
		t.Error("the provider is asked for disputes in each step")
	}
	e.clock.Pass(time.Hour)
	e.must(reconciler.Step(e.ctx))
	e.wantDispute(b, market.BookingPaid, market.DisputeOpen)
	if state := e.storedBooking(b).PayoutState(); state != "" {
		t.Errorf("the payout is %q, want none", state)
	}
	_, err := e.PayOut(e.ctx, admin, b.ID, "transfer 1", nil)
	e.wantCode(err, market.CodeConflict)
	// The bank turns its inquiry into a dispute and takes the money.
	e.bank.Dispute(intent, e.clock.Now())
	e.clock.Pass(time.Hour)
	e.must(reconciler.Step(e.ctx))
	e.wantDispute(b, market.BookingRefunded, market.DisputeOpen)
}

// A node looked for disputes while its clock was a month ahead.
func TestDisputesAreListedAfterAClockJump(t *testing.T) {
	e, _, buyer, _, b := paidOrder(t)
	e.fulfil(buyer, b, received)
	e.passDeadline(b)
	e.clock.Pass(30 * day)
	e.step()
	e.clock.Pass(-30 * day)
	e.bank.Dispute(e.storedBooking(b).Intent, e.clock.Now())
	e.step()
	e.wantDispute(b, market.BookingRefunded, market.DisputeOpen)
}

// An intent that was read before the end of a dispute does not open the dispute again.
func TestEndedDisputeIsNotReopenedByOlderResponse(t *testing.T) {
	e, _, _, _, b := paidOrder(t)
	intent := e.storedBooking(b).Intent
	opened := e.clock.Now()
	e.bank.Dispute(intent, opened)
	e.must(e.ApplyPayment(e.ctx, intent))
	e.bank.EndDispute(intent, market.DisputeWon)
	e.must(e.ApplyPayment(e.ctx, intent))
	e.wantDispute(b, market.BookingPaid, market.DisputeWon)
	e.bank.Change(intent, func(in *market.Intent) { in.Dispute = market.DisputeOpen })
	e.must(e.ApplyPayment(e.ctx, intent))
	e.wantDispute(b, market.BookingPaid, market.DisputeWon)
	e.bank.Dispute(intent, opened.Add(time.Hour)) // a second dispute
	e.must(e.ApplyPayment(e.ctx, intent))
	e.wantDispute(b, market.BookingRefunded, market.DisputeOpen)
}

// Neither side can delete their account while the other needs their contact data.
func TestAccountCannotBeDeletedDuringDispute(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	intent := e.storedBooking(b).Intent
	e.fulfil(buyer, b, received)
	e.passDeadline(b)
	e.bank.Dispute(intent, e.clock.Now())
	e.must(e.ApplyPayment(e.ctx, intent))
	e.wantCode(e.deleteAccount(seller), market.CodeOpenOrders)
	e.wantCode(e.deleteAccount(buyer), market.CodeOpenOrders)
	e.bank.EndDispute(intent, market.DisputeLost)
	e.must(e.ApplyPayment(e.ctx, intent))
	e.must(e.deleteAccount(seller))
	e.must(e.deleteAccount(buyer))
}
