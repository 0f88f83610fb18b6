package market

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"
)

// IntentList is a provider that can list its intents. Its methods return ErrPaymentsUnavailable,
// wrapped, if the provider is unavailable.
type IntentList interface {
	// Intents yields the intents made since a time, in any order. After an error it yields
	// nothing more.
	Intents(ctx context.Context, since time.Time) iter.Seq2[Intent, error]
	// Intent returns the current state of an intent; ErrNoIntent if there is none.
	Intent(ctx context.Context, id string) (Intent, error)
	// TransferOf is PayoutProvider.TransferOf.
	TransferOf(ctx context.Context, bookingID string, number int) (id string, err error)
}

// Difference is a payment on which the market and the provider disagree.
type Difference struct {
	IntentID  string
	BookingID string // "" where neither of them names one
	Cents     int64  // the provider's amount; the market's if the provider does not know the payment
	Problem   string // a sentence
	// Advice is what a person has to do; "" if Market.Repair repairs it.
	Advice string
}

// Reconciled is the result of a comparison.
type Reconciled struct {
	Compared    int // payments and intents of this market
	Foreign     int // charges at the provider that belong to no order of this market
	Differences []Difference
}

// applyTime is how long the market may take to apply a payment that arrives during the
// comparison.
const applyTime = 5 * time.Second

// reconcilePage is how many payments are read at once.
const reconcilePage = 500

// Reconcile compares the market's payments with the provider's intents, both since a time.
// It changes nothing. Because the market keeps running, it calls pause and then compares
// again what differs. Pass Pause.
func Reconcile(ctx context.Context, store Store, provider IntentList, since time.Time, pause func(context.Context) error) (Reconciled, error) {
	r := reconciliation{store: store, provider: provider, seen: map[string]bool{}, differ: map[string]Difference{}}
	if err := errors.Join(r.intents(ctx, since), r.payments(ctx, since)); err != nil {
		return Reconciled{}, err
	}
	if len(r.differ) > 0 {
		if err := pause(ctx); err != nil {
			return Reconciled{}, err
		}
		for _, id := range slices.Sorted(maps.Keys(r.differ)) {
			if err := r.compareByID(ctx, id); err != nil {
				return Reconciled{}, err
			}
		}
	}
	done := Reconciled{Compared: len(r.seen), Foreign: r.foreign}
	for _, id := range slices.Sorted(maps.Keys(r.differ)) {
		done.Differences = append(done.Differences, r.differ[id])
	}
	return done, nil
}

// Pause waits until a running market has applied all payments that arrived before.
func Pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(applyTime):
		return nil
	}
}

// reconciliation is the state of one comparison.
type reconciliation struct {
	store    Store
	provider IntentList
	seen     map[string]bool       // intents that were compared, by ID
	differ   map[string]Difference // by the intent's ID
	foreign  int
}

// intents compares the provider's intents with the market's payments.
func (r *reconciliation) intents(ctx context.Context, since time.Time) error {
	for in, err := range r.provider.Intents(ctx, since) {
		if err != nil {
			return err
		}
		b, err := r.booking(ctx, in.BookingID)
		if err != nil {
			return err
		}
		if !in.IsOwn && b == nil {
			if in.Status == IntentSucceeded {
				r.foreign++
			}
			continue
		}
		if err := r.compare(ctx, in, b); err != nil {
			return err
		}
	}
	return nil
}

// payments compares the market's payments that the provider did not list.
func (r *reconciliation) payments(ctx context.Context, since time.Time) error {
	for page, err := range eachPage(reconcilePage, func(page Page) ([]Payment, error) { return r.store.Payments(ctx, page) }, paymentID) {
		if err != nil {
			return err
		}
		for _, pay := range page {
			if pay.CreatedAt.Before(since) {
				return nil // the list is newest first
			}
			if r.seen[pay.Transaction] {
				continue
			}
			if err := r.compareByID(ctx, pay.Transaction); err != nil {
				return err
			}
		}
	}
	return nil
}

// compareByID asks the provider for an intent and compares it.
func (r *reconciliation) compareByID(ctx context.Context, id string) error {
	in, err := r.provider.Intent(ctx, id)
	if errors.Is(err, ErrNoIntent) {
		return r.unknown(ctx, id)
	}
	if err != nil {
		return err
	}
	b, err := r.booking(ctx, in.BookingID)
	if err != nil {
		return err
	}
	return r.compare(ctx, in, b)
}

