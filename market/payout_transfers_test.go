package market_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

var stripeRules = func() market.Rules {
	rules := defaultRules
	rules.Commission, rules.Payouts = 7, market.PayoutsStripe
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
	earnings, err := e.Earnings(e.ctx, seller)
	e.must(err)
	if len(earnings.Lines) != 1 || earnings.Lines[0].State != state {
		e.t.Fatalf("the seller sees the sales %+v, want one that is %s", earnings.Lines, state)
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
	for name, find := range map[string]func(*env, market.Actor){
		"the reconciler finds it":            func(e *env, _ market.Actor) { e.clock.Pass(6 * time.Hour) },
		"the earnings of the seller find it": func(e *env, seller market.Actor) { _, err := e.Earnings(e.ctx, seller); e.must(err) },
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnvWith(t, stripeRules)
			seller := e.seller()
			b := e.addSettledOrder(seller, e.buyer())
			e.step()
			e.onboard(seller)
			find(e, seller)
			e.step()
			e.step()
			e.wantTransfers(b, 1, 0)
		})
	}
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

func TestRefundReversesTheTransfer(t *testing.T) {
	e := newEnvWith(t, stripeRules)
	seller, _, b := e.addPaidOutSale()
	e.refund(b)
	e.stepEvery(time.Second, 3)
	e.wantTransfers(b, 1, 1)
	e.wantBalance(b, market.Balance{Charged: 40_00, Refunded: 40_00})
	e.wantEarning(seller, market.EarningRefunded)
}

// changingStore calls change once, after the first read of a seller's earnings.
type changingStore struct {
	market.Store

	change func()
}

func (s *changingStore) changeOnce() {
	if change := s.change; change != nil {
		s.change = nil
		change()
	}
}

func (s *changingStore) BookingsOfSeller(ctx context.Context, uid string, page market.Page) ([]market.Booking, error) {
	defer s.changeOnce()
	return s.Store.BookingsOfSeller(ctx, uid, page)
}

func (s *changingStore) LedgerOfSeller(ctx context.Context, uid string) ([]market.LedgerEntry, error) {
	defer s.changeOnce()
	return s.Store.LedgerOfSeller(ctx, uid)
}

