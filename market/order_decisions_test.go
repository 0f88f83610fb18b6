package market_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"secondring/market"
)

func TestProblemDelaysSettlementUntilAnAdminDecides(t *testing.T) {
	for _, decision := range []market.FulfilmentRequest{release, refund} {
		t.Run(decision.Outcome, func(t *testing.T) {
			e, seller, buyer, p, b := paidOrder(t)
			admin := e.admin()
			e.fulfil(seller, b, sent)
			e.wantNotified(admin)
			e.fulfil(buyer, b, problem)
			e.wantNotified(admin, "order: The buyer of Nokia 3310 has reported a problem. Please decide.")
			e.clock.Pass(10 * e.rules.SettleAfter)
			e.step()
			e.wantState(b, market.FulfilmentProblem, "")
			e.wantNotified(buyer, "order: Your payment for Nokia 3310 has arrived. Now get your phone from the seller.",
				"order: Your Nokia 3310 is on its way with Royal Mail, number RM 1.")
			_, err := e.Fulfil(e.ctx, buyer, b.ID, received)
			e.wantCode(err, market.CodeConflict)

			e.fulfil(admin, b, decision)
			e.wantState(b, market.FulfilmentSettled, market.FulfilmentOutcome(decision.Outcome))
			if v := e.storedBooking(b).View().Fulfilment; v.Reason != decision.Reason || v.Problem != problem.Reason {
				t.Errorf("buyer and seller see %+v", v)
			}
			if notified := e.notificationTexts(buyer); !strings.HasSuffix(notified[len(notified)-1], "Reason: "+decision.Reason) {
				t.Errorf("the buyer was notified: %q", notified)
			}
			action := market.ActionReleaseOrder
			if decision.Outcome == "refund" {
				action = market.ActionRefundOrder
			}
			entry := e.auditEntry(admin, action)
			if entry.Actor != admin.User.Name || entry.TargetID != b.ID || entry.ConcernID != seller.User.ID {
				t.Errorf("the audit entry is %+v", entry)
			}
			e.clock.Pass(time.Second)
			e.step()
			e.clock.Pass(time.Minute)
			e.step()
			want, refunds := market.BookingPaid, 0
			if decision.Outcome == "refund" {
				want, refunds = market.BookingRefunded, 1
			}
			if got := e.storedBooking(b); got.Status != want || e.bank.Refunds(got.Intent) != refunds {
				t.Errorf("the order is %s, refunded %d times", got.Status, e.bank.Refunds(got.Intent))
			}
			if phone := e.stored(p); !phone.Sold {
				t.Error("the phone is for sale again")
			}
		})
	}
}

// A notification has one line, and so has the subject of the email about it.
func TestProblemAndReasonMayHaveSeveralLines(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	text := "The screen is broken.\n\nSo is the box."
	e.fulfil(seller, b, sent)
	e.fulfil(buyer, b, market.FulfilmentRequest{Action: "problem", Reason: text})
	e.fulfil(e.admin(), b, market.FulfilmentRequest{Action: "settle", Outcome: "release", Reason: text})
	if f := e.storedBooking(b).Fulfilment; f.Problem != text || f.Reason != text {
		t.Errorf("the stored texts are %q and %q", f.Problem, f.Reason)
	}
	_, err := e.RefundOrder(e.ctx, e.admin(), b.ID, text, nil)
	e.must(err)
	for _, who := range []market.Actor{seller, buyer} {
		reasons := 0
		for _, notified := range e.notificationTexts(who) {
			if strings.HasSuffix(notified, "Reason: The screen is broken. So is the box.") {
				reasons++
			}
		}
		if reasons != 2 {
			t.Errorf("%s was notified: %q", who.User.Name, e.notificationTexts(who))
		}
	}
}

