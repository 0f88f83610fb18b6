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

// Earnings is what a seller has earned. All money is in cents.
type Earnings struct {
	Earned   int64 // from released orders, without the commission
	Waiting  int64 // of all orders, while the market has it; see Balance.Waiting
	Handover int64 // the part of Waiting of orders that are not settled: their prices
	Due      int64 // the part of Waiting of released orders that are not paid out
	PaidOut  int64
	Lines    []Earning // newest first
	Payouts  string    // one of the Payouts… constants; "" in the export of a person's data
	Account  AccountState
}

// Earning is one sale.
type Earning struct {
	Booking Booking
	Balance Balance
	State   EarningState
	At      time.Time // of the last movement of money
}

// Earnings returns what the caller has earned, for sellers.
func (m *Market) Earnings(ctx context.Context, who Actor) (Earnings, error) {
	if !who.User.IsSeller() {
		return Earnings{}, forbidden("Only sellers have earnings")
	}
	account, err := m.accountState(ctx, who.User.UID)
	if err != nil {
		return Earnings{}, err
	}
	earnings, bookings, err := m.earningsOf(ctx, who.User.UID)
	if err != nil {
		return Earnings{}, err
	}
	earnings.Payouts, earnings.Account = m.rules.Payouts, account
	for _, b := range bookings {
		if account == AccountReady && b.Due.IsZero() { // it may be from before PAYOUTS was stripe, and have no next check
			if err := m.checkPayoutNow(ctx, b); err != nil {
				return Earnings{}, err
			}
		}
	}
	return earnings, nil
}

// earningsOf adds up a seller's sales, and returns the bookings that were paid. The
// ledger is read after the bookings, because an order that is refunded without its ledger
// entries would hide the seller's debt.
func (m *Market) earningsOf(ctx context.Context, sellerUID string) (all Earnings, bookings []Booking, err error) {
	err = m.eachBookingOfSeller(ctx, sellerUID, func(b Booking) error {
		if b.AfterSale() != nil || b.Status == BookingRefunded {
			bookings = append(bookings, b)
		}
		return nil
	})
	if err != nil {
		return Earnings{}, nil, err
	}
	entries, err := m.store.LedgerOfSeller(ctx, sellerUID)
	if err != nil {
		return Earnings{}, nil, err
	}
	ofOrder := byOrder(entries)
	for _, b := range bookings {
		if moved := ofOrder[b.ID]; len(moved) > 0 {
			all.add(earning(b, moved))
		}
	}
	return all, bookings, nil
}

func (all *Earnings) add(e Earning) {
	_, net := e.Booking.earned()
	all.Earned += net
	all.Waiting += e.Balance.Waiting()
	all.PaidOut += e.Balance.PaidOut
	switch e.State {
	case EarningWaiting:
		all.Handover += e.Balance.Waiting()
	case EarningDue:
		all.Due += e.Balance.Waiting()
	case EarningPaidOut, EarningRefunded, EarningDebt, EarningRepaid:
	}
	all.Lines = append(all.Lines, e)
}

// earning returns the sale with these movements of money.
func earning(b Booking, moved []LedgerEntry) Earning {
	e := Earning{Booking: b, Balance: BalanceOf(moved), State: EarningWaiting}
	for _, entry := range moved {
		if entry.At.After(e.At) {
			e.At = entry.At
		}
	}
	_, net := b.earned()
	switch state := b.PayoutState(); {
	case e.Balance.Waiting() < 0:
		e.State = EarningDebt
	case (b.Status == BookingRefunded || b.isRefundDecided()) && state != EarningRepaid:
		e.State = EarningRefunded
	case state != "":
		e.State = state
	case net > 0: // a dispute delays the payout
		e.State = EarningDue
	}
	return e
}
