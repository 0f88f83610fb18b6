package market_test

import (
	"slices"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

var stripeRules = func() market.Rules {
	rules := defaultRules
	rules.Commission, rules.Payouts = 7, market.PayoutsStripe
	rules.SettleAfter = 0 // a received order is settled at once
	return rules
}()

const netOf40 = 40_00 - 2_80 // cents of a phone for $40 without the commission

// addSettledOrder returns a settled order that the buyer has received.
func (e *env) addSettledOrder(seller, buyer market.Actor) market.Booking {
	e.t.Helper()
	b := e.mustBook(buyer, e.phone(seller))
	e.mustPay(buyer, b)
	e.fulfil(buyer, b, received)
	e.step()
	return e.storedBooking(b)
}

// addPaidOutSale returns a seller, their payout account, and a sale whose money was
// transferred to it.
func (e *env) addPaidOutSale() (seller market.Actor, account string, b market.Booking) {
	e.t.Helper()
	seller = e.seller()
	account = e.onboard(seller)
	b = e.addSettledOrder(seller, e.buyer())
	e.step()
	e.wantTransfers(b, 1, 0)
	return seller, account, b
}

// wantTransfers fails the test unless the provider has this number of transfers for an
// order, and this number of them is reversed.
func (e *env) wantTransfers(b market.Booking, made, reversed int) {
	e.t.Helper()
	all := e.bank.Transfers(b.ID)
	for _, t := range all {
		if t.Cents != netOf40 {
			e.t.Errorf("the transfer is %+v, want %d cents", t, netOf40)
		}
		if t.IsReversed {
			reversed--
		}
	}
	if len(all) != made || reversed != 0 {
		e.t.Fatalf("the provider has the transfers %+v", all)
	}
}

// wantBalance fails the test unless the ledger of an order has this balance.
func (e *env) wantBalance(b market.Booking, want market.Balance) {
	e.t.Helper()
	entries, err := e.store.LedgerOfOrder(e.ctx, b.ID)
	e.must(err)
	if got := market.BalanceOf(entries); got != want {
		e.t.Fatalf("the balance is %+v, want %+v, of the entries %+v", got, want, entries)
	}
}

// wantEarning fails the test unless the seller's only sale has this state.
func (e *env) wantEarning(seller market.Actor, state market.EarningState) {
	e.t.Helper()
	earnings, err := e.Earnings(e.ctx, seller, market.Page{Limit: 200})
	e.must(err)
	if len(earnings.Lines.Items) != 1 || earnings.Lines.Items[0].State != state {
		e.t.Fatalf("the seller sees the sales %+v, want one that is %s", earnings.Lines.Items, state)
	}
}

func TestSettledOrderIsTransferredToItsSeller(t *testing.T) {
	e := newEnvWith(t, stripeRules)
	seller, buyer := e.seller(), e.buyer()
	account := e.onboard(seller)
	b := e.addSettledOrder(seller, buyer)
	e.step()
	e.step()
	e.wantTransfers(b, 1, 0)
	if got := e.bank.Transfers(b.ID)[0]; got.AccountID != account || e.storedBooking(b).Payout.Reference != got.ID {
		t.Errorf("the transfer %+v is stored as %+v", got, e.storedBooking(b).Payout)
	}
	e.wantBalance(b, market.Balance{Charged: 40_00, Commission: 2_80, PaidOut: netOf40})
	e.wantEarning(seller, market.EarningPaidOut)
	if due := e.storedBooking(b).Due; !due.IsZero() {
		t.Errorf("the paid order is due again at %v", due)
	}
	if notified := e.notificationTexts(seller); !slices.Contains(notified, "paid: The money for your Nokia 3310 was paid out.") {
		t.Errorf("the seller was notified: %q", notified)
	}
	_, err := e.PayOut(e.ctx, e.admin(), b.ID, "by hand", nil)
	e.wantCode(err, market.CodeClosed)
}

func TestMoneyWaitsUntilTheSellerCanReceiveIt(t *testing.T) {
	e := newEnvWith(t, stripeRules)
	seller, buyer := e.seller(), e.buyer()
	b := e.addSettledOrder(seller, buyer)
	e.step()
	e.wantEarning(seller, market.EarningDue)
	if due := e.storedBooking(b).Due; !due.After(e.clock.Now()) {
		t.Errorf("the order is due again at %v, without a pause", due)
	}
	account := e.onboard(seller)
	e.step()
	e.wantTransfers(b, 0, 0)
	e.must(e.RefreshPayoutAccount(e.ctx, account))
	e.step() // without a pause
	e.wantTransfers(b, 1, 0)
	e.wantEarning(seller, market.EarningPaidOut)
}

func TestLostAccountWebhookOnlyDelaysTheTransfer(t *testing.T) {
	e := newEnvWith(t, stripeRules)
	seller := e.seller()
	b := e.addSettledOrder(seller, e.buyer())
	e.step()
	e.onboard(seller)
	e.clock.Pass(6 * time.Hour)
	e.step()
	e.step()
	e.wantTransfers(b, 1, 0)
}

func TestMoneyWaitsIfTheAccountIsRestricted(t *testing.T) {
	e := newEnvWith(t, stripeRules)
	seller := e.seller()
	account := e.onboard(seller)
	e.must(e.RefreshPayoutAccount(e.ctx, account))
	e.bank.ChangeAccount(account, func(a *markettest.Account) { a.IsReady = false }) // no webhook arrives
	b := e.addSettledOrder(seller, e.buyer())
	e.step()
	e.wantTransfers(b, 0, 0)
	e.wantEarning(seller, market.EarningDue)
	if e.reload(seller).User.PayoutAccount.IsReady {
		t.Error("the account is still stored as ready")
	}
	e.bank.ChangeAccount(account, func(a *markettest.Account) { a.IsReady = true })
	e.must(e.RefreshPayoutAccount(e.ctx, account))
	e.step()
	e.wantTransfers(b, 1, 0)
}

// No check of such an order is scheduled, and its seller's account is ready already.
func TestOrdersSettledBeforeStripePayoutsAreTransferred(t *testing.T) {
	e := newEnvWith(t, stripeRules)
	seller := e.seller()
	account := e.onboard(seller)
	e.must(e.RefreshPayoutAccount(e.ctx, account))
	e.rules.Payouts = market.PayoutsManual
	e.restart()
	b := e.addSettledOrder(seller, e.buyer())
	e.step()
	e.wantTransfers(b, 0, 0)
	e.rules.Payouts = market.PayoutsStripe
	e.restart()
	e.must(markettest.Runner(e.clock, e.AddBooksCheck).Step(e.ctx))
	e.step()
	e.wantTransfers(b, 1, 0)
}
