package payment

import (
	"context"
	"iter"
	"time"

	"github.com/stripe/stripe-go/v76"

	"secondring/market"
)

// withDisputes returns the intent with the effects of its disputes. Its latest charge must
// be expanded.
func (g *Gateway) withDisputes(ctx context.Context, pi *stripe.PaymentIntent) (market.Intent, error) {
	in := g.intentOf(pi)
	charge := pi.LatestCharge
	if charge == nil || !charge.Disputed {
		return in, nil
	}
	all := g.disputes.List(&stripe.DisputeListParams{
		ListParams: stripe.ListParams{Context: ctx}, PaymentIntent: &in.ID,
	})
	left := in.Cents - charge.AmountRefunded
	var taken int64
	for all.Next() {
		if d := all.Dispute(); addDispute(&in, d) {
			if d.Currency == pi.Currency {
				taken += d.Amount
			} else {
				taken += left
			}
		}
	}
	if err := all.Err(); err != nil {
		return market.Intent{}, g.wrapError(ctx, "look at the disputes of", in.ID, err)
	}
	if taken > 0 {
		in.Returned = in.Returned || taken*100 >= left*minDisputedPercent
		in.IsPartTaken = !in.Returned
	}
	return in, nil
}

// minDisputedPercent is the part of the money that was not refunded from which a dispute counts
// as one of all of it: because of exchange rates its amount can differ a little. A dispute in
// another currency always counts as one of all of it.
const minDisputedPercent = 90

// addDispute adds one of an intent's disputes, and returns whether the bank has taken its
// amount. An open one has priority over a lost one, and a lost one over a won one.
func addDispute(in *market.Intent, d *stripe.Dispute) (taken bool) {
	state, taken := disputeOf(d.Status)
	if rank := map[market.DisputeState]int{market.DisputeWon: 1, market.DisputeLost: 2, market.DisputeOpen: 3}; rank[state] > rank[in.Dispute] {
		in.Dispute, in.DisputedAt, in.DisputeID = state, time.Unix(d.Created, 0).UTC(), d.ID
		in.AnswerBy, in.IsAnswered = answerOf(d)
	}
	return taken
}

// answerOf returns until when a dispute can be answered; zero if it cannot be. isAnswered is true if an
// answer was submitted, here or in Stripe's dashboard.
func answerOf(d *stripe.Dispute) (by time.Time, isAnswered bool) {
	e := d.EvidenceDetails
	if e == nil {
		return time.Time{}, false
	}
	if e.DueBy > 0 {
		by = time.Unix(e.DueBy, 0).UTC()
	}
	return by, e.SubmissionCount > 0
}

// disputeOf returns the state of a dispute, and whether the bank has taken the money. An
// inquiry of the bank has taken none; a closed inquiry counts as won.
func disputeOf(s stripe.DisputeStatus) (state market.DisputeState, taken bool) {
	switch s {
	case stripe.DisputeStatusNeedsResponse, stripe.DisputeStatusUnderReview:
		return market.DisputeOpen, true
	case stripe.DisputeStatusWarningNeedsResponse, stripe.DisputeStatusWarningUnderReview:
		return market.DisputeOpen, false
	case stripe.DisputeStatusLost:
		return market.DisputeLost, true
	case stripe.DisputeStatusWon, stripe.DisputeStatusWarningClosed:
		return market.DisputeWon, false
	}
	return market.DisputeOpen, false // an unknown status: an admin must check it
}

// Disputes yields the disputes that were opened since a time.
func (g *Gateway) Disputes(ctx context.Context, since time.Time) iter.Seq2[market.DisputedIntent, error] {
	return func(yield func(market.DisputedIntent, error) bool) {
		all := g.disputes.List(&stripe.DisputeListParams{
			ListParams:   stripe.ListParams{Context: ctx, Limit: new(int64(listPage))},
			CreatedRange: &stripe.RangeQueryParams{GreaterThanOrEqual: since.Unix()},
		})
		for all.Next() {
			d := all.Dispute()
			state, _ := disputeOf(d.Status)
			if d.PaymentIntent != nil && !yield(market.DisputedIntent{IntentID: d.PaymentIntent.ID, State: state}, nil) {
				return
			}
		}
		if err := all.Err(); err != nil {
			yield(market.DisputedIntent{}, g.wrapError(ctx, "list the disputes of", g.market, err))
		}
	}
}
