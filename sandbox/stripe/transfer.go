package stripe

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"secondring/market"
)

// transfer is money that went from the platform to a connected account.
type transfer struct {
	ID        string            `json:"id"`
	Op        string            `json:"op"`
	Amount    int64             `json:"amount"`
	Created   int64             `json:"created"`
	Group     string            `json:"group,omitempty"`
	Source    string            `json:"source,omitempty"` // the charge
	Metadata  map[string]string `json:"metadata,omitempty"`
	Reversals []reversal        `json:"reversals,omitempty"`
}

// reversal is money of a transfer that was taken back.
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

// destination is the account's id in the id of a transfer; "" where there can be none.
func destination(id string) string {
	return strings.Replace(ownerOf("tr_", id), "pi_", "acct_", 1)
}

// wantedTransfer is a transfer as it was asked for.
type wantedTransfer struct {
	transfer

	to string
}

var createTransfer = endpoint{
	known: []string{"amount", "currency", "destination", "description", "source_transaction", "transfer_group", "metadata[*]", "expand[]"},
	check: func(_ *Sandbox, c *call) (any, error) {
		w := wantedTransfer{transfer: transfer{Group: c.text("transfer_group"), Source: c.text("source_transaction")}}
		var err error
		if w.Amount, err = c.cents("amount"); err != nil {
			return nil, err
		}
		if _, err := c.oneOf("currency", market.Currency); err != nil {
			return nil, err
		}
		if w.to, err = c.required("destination"); err != nil {
			return nil, err
		}
		w.Metadata, err = c.metadata()
		return w, err
	},
	run: func(ctx context.Context, s *Sandbox, c *call, checked any) (object, error) {
		w := checked.(wantedTransfer)
		if err := s.mayTransfer(ctx, c, &w.transfer); err != nil {
			return nil, err
		}
		return s.transfer(ctx, c, w)
	},
}

// mayTransfer refuses a transfer that its charge does not cover. Two calls at the same time
// with one charge and two accounts are both made, where Stripe would refuse one.
func (s *Sandbox) mayTransfer(ctx context.Context, c *call, t *transfer) error {
	if t.Source == "" {
		return nil
	}
	i, err := s.load(ctx, ownerOf("ch_", t.Source))
	if err != nil && !errors.Is(err, market.ErrNotFound) {
		return err
	}
	var ch *charge
	if err == nil {
		ch = i.charge()
	}
	if ch == nil || ch.ID != t.Source || ch.Status != chargeSucceeded {
		return missing("charge", t.Source, "source_transaction")
	}
	if i.Group != "" {
		if t.Group != "" && t.Group != i.Group {
			return refuse("", "transfer_group", "The transfer_group of the source_transaction is "+short(i.Group)+".")
		}
		t.Group = i.Group
	}
	left := ch.Amount
	err = s.eachTransfer(ctx, func(_ *account, other *transfer) {
		if other.Source == t.Source && other.Op != c.op {
			left -= other.Amount
		}
	})
	if err == nil && t.Amount > left {
		return refuse("", "amount", "The amount is above what is left of the source_transaction.")
	}
	return err
}

func (s *Sandbox) transfer(ctx context.Context, c *call, w wantedTransfer) (object, error) {
	var shown object
	_, err := s.changeAccount(ctx, w.to, func(a *account) error {
		for at := range a.Transfers {
			if a.Transfers[at].Op == c.op {
				shown = a.Transfers[at].view(a)
				return nil
			}
		}
		if !a.Submitted {
			return refuse("insufficient_capabilities_for_transfer", "destination",
				"Your destination account needs to have at least one of the following capabilities enabled: transfers.")
		}
		t := w.transfer
		t.ID, t.Op, t.Created = a.partID("tr_", len(a.Transfers)), c.op, s.config.Clock.Now().Unix()
		a.Transfers = append(a.Transfers, t)
		shown = t.view(a)
		return nil
	})
	if f := (*failure)(nil); errors.As(err, &f) && f.Code == "account_invalid" {
		return nil, &failure{
			Status: 400, Type: invalidRequest, Code: "resource_missing", Param: "destination",
			Message: "No such destination: '" + short(w.to) + "'",
		}
	}
	return shown, err
}

// partID makes the id of the account's n-th transfer or reversal, by which the account is
// found.
func (a *account) partID(prefix string, n int) string {
	return (&intent{ID: "pi_" + strings.TrimPrefix(a.ID, "acct_"), Parts: n}).partID(prefix)
}

