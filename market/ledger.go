package market

import (
	"encoding/json"
	"fmt"
	"time"
)

// The ledger has one entry for each movement of an order's money. An entry is stored with
// the write that causes it, and is never changed; what is taken back is a new entry with
// negative cents. Each sum of money that the market shows can be computed from it. Payments
// from before there was a ledger are not in it.

// LedgerKind is where money of an order moved.
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
	ID        string // made from its cause, so that it is entered once
	BookingID string
	SellerUID string // "" for a charge without a booking
	BuyerUID  string
	Kind      LedgerKind
	Cents     int64 // negative where an earlier entry is taken back
	Reference string
	At        time.Time
}

// Event is the event that stores the entry with the write of its cause. No reader receives it.
func (e LedgerEntry) Event() Event {
	return Event{Type: TypeLedgerEntryAdded, At: e.At, Entity: e.ID, Version: ledgerVersion, Data: encode(e)}
}

// ledgerVersion is the version of every entry: entries do not change.
const ledgerVersion = 1

// moved returns the event of the entry with this kind and these cents; none for 0. The entry
// is caused by the write of a booking or payment: its ID and its version after the write.
func (e LedgerEntry) moved(kind LedgerKind, cents int64, id string, version int64) []Event {
	if cents == 0 {
		return nil
	}
	e.ID, e.Kind, e.Cents = fmt.Sprintf("%s %s %d", id, kind, version), kind, cents
	return []Event{e.Event()}
}

// LedgerEntriesIn returns the entries in events, which a store keeps with them.
func LedgerEntriesIn(events []Event) ([]LedgerEntry, error) {
	var all []LedgerEntry
	for _, e := range events {
		if e.Type != TypeLedgerEntryAdded {
			continue
		}
		var entry LedgerEntry
		if err := json.Unmarshal(e.Data, &entry); err != nil {
			return nil, fmt.Errorf("read the ledger entry of an event: %w", err)
		}
		all = append(all, entry)
	}
	return all, nil
}

// Balance is what became of the money of an order, or of several, in cents.
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

// byOrder sorts entries by their order's ID.
func byOrder(entries []LedgerEntry) map[string][]LedgerEntry {
	all := map[string][]LedgerEntry{}
	for _, e := range entries {
		all[e.BookingID] = append(all[e.BookingID], e)
	}
	return all
}

// Waiting is what the market has and owes: to the seller, or to the buyer. It is negative
// where a seller was paid out and the buyer got the money back: the seller's debt.
func (b Balance) Waiting() int64 { return b.Charged - b.Refunded - b.Commission - b.PaidOut }

// Payout is how the seller of an order gets the money: an admin has paid, or the payment
// reconciler makes a transfer at the provider. A transfer is noted before it is made, and
// before it is taken back, so that it is never forgotten.
type Payout struct {
	Cents      int64     `json:"cents"`
	Reference  string    `json:"reference"` // an admin's, such as the number of a bank transfer; or the transfer's ID, "" until it is made
	At         time.Time `json:"at"`        // when it was paid; of a transfer that is not made yet, when it was begun
	IsTransfer bool      `json:"transfer,omitempty"`
	Number     int       `json:"number,omitempty"` // counts the transfers of the order from 1

	TakingBackAt time.Time `json:"takingBackAt,omitzero"` // while the transfer is being taken back: since when
	TakenBackAt  time.Time `json:"takenBackAt,omitzero"`  // the seller does not have the money any more
	ShortAt      time.Time `json:"shortAt,omitzero"`      // since when the seller has too little for it to be taken back
}

// earned returns what an order has brought the market and its seller so far: the commission
// and the rest of the price, in cents. Both are zero unless it is released.
func (b Booking) earned() (commission, net int64) {
	if b.Status != BookingPaid || b.Fulfilment == nil || b.Fulfilment.Outcome != OutcomeRelease {
		return 0, 0
	}
	return b.commission(), b.cents() - b.commission()
}

// commission is the market's share of the price, in cents, rounded down.
func (b Booking) commission() int64 { return b.cents() * int64(b.Commission) / 100 }

// balance is what became of the order's money, by the order itself. It agrees with the ledger
// once the writes of a change are done: an event has it, which is made before it is entered.
func (b Booking) balance() Balance {
	var is Balance
	if b.Fulfilment != nil || b.Status == BookingRefunded {
		is.Charged = b.cents()
	}
	if b.Status == BookingRefunded {
		is.Refunded = b.cents()
	}
	is.Commission, _ = b.earned()
	is.PaidOut = b.paidOut()
	return is
}

// PayoutState is EarningDue, EarningPaidOut or EarningDebt; "" while an order's money is not
// the seller's, or is frozen by a dispute.
func (b Booking) PayoutState() EarningState {
	_, net := b.earned()
	switch {
	case b.balance().Waiting() < 0:
		return EarningDebt
	case b.IsPaidOut():
		return EarningPaidOut
	case net > 0 && !b.isDisputed():
		return EarningDue
	}
	return ""
}

// IsPaidOut tells whether the seller has the money of the order.
func (b Booking) IsPaidOut() bool {
	return b.Payout != nil && b.Payout.Reference != "" && b.Payout.TakenBackAt.IsZero()
}

func (b Booking) paidOut() int64 {
	if !b.IsPaidOut() {
		return 0
	}
	return b.Payout.Cents
}

// ledgerEvents enter how commission and payout of an order change with a write.
func (b Booking) ledgerEvents(before Booking, at time.Time) []Event {
	was, _ := before.earned()
	is, _ := b.earned()
	reference := ""
	if b.Payout != nil {
		reference = b.Payout.Reference
	}
	entry := LedgerEntry{BookingID: b.ID, SellerUID: b.SellerUID, BuyerUID: b.BuyerUID, At: at}
	events := entry.moved(LedgerCommission, is-was, b.ID, b.Version)
	entry.Reference = reference
	return append(events, entry.moved(LedgerPayout, b.paidOut()-before.paidOut(), b.ID, b.Version)...)
}

// ledgerEvents enter how charge and refund of a payment change with a write; before is the
// zero Payment for a new one.
func (p Payment) ledgerEvents(before Payment, at time.Time) []Event {
	if !p.InLedger {
		return nil
	}
	entry := LedgerEntry{BookingID: p.BookingID, SellerUID: p.SellerUID, BuyerUID: p.BuyerUID, Reference: p.Transaction, At: at}
	charged, refunded := p.moved()
	wasCharged, wasRefunded := before.moved()
	return append(entry.moved(LedgerCharge, charged-wasCharged, p.ID, p.Version), entry.moved(LedgerRefund, refunded-wasRefunded, p.ID, p.Version)...)
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
