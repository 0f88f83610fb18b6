package market_test

import (
	"context"
	"testing"
	"time"

	"pgregory.net/rapid"

	"secondring/market"
	"secondring/market/markettest"
)

// TestBooksBalance performs random actions that move the money of orders, with crashes
// before and after any write. In the end the ledger agrees with the provider and with the
// state of each order.
func TestBooksBalance(t *testing.T) {
	for _, payouts := range []string{market.PayoutsManual, market.PayoutsStripe} {
		t.Run(payouts, func(t *testing.T) {
			rules := defaultRules
			rules.Commission, rules.Payouts, rules.MaxHolds = 7, payouts, 100
			e := newEnvWith(t, rules)
			rapid.Check(t, func(r *rapid.T) {
				e.reset()
				run := &ledgerRun{env: e, admin: e.admin(), buyer: e.buyer(), seller: e.seller()}
				for range 2 {
					in := e.productRequest(run.seller)
					in.Postage = 12
					p, err := e.AddProduct(e.ctx, run.seller, in)
					e.must(err)
					run.orders = append(run.orders, e.mustBook(run.buyer, p))
				}
				if rapid.Bool().Draw(r, "orders are paid out at the start") {
					run.payOutOrders(rapid.Bool().Draw(r, "the seller has spent the money"))
				}
				for range rapid.IntRange(1, 30).Draw(r, "actions") {
					run.act(r)
				}
				isSolvent := rapid.Bool().Draw(r, "the seller can receive and return money in the end")
				run.runUntilIdle(isSolvent)
				run.checkConsistency(r, isSolvent)
			})
		})
	}
}

type ledgerRun struct {
	*env
	admin, buyer, seller market.Actor
	orders               []market.Booking
}

