package market

import (
	"context"
	"time"
)

// PayOut marks a released order as paid out to its seller, for admins who have paid it in
// another way. It returns 0 if it is marked already with the same reference.
func (m *Market) PayOut(ctx context.Context, who Actor, id, reference string, wrong Fields) (int, error) {
	b, err := m.orderForAdmin(ctx, who, id, func(f Fields) { f.text("reference", reference, maxShort) }, wrong)
	if err != nil {
		return 0, err
	}
	if m.rules.Payouts != PayoutsManual {
		return 0, refuse(CodeClosed, "This market does not pay out by hand (PAYOUTS)")
	}
	return m.editBooking(ctx, b, func(b *Booking, now time.Time) (bool, []Event, error) {
		_, net := b.earned()
		switch {
		case b.Payout != nil && b.Payout.Reference == reference:
			return false, nil, nil
		case b.Payout != nil:
			return false, nil, refuse(CodePaid, "This order has been paid out already, with the reference "+b.Payout.Reference)
		case b.isDisputed():
			return false, nil, errDisputed()
		case net == 0:
			return false, nil, refuse(CodeConflict, "This order's money is not the seller's yet")
		}
		before := *b
		b.Payout = &Payout{Cents: net, Reference: reference, At: now}
		events, err := m.paidOutEvents(ctx, before, *b, who, now)
		return true, events, err
	})
}

func (m *Market) paidOutEvents(ctx context.Context, before, b Booking, who Actor, at time.Time) ([]Event, error) {
	seller, err := m.idOf(ctx, b.SellerUID)
	if err != nil {
		return nil, err
	}
	events := append(bookingEvents(b, at), b.ledgerEvents(before, at)...)
	return append(events,
		notify(b.SellerUID, NotifyPaid, "The money for your "+b.title()+" was paid out. Reference: "+b.Payout.Reference, linkMyProducts, at),
		NewAuditEntry(at, &who.User, ActionPayOut).of(b.ID, b.title(), seller).Event(),
	), nil
}

// EarningState is what became of the money of one sale.
type EarningState string

// The states.
const (
	EarningWaiting  EarningState = "waiting"  // the order is not settled
	EarningDue      EarningState = "due"      // it is the seller's, and not paid out
	EarningPaidOut  EarningState = "paidOut"  // the seller has it
	EarningRefunded EarningState = "refunded" // it went back to the buyer
	EarningDebt     EarningState = "debt"     // it went back to the buyer after the seller was paid out
)

// Earnings is what a seller has earned. All money is in cents.
type Earnings struct {
	Earned  int64 // of released orders, without the commission
	Waiting int64 // of all orders: the market has it; see Balance.Waiting
	PaidOut int64
	Lines   []Earning // newest first
	Payouts string    // one of the Payouts… constants; "" in the export of a person's data
}

// Earning is one sale.
type Earning struct {
	Booking Booking
	Balance Balance
	State   EarningState
	At      time.Time // of the last change
}

// Earnings returns what the caller has earned, for sellers.
func (m *Market) Earnings(ctx context.Context, who Actor) (Earnings, error) {
	if !who.User.IsSeller() {
		return Earnings{}, forbidden("Only sellers have earnings")
	}
	all, err := m.earningsOf(ctx, who.User.UID)
	all.Payouts = m.rules.Payouts
	return all, err
}

func (m *Market) earningsOf(ctx context.Context, sellerUID string) (Earnings, error) {
	entries, err := m.store.LedgerOfSeller(ctx, sellerUID)
	if err != nil {
		return Earnings{}, err
	}
	ofOrder := byOrder(entries)
	var all Earnings
	page := Page{Limit: sweepPage}
	for {
		sold, err := m.store.BookingsOfSeller(ctx, sellerUID, page)
		if err != nil {
			return Earnings{}, err
		}
		for _, b := range sold {
			if moved := ofOrder[b.ID]; len(moved) > 0 {
				all.add(earning(b, moved))
			}
		}
		if len(sold) < page.Limit {
			return all, nil
		}
		page.After = sold[len(sold)-1].ID
	}
}

func (all *Earnings) add(e Earning) {
	_, net := e.Booking.earned()
	all.Earned += net
	all.Waiting += e.Balance.Waiting()
	all.PaidOut += e.Balance.PaidOut
	all.Lines = append(all.Lines, e)
}

// earning is the sale with these movements of money.
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