var retrieveTransfer = endpoint{
	known: []string{"expand[]"},
	check: func(*Sandbox, *call) (any, error) { return nil, nil },
	run: func(ctx context.Context, s *Sandbox, c *call, _ any) (object, error) {
		a, err := s.loadAccount(ctx, destination(c.id))
		if err != nil && !errors.Is(err, market.ErrNotFound) {
			return nil, err
		}
		if err == nil {
			if t := a.transfer(c.id); t != nil {
				return t.view(a), nil
			}
		}
		return nil, missing("transfer", c.id, "transfer")
	},
}

func (a *account) transfer(id string) *transfer {
	at := slices.IndexFunc(a.Transfers, func(t transfer) bool { return t.ID == id })
	if at < 0 {
		return nil
	}
	return &a.Transfers[at]
}

// listTransfers lists those of a group.
var listTransfers = endpoint{
	known: []string{"limit", "transfer_group", "destination", "expand[]"},
	check: func(_ *Sandbox, c *call) (any, error) {
		if _, err := c.required("transfer_group"); err != nil {
			return nil, err
		}
		return readListing(c.params)
	},
	run: func(ctx context.Context, s *Sandbox, c *call, checked any) (object, error) {
		found, limit := []object{}, checked.(listing).limit
		err := s.eachTransfer(ctx, func(a *account, t *transfer) {
			if t.Group == c.text("transfer_group") && (!c.has("destination") || a.ID == c.text("destination")) {
				found = append(found, t.view(a))
			}
		})
		if err != nil {
			return nil, err
		}
		return listed("/v1/transfers", found[:min(limit, len(found))], len(found) > limit), nil
	},
}

// eachTransfer visits all transfers to all accounts.
func (s *Sandbox) eachTransfer(ctx context.Context, visit func(*account, *transfer)) error {
	page := market.Page{Limit: listMost}
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

// createReversal takes a transfer back: without an amount, all that is left.
var createReversal = endpoint{
	known: []string{"amount", "metadata[*]", "expand[]"},
	check: func(_ *Sandbox, c *call) (any, error) {
		if !c.has("amount") {
			return int64(0), nil
		}
		return c.cents("amount")
	},
	run: func(ctx context.Context, s *Sandbox, c *call, checked any) (object, error) {
		var shown object
		_, err := s.changeAccount(ctx, destination(c.id), func(a *account) (err error) {
			t := a.transfer(c.id)
			if t == nil {
				return missing("transfer", c.id, "transfer")
			}
			shown, err = a.reverse(t, c.op, checked.(int64))
			return err
		})
		if f := (*failure)(nil); errors.As(err, &f) && f.Code == "account_invalid" {
			return nil, missing("transfer", c.id, "transfer")
		}
		return shown, err
	},
}

func (a *account) reverse(t *transfer, op string, amount int64) (object, error) {
	for _, r := range t.Reversals {
		if r.Op == op {
			return r.view(t), nil
		}
	}
	left := t.Amount - t.reversed()
	amount = cmp.Or(amount, left)
	switch {
	case left == 0:
		return nil, refuse("", "", "Transfer "+t.ID+" is already fully reversed.")
	case amount > left:
		return nil, refuse("", "amount", "The amount is above what is left of the transfer.")
	case amount > a.balance():
		return nil, insufficient("The connected account has insufficient funds for this reversal.")
	}
	n := 0
	for _, other := range a.Transfers {
		n += len(other.Reversals)
	}
	r := reversal{ID: a.partID("trr_", n), Op: op, Amount: amount}
	t.Reversals = append(t.Reversals, r)
	return r.view(t), nil
}

// view is the transfer.
func (t *transfer) view(a *account) object {
	reversals := []object{}
	for _, r := range t.Reversals {
		reversals = append(reversals, r.view(t))
	}
	return object{
		"id": t.ID, "object": "transfer", "amount": t.Amount, "amount_reversed": t.reversed(), "balance_transaction": nil,
		"created": t.Created, "currency": market.Currency, "description": nil, "destination": a.ID, "destination_payment": nil,
		"livemode": false, "metadata": pairs(t.Metadata), "reversed": t.reversed() == t.Amount,
		"reversals":          listed("/v1/transfers/"+t.ID+"/reversals", reversals, false),
		"source_transaction": orNull(t.Source), "source_type": "card", "transfer_group": orNull(t.Group),
	}
}

func (r reversal) view(t *transfer) object {
	return object{
		"id": r.ID, "object": "transfer_reversal", "amount": r.Amount, "balance_transaction": nil, "currency": market.Currency,
		"created": t.Created, "destination_payment_refund": nil, "metadata": map[string]string{}, "source_refund": nil, "transfer": t.ID,
	}
}
