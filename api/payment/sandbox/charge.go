package sandbox

import (
	"context"
	"errors"

	"secondring/market"
)

// charge is one try to take the money.
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

// Statuses of a charge, as Stripe names them.
const (
	chargePending   = "pending"
	chargeSucceeded = "succeeded"
	chargeFailed    = "failed"
)

// dispute is a card's owner taking the money back.
type dispute struct {
	ID      string `json:"id"`
	Reason  string `json:"reason"`
	Amount  int64  `json:"amount"`
	Created int64  `json:"created"`
}

func (s *Sandbox) newCharge(i *intent, status string) *charge {
	return i.addCharge(charge{
		ID: i.partID("ch_"), Status: status, Amount: i.Amount, Created: s.config.Clock.Now().Unix(), Method: *i.Method,
	})
}

// disputeCharge takes what was not refunded back from the merchant.
func (s *Sandbox) disputeCharge(i *intent, c *call) {
	ch := i.charge()
	left := ch.Amount - ch.refunded()
	if left == 0 || ch.Dispute != nil {
		return
	}
	ch.Dispute = &dispute{
		ID: i.partID("dp_"), Reason: ch.Method.test().dispute, Amount: left, Created: s.config.Clock.Now().Unix(),
	}
	s.tell(i, c, "charge.dispute.created", ch.Dispute.view(i, ch))
}

var retrieveCharge = endpoint{
	known: []string{"expand[]"},
	check: func(_ *Sandbox, c *call) (any, error) {
		return nil, c.expandable("payment_intent", "refunds", "dispute")
	},
	run: func(ctx context.Context, s *Sandbox, c *call, _ any) (object, error) {
		i, err := s.load(ctx, ownerOf("ch_", c.id))
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
		return nil, missing("charge", c.id, "id")
	},
}