// unknown records a payment whose intent the provider does not know.
func (r *reconciliation) unknown(ctx context.Context, id string) error {
	pay, err := r.store.PaymentOf(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	r.seen[id] = true
	r.differ[id] = Difference{
		IntentID: id, BookingID: pay.BookingID, Cents: pay.cents(),
		Problem: "The market has this payment. The provider does not know it.", Advice: adviceKeys,
	}
	return nil
}

// compare records how an intent differs from the market's records of it, or that it does
// not.
func (r *reconciliation) compare(ctx context.Context, in Intent, b *Booking) error {
	r.seen[in.ID] = true
	delete(r.differ, in.ID)
	var d Difference
	pay, err := r.store.PaymentOf(ctx, in.ID)
	switch {
	case errors.Is(err, ErrNotFound):
		d = in.missingPayment(b)
	case err != nil:
		return err
	default:
		d = in.differsFrom(pay, b)
	}
	if d.Problem == "" {
		if d, err = r.ledger(ctx, pay, b); err != nil {
			return err
		}
	}
	if d.Problem == "" && b != nil && b.Intent == in.ID {
		if d, err = r.transfer(ctx, *b); err != nil {
			return err
		}
	}
	if d.Problem != "" {
		d.IntentID, d.BookingID, d.Cents = in.ID, in.BookingID, in.Cents
		r.differ[in.ID] = d
	}
	return nil
}

// ledger compares a payment and its order with their ledger entries. The payment agrees
// with the provider.
func (r *reconciliation) ledger(ctx context.Context, pay Payment, b *Booking) (Difference, error) {
	all, err := r.store.LedgerOfOrder(ctx, pay.BookingID)
	if err != nil {
		return Difference{}, err
	}
	var ofPayment []LedgerEntry
	for _, e := range all {
		if e.Reference == pay.Transaction && (e.Kind == LedgerCharge || e.Kind == LedgerRefund) {
			ofPayment = append(ofPayment, e)
		}
	}
	ledger := BalanceOf(ofPayment)
	if charged, refunded := pay.moved(); ledger.Charged != charged || ledger.Refunded != refunded {
		return Difference{Problem: fmt.Sprintf("The ledger has %s charged and %s refunded. The payment says %s and %s.",
			Money(ledger.Charged, Currency), Money(ledger.Refunded, Currency), Money(charged, Currency), Money(refunded, Currency)), Advice: adviceLedger}, nil
	}
	if b == nil || b.Intent != pay.Transaction || pay.Outcome != PaymentKept {
		return Difference{}, nil
	}
	ledger, expected := BalanceOf(all), b.Balance()
	if !b.agrees(ledger) {
		return Difference{Problem: fmt.Sprintf("The ledger has %s commission, %s paid out and %s waiting. The order says %s, %s and %s.",
			Money(ledger.Commission, Currency), Money(ledger.PaidOut, Currency), Money(ledger.Waiting(), Currency),
			Money(expected.Commission, Currency), Money(expected.PaidOut, Currency), Money(expected.Waiting(), Currency)), Advice: adviceLedger}, nil
	}
	return Difference{}, nil
}

// transfer compares the order's last transfer to the seller, if there is one. It makes one
// call to the provider.
func (r *reconciliation) transfer(ctx context.Context, b Booking) (Difference, error) {
	if b.Payout == nil || !b.Payout.IsTransfer {
		return Difference{}, nil
	}
	id, err := r.provider.TransferOf(ctx, b.ID, b.Payout.Number)
	switch {
	case err != nil:
		return Difference{}, err
	case b.Payout.isRepaid():
		if id != b.Payout.Reference {
			return Difference{Problem: "The seller has paid back the transfer " + b.Payout.Reference + ", and the provider has reversed it too, or does not know it.", Advice: adviceTransfer}, nil
		}
	case b.Payout.isBegun() && id != "":
		return Difference{Problem: "The provider has made the transfer " + id + " to the seller. The market has not recorded that."}, nil
	case b.IsPaidOut() && id != b.Payout.Reference:
		return Difference{Problem: "The market has recorded the transfer " + b.Payout.Reference + " to the seller. The provider does not know it, or has reversed it.", Advice: adviceTransfer}, nil
	case !b.IsPaidOut() && id != "":
		return Difference{Problem: "The market has recorded that the transfer " + id + " was reversed. The provider has not reversed it.", Advice: adviceTransfer}, nil
	}
	return Difference{}, nil
}

// booking returns the booking of that ID; nil if there is none.
func (r *reconciliation) booking(ctx context.Context, id string) (*Booking, error) {
	if id == "" {
		return nil, nil
	}
	b, err := r.store.Booking(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	return &b, err
}

func (p Payment) cents() int64 { return int64(p.Price+p.Postage) * centsPerDollar }

// Money formats an amount, as in 120.00 USD or -0.05 USD.
func Money(cents int64, currency string) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s%d.%02d %s", sign, cents/centsPerDollar, cents%centsPerDollar, strings.ToUpper(currency))
}
