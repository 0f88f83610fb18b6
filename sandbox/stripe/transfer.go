package stripe

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"secondring/market"
)

// transfer is a transfer of money from the platform to a connected account.
type transfer struct {
	ID        string            `json:"id"`
	Op        string            `json:"op"`
	Amount    int64             `json:"amount"`
	Group     string            `json:"group,omitempty"`
	Source    string            `json:"source,omitempty"` // the ID of the charge whose money is transferred
	Metadata  map[string]string `json:"metadata,omitempty"`
	Reversals []reversal        `json:"reversals,omitempty"` // the reversal of the whole transfer, if it was made
}

// reversal is the reversal of a transfer.
type reversal struct {
	ID     string `json:"id"`
	Amount int64  `json:"amount"`
}

func (t *transfer) isReversed() bool { return len(t.Reversals) > 0 }

// transfer returns a transfer to the account; nil if there is none with that ID.
func (a *account) transfer(id string) *transfer {
	at := slices.IndexFunc(a.Transfers, func(t transfer) bool { return t.ID == id })
	if at < 0 {
		return nil
	}
	return &a.Transfers[at]
}

func (s *Sandbox) createTransfer(ctx context.Context, c *call) (object, error) {
	amount, err := c.cents("amount")
	if err != nil {
		return nil, err
	}
	made := transfer{Op: c.op, Amount: amount, Group: c.text("transfer_group"), Source: c.text("source_transaction"), Metadata: c.metadata()}
	if err := s.checkSource(ctx, made); err != nil {
		return nil, err
	}
	a, err := change(ctx, s, c.text("destination"), func(a *account) error {
		if at := slices.IndexFunc(a.Transfers, func(t transfer) bool { return t.Op == c.op }); at >= 0 { // an earlier run of the call has made it
			made = a.Transfers[at]
			return errUnchanged
		}
		if !a.Submitted {
			return refused("insufficient_capabilities_for_transfer", "destination",
				"Your destination account needs to have at least one of the following capabilities enabled: transfers.")
		}
		made.ID = partID("tr_", a.ID, strconv.Itoa(len(a.Transfers)+1))
		a.Transfers = append(a.Transfers, made)
		return nil
	})
	if errors.Is(err, market.ErrNotFound) {
		return nil, missing("destination")
	}
	if err != nil {
		return nil, err
	}
	return made.view(a), nil
}

// checkSource returns an error if the charge does not cover the transfer. Two concurrent calls
// with one charge and two accounts both succeed; Stripe would refuse one of them.
func (s *Sandbox) checkSource(ctx context.Context, t transfer) error {
	if t.Source == "" {
		return nil
	}
	i, _, err := load[intent](ctx, s, ownerID(intentPrefix, t.Source))
	if errors.Is(err, market.ErrNotFound) || err == nil && !i.hasStatus(statusSucceeded) {
		return missing("source_transaction")
	}
	if err != nil {
		return err
	}
	remaining := i.Amount
	for a, err := range all[account](ctx, s, "") {
		if err != nil {
			return err
		}
		for _, other := range a.Transfers {
			if other.Source == t.Source && other.Op != t.Op {
				remaining -= other.Amount
			}
		}
	}
	if t.Amount > remaining {
		return refused("", "amount", "The amount is above what is left of the source_transaction.")
	}
	return nil
}

func (s *Sandbox) retrieveTransfer(ctx context.Context, c *call) (object, error) {
	a, _, err := load[account](ctx, s, ownerID(accountPrefix, c.id))
	if err != nil {
		return nil, err
	}
	t := a.transfer(c.id)
	if t == nil {
		return nil, missing("")
	}
	return t.view(a), nil
}

// listTransfers lists the transfers of a group. It does not continue after a transfer, because a
// group has few.
func (s *Sandbox) listTransfers(ctx context.Context, c *call) (object, error) {
	return list(ctx, s, c, "", func(a *account) (found []object) {
		for _, t := range a.Transfers {
			if t.Group == c.text("transfer_group") {
				found = append(found, t.view(a))
			}
		}
		return found
	})
}

// createReversal reverses a whole transfer.
func (s *Sandbox) createReversal(ctx context.Context, c *call) (object, error) {
	var made reversal
	_, err := change(ctx, s, ownerID(accountPrefix, c.id), func(a *account) error {
		t := a.transfer(c.id)
		switch {
		case t == nil:
			return missing("")
		case t.isReversed():
			return refused("", "", "The transfer is already fully reversed.")
		case t.Amount > a.balance():
			return refused("balance_insufficient", "", "The connected account has insufficient funds for this reversal.")
		}
		made = reversal{ID: "trr_" + c.op, Amount: t.Amount}
		t.Reversals = []reversal{made}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return object{"id": made.ID, "object": "transfer_reversal", "amount": made.Amount, "currency": market.Currency, "transfer": c.id}, nil
}

func (t *transfer) view(a *account) object {
	reversed := int64(0)
	if t.isReversed() {
		reversed = t.Amount
	}
	return object{
		"id": t.ID, "object": "transfer", "amount": t.Amount, "amount_reversed": reversed, "currency": market.Currency, "destination": a.ID,
		"metadata": t.Metadata, "reversed": t.isReversed(), "source_transaction": t.Source, "transfer_group": t.Group,
	}
}
