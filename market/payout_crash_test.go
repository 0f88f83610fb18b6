package market_test

import (
	"context"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

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
func (e *env) otherNode(payouts market.PayoutProvider) *market.Runner {
	m := market.New(e.store, e.clock, e.rules, e.bank)
	m.UsePayouts(payouts)
	return e.checkerOf(m)
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
			killed := market.New(markettest.Guarded(e.store, crash.Guard), e.clock, e.rules, e.bank)
			killed.UsePayouts(&unreachablePayouts{e.bank, crash})
			_ = e.checkerOf(killed).Step(e.ctx)
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