func TestRefundDuringAReadOfEarningsIsADebt(t *testing.T) {
	e := newEnvWith(t, stripeRules)
	seller, account, b := e.addPaidOutSale()
	e.bank.ChangeAccount(account, func(a *markettest.Account) { a.Spent = 1 })
	e.store = &changingStore{Store: e.store, change: func() {
		e.refund(b)
		e.stepEvery(time.Second, 3)
		e.wantTransfers(b, 1, 0)
	}}
	e.restart()
	e.wantEarning(seller, market.EarningDebt)
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

// A process is killed after it made a transfer, before it stored it. Then the order is
// refunded.
func TestUnstoredTransferOfARefundedOrderIsReversed(t *testing.T) {
	for name, isMade := range map[string]bool{"made": true, "not made": false} {
		t.Run(name, func(t *testing.T) {
			e := newEnvWith(t, stripeRules)
			seller := e.seller()
			account := e.onboard(seller)
			b := e.addSettledOrder(seller, e.buyer())
			b.Payout = &market.Payout{Cents: netOf40, At: e.clock.Now(), IsTransfer: true, Number: 1}
			b.Version++
			e.must(e.store.SaveBooking(e.ctx, b, nil))
			if isMade {
				_, err := e.bank.Transfer(e.ctx, market.TransferRequest{BookingID: b.ID, Number: 1, AccountID: account, Cents: netOf40})
				e.must(err)
			}
			e.refund(b)
			e.stepEvery(time.Minute, 4)
			if isMade {
				e.wantTransfers(b, 1, 1)
			} else {
				e.wantTransfers(b, 0, 0)
			}
			e.wantBalance(b, market.Balance{Charged: 40_00, Refunded: 40_00})
			if got := e.storedBooking(b); got.Payout.TakenBackAt.IsZero() {
				t.Errorf("the payout is %+v", got.Payout)
			}
		})
	}
}

// lostTransfers is a provider that makes transfers without returning a response. It calls the
// functions during the next call of each method.
type lostTransfers struct {
	*markettest.Bank
	beforeTransfer, afterLookup func()
}

// Transfer implements market.PayoutProvider.
func (s *lostTransfers) Transfer(ctx context.Context, r market.TransferRequest) (string, error) {
	callOnce(&s.beforeTransfer)
	if _, err := s.Bank.Transfer(ctx, r); err != nil {
		return "", err
	}
	return "", market.ErrPaymentsUnavailable
}

// TransferOf implements market.PayoutProvider.
func (s *lostTransfers) TransferOf(ctx context.Context, bookingID string, number int) (string, error) {
	defer callOnce(&s.afterLookup)
	return s.Bank.TransferOf(ctx, bookingID, number)
}

func callOnce(call *func()) {
	if f := *call; f != nil {
		*call = nil
		f()
	}
}

// otherNode returns the payment reconciler of another node, whose transfers to sellers are made
// by payouts.
func (e *env) otherNode(payouts market.PayoutProvider) *market.PaymentReconciler {
	m := market.New(e.store, e.clock, e.rules, e.bank)
	m.UsePayouts(payouts)
	return market.NewPaymentReconciler(m, discard)
}

// addBegunTransfer returns a settled order whose transfer was begun a minute ago and not made.
func (e *env) addBegunTransfer() market.Booking {
	e.t.Helper()
	seller := e.seller()
	e.must(e.RefreshPayoutAccount(e.ctx, e.onboard(seller)))
	b := e.addSettledOrder(seller, e.buyer())
	b.Payout = &market.Payout{Cents: netOf40, At: e.clock.Now(), IsTransfer: true, Number: 1}
	b.Version++
	e.must(e.store.SaveBooking(e.ctx, b, nil))
	e.clock.Pass(time.Minute)
	return b
}

// A node requests a begun transfer again. Before the request arrives, another node refunds the
// order.
func TestRepeatedTransferThatArrivesAfterARefundIsReversed(t *testing.T) {
	e := newEnvWith(t, stripeRules)
	b := e.addBegunTransfer()
	_ = e.otherNode(&lostTransfers{Bank: e.bank, beforeTransfer: func() {
		e.refund(b)
		e.stepEvery(time.Second, 3)
	}}).Step(e.ctx)
	e.stepEvery(time.Minute, 4)
	e.wantTransfers(b, 1, 1)
	e.wantBalance(b, market.Balance{Charged: 40_00, Refunded: 40_00})
}

// A node does not find the begun transfer of a disputed order. Before it stores that, the
// dispute is won, and another node requests the transfer again.
func TestTransferIsNotMadeTwiceIfADisputeEndsDuringTheLookup(t *testing.T) {
	e := newEnvWith(t, stripeRules)
	b := e.addBegunTransfer()
	e.bank.Change(b.Intent, func(in *market.Intent) { in.Dispute, in.DisputedAt = market.DisputeOpen, e.clock.Now() })
	e.must(e.ApplyPayment(e.ctx, b.Intent))
	_ = e.otherNode(&lostTransfers{Bank: e.bank, afterLookup: func() {
		e.bank.EndDispute(b.Intent, market.DisputeWon)
		e.must(e.ApplyPayment(e.ctx, b.Intent))
		_ = e.otherNode(&lostTransfers{Bank: e.bank}).Step(e.ctx)
	}}).Step(e.ctx)
	e.stepEvery(time.Minute, 4)
	e.wantTransfers(b, 1, 0)
	e.wantBalance(b, market.Balance{Charged: 40_00, Commission: 2_80, PaidOut: netOf40})
}

// A process is killed after it reversed a transfer, before it stored that. Then the dispute
// is won: the seller gets the money again.
func TestKillDuringReversalLosesNoMoney(t *testing.T) {
	for writes := range 4 {
		for _, made := range []bool{false, true} {
			e := newEnvWith(t, stripeRules)
			_, _, b := e.addPaidOutSale()
			e.bank.Dispute(b.Intent, e.clock.Now())
			e.must(e.ApplyPayment(e.ctx, b.Intent))
			crash := &markettest.Crash{Writes: writes, Made: made, Die: func() error { return errCrash }}
			killed := market.New(markettest.Guarded{Store: e.store, Guard: crash.Guard}, e.clock, e.rules, e.bank)
			killed.UsePayouts(&unreachablePayouts{e.bank, crash})
			_ = market.NewPaymentReconciler(killed, discard).Step(e.ctx)
			e.bank.EndDispute(b.Intent, market.DisputeWon)
			e.must(e.ApplyPayment(e.ctx, b.Intent))
			e.stepEvery(time.Minute, 4)
			transferred := int64(0)
			for _, transfer := range e.bank.Transfers(b.ID) {
				if !transfer.IsReversed {
					transferred += transfer.Cents
				}
			}
			if transferred != netOf40 {
				t.Errorf("after a kill at write %d, which was made: %t, the seller has %d cents", writes, made, transferred)
			}
			e.wantBalance(b, market.Balance{Charged: 40_00, Commission: 2_80, PaidOut: netOf40})
		}
	}
}

func TestOrdersSettledBeforeStripePayoutsAreTransferred(t *testing.T) {
	for name, isReadyBefore := range map[string]bool{"the account becomes ready": false, "it was ready": true} {
		t.Run(name, func(t *testing.T) {
			e := newEnvWith(t, stripeRules)
			seller := e.seller()
			account := e.onboard(seller)
			if isReadyBefore {
				e.must(e.RefreshPayoutAccount(e.ctx, account))
			}
			e.rules.Payouts = market.PayoutsManual
			e.restart()
			b := e.addSettledOrder(seller, e.buyer())
			e.step()
			e.wantTransfers(b, 0, 0)
			e.rules.Payouts = market.PayoutsStripe
			e.restart()
			_, err := e.Earnings(e.ctx, seller)
			e.must(err)
			e.step()
			e.wantTransfers(b, 1, 0)
		})
	}
}

// A store that was restored from a backup has no record of its last transfers.
func TestTransferOfARestoredOrderIsNotMadeAgain(t *testing.T) {
	e := newEnvWith(t, stripeRules)
	seller := e.seller()
	account := e.onboard(seller)
	e.must(e.RefreshPayoutAccount(e.ctx, account))
	b := e.addSettledOrder(seller, e.buyer())
	e.bank.IgnoresKeys = true
	made, err := e.bank.Transfer(e.ctx, market.TransferRequest{BookingID: b.ID, Number: 1, AccountID: account, Cents: netOf40})
	e.must(err)
	e.step()
	e.wantTransfers(b, 1, 0)
	if got := e.storedBooking(b).Payout.Reference; got != made {
		t.Errorf("the stored transfer is %s, want %s", got, made)
	}
}
