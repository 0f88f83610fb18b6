package market_test

import (
	"slices"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

func TestRefundReversesTheTransfer(t *testing.T) {
	e := newEnvWith(t, stripeRules)
	seller, _, b := e.addPaidOutSale()
	e.refund(b)
	e.stepEvery(time.Second, 3)
	e.wantTransfers(b, 1, 1)
	e.wantBalance(b, market.Balance{Charged: 40_00, Refunded: 40_00})
	e.wantEarning(seller, market.EarningRefunded)
}

func TestShortfallIsADebtUntilTheSellerHasTheMoney(t *testing.T) {
	e := newEnvWith(t, stripeRules)
	seller, account, b := e.addPaidOutSale()
	e.bank.ChangeAccount(account, func(a *markettest.Account) { a.Spent = 1 })
	e.refund(b)
	e.stepEvery(time.Second, 3)
	e.wantTransfers(b, 1, 0)
	e.wantBalance(b, market.Balance{Charged: 40_00, Refunded: 40_00, PaidOut: netOf40})
	e.wantEarning(seller, market.EarningDebt)
	if notified := e.notificationTexts(seller); !slices.Contains(notified, "paid: The buyer of your Nokia 3310 was refunded, but your payout account has too little money to return it. We will try again.") {
		t.Errorf("the seller was notified: %q", notified)
	}
	notified := len(e.notificationTexts(seller))
	for range 3 {
		e.clock.Pass(7 * time.Hour)
		e.step()
	}
	e.wantEarning(seller, market.EarningDebt)
	if len(e.notificationTexts(seller)) != notified {
		t.Errorf("the seller was notified of each attempt: %q", e.notificationTexts(seller))
	}
	e.bank.ChangeAccount(account, func(a *markettest.Account) { a.Spent = 0 })
	e.clock.Pass(7 * time.Hour)
	e.step()
	e.wantTransfers(b, 1, 1)
	e.wantBalance(b, market.Balance{Charged: 40_00, Refunded: 40_00})
	e.wantEarning(seller, market.EarningRefunded)
}

// The bank takes the charge back and returns it. The first transfer is reversed, and a
// second one is made.
func TestWonDisputeIsTransferredAgain(t *testing.T) {
	e := newEnvWith(t, stripeRules)
	seller, _, b := e.addPaidOutSale()
	for _, returned := range []bool{true, false} {
		e.bank.Change(b.Intent, func(in *market.Intent) { in.Returned = returned })
		e.must(e.ApplyPayment(e.ctx, b.Intent))
		e.step()
		e.clock.Pass(time.Minute)
		e.step()
		e.step()
	}
	e.wantTransfers(b, 2, 1)
	e.wantBalance(b, market.Balance{Charged: 40_00, Commission: 2_80, PaidOut: netOf40})
	e.wantEarning(seller, market.EarningPaidOut)
}
