package market_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

// addDebt returns a sale whose seller was paid out, and has not returned the money after the
// refund of the buyer.
func addDebt(t *testing.T, payouts string) (e *env, seller, admin market.Actor, b market.Booking) {
	t.Helper()
	rules := stripeRules
	rules.Payouts = payouts
	e = newEnvWith(t, rules)
	admin = e.admin()
	if payouts == market.PayoutsStripe {
		var account string
		seller, account, b = e.addPaidOutSale()
		e.bank.ChangeAccount(account, func(a *markettest.Account) { a.Spent = 1 })
	} else {
		seller = e.seller()
		b = e.addSettledOrder(seller, e.buyer())
		_, err := e.PayOut(e.ctx, admin, b.ID, "transfer 1", nil)
		e.must(err)
	}
	e.refund(b)
	e.stepEvery(time.Second, 3)
	e.wantEarning(seller, market.EarningDebt)
	return e, seller, admin, e.storedBooking(b)
}

func TestSellerWithADebtLeavesAfterTheRepayment(t *testing.T) {
	for _, payouts := range []string{market.PayoutsManual, market.PayoutsStripe} {
		t.Run(payouts, func(t *testing.T) {
			e, seller, admin, b := addDebt(t, payouts)
			err := e.deleteAccount(seller)
			e.wantCode(err, market.CodeOpenOrders)
			if !strings.Contains(err.Error(), "you owe us 37.20 USD for your Nokia 3310") {
				t.Errorf("the message is %q", err)
			}
			e.drain()
			n, err := e.RecordRepayment(e.ctx, admin, b.ID, "bank 7", nil)
			if e.must(err); n != 1 {
				t.Errorf("changed %d orders", n)
			}
			e.wantEvents("me:"+seller.User.UID+" booking.changed", "admin order.changed", "admin audit.added")
			e.wantBalance(b, market.Balance{Charged: 40_00, Refunded: 40_00})
			e.wantEarning(seller, market.EarningRepaid)
			e.wantNotice(seller, "We have received 37.20 USD back for your Nokia 3310. You owe nothing for it any more. Reference: bank 7")
			entries := e.auditEntries(admin)
			if entries[0].Action != market.ActionRepayment || entries[0].ConcernID != seller.User.ID || entries[0].TargetID != b.ID {
				t.Errorf("the audit entry is %+v", entries[0])
			}
			ledger, err := e.store.LedgerOfOrder(e.ctx, b.ID)
			e.must(err)
			if !slices.ContainsFunc(ledger, func(entry market.LedgerEntry) bool {
				return entry.Kind == market.LedgerPayout && entry.Cents == -netOf40 && entry.Reference == "bank 7"
			}) {
				t.Errorf("the ledger is %+v", ledger)
			}
			e.stepEvery(7*time.Hour, 3) // no reversal is tried any more
			if payouts == market.PayoutsStripe {
				e.wantTransfers(b, 1, 0)
			}
			e.wantNoDifferences()
			e.must(e.deleteAccount(seller))
		})
	}
}

func (e *env) wantNoDifferences() {
	e.t.Helper()
	if all := e.reconcile(time.Time{}, nil).Differences; len(all) != 0 {
		e.t.Errorf("reconcile finds %+v", all)
	}
	books, err := e.Books(e.ctx)
	if e.must(err); books.Debts != 0 || len(books.Unbalanced) != 0 {
		e.t.Errorf("the books are %+v", books)
	}
}

func TestRepaymentIsRefusedUnlessOwed(t *testing.T) {
	e, seller, admin, b := addDebt(t, market.PayoutsManual)
	_, err := e.RecordRepayment(e.ctx, seller, b.ID, "bank 7", nil)
	e.wantCode(err, market.CodeForbidden)
	_, err = e.RecordRepayment(e.ctx, admin, b.ID, " ", nil)
	e.wantCode(err, market.CodeInvalid)
	_, err = e.RecordRepayment(e.ctx, admin, market.NewID(e.clock.Now()), "bank 7", nil)
	e.wantCode(err, market.CodeNotFound)
	due := e.addSettledOrder(e.seller(), e.buyer())
	_, err = e.RecordRepayment(e.ctx, admin, due.ID, "bank 7", nil)
	e.wantCode(err, market.CodeConflict)

	for i, want := range []int{1, 0} {
		n, err := e.RecordRepayment(e.ctx, admin, b.ID, "bank 7", nil)
		if e.must(err); n != want {
			t.Errorf("call %d changed %d orders", i, n)
		}
	}
	_, err = e.RecordRepayment(e.ctx, admin, b.ID, "bank 8", nil)
	e.wantCode(err, market.CodePaid)
}

