package market

import (
	"context"
	"time"
)

// EarningState is the state of the money of one sale.
type EarningState string

// The states.
const (
	EarningWaiting  EarningState = "waiting"  // the order is not settled
	EarningDue      EarningState = "due"      // the seller has a right to it and is not paid out
	EarningPaidOut  EarningState = "paidOut"  // the seller has it
	EarningRefunded EarningState = "refunded" // it went back to the buyer
	EarningDebt     EarningState = "debt"     // it went back to the buyer after the seller was paid out
	EarningRepaid   EarningState = "repaid"   // the seller has paid back such a debt
)

// EarningState returns the state of the money of the sale; "" if the booking was never paid.
func (b Booking) EarningState() EarningState {
	if b.Fulfilment == nil && b.Status != BookingRefunded {
		return ""
	}
	_, net := b.earned()
	switch state := b.PayoutState(); {
	case state == EarningDebt, state == EarningRepaid:
		return state
	case b.Status == BookingRefunded || b.isRefundDecided():
		return EarningRefunded
	case state != "":
		return state
	case net > 0: // a dispute delays the payout
		return EarningDue
	}
	return EarningWaiting
}

// SalesSum is the sum of several sales, in cents. The store adds them up: each booking is stored
// with its parts, so a sum is never older or newer than its sales, and no booking is read for it.
type SalesSum struct {
	Waiting int64 // of Balance.Waiting
	PaidOut int64 // of Balance.PaidOut
}

// Earnings is what a seller has earned, and a page of their sales. All money is in cents.
type Earnings struct {
	Earned   int64 // from released orders, without the commission
	Waiting  int64 // of all orders, while the market has it; see Balance.Waiting. Handover, Due, refunds to be made, less debts
	Handover int64 // the part of Waiting of orders that are not settled: their prices and postage
	Due      int64 // the part of Waiting of released orders that are not paid out
	PaidOut  int64
	Lines    List[Earning] // newest first
	Payouts  string        // one of the Payouts… constants; "" in the export of a person's data
	Account  AccountState
}

// Earning is one sale.
type Earning struct {
	Booking Booking
	Balance Balance // from the ledger
	State   EarningState
	At      time.Time // of the last movement of money
}

// EachSale visits all sales of the caller, newest first, for sellers.
func (m *Market) EachSale(ctx context.Context, who Actor, visit func(Earning) error) error {
	if err := mustSell(who); err != nil {
		return err
	}
	return m.eachSaleOf(ctx, who.User.UID, visit)
}

func mustSell(who Actor) error {
	if !who.User.IsSeller() {
		return forbidden("Only sellers have earnings")
	}
	return nil
}

// Earnings returns what the caller has earned and a page of their sales, for sellers. It writes
// nothing.
func (m *Market) Earnings(ctx context.Context, who Actor, page Page) (Earnings, error) {
	if err := mustSell(who); err != nil {
		return Earnings{}, err
	}
	account, err := m.accountState(ctx, who.User.UID)
	if err != nil {
		return Earnings{}, err
	}
	earnings, err := m.earnedBy(ctx, who.User.UID)
	if err != nil {
		return Earnings{}, err
	}
	earnings.Payouts, earnings.Account = m.rules.Payouts, account
	earnings.Lines, err = m.sales(ctx, who.User.UID, page)
	return earnings, err
}

// earnedBy returns the sums of a seller's sales.
func (m *Market) earnedBy(ctx context.Context, sellerUID string) (all Earnings, err error) {
	sums, err := m.store.SalesSums(ctx, sellerUID)
	for _, sum := range sums {
		all.Waiting += sum.Waiting
		all.PaidOut += sum.PaidOut
	}
	all.Handover, all.Due = sums[EarningWaiting].Waiting, sums[EarningDue].Waiting
	all.Earned = all.Due + sums[EarningPaidOut].PaidOut
	return all, err
}

// sales returns a page of a seller's sales with their movements of money.
func (m *Market) sales(ctx context.Context, sellerUID string, page Page) (List[Earning], error) {
	list, err := m.store.SalesOf(ctx, sellerUID, page)
	if err != nil {
		return List[Earning]{}, err
	}
	var ids []string
	for _, b := range list.Items {
		ids = append(ids, b.ID)
	}
	entries, err := m.store.LedgerOfOrders(ctx, ids)
	if err != nil {
		return List[Earning]{}, err
	}
	ofOrder, lines := byOrder(entries), List[Earning]{Total: list.Total, More: list.More}
	for _, b := range list.Items {
		sale := Earning{Booking: b, Balance: BalanceOf(ofOrder[b.ID]), State: b.EarningState()}
		for _, entry := range ofOrder[b.ID] {
			if entry.At.After(sale.At) {
				sale.At = entry.At
			}
		}
		lines.Items = append(lines.Items, sale)
	}
	return lines, nil
}
