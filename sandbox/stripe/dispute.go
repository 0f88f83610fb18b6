package stripe

import (
	"cmp"
	"context"
	"time"

	"secondring/market"
)

// dispute is the dispute of a charge by the card's owner.
type dispute struct {
	ID      string `json:"id"`
	Reason  string `json:"reason"`
	Amount  int64  `json:"amount"`
	Created int64  `json:"created"`
	Status  string `json:"status,omitempty"` // disputeOpen when ""
	// Evidence is what was submitted, by field; AnswerOp is the op of that call, "" before.
	Evidence map[string]string `json:"evidence,omitempty"`
	AnswerOp string            `json:"answerOp,omitempty"`
}

// answerTime is how long a dispute can be answered.
const answerTime = 7 * 24 * time.Hour

func (d *dispute) dueBy() time.Time { return time.Unix(d.Created, 0).Add(answerTime) }

// The statuses of Stripe's disputes.
const (
	disputeOpen   = "needs_response"
	disputeWon    = "won"
	disputeLost   = "lost"
	inquiryOpen   = "warning_needs_response" // the bank asks, and has not taken the money
	inquiryClosed = "warning_closed"
)

// answered has the statuses of open disputes that were answered.
var answered = map[string]string{disputeOpen: "under_review", inquiryOpen: "warning_under_review"}

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

// updateDispute submits evidence, once and in time. Stripe decides a dispute in tests by two texts
// (https://docs.stripe.com/testing#evidence); unlike Stripe, the sandbox takes these also after other
// evidence, so that an answered dispute can end. It has no staged evidence.
func (s *Sandbox) updateDispute(ctx context.Context, c *call) (object, error) {
	evidence := c.pairs("evidence")
	if len(evidence) == 0 {
		return nil, invalid("parameter_missing", "evidence", "Evidence is missing.")
	}
	i, err := change(ctx, s, ownerID(intentPrefix, c.id), func(i *intent) error {
		ch := i.charge()
		if ch == nil || ch.Dispute == nil {
			return market.ErrNotFound
		}
		kind, err := ch.Dispute.take(c.op, evidence, s.now())
		if err == nil {
			s.addEvent(&i.outbox, kind, ch.Dispute.view(i, ch))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return i.charge().Dispute.viewWithEvidence(i), nil
}

var outcomes = map[string]string{"winning_evidence": disputeWon, "losing_evidence": disputeLost}

// take takes the evidence of a call, and returns the type of the event that follows.
func (d *dispute) take(op string, evidence map[string]string, now time.Time) (kind string, err error) {
	if outcome := outcomes[evidence["uncategorized_text"]]; outcome != "" {
		return "charge.dispute.closed", d.end(outcome)
	}
	return "charge.dispute.updated", d.answer(op, evidence, now)
}

func errDisputeClosed() error { return refused("", "", "This dispute is closed.") }

// end closes a dispute. The end of an inquiry moves no money.
func (d *dispute) end(outcome string) error {
	switch d.Status {
	case "":
		d.Status = outcome
	case inquiryOpen:
		d.Status = inquiryClosed
	default:
		return errDisputeClosed()
	}
	return nil
}

// answer stores the evidence of a call.
func (d *dispute) answer(op string, evidence map[string]string, now time.Time) error {
	switch {
	case d.AnswerOp == op:
		return errUnchanged
	case d.Status != "" && d.Status != inquiryOpen:
		return errDisputeClosed()
	case d.AnswerOp != "":
		return refused("", "evidence", "The evidence of this dispute was submitted already.")
	case !now.Before(d.dueBy()): // Stripe takes it, but does not promise that the bank reads it
		return refused("", "evidence", "The time to submit evidence is over.")
	}
	d.Evidence, d.AnswerOp = evidence, op
	return nil
}

// retrieveDispute returns a dispute with its evidence.
func (s *Sandbox) retrieveDispute(ctx context.Context, c *call) (object, error) {
	i, _, err := load[intent](ctx, s, ownerID(intentPrefix, c.id))
	if err != nil {
		return nil, err
	}
	if ch := i.charge(); ch == nil || ch.Dispute == nil {
		return nil, market.ErrNotFound
	}
	return i.charge().Dispute.viewWithEvidence(i), nil
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

// view returns the JSON object of the dispute, without its evidence, which is long.
func (d *dispute) view(i *intent, ch *charge) object {
	status, submissions := cmp.Or(d.Status, disputeOpen), 0
	if d.AnswerOp != "" {
		status, submissions = cmp.Or(answered[status], status), 1
	}
	return object{
		"id": d.ID, "object": "dispute", "amount": d.Amount, "charge": ch.ID, "created": d.Created, "currency": i.Currency,
		"payment_intent": i.ID, "reason": d.Reason, "status": status,
		"evidence_details": object{
			"due_by": d.dueBy().Unix(), "has_evidence": submissions > 0, "past_due": false, "submission_count": submissions,
		},
	}
}

func (d *dispute) viewWithEvidence(i *intent) object {
	o := d.view(i, i.charge())
	o["evidence"] = d.Evidence
	return o
}
