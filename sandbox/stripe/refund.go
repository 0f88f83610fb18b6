package stripe

import (
	"context"
	"slices"
	"strconv"
)

// refund is a full or partial refund of a charge.
type refund struct {
	ID     string `json:"id"`
	Op     string `json:"op"`
	Amount int64  `json:"amount"`
	Failed bool   `json:"failed,omitempty"` // after it was accepted
}

func (ch *charge) refunded() (cents int64) {
	for _, r := range ch.Refunds {
		if !r.Failed {
			cents += r.Amount
		}
	}
	return cents
}

// createRefund refunds the charge of an intent: without an amount, all of it that was not refunded
// before.
func (s *Sandbox) createRefund(ctx context.Context, c *call) (object, error) {
	amount := int64(0)
	if c.form.Has("amount") {
		var err error
		if amount, err = c.cents("amount"); err != nil {
			return nil, err
		}
	}
	var made refund
	i, err := change(ctx, s, c.text("payment_intent"), func(i *intent) (err error) {
		made, err = s.refund(i, c.op, amount)
		return err
	})
	if err != nil {
		return nil, err
	}
	return made.view(i, i.charge()), nil
}

func (s *Sandbox) refund(i *intent, op string, amount int64) (refund, error) {
	if !i.hasStatus(statusSucceeded) {
		return refund{}, unexpectedState(i)
	}
	ch := i.charge()
	if at := slices.IndexFunc(ch.Refunds, func(r refund) bool { return r.Op == op }); at >= 0 { // an earlier run of the call has made it
		return ch.Refunds[at], errUnchanged
	}
	remaining := i.Amount - ch.refunded()
	if amount == 0 {
		amount = remaining
	}
	switch {
	case ch.Dispute != nil && ch.Dispute.hasTakenMoney():
		return refund{}, refused("charge_disputed", "", "The charge has been charged back; it cannot be refunded.")
	case remaining == 0:
		return refund{}, refused("charge_already_refunded", "", "The charge has already been refunded.")
	case amount > remaining:
		return refund{}, refused("", "amount", "The amount to refund is above what is left of the charge.")
	}
	made := refund{ID: partID("re_", i.ID, strconv.Itoa(len(ch.Refunds)+1)), Op: op, Amount: amount}
	ch.Refunds = append(ch.Refunds, made)
	if i.test().refundFails {
		i.NextAt = s.now().Add(refundFailureDelay)
	}
	s.addEvent(&i.outbox, "charge.refunded", ch.view(i, false))
	return made, nil
}

// failRefunds marks all refunds of the intent as failed, because the card's bank does not accept
// them.
func (s *Sandbox) failRefunds(i *intent) {
	ch := i.charge()
	for at := range ch.Refunds {
		ch.Refunds[at].Failed = true
		s.addEvent(&i.outbox, "refund.failed", ch.Refunds[at].view(i, ch))
	}
}

func (r refund) view(i *intent, ch *charge) object {
	status := "succeeded"
	if r.Failed {
		status = "failed"
	}
	return object{
		"id": r.ID, "object": "refund", "amount": r.Amount, "charge": ch.ID, "currency": i.Currency, "payment_intent": i.ID, "status": status,
	}
}
