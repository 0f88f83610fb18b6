package markettest

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"secondring/market"
)

// Bank is a market.Payments and a market.PayoutProvider in memory. Its other methods act as
// the buyer and as the bank. Like a real provider, it makes one intent for an order and one
// refund for an attempt, and a cancelled intent never succeeds. It is safe for concurrent
// use.
type Bank struct {
	mu            sync.Mutex
	intents       map[string]*market.Intent
	byRequest     map[string]string // intents by booking and attempt
	refunds       map[string]int
	answers       []market.DisputeAnswer
	isUnavailable bool
	payouts       payouts
	// IgnoresKeys makes Transfer ignore earlier equal requests, as a provider
	// does after a day.
	IgnoresKeys bool
}

// ids numbers the intents, accounts and transfers of all banks, because two banks may serve
// one store one after the other.
var ids atomic.Int64

// NewBank returns a bank without intents.
func NewBank() *Bank {
	return &Bank{
		intents: map[string]*market.Intent{}, byRequest: map[string]string{}, refunds: map[string]int{},
		payouts: payouts{accounts: map[string]*Account{}, transfers: map[string]*Transfer{}},
	}
}

// OpenIntent implements market.Payments.
func (b *Bank) OpenIntent(_ context.Context, r market.IntentRequest) (market.Intent, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.isUnavailable {
		return market.Intent{}, fmt.Errorf("open: %w", market.ErrPaymentsUnavailable)
	}
	key := fmt.Sprint(r.BookingID, " ", r.Attempt)
	if id, exists := b.byRequest[key]; exists {
		if b.intents[id].Cents != r.Cents {
			return market.Intent{}, fmt.Errorf("the intent %s of the same request has %d cents, not %d", id, b.intents[id].Cents, r.Cents)
		}
		return *b.intents[id], nil
	}
	id := fmt.Sprint("pi_", ids.Add(1))
	b.byRequest[key] = id
	b.intents[id] = &market.Intent{
		ID: id, ClientSecret: id + "_secret", Status: market.IntentOpen, Cents: r.Cents, Currency: market.Currency,
		BookingID: r.BookingID, ProductID: r.ProductID, BuyerUID: r.BuyerUID,
	}
	return *b.intents[id], nil
}

// Intent implements market.Payments.
func (b *Bank) Intent(_ context.Context, id string) (market.Intent, error) { return b.change(id, nil) }

// Intents yields all intents, also those made before that time.
func (b *Bank) Intents(context.Context, time.Time) iter.Seq2[market.Intent, error] {
	return func(yield func(market.Intent, error) bool) {
		for _, in := range b.All() {
			if !yield(in, nil) {
				return
			}
		}
	}
}

// CancelIntent implements market.Payments.
func (b *Bank) CancelIntent(_ context.Context, id string) (market.Intent, error) {
	return b.change(id, func(in *market.Intent) { setStatus(in, market.IntentCancelled, market.IntentOpen) })
}

// FailRefund makes the refund of an intent fail after it was accepted.
func (b *Bank) FailRefund(id string) {
	b.Change(id, func(in *market.Intent) { in.Returned, in.FailedRefunds = false, in.FailedRefunds+1 })
}

// AnswerTime is how long a dispute of a Bank can be answered.
const AnswerTime = 7 * 24 * time.Hour

// Dispute opens a dispute of a payment. The buyer's bank takes the money.
func (b *Bank) Dispute(id string, at time.Time) {
	b.Change(id, func(in *market.Intent) {
		in.Dispute, in.DisputedAt, in.Returned = market.DisputeOpen, at, true
		in.DisputeID, in.AnswerBy = fmt.Sprint("dp_", ids.Add(1)), at.Add(AnswerTime)
	})
}

// AnswerDispute implements market.Payments. It refuses a second answer.
func (b *Bank) AnswerDispute(_ context.Context, a market.DisputeAnswer) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.isUnavailable {
		return fmt.Errorf("answer: %w", market.ErrPaymentsUnavailable)
	}
	for _, in := range b.intents {
		if in.DisputeID == a.DisputeID && in.Dispute == market.DisputeOpen && !in.IsAnswered {
			in.IsAnswered = true
			b.answers = append(b.answers, a)
			return nil
		}
	}
	return fmt.Errorf("the dispute %s takes no answer", a.DisputeID)
}

