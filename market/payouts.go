package market

import (
	"context"
	"errors"
	"time"
)

// PayOut marks a released order as paid out to its seller, for admins who have paid it
// outside the market. It returns 0 if it is already marked with the same reference.
func (m *Market) PayOut(ctx context.Context, who Actor, id, reference string, wrong Fields) (int, error) {
	b, err := m.orderForAdmin(ctx, who, id, func(f Fields) { f.text("reference", reference, maxShort) }, wrong)
	if err != nil {
		return 0, err
	}
	if m.rules.Payouts != PayoutsManual {
		return 0, refuse(CodeClosed, "We do not record payouts by hand at present")
	}
	return m.editBooking(ctx, b, func(b *Booking, now time.Time) (bool, []Event, error) {
		_, net := b.earned()
		switch {
		case b.IsPaidOut() && b.Payout.Reference == reference:
			return false, nil, nil
		case b.Payout.isBegun():
			return false, nil, refuse(CodeConflict, "A transfer to the seller has begun")
		case b.IsPaidOut():
			return false, nil, refuse(CodePaid, "This order has been paid out already, with the reference "+b.Payout.Reference)
		case b.isDisputed():
			return false, nil, errDisputed()
		case net == 0:
			return false, nil, refuse(CodeConflict, "This order's money is not the seller's yet")
		}
		events := m.setPayout(b, Payout{Cents: net, Reference: reference, At: now}, now)
		seller, err := m.idOf(ctx, b.SellerUID)
		return true, append(events, NewAuditEntry(now, &who.User, ActionPayOut).of(b.ID, b.title(), seller).Event()), err
	})
}

// setPayout changes an order's payout. It returns the events: the order's for both sides
// and the admins, the ledger entry, and the notification of a seller who was paid out.
func (m *Market) setPayout(b *Booking, p Payout, at time.Time) []Event {
	before := *b
	b.Payout = &p
	switch {
	case m.payoutStep(*b) != payoutNothing:
		b.Due = at
	case b.Status == BookingRefunded, b.isDisputed():
		b.Due = m.nextReturnCheck(*b)
	case !b.Due.After(at):
		b.Due = time.Time{}
	}
	events := append(bookingEvents(*b, at), b.ledgerEvents(before, at)...)
	if b.IsPaidOut() && !before.IsPaidOut() {
		events = append(events, paidOutNotice(*b, at))
	}
	return events
}

// EarningState is the state of the money of one sale.
type EarningState string

// The states.
const (
	EarningWaiting  EarningState = "waiting"  // the order is not settled
	EarningDue      EarningState = "due"      // the seller has a right to it and is not paid out
	EarningPaidOut  EarningState = "paidOut"  // the seller has it
	EarningRefunded EarningState = "refunded" // it went back to the buyer
	EarningDebt     EarningState = "debt"     // it went back to the buyer after the seller was paid out
)

// Earnings is what a seller has earned. All money is in cents.
type Earnings struct {
	Earned  int64 // from released orders, without the commission
	Waiting int64 // of all orders, while the market has it; see Balance.Waiting
	PaidOut int64
	Lines   []Earning // newest first
	Payouts string    // one of the Payouts… constants; "" in the export of a person's data
	Account AccountState
}

// AccountState is the state of the seller's payout account; "" unless with PayoutsStripe.
type AccountState string

// The states.
const (
	AccountNone    AccountState = "none"    // the seller has none
	AccountPending AccountState = "pending" // it cannot receive money: the seller or the provider has not finished its setup
	AccountReady   AccountState = "ready"
)

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

// accountState returns the state of a seller's account. It asks the provider about an
// account that was not ready, because the seller may just come back from the provider's
// page. If the provider is unavailable, it returns the stored state.
func (m *Market) accountState(ctx context.Context, uid string) (AccountState, error) {
	if m.rules.Payouts != PayoutsStripe {
		return "", nil
	}
	u, err := m.store.User(ctx, uid)
	switch {
	case err != nil:
		return "", err
	case u.PayoutAccount == nil:
		return AccountNone, nil
	case u.PayoutAccount.IsReady:
		return AccountReady, nil
	}
	a, err := m.refreshAccountOf(ctx, u)
	if errors.Is(err, ErrPaymentsUnavailable) {
		err = nil
	}
	if a != nil && a.IsReady {
		return AccountReady, err
	}
	return AccountPending, err
}

// earningsOf adds up a seller's sales, and returns the bookings of the seller's phones. The
// ledger is read after the bookings, because an order that is refunded without its ledger
// entries would hide the seller's debt.
func (m *Market) earningsOf(ctx context.Context, sellerUID string) (all Earnings, bookings []Booking, err error) {
	err = each(func(page Page) ([]Booking, error) { return m.store.BookingsOfSeller(ctx, sellerUID, page) }, bookingID, func(b Booking) error {
		bookings = append(bookings, b)
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
	switch state := b.PayoutState(); {
	case e.Balance.Waiting() < 0:
		e.State = EarningDebt
	case b.Status == BookingRefunded:
		e.State = EarningRefunded
	case state != "":
		e.State = state
	}
	return e
}
