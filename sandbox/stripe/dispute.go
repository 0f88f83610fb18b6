package stripe

import (
	"cmp"
	"context"

	"secondring/market"
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

// hasTakenMoney reports whether the bank has taken the money.
func (d *dispute) hasTakenMoney() bool { return d.Status == "" || d.Status == disputeLost }

// dispute opens a dispute about the part of the charge that was not refunded.
func (s *Sandbox) dispute(i *intent) {
	ch, test := i.charge(), i.test()
	remaining := i.Amount - ch.refunded()
	if remaining == 0 {
		return
	}
	ch.Dispute = &dispute{ID: partID("dp_", i.ID, ""), Reason: test.dispute, Amount: remaining, Created: s.now().Unix()}
	if test.inquiry {
		ch.Dispute.Status = inquiryOpen
	}
	s.addEvent(&i.outbox, "charge.dispute.created", ch.Dispute.view(i, ch))
}

// closeDispute accepts the evidence by which Stripe decides a dispute in tests
// (https://docs.stripe.com/testing#evidence). The end of an inquiry moves no money.
func (s *Sandbox) closeDispute(ctx context.Context, c *call) (object, error) {
	outcome := map[string]string{"winning_evidence": disputeWon, "losing_evidence": disputeLost}[c.text("evidence[uncategorized_text]")]
	if outcome == "" {
		return nil, invalid("", "evidence", "The sandbox takes winning_evidence or losing_evidence as uncategorized_text.")
	}
	i, err := change(ctx, s, ownerID(intentPrefix, c.id), func(i *intent) error {
		ch := i.charge()
		if ch == nil || ch.Dispute == nil {
			return market.ErrNotFound
		}
		switch ch.Dispute.Status {
		case "":
			ch.Dispute.Status = outcome
		case inquiryOpen:
			ch.Dispute.Status = inquiryClosed
		default:
			return refused("", "", "This dispute is closed.")
		}
		s.addEvent(&i.outbox, "charge.dispute.closed", ch.Dispute.view(i, ch))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return i.charge().Dispute.view(i, i.charge()), nil
}

// listDisputes lists the disputes of one intent, or all.
func (s *Sandbox) listDisputes(ctx context.Context, c *call) (object, error) {
	find := func(i *intent) []object {
		ch := i.charge()
		if ch == nil || ch.Dispute == nil || ch.Dispute.Created < c.since() {
			return nil
		}
		return []object{ch.Dispute.view(i, ch)}
	}
	if !c.form.Has("payment_intent") {
		return list(ctx, s, c, ownerID(intentPrefix, c.text("starting_after")), find)
	}
	i, _, err := load[intent](ctx, s, c.text("payment_intent"))
	if err != nil {
		return nil, err
	}
	return listObject(find(i), false), nil
}

func (d *dispute) view(i *intent, ch *charge) object {
	return object{
		"id": d.ID, "object": "dispute", "amount": d.Amount, "charge": ch.ID, "created": d.Created, "currency": i.Currency,
		"payment_intent": i.ID, "reason": d.Reason, "status": cmp.Or(d.Status, disputeOpen),
	}
}