func TestAdminRefundsAnOrderOnce(t *testing.T) {
	e, _, buyer, p, b := paidOrder(t)
	admin := e.admin()
	e.fulfil(buyer, b, received)
	e.passDeadline(b)
	e.wantState(b, market.FulfilmentSettled, market.OutcomeRelease)
	_, err := e.RefundOrder(e.ctx, admin, b.ID, " ", nil)
	e.wantCode(err, market.CodeInvalid)
	n, err := e.RefundOrder(e.ctx, admin, b.ID, "The phone was stolen.", nil)
	e.must(err)
	if n != 1 {
		t.Errorf("%d orders are refunded, want 1", n)
	}
	_, err = e.RefundOrder(e.ctx, admin, b.ID, "Once more.", nil)
	e.wantCode(err, market.CodeRefunded)
	e.step()
	e.clock.Pass(time.Second)
	e.step()
	got := e.storedBooking(b)
	if got.Status != market.BookingRefunded || e.bank.Refunds(got.Intent) != 1 || !e.stored(p).Sold {
		t.Errorf("the order is %s, refunded %d times, the phone is sold: %v", got.Status, e.bank.Refunds(got.Intent), e.stored(p).Sold)
	}
	if v := got.View(); v.Seller == nil || *v.Seller != (market.OrderSellerView{Name: got.Seller.Name}) {
		t.Errorf("the buyer sees the seller %+v of a refunded order, want the name only", v.Seller)
	}
	_, err = e.RefundOrder(e.ctx, admin, b.ID, "Once more.", nil)
	e.wantCode(err, market.CodeClosed)
}

// A refund that the bank rejects is made again after a pause.
func TestFailedRefundOfAnOrderIsRetried(t *testing.T) {
	e, _, _, _, b := paidOrder(t)
	e.refund(b)
	e.step()
	intent := e.storedBooking(b).Intent
	e.bank.FailRefund(intent)
	for range 4 {
		e.clock.Pass(time.Hour)
		e.step()
	}
	if got := e.storedBooking(b); got.Status != market.BookingRefunded || e.bank.Refunds(intent) != 2 {
		t.Errorf("the order is %s, refunded %d times", got.Status, e.bank.Refunds(intent))
	}
}

// Of concurrent actions that end an order only one has an effect.
func TestConcurrentActionsEndAnOrderOnce(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	admin := e.admin()
	e.fulfil(seller, b, sent)
	e.clock.Pass(e.rules.SettleAfter)
	var all sync.WaitGroup
	for range 4 {
		for _, act := range []func() (int, error){
			func() (int, error) { return e.Fulfil(e.ctx, admin, b.ID, refund) },
			func() (int, error) { return e.Fulfil(e.ctx, admin, b.ID, release) },
			func() (int, error) { return e.Fulfil(e.ctx, buyer, b.ID, problem) },
			func() (int, error) { return 0, e.reconciler.Step(e.ctx) },
		} {
			all.Go(func() {
				_, err := act()
				if err != nil && market.CodeOf(err) == "" {
					t.Error(err)
				}
			})
		}
	}
	all.Wait()
	f := e.storedBooking(b).Fulfilment
	if f.State != market.FulfilmentSettled || f.Outcome == "" {
		t.Errorf("the order is %+v, want it settled", f)
	}
	decisions := 0
	for _, entry := range e.auditEntries(admin) {
		if entry.TargetID == b.ID {
			decisions++
		}
	}
	if isAutomatic := f.Reason == ""; decisions > 1 || isAutomatic != (decisions == 0) {
		t.Errorf("%d decisions are in the audit log, and the order says %+v", decisions, f)
	}
}

// A person who bought or sold something may become an admin later.
func TestAdminDoesNotDecideAboutOwnOrder(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	other := e.admin()
	for _, who := range []market.Actor{seller, buyer} {
		a, err := e.store.Account(e.ctx, who.User.UID)
		e.must(err)
		e.must(e.MakeAdmin(e.ctx, a))
		own := e.reload(who)
		_, err = e.Fulfil(e.ctx, own, b.ID, release)
		e.wantCode(err, market.CodeForbidden)
		_, err = e.RefundOrder(e.ctx, own, b.ID, "I want it back.", nil)
		e.wantCode(err, market.CodeForbidden)
		_, err = e.PayOut(e.ctx, own, b.ID, "transfer 1", nil)
		e.wantCode(err, market.CodeForbidden)
	}
	_, err := e.Fulfil(e.ctx, other, b.ID, release)
	e.must(err)
	_, err = e.PayOut(e.ctx, other, b.ID, "transfer 1", nil)
	e.must(err)
}