// act performs one action on an order, sometimes in a process that is killed.
func (run *ledgerRun) act(r *rapid.T) {
	m := run.Market
	if rapid.IntRange(0, 2).Draw(r, "crash") == 0 {
		crash := &markettest.Crash{
			Writes: rapid.IntRange(0, 5).Draw(r, "writes"), Made: rapid.Bool().Draw(r, "made"),
			Die: func() error { return errCrash },
		}
		m = market.New(markettest.Guarded(run.store, crash.Guard), run.clock, run.rules, &unreachableBank{run.bank, crash})
		m.UsePayouts(&unreachablePayouts{run.bank, crash})
	}
	b := run.storedBooking(rapid.SampledFrom(run.orders).Draw(r, "order"))
	fulfil := func(who market.Actor, in market.FulfilmentRequest) { _, _ = m.Fulfil(run.ctx, who, b.ID, in) }
	actions := []string{
		"meet", "be sent it", "be sent it", "pay", "pay", "pay", "late payment", "send", "received", "problem", "release", "refund", "refund by an admin", "pay out", "pay out",
		"refund fails", "open dispute", "open inquiry", "dispute won", "dispute lost", "reconcile", "reconcile", "wait 25 hours",
		"give more time", "cancel", "hand over", "server off for a week",
		"answer", "return first", "return first", "send back", "send back", "hand back", "have it back", "object",
		"delete the buyer", "delete the seller", "delete the buyer beside a payment", "delete the seller beside a payment",
		"record the repayments", "record the repayments", "record the repayments", "refund until it is made", "refund until it is made",
	}
	if run.rules.Payouts == market.PayoutsStripe {
		actions = append(actions, "onboard", "account becomes ready", "account is restricted", "account loses money", "account gains money",
			"account webhook", "open dispute", "dispute won", "refund by an admin", "reconcile", "reconcile", "reconcile")
	}
	action := rapid.SampledFrom(actions).Draw(r, "action")
	switch action {
	case "pay":
		run.capture(m, b)
	case "late payment": // the hold ends while the payment is in progress
		if b.Intent != "" {
			run.bank.Process(b.Intent)
		}
		run.clock.Pass(run.rules.BookingHold)
		_ = run.checkerOf(m).Step(run.ctx)
		run.capture(m, b)
	case "meet":
		_, _ = m.ChooseDelivery(run.ctx, run.buyer, b.ID, market.DeliveryRequest{Delivery: market.DeliveryMeet})
	case "be sent it":
		_, _ = m.ChooseDelivery(run.ctx, run.buyer, b.ID, market.DeliveryRequest{Delivery: market.DeliverySend, Address: &home})
	case "send":
		fulfil(run.seller, sent)
	case "received":
		fulfil(run.buyer, received)
	case "problem":
		fulfil(run.buyer, problem)
	case "give more time":
		fulfil(run.buyer, market.FulfilmentRequest{Action: "wait"})
	case "cancel":
		fulfil(run.seller, market.FulfilmentRequest{Action: "cancel", Reason: "reason"})
	case "hand over":
		if h, err := m.OpenHandover(run.ctx, run.buyer, b.ID); err == nil {
			fulfil(run.seller, market.FulfilmentRequest{Action: "handed", Code: h.Code})
		}
	case "answer":
		fulfil(run.seller, answer)
	case "return first":
		fulfil(run.buyer, problem)
		fulfil(run.admin, returnFirst)
	case "send back":
		fulfil(run.buyer, sentBack)
	case "hand back":
		if h, err := m.OpenHandover(run.ctx, run.seller, b.ID); err == nil {
			fulfil(run.buyer, market.FulfilmentRequest{Action: "handed", Code: h.Code})
		}
	case "have it back":
		fulfil(run.seller, returned)
	case "object":
		fulfil(run.seller, object)
	case "release":
		fulfil(run.admin, release)
	case "refund":
		fulfil(run.admin, refund)
	case "refund by an admin":
		_, _ = m.RefundOrder(run.ctx, run.admin, b.ID, "reason", nil)
	case "refund until it is made":
		_, _ = m.RefundOrder(run.ctx, run.admin, b.ID, "reason", nil)
		for range 3 {
			run.clock.Pass(2 * time.Second)
			_ = run.checkerOf(m).Step(run.ctx)
		}
	case "pay out":
		_, _ = m.PayOut(run.ctx, run.admin, b.ID, "transfer 1", nil)
	case "refund fails":
		if in, err := run.bank.Intent(run.ctx, b.Intent); err == nil && in.Returned && run.bank.Refunds(in.ID) > in.FailedRefunds {
			run.bank.FailRefund(b.Intent)
			_ = m.ApplyPayment(run.ctx, b.Intent)
		}
	case "open dispute", "open inquiry", "dispute won", "dispute lost":
		run.dispute(action, b.Intent)
		if rapid.Bool().Draw(r, "webhook") {
			_ = m.ApplyPayment(run.ctx, b.Intent)
		}
	case "delete the buyer":
		_ = m.DeleteAccount(run.ctx, market.Account{UID: run.buyer.User.UID})
	case "delete the seller":
		_ = m.DeleteAccount(run.ctx, market.Account{UID: run.seller.User.UID})
	case "delete the buyer beside a payment":
		run.leaveBesidePayment(m, run.buyer, b)
	case "delete the seller beside a payment":
		run.leaveBesidePayment(m, run.seller, b)
	case "record the repayments":
		for _, b := range run.orders {
			_, _ = m.RecordRepayment(run.ctx, run.admin, b.ID, repaymentReference, nil)
		}
	case "reconcile":
		run.clock.Pass(2 * time.Second)
		_ = run.checkerOf(m).Step(run.ctx)
	case "onboard":
		_, _ = m.OpenOnboarding(run.ctx, run.seller)
	case "account becomes ready":
		run.changeAccount(func(a *markettest.Account) { a.IsReady = true })
	case "account is restricted":
		run.changeAccount(func(a *markettest.Account) { a.IsReady = false })
	case "account loses money":
		run.changeAccount(func(a *markettest.Account) { a.Spent += 50_00 })
	case "account gains money":
		run.changeAccount(func(a *markettest.Account) { a.Spent -= 50_00 })
	case "account webhook":
		if u, err := run.store.User(run.ctx, run.seller.User.UID); err == nil && u.PayoutAccount != nil {
			_ = m.RefreshPayoutAccount(run.ctx, u.PayoutAccount.ID)
		}
	case "wait 25 hours", "server off for a week":
		run.clock.Pass(map[string]time.Duration{"wait 25 hours": 25 * time.Hour, "server off for a week": 7 * day}[action])
		_ = run.checkerOf(m).Step(run.ctx)
	}
}

