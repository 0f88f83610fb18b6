package stripe

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"

	"secondring/market"
)

// transfer is a transfer of money from the platform to a connected account.
type transfer struct {
	ID        string            `json:"id"`
	Op        string            `json:"op"`
	Amount    int64             `json:"amount"`
	Created   int64             `json:"created"`
	Group     string            `json:"group,omitempty"`
	Source    string            `json:"source,omitempty"` // the ID of the charge whose money is transferred
	Metadata  map[string]string `json:"metadata,omitempty"`
	Reversals []reversal        `json:"reversals,omitempty"`
}

// reversal is a full or partial reversal of a transfer.
type reversal struct {
	ID     string `json:"id"`
	Op     string `json:"op"`
	Amount int64  `json:"amount"`
}

func (t *transfer) reversed() (cents int64) {
	for _, r := range t.Reversals {
		cents += r.Amount
	}
	return cents
}

// accountIDOf returns the ID of the account of a transfer; "" if the transfer's ID is invalid.
func accountIDOf(id string) string { return ownerID(accountPrefix, "tr_", id) }

// transferRequest is a requested transfer.
type transferRequest struct {
	transfer

	to string
}

var createTransfer = endpoint[transferRequest]{
	allowed: []string{"amount", "currency", "destination", "description", "source_transaction", "transfer_group", "metadata[*]", "expand[]"},
	check: func(_ *Sandbox, c *call) (transferRequest, error) {
		req := transferRequest{transfer: transfer{Group: c.text("transfer_group"), Source: c.text("source_transaction")}}
		var err error
		if req.Amount, err = c.positive("amount"); err != nil {
			return transferRequest{}, err
		}
		if _, err := c.oneOf("currency", market.Currency); err != nil {
			return transferRequest{}, err
		}
		if req.to, err = c.required("destination"); err != nil {
			return transferRequest{}, err
		}
		req.Metadata, err = c.metadata()
		return req, err
	},
	run: func(ctx context.Context, s *Sandbox, c *call, req transferRequest) (object, error) {
		if err := s.checkSource(ctx, c, &req.transfer); err != nil {
			return nil, err
		}
		return s.transfer(ctx, c, req)
	},
}

// checkSource returns an error if the charge does not cover the transfer. Two concurrent calls
// with one charge and two accounts both succeed; Stripe would refuse one of them.
func (s *Sandbox) checkSource(ctx context.Context, c *call, t *transfer) error {
	if t.Source == "" {
		return nil
	}
	i, err := s.load(ctx, intentIDOf("ch_", t.Source))
	if err != nil && !errors.Is(err, market.ErrNotFound) {
		return err
	}
	var ch *charge
	if err == nil {
		ch = i.charge()
	}
	if ch == nil || ch.ID != t.Source || ch.Status != chargeSucceeded {
		return notFound("charge", t.Source, "source_transaction")
	}
	if i.Group != "" {
		if t.Group != "" && t.Group != i.Group {
			return badRequest("", "transfer_group", "The transfer_group of the source_transaction is "+short(i.Group)+".")
		}
		t.Group = i.Group
	}
	remaining := ch.Amount
	err = s.eachTransfer(ctx, func(_ *account, other *transfer) {
		if other.Source == t.Source && other.Op != c.op {
			remaining -= other.Amount
		}
	})
	if err == nil && t.Amount > remaining {
		return badRequest("", "amount", "The amount is above what is left of the source_transaction.")
	}
	return err
}

func (s *Sandbox) transfer(ctx context.Context, c *call, req transferRequest) (object, error) {
	var result object
	_, err := s.changeAccount(ctx, req.to, func(a *account) error {
		for at := range a.Transfers {
			if a.Transfers[at].Op == c.op {
				result = a.Transfers[at].view(a)
				return nil
			}
		}
		if !a.Submitted {
			return badRequest("insufficient_capabilities_for_transfer", "destination",
				"Your destination account needs to have at least one of the following capabilities enabled: transfers.")
		}
		t := req.transfer
		t.ID, t.Op, t.Created = partID("tr_", a.ID, len(a.Transfers)+1), c.op, s.config.Clock.Now().Unix()
		a.Transfers = append(a.Transfers, t)
		result = t.view(a)
		return nil
	})
	if f := (*failure)(nil); errors.As(err, &f) && f.Code == "account_invalid" {
		return nil, &failure{
			Status: http.StatusBadRequest, Type: invalidRequest, Code: "resource_missing", Param: "destination",
			Message: "No such destination: '" + short(req.to) + "'",
		}
	}
	return result, err
}

var retrieveTransfer = endpoint[none]{
	allowed: []string{"expand[]"},
	check:   func(*Sandbox, *call) (none, error) { return none{}, nil },
	run: func(ctx context.Context, s *Sandbox, c *call, _ none) (object, error) {
		a, err := s.loadAccount(ctx, accountIDOf(c.id))
		if err != nil && !errors.Is(err, market.ErrNotFound) {
			return nil, err
		}
		if err == nil {
			if t := a.transfer(c.id); t != nil {
				return t.view(a), nil
			}
		}
		return nil, notFound("transfer", c.id, "transfer")
	},
}

