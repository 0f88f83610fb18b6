package stripe

import (
	"context"
	"errors"

	"secondring/market"
)

// charge is one attempt to charge the payment method.
type charge struct {
	ID             string   `json:"id"`
	Status         string   `json:"status"`
	Amount         int64    `json:"amount"`
	Created        int64    `json:"created"`
	Method         method   `json:"method"`
	FailureCode    string   `json:"failure_code,omitempty"`
	FailureMessage string   `json:"failure_message,omitempty"`
	Reason         string   `json:"reason,omitempty"` // of the decline
	Refunds        []refund `json:"refunds,omitempty"`
	Dispute        *dispute `json:"dispute,omitempty"`
}

// The statuses of Stripe's charges.
const (
	chargePending   = "pending"
	chargeSucceeded = "succeeded"
	chargeFailed    = "failed"
)

// dispute is the dispute of a charge by the card's owner.
type dispute struct {
	ID      string `json:"id"`
	Reason  string `json:"reason"`
	Amount  int64  `json:"amount"`
	Created int64  `json:"created"`
	Status  string `json:"status,omitempty"` // disputeOpen when ""
}

// The statuses of Stripe's disputes.
const (
	disputeOpen   = "needs_response"
	disputeWon    = "won"
	disputeLost   = "lost"
	inquiryOpen   = "warning_needs_response" // the bank asks, and has not taken the money
	inquiryClosed = "warning_closed"
)

// hasWithdrawnFunds reports whether the dispute has taken the money.
func (d *dispute) hasWithdrawnFunds() bool { return d.Status == "" || d.Status == disputeLost }

// isOpen reports whether the dispute can be answered.
func (d *dispute) isOpen() bool { return d.Status == "" || d.Status == inquiryOpen }

// disputeOutcomes are the results of a dispute, by the evidence that Stripe accepts for tests
// (https://docs.stripe.com/testing#evidence).
var disputeOutcomes = map[string]string{"winning_evidence": disputeWon, "losing_evidence": disputeLost}

// updateDispute accepts evidence, which closes a dispute.
var updateDispute = endpoint[string]{
	allowed: []string{"evidence[*]", "submit", "expand[]"},
	check: func(_ *Sandbox, c *call) (string, error) {
		if _, err := c.oneOf("submit", "true"); err != nil { // Stripe also stores evidence to submit it later
			return "", err
		}
		outcome := disputeOutcomes[c.text("evidence[uncategorized_text]")]
		if outcome == "" {
			return "", badRequest("", "evidence", "The sandbox takes winning_evidence or losing_evidence as uncategorized_text.")
		}
		return outcome, nil
	},
	run: func(ctx context.Context, s *Sandbox, c *call, outcome string) (object, error) {
		return s.change(ctx, c, intentIDOf("dp_", c.id), func(i *intent) (object, error) {
			ch := i.charge()
			if ch == nil || ch.Dispute == nil || ch.Dispute.ID != c.id {
				return nil, notFound("dispute", c.id, "id")
			}
			if !ch.Dispute.isOpen() { // Stripe does not document the error
				return nil, badRequest("", "", "This dispute is closed.")
			}
			s.endDispute(i, c, ch, outcome)
			return ch.Dispute.view(i, ch), nil
		})
	},
}

// endDispute closes a dispute. The end of an inquiry moves no money.
func (s *Sandbox) endDispute(i *intent, c *call, ch *charge, outcome string) {
	if ch.Dispute.Status == inquiryOpen {
		outcome = inquiryClosed
	}
	ch.Dispute.Status = outcome
	s.addEvent(i, c, "charge.dispute.closed", ch.Dispute.view(i, ch))
	if outcome == disputeWon {
		s.addEvent(i, c, "charge.dispute.funds_reinstated", ch.Dispute.view(i, ch))
	}
}

// listDisputes lists the disputes of one intent, or all, in the order of their intents' IDs.
// Stripe lists the newest first.
var listDisputes = endpoint[listOptions]{
	allowed: []string{"payment_intent", "limit", "starting_after", "created[gte]", "expand[]"},
	check:   func(_ *Sandbox, c *call) (listOptions, error) { return readListOptions(c.params) },
	run: func(ctx context.Context, s *Sandbox, c *call, options listOptions) (object, error) {
		if c.text("payment_intent") == "" {
			return s.listAllDisputes(ctx, c, options)
		}
		list := []object{}
		i, err := s.load(ctx, c.text("payment_intent"))
		if err != nil && !errors.Is(err, market.ErrNotFound) {
			return nil, err
		}
		if err == nil && c.text("starting_after") == "" {
			for at := range i.Charges {
				if d := i.Charges[at].Dispute; d != nil {
					list = append(list, d.view(i, &i.Charges[at]))
				}
			}
		}
		return object{"object": "list", "data": list, "has_more": false, "url": "/v1/disputes"}, nil
	},
}

func (s *Sandbox) newCharge(i *intent, status string) *charge {
	return i.addCharge(charge{
		ID: i.partID("ch_"), Status: status, Amount: i.Amount, Created: s.config.Clock.Now().Unix(), Method: *i.Method,
	})
}

// disputeCharge opens a dispute about the part of a charge that was not refunded.
func (s *Sandbox) disputeCharge(i *intent, c *call) {
	ch := i.charge()
	remaining := ch.Amount - ch.refunded()
	if remaining == 0 || ch.Dispute != nil {
		return
	}
	ch.Dispute = &dispute{
		ID: i.partID("dp_"), Reason: ch.Method.test().dispute, Amount: remaining, Created: s.config.Clock.Now().Unix(),
	}
	if ch.Method.test().inquiry {
		ch.Dispute.Status = inquiryOpen
	}
	s.addEvent(i, c, "charge.dispute.created", ch.Dispute.view(i, ch))
	if ch.Dispute.Status != inquiryOpen {
		s.addEvent(i, c, "charge.dispute.funds_withdrawn", ch.Dispute.view(i, ch))
	}
}

var retrieveCharge = endpoint[none]{
	allowed: []string{"expand[]"},
	check: func(_ *Sandbox, c *call) (none, error) {
		return none{}, c.expandable("payment_intent", "refunds", "dispute")
	},
	run: func(ctx context.Context, s *Sandbox, c *call, _ none) (object, error) {
		i, err := s.load(ctx, intentIDOf("ch_", c.id))
		if err != nil && !errors.Is(err, market.ErrNotFound) {
			return nil, err
		}
		if err == nil {
			for at := range i.Charges {
				if i.Charges[at].ID == c.id {
					return i.Charges[at].view(i, c.params), nil
				}
			}
		}
		return nil, notFound("charge", c.id, "id")
	},
}
