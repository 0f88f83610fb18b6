package stripe

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"secondring/market"
)

// refund is a full or partial refund of a charge.
type refund struct {
	ID       string            `json:"id"`
	Op       string            `json:"op"`
	Amount   int64             `json:"amount"`
	Reason   string            `json:"reason,omitempty"`
	Metadata map[string]string `json:"metadata,omitempty"`
	Created  int64             `json:"created"`
	Failed   bool              `json:"failed,omitempty"` // after it was accepted
}

func (c *charge) refunded() (cents int64) {
	for _, r := range c.Refunds {
		if !r.Failed {
			cents += r.Amount
		}
	}
	return cents
}

// failRefunds marks all refunds of the intent's charge as failed, because the card's bank does
// not accept them.
func (s *Sandbox) failRefunds(i *intent, c *call) {
	ch := i.charge()
	for at := range ch.Refunds {
		r := &ch.Refunds[at]
		if !r.Failed {
			r.Failed = true
			s.addEvent(i, c, "refund.failed", r.view(i, ch, params{}))
			s.addEvent(i, c, "charge.refund.updated", r.view(i, ch, params{}))
		}
	}
}

// refundRequest is a requested refund.
type refundRequest struct {
	refund
	intentID string
	chargeID string // "" for the intent's newest charge
}

var createRefund = endpoint[refundRequest]{
	allowed: []string{"payment_intent", "charge", "amount", "reason", "metadata[*]", "expand[]"},
	check: func(_ *Sandbox, c *call) (refundRequest, error) {
		req := refundRequest{intentID: c.text("payment_intent"), chargeID: c.text("charge")}
		var err error
		switch {
		case req.intentID == "" && req.chargeID == "":
			return refundRequest{}, badRequest("parameter_missing", "payment_intent", "Either payment_intent or charge is needed.")
		case req.intentID == "":
			req.intentID = intentIDOf("ch_", req.chargeID)
		}
		if c.has("amount") {
			if req.Amount, err = c.positive("amount"); err != nil {
				return refundRequest{}, err
			}
		}
		if req.Reason, err = c.oneOf("reason", "duplicate", "fraudulent", "requested_by_customer"); err != nil {
			return refundRequest{}, err
		}
		if req.Metadata, err = c.metadata(); err != nil {
			return refundRequest{}, err
		}
		return req, c.expandable("charge", "payment_intent")
	},
	run: func(ctx context.Context, s *Sandbox, c *call, req refundRequest) (object, error) {
		result, err := s.change(ctx, c, req.intentID, func(i *intent) (object, error) { return s.refund(i, c, req) })
		var f *failure
		if errors.As(err, &f) && f.Code == "resource_missing" && c.text("payment_intent") == "" {
			return nil, notFound("charge", req.chargeID, "charge")
		}
		return result, err
	},
}

// chargeToRefund returns the charge with that ID, or the last one without an ID. It returns an
// error unless the charge has succeeded.
func (i *intent) chargeToRefund(id string) (*charge, error) {
	ch := i.charge()
	if at := slices.IndexFunc(i.Charges, func(ch charge) bool { return ch.ID == id }); at >= 0 {
		ch = &i.Charges[at]
	} else if id != "" {
		return nil, notFound("charge", id, "charge")
	}
	if ch == nil || ch.Status != chargeSucceeded {
		return nil, badRequest("payment_intent_unexpected_state", "payment_intent", "This PaymentIntent has no successful charge to refund.")
	}
	return ch, nil
}

// refund refunds a charge: without an amount, all of it that was not refunded before.
func (s *Sandbox) refund(i *intent, c *call, req refundRequest) (object, error) {
	ch, err := i.chargeToRefund(req.chargeID)
	if err != nil {
		return nil, err
	}
	for at := range ch.Refunds { // the call's stored response was dropped
		if ch.Refunds[at].Op == c.op {
			return ch.Refunds[at].view(i, ch, c.params), nil
		}
	}
	remaining := ch.Amount - ch.refunded()
	if req.Amount == 0 {
		req.Amount = remaining
	}
	switch {
	case ch.Dispute != nil && ch.Dispute.hasWithdrawnFunds():
		return nil, badRequest("charge_disputed", "charge", "Charge "+ch.ID+" has been charged back; it cannot be refunded.")
	case remaining == 0:
		return nil, badRequest("charge_already_refunded", "charge", "Charge "+ch.ID+" has already been refunded.")
	case req.Amount > remaining:
		return nil, badRequest("", "amount", fmt.Sprintf("The amount to refund (%d) is above what is left of the charge (%d).", req.Amount, remaining))
	}
	r := req.refund
	r.ID, r.Op, r.Created = i.partID("re_"), c.op, s.config.Clock.Now().Unix()
	ch.Refunds = append(ch.Refunds, r)
	if ch.Method.test().refundFails {
		i.NextAt = s.config.Clock.Now().Add(refundFailureDelay)
	}
	s.addEvent(i, c, "charge.refunded", ch.view(i, params{}))
	return r.view(i, ch, c.params), nil
}

var retrieveRefund = endpoint[none]{
	allowed: []string{"expand[]"},
	check:   func(_ *Sandbox, c *call) (none, error) { return none{}, c.expandable("charge", "payment_intent") },
	run: func(ctx context.Context, s *Sandbox, c *call, _ none) (object, error) {
		i, err := s.load(ctx, intentIDOf("re_", c.id))
		if err != nil && !errors.Is(err, market.ErrNotFound) {
			return nil, err
		}
		if err == nil {
			for at := range i.Charges {
				for _, r := range i.Charges[at].Refunds {
					if r.ID == c.id {
						return r.view(i, &i.Charges[at], c.params), nil
					}
				}
			}
		}
		return nil, notFound("refund", c.id, "id")
	},
}