// Answers returns the answers to disputes, oldest first.
func (b *Bank) Answers() []market.DisputeAnswer {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.answers)
}

// EndDispute ends the dispute with the bank's decision.
func (b *Bank) EndDispute(id string, end market.DisputeState) {
	b.Change(id, func(in *market.Intent) { in.Dispute, in.Returned = end, end == market.DisputeLost })
}

// Disputes yields all disputes, also those opened before that time.
func (b *Bank) Disputes(context.Context, time.Time) iter.Seq2[market.DisputedIntent, error] {
	return func(yield func(market.DisputedIntent, error) bool) {
		if b.unavailable() {
			yield(market.DisputedIntent{}, fmt.Errorf("disputes: %w", market.ErrPaymentsUnavailable))
			return
		}
		for _, in := range b.All() {
			if in.Dispute != "" && !yield(market.DisputedIntent{IntentID: in.ID, State: in.Dispute}, nil) {
				return
			}
		}
	}
}

// Refund returns the money of a succeeded intent. A repeated attempt does nothing, like a
// used idempotency key.
func (b *Bank) Refund(_ context.Context, id string, attempt int) error {
	_, err := b.change(id, func(in *market.Intent) {
		if in.Status == market.IntentSucceeded && !in.Returned && attempt == in.FailedRefunds {
			in.Returned = true
			b.refunds[id]++
		}
	})
	return err
}

func (b *Bank) change(id string, change func(*market.Intent)) (market.Intent, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	in, exists := b.intents[id]
	switch {
	case b.isUnavailable:
		return market.Intent{}, fmt.Errorf("read: %w", market.ErrPaymentsUnavailable)
	case !exists:
		return market.Intent{}, market.ErrNoIntent
	case change != nil:
		change(in)
	}
	return *in, nil
}

// setStatus sets the status of an intent that has one of the other statuses.
func setStatus(in *market.Intent, to market.IntentStatus, from ...market.IntentStatus) {
	if slices.Contains(from, in.Status) {
		in.Status = to
	}
}

// Confirm charges the buyer's card. It returns whether the intent succeeded.
func (b *Bank) Confirm(id string) bool {
	charged := false
	_, _ = b.change(id, func(in *market.Intent) { // an unknown intent is not charged
		charged = in.Status == market.IntentOpen || in.Status == market.IntentProcessing
		setStatus(in, market.IntentSucceeded, market.IntentOpen, market.IntentProcessing)
	})
	return charged
}

// Process sets the intent to IntentProcessing.
func (b *Bank) Process(id string) {
	_, _ = b.change(id, func(in *market.Intent) { setStatus(in, market.IntentProcessing, market.IntentOpen) })
}

// Change changes an intent without the market's knowledge.
func (b *Bank) Change(id string, change func(*market.Intent)) { _, _ = b.change(id, change) }

// SetUnavailable makes all calls fail with ErrPaymentsUnavailable, or work again.
func (b *Bank) SetUnavailable(isUnavailable bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.isUnavailable = isUnavailable
}

func (b *Bank) unavailable() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.isUnavailable
}

// Refunds returns how often Refund returned an intent's money.
func (b *Bank) Refunds(id string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.refunds[id]
}

// Charged lists the succeeded intents whose money was not returned.
func (b *Bank) Charged() []market.Intent {
	b.mu.Lock()
	defer b.mu.Unlock()
	var charged []market.Intent
	for _, in := range b.intents {
		if in.Status == market.IntentSucceeded && !in.Returned {
			charged = append(charged, *in)
		}
	}
	return charged
}

// All lists every intent.
func (b *Bank) All() []market.Intent {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []market.Intent
	for _, in := range b.intents {
		all = append(all, *in)
	}
	return all
}
