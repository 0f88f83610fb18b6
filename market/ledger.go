package market

import (
	"cmp"
	"fmt"
	"time"
)

// The ledger has one entry for each movement of an order's money. An entry is stored with
// the write that causes it, and is never changed. A reversal is a new entry with negative
// cents. Each sum of money that the market shows can be computed from the ledger.

// LedgerKind is the kind of a movement of money.
type LedgerKind string

// The kinds.
const (
	LedgerCharge     LedgerKind = "charge"     // from the buyer to the market
	LedgerRefund     LedgerKind = "refund"     // back to the buyer
	LedgerCommission LedgerKind = "commission" // the market keeps it
	LedgerPayout     LedgerKind = "payout"     // to the seller
)

// LedgerEntry is one movement of money.
type LedgerEntry struct {
	ID        string // derived from its cause, so that it is entered once
	BookingID string
	SellerUID string // "" for a charge without a booking
	BuyerUID  string
	Kind      LedgerKind
	Cents     int64 // negative if it reverses an earlier entry
	Reference string
	At        time.Time
}

// moved returns the entry with this kind and these cents; none for 0. The
// cause is the write of a booking or payment, given by its ID and its version after the
// write.
func (e LedgerEntry) moved(kind LedgerKind, cents int64, id string, version int64) []Effect {
	if cents == 0 {
		return nil
	}
	e.ID, e.Kind, e.Cents = fmt.Sprintf("%s %s %d", id, kind, version), kind, cents
	return []Effect{e}
}

// Balance is the sums of the ledger entries of one order or several, in cents.
type Balance struct{ Charged, Refunded, Commission, PaidOut int64 }

// BalanceOf adds up entries.
func BalanceOf(entries []LedgerEntry) Balance {
	var b Balance
	for _, e := range entries {
		switch e.Kind {
		case LedgerCharge:
			b.Charged += e.Cents
		case LedgerRefund:
			b.Refunded += e.Cents
		case LedgerCommission:
			b.Commission += e.Cents
		case LedgerPayout:
			b.PaidOut += e.Cents
		}
	}
	return b
}

// byOrder groups entries by their order's ID.
func byOrder(entries []LedgerEntry) map[string][]LedgerEntry {
	all := map[string][]LedgerEntry{}
	for _, e := range entries {
		all[e.BookingID] = append(all[e.BookingID], e)
	}
	return all
}

// Waiting is the money that the market has and owes to the seller or the buyer. It is
// negative if the seller was paid out and the buyer was refunded: the seller's debt.
func (b Balance) Waiting() int64 { return b.Charged - b.Refunded - b.Commission - b.PaidOut }

// Payout is how the seller of an order gets the money: an admin has paid, or the payment
// reconciler makes a transfer at the provider. A transfer is stored before it is made, and
// again before it is reversed, so that a crash cannot lose it.
type Payout struct {
	Cents      int64     `json:"cents"`
	Reference  string    `json:"reference"` // an admin's, such as the number of a bank transfer; or the transfer's ID, "" until it is made
	At         time.Time `json:"at"`        // when it was paid, or when a transfer that is not made yet was last requested
	IsTransfer bool      `json:"transfer,omitempty"`
	Number     int       `json:"number,omitempty"` // counts the transfers of the order from 1

	TakingBackAt time.Time `json:"takingBackAt,omitzero"` // when the reversal of the transfer began; set while it is under way
	TakenBackAt  time.Time `json:"takenBackAt,omitzero"`  // the seller does not have the money any more
	Repayment    string    `json:"repayment,omitempty"`   // the reference under which the seller has paid it back; "" if a transfer was reversed
	ShortAt      time.Time `json:"shortAt,omitzero"`      // since when the seller's account has too little money for a reversal
}

// earned returns how much of an order's total is earned, in cents: the market's commission
// and the seller's rest, postage included. Both are zero unless the money was released.
func (b Booking) earned() (commission, net int64) {
	if b.Status != BookingPaid || b.Fulfilment == nil || b.Fulfilment.Outcome != OutcomeRelease {
		return 0, 0
	}
	return b.commission(), b.cents() - b.commission()
}

// commission is the market's share of the price, without the postage, in cents, rounded down.
func (b Booking) commission() int64 {
	return int64(b.Price) * centsPerDollar * int64(b.Commission) / 100
}

// Balance returns the order's balance computed from the order itself. It equals the
// ledger's once the writes of a change are done. Events use it, because they are made
// before the ledger entries are stored.
func (b Booking) Balance() Balance {
	var balance Balance
	if b.Fulfilment != nil || b.Status == BookingRefunded {
		balance.Charged = b.cents()
	}
	if b.Status == BookingRefunded {
		balance.Refunded = b.cents()
	}
	balance.Commission, _ = b.earned()
	balance.PaidOut = b.paidOut()
	return balance
}

// PayoutState is EarningDue, EarningPaidOut, EarningDebt or EarningRepaid; "" while the seller
// has no right to the money, or a dispute freezes it.
func (b Booking) PayoutState() EarningState {
	_, net := b.earned()
	switch {
	case b.Balance().Waiting() < 0:
		return EarningDebt
	case b.IsPaidOut():
		return EarningPaidOut
	case b.Status == BookingRefunded && b.Payout.isRepaid():
		return EarningRepaid
	case net > 0 && !b.isDisputed():
		return EarningDue
	}
	return ""
}

// IsPaidOut returns whether the seller has the money of the order.
func (b Booking) IsPaidOut() bool {
	return b.Payout != nil && b.Payout.Reference != "" && b.Payout.TakenBackAt.IsZero()
}

// isRepaid returns whether the seller has paid the money back.
func (p *Payout) isRepaid() bool { return p != nil && p.Repayment != "" }

func (b Booking) paidOut() int64 {
	if !b.IsPaidOut() {
		return 0
	}
	return b.Payout.Cents
}

// ledgerEntries returns the ledger entries for the change of an order's commission and
// payout by a write.
func (b Booking) ledgerEntries(before Booking, at time.Time) []Effect {
	commissionBefore, _ := before.earned()
	commission, _ := b.earned()
	reference := ""
	if b.Payout != nil {
		reference = cmp.Or(b.Payout.Repayment, b.Payout.Reference)
	}
	entry := LedgerEntry{BookingID: b.ID, SellerUID: b.SellerUID, BuyerUID: b.BuyerUID, At: at}
	effects := entry.moved(LedgerCommission, commission-commissionBefore, b.ID, b.Version)
	entry.Reference = reference
	return append(effects, entry.moved(LedgerPayout, b.paidOut()-before.paidOut(), b.ID, b.Version)...)
}

// ledgerEntries returns the ledger entries for the change of a payment's charge and refund
// by a write; before is the zero Payment for a new one.
func (p Payment) ledgerEntries(before Payment, at time.Time) []Effect {
	entry := LedgerEntry{BookingID: p.BookingID, SellerUID: p.SellerUID, BuyerUID: p.BuyerUID, Reference: p.Transaction, At: at}
	charged, refunded := p.moved()
	chargedBefore, refundedBefore := before.moved()
	return append(entry.moved(LedgerCharge, charged-chargedBefore, p.ID, p.Version), entry.moved(LedgerRefund, refunded-refundedBefore, p.ID, p.Version)...)
}

func (p Payment) moved() (charged, refunded int64) {
	if p.ID != "" {
		charged = p.cents()
	}
	if !p.RefundedAt.IsZero() {
		refunded = p.cents()
	}
	return charged, refunded
}