func (a *account) transfer(id string) *transfer {
	at := slices.IndexFunc(a.Transfers, func(t transfer) bool { return t.ID == id })
	if at < 0 {
		return nil
	}
	return &a.Transfers[at]
}

// listTransfers lists the transfers of a group.
var listTransfers = endpoint[listOptions]{
	allowed: []string{"limit", "transfer_group", "destination", "expand[]"},
	check: func(_ *Sandbox, c *call) (listOptions, error) {
		if _, err := c.required("transfer_group"); err != nil {
			return listOptions{}, err
		}
		return readListOptions(c.params)
	},
	run: func(ctx context.Context, s *Sandbox, c *call, options listOptions) (object, error) {
		found, limit := []object{}, options.limit
		err := s.eachTransfer(ctx, func(a *account, t *transfer) {
			if t.Group == c.text("transfer_group") && (!c.has("destination") || a.ID == c.text("destination")) {
				found = append(found, t.view(a))
			}
		})
		if err != nil {
			return nil, err
		}
		return listObject("/v1/transfers", found[:min(limit, len(found))], len(found) > limit), nil
	},
}

// eachTransfer calls visit for all transfers to all accounts.
func (s *Sandbox) eachTransfer(ctx context.Context, visit func(*account, *transfer)) error {
	page := market.Page{Limit: maxLimit}
	for {
		records, err := s.config.Records.RecordsOf(ctx, accountRecord, page)
		if err != nil {
			return err
		}
		for _, record := range records {
			a, err := decodeAccount(record)
			if err != nil {
				return err
			}
			for at := range a.Transfers {
				visit(a, &a.Transfers[at])
			}
			page.After = record.ID
		}
		if len(records) < page.Limit {
			return nil
		}
	}
}

// createReversal reverses a transfer: without an amount, all of it that was not reversed before.
var createReversal = endpoint[int64]{
	allowed: []string{"amount", "metadata[*]", "expand[]"},
	check: func(_ *Sandbox, c *call) (int64, error) {
		if !c.has("amount") {
			return int64(0), nil
		}
		return c.positive("amount")
	},
	run: func(ctx context.Context, s *Sandbox, c *call, amount int64) (object, error) {
		var result object
		_, err := s.changeAccount(ctx, accountIDOf(c.id), func(a *account) (err error) {
			t := a.transfer(c.id)
			if t == nil {
				return notFound("transfer", c.id, "transfer")
			}
			result, err = a.reverse(t, c.op, amount)
			return err
		})
		if f := (*failure)(nil); errors.As(err, &f) && f.Code == "account_invalid" {
			return nil, notFound("transfer", c.id, "transfer")
		}
		return result, err
	},
}

func (a *account) reverse(t *transfer, op string, amount int64) (object, error) {
	for _, r := range t.Reversals {
		if r.Op == op {
			return r.view(t), nil
		}
	}
	remaining := t.Amount - t.reversed()
	amount = cmp.Or(amount, remaining)
	switch {
	case remaining == 0:
		return nil, badRequest("", "", "Transfer "+t.ID+" is already fully reversed.")
	case amount > remaining:
		return nil, badRequest("", "amount", "The amount is above what is left of the transfer.")
	case amount > a.balance():
		return nil, insufficient("The connected account has insufficient funds for this reversal.")
	}
	number := 1
	for _, other := range a.Transfers {
		number += len(other.Reversals)
	}
	r := reversal{ID: partID("trr_", a.ID, number), Op: op, Amount: amount}
	t.Reversals = append(t.Reversals, r)
	return r.view(t), nil
}

// view returns the JSON object of the transfer.
func (t *transfer) view(a *account) object {
	reversals := []object{}
	for _, r := range t.Reversals {
		reversals = append(reversals, r.view(t))
	}
	return object{
		"id": t.ID, "object": "transfer", "amount": t.Amount, "amount_reversed": t.reversed(), "balance_transaction": nil,
		"created": t.Created, "currency": market.Currency, "description": nil, "destination": a.ID, "destination_payment": nil,
		"livemode": false, "metadata": orEmpty(t.Metadata), "reversed": t.reversed() == t.Amount,
		"reversals":          listObject("/v1/transfers/"+t.ID+"/reversals", reversals, false),
		"source_transaction": orNull(t.Source), "source_type": "card", "transfer_group": orNull(t.Group),
	}
}

func (r reversal) view(t *transfer) object {
	return object{
		"id": r.ID, "object": "transfer_reversal", "amount": r.Amount, "balance_transaction": nil, "currency": market.Currency,
		"created": t.Created, "destination_payment_refund": nil, "metadata": map[string]string{}, "source_refund": nil, "transfer": t.ID,
	}
}