// The transfer is being reversed when an admin records the repayment.
func TestRepaymentWaitsForAReversal(t *testing.T) {
	e, _, admin, b := addDebt(t, market.PayoutsStripe)
	p := *b.Payout
	p.TakingBackAt = e.clock.Now()
	b.Payout = &p
	b.Version++
	e.must(e.store.SaveBooking(e.ctx, b, nil))
	_, err := e.RecordRepayment(e.ctx, admin, b.ID, "bank 7", nil)
	e.wantCode(err, market.CodeConflict)
	e.clock.Pass(7 * time.Hour)
	e.step()
	_, err = e.RecordRepayment(e.ctx, admin, b.ID, "bank 7", nil)
	e.must(err)
}

// The bank gives the money back to the market after the seller has repaid theirs.
func TestRepaidSellerIsPaidAgainAfterAWonDispute(t *testing.T) {
	e := newEnvWith(t, stripeRules)
	admin := e.admin()
	seller, account, b := e.addPaidOutSale()
	e.bank.ChangeAccount(account, func(a *markettest.Account) { a.Spent = 1 })
	e.bank.Dispute(b.Intent, e.clock.Now())
	e.must(e.ApplyPayment(e.ctx, b.Intent))
	e.step()
	_, err := e.RecordRepayment(e.ctx, admin, b.ID, "bank 7", nil)
	e.must(err)
	e.bank.EndDispute(b.Intent, market.DisputeWon)
	e.must(e.ApplyPayment(e.ctx, b.Intent))
	e.stepEvery(time.Minute, 4)
	e.wantTransfers(b, 2, 0)
	e.wantEarning(seller, market.EarningPaidOut)
	e.wantBalance(b, market.Balance{Charged: 40_00, Commission: 2_80, PaidOut: netOf40})
}

func TestSellerWaitsForTheirTransfer(t *testing.T) {
	e := newEnvWith(t, stripeRules)
	seller := e.seller()
	e.must(e.RefreshPayoutAccount(e.ctx, e.onboard(seller)))
	b := e.addSettledOrder(seller, e.buyer())
	if e.storedBooking(b).Payout != nil {
		t.Fatal("the transfer is made too early for this test")
	}
	e.wantCode(e.deleteAccount(seller), market.CodeOpenOrders)
	b.Payout = &market.Payout{Cents: netOf40, At: e.clock.Now(), IsTransfer: true, Number: 1}
	b.Version++
	e.must(e.store.SaveBooking(e.ctx, b, nil)) // the process is killed
	e.wantCode(e.deleteAccount(seller), market.CodeOpenOrders)
	e.stepEvery(time.Minute, 2)
	e.wantTransfers(b, 1, 0)
	e.must(e.deleteAccount(seller))
}

// An admin refunds an order that was paid out. The refund is not made yet.
func TestSellerWaitsForTheRefundOfTheirPayout(t *testing.T) {
	rules := stripeRules
	rules.Payouts = market.PayoutsManual
	e := newEnvWith(t, rules)
	admin, seller := e.admin(), e.seller()
	b := e.addSettledOrder(seller, e.buyer())
	_, err := e.PayOut(e.ctx, admin, b.ID, "transfer 1", nil)
	e.must(err)
	_, err = e.RefundOrder(e.ctx, admin, b.ID, "reason", nil)
	e.must(err)
	e.wantCode(e.deleteAccount(seller), market.CodeOpenOrders)
}

func TestOrderOfARemovedDebtorKeepsTheSeller(t *testing.T) {
	e, seller, admin, b := addDebt(t, market.PayoutsManual)
	_, err := e.RemoveUser(e.ctx, admin, seller.User.ID, market.RemovalReason{})
	e.must(err)
	e.stepEvery(time.Minute, 3)
	orders, err := e.Orders(e.ctx, admin, market.OrderQuery{Payout: "debt"}, market.Page{Limit: 10})
	e.must(err)
	if len(orders.Items) != 1 || orders.Items[0].ID != b.ID {
		t.Fatalf("the debts are %+v", orders.Items)
	}
	if got := orders.Items[0].View(); got.Seller == nil || got.Seller.Email != seller.User.Email || got.Payout.Cents != netOf40 {
		t.Errorf("the order is %+v, of %+v", got, got.Seller)
	}
}