// dispute performs an action of a buyer and their bank in a dispute, unless a refund has
// taken the money.
func (run *ledgerRun) dispute(action, intent string) {
	in, err := run.bank.Intent(run.ctx, intent)
	if err != nil || in.Status != market.IntentSucceeded || run.bank.Refunds(intent) > in.FailedRefunds {
		return
	}
	run.clock.Pass(time.Second) // the provider's times of disputes are whole seconds
	isOpen := in.Dispute == market.DisputeOpen
	switch {
	case action == "open dispute" && (!isOpen || !in.Returned): // or the inquiry becomes a dispute
		run.bank.Dispute(intent, run.clock.Now())
	case action == "open inquiry" && in.Dispute == "":
		run.bank.Change(intent, func(in *market.Intent) { in.Dispute, in.DisputedAt = market.DisputeOpen, run.clock.Now() })
	case action == "dispute won" && isOpen:
		run.bank.EndDispute(intent, market.DisputeWon)
	case action == "dispute lost" && isOpen && in.Returned:
		run.bank.EndDispute(intent, market.DisputeLost)
	}
}

// payOutOrders settles all orders for their seller, and pays the seller out. A refund is a debt if
// the seller has spent the money.
func (run *ledgerRun) payOutOrders(isSpent bool) {
	if run.rules.Payouts == market.PayoutsStripe {
		run.onboard(run.seller)
	}
	for _, b := range run.orders {
		run.capture(run.Market, b)
		run.fulfil(run.buyer, b, received)
		run.step()
		_, _ = run.PayOut(run.ctx, run.admin, b.ID, "transfer 1", nil)
	}
	run.step()
	if isSpent {
		run.changeAccount(func(a *markettest.Account) { a.Spent = 1 })
	}
}

// changeAccount changes the seller's account at the provider, if there is one.
func (run *ledgerRun) changeAccount(change func(*markettest.Account)) {
	if u, err := run.store.User(run.ctx, run.seller.User.UID); err == nil && u.PayoutAccount != nil {
		run.bank.ChangeAccount(u.PayoutAccount.ID, change)
	}
}

// unreachablePayouts is a provider for a killed process: it receives the last call or does
// not.
type unreachablePayouts struct {
	market.PayoutProvider
	*markettest.Crash
}

func (s *unreachablePayouts) OpenPayoutAccount(ctx context.Context, uid, after string) (id string, err error) {
	err = s.Guard(func() error { id, err = s.PayoutProvider.OpenPayoutAccount(ctx, uid, after); return err })
	return id, err
}

func (s *unreachablePayouts) Transfer(ctx context.Context, r market.TransferRequest) (id string, err error) {
	err = s.Guard(func() error { id, err = s.PayoutProvider.Transfer(ctx, r); return err })
	return id, err
}

func (s *unreachablePayouts) ReverseTransfer(ctx context.Context, id string) error {
	return s.Guard(func() error { return s.PayoutProvider.ReverseTransfer(ctx, id) })
}

// capture charges the buyer's card and notifies the market.
func (run *ledgerRun) capture(m *market.Market, b market.Booking) {
	if b.Status == market.BookingHeld {
		_, _ = run.openPayment(run.buyer, b)
		b = run.storedBooking(b)
	}
	if b.Intent != "" && run.bank.Confirm(b.Intent) {
		_ = m.ApplyPayment(run.ctx, b.Intent)
	}
}

// runUntilIdle runs the background jobs until all crashes are repaired and everything is
// done that is due within days. The provider repeats webhooks that a killed process has not
// answered.
func (run *ledgerRun) runUntilIdle(isSolvent bool) {
	if isSolvent {
		_, _ = run.OpenOnboarding(run.ctx, run.seller)
		run.changeAccount(func(a *markettest.Account) { a.IsReady, a.Spent = true, 0 })
	}
	for _, in := range run.bank.All() {
		run.must(run.ApplyPayment(run.ctx, in.ID))
	}
	for range 8 {
		run.clock.Pass(25 * time.Hour)
		run.step()
	}
	for range 3 { // the last of these may have decided a refund, which is made and then recorded
		run.clock.Pass(2 * time.Second)
		run.step()
	}
}
