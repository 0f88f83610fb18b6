package stripe

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"secondring/market"
)

const (
	accountRecord = "stripe.account" // the kind of the records of connected accounts
	accountPrefix = "acct_"          // of the IDs of accounts
)

// account is the document of a connected account of the type express, with all transfers to
// it and its payouts to its owner's bank.
type account struct {
	ID        string            `json:"id"`
	Metadata  map[string]string `json:"metadata,omitempty"`
	Created   int64             `json:"created"`
	Submitted bool              `json:"submitted,omitempty"` // the owner has completed the onboarding
	Link      *link             `json:"link,omitempty"`      // the newest onboarding link
	Transfers []transfer        `json:"transfers,omitempty"` // oldest first
	Payouts   []bankPayout      `json:"payouts,omitempty"`
	Event     *event            `json:"event,omitempty"` // account.updated; nil after it was delivered

	version int64
}

// link is a link to the onboarding page.
type link struct {
	Token   string    `json:"token"` // the op of the call, so that a repeated call does not replace its own link; "" after the link was used
	Expires time.Time `json:"expires"`
	Return  string    `json:"return"`  // the URL to which the page redirects at its end
	Refresh string    `json:"refresh"` // the URL to which a used or expired link leads
}

// linkLifetime is how long a link is valid.
const linkLifetime = 5 * time.Minute

// bankPayout is money that went from a connected account to its owner's bank.
type bankPayout struct {
	ID     string `json:"id"`
	Op     string `json:"op"`
	Amount int64  `json:"amount"`
}

// balance returns the account's balance, in cents.
func (a *account) balance() (cents int64) {
	for _, t := range a.Transfers {
		cents += t.Amount - t.reversed()
	}
	for _, p := range a.Payouts {
		cents -= p.Amount
	}
	return cents
}

var createAccount = endpoint[map[string]string]{
	allowed: []string{"type", "country", "email", "business_type", "capabilities[transfers][requested]", "metadata[*]", "expand[]"},
	check: func(_ *Sandbox, c *call) (map[string]string, error) {
		if _, err := c.oneOf("type", "express"); err != nil {
			return nil, err
		}
		if isRequested, err := c.flag("capabilities[transfers][requested]"); err != nil || !isRequested {
			return nil, errors.Join(err, badRequest("", "capabilities", "The sandbox makes accounts with the capability transfers only."))
		}
		return c.metadata()
	},
	run: func(ctx context.Context, s *Sandbox, c *call, metadata map[string]string) (object, error) {
		a := &account{ID: accountPrefix + c.op, Metadata: metadata, Created: s.config.Clock.Now().Unix()}
		err := s.saveAccount(ctx, a)
		if errors.Is(err, market.ErrExists) { // an earlier run of this call has created it
			a, err = s.loadAccount(ctx, a.ID)
		}
		if err != nil {
			return nil, err
		}
		return a.view(), nil
	},
}

var retrieveAccount = endpoint[none]{
	allowed: []string{"expand[]"},
	check:   func(*Sandbox, *call) (none, error) { return none{}, nil },
	run: func(ctx context.Context, s *Sandbox, c *call, _ none) (object, error) {
		a, err := s.loadAccount(ctx, c.id)
		if errors.Is(err, market.ErrNotFound) {
			return nil, noAccount(c.id)
		}
		if err != nil {
			return nil, err
		}
		return a.view(), nil
	},
}

// noAccount returns Stripe's error for an account that does not belong to the key.
func noAccount(id string) *failure {
	return &failure{
		Status: http.StatusForbidden, Type: invalidRequest, Code: "account_invalid",
		Message: "The provided key does not have access to account '" + short(id) + "', or that account does not exist.",
	}
}

var createLink = endpoint[none]{
	allowed: []string{"account", "type", "return_url", "refresh_url", "collect", "expand[]"},
	check: func(_ *Sandbox, c *call) (none, error) {
		for _, name := range []string{"account", "type", "return_url", "refresh_url"} {
			if _, err := c.required(name); err != nil {
				return none{}, err
			}
		}
		_, err := c.oneOf("type", "account_onboarding")
		return none{}, errors.Join(err, c.url("return_url"), c.url("refresh_url"))
	},
	run: func(ctx context.Context, s *Sandbox, c *call, _ none) (object, error) {
		now := s.config.Clock.Now()
		l := link{Token: c.op, Expires: now.Add(linkLifetime), Return: c.text("return_url"), Refresh: c.text("refresh_url")}
		a, err := s.changeAccount(ctx, c.text("account"), func(a *account) error {
			a.Link = &l
			return nil
		})
		if err != nil {
			return nil, err
		}
		return object{
			"object": "account_link", "created": now.Unix(), "expires_at": l.Expires.Unix(), "url": a.onboardingURL(),
		}, nil
	},
}

// createPayout sends money of a connected account, which the header Stripe-Account names, to
// its owner's bank.
var createPayout = endpoint[int64]{
	allowed: []string{"amount", "currency", "metadata[*]", "expand[]"},
	check: func(_ *Sandbox, c *call) (int64, error) {
		if c.account == "" {
			return 0, badRequest("", "", "The sandbox pays out of connected accounts only: name one in the header Stripe-Account.")
		}
		if _, err := c.oneOf("currency", market.Currency); err != nil {
			return 0, err
		}
		return c.positive("amount")
	},
	run: func(ctx context.Context, s *Sandbox, c *call, amount int64) (object, error) {
		p := bankPayout{ID: "po_" + c.op, Op: c.op, Amount: amount}
		_, err := s.changeAccount(ctx, c.account, func(a *account) error {
			for _, existing := range a.Payouts {
				if existing.Op == c.op {
					return nil
				}
			}
			if p.Amount > a.balance() {
				return insufficient("You have insufficient funds in your Stripe account.")
			}
			a.Payouts = append(a.Payouts, p)
			return nil
		})
		if err != nil {
			return nil, err
		}
		return object{
			"id": p.ID, "object": "payout", "amount": p.Amount, "currency": market.Currency, "livemode": false, "status": "pending",
		}, nil
	},
}

func insufficient(message string) *failure { return badRequest("balance_insufficient", "", message) }

// loadAccount reads an account. It returns market.ErrNotFound if there is none.
func (s *Sandbox) loadAccount(ctx context.Context, id string) (*account, error) {
	record, err := s.config.Records.Record(ctx, accountRecord, id)
	if err != nil {
		return nil, err
	}
	return decodeAccount(record)
}

func decodeAccount(record market.Record) (*account, error) {
	a := &account{version: record.Version}
	return a, json.Unmarshal(record.Data, a)
}

// saveAccount stores an account. It returns market.ErrConflict if the stored account was changed
// since it was read.
func (s *Sandbox) saveAccount(ctx context.Context, a *account) error {
	data, err := json.Marshal(a)
	if err != nil {
		return err
	}
	record := market.Record{
		Kind: accountRecord, ID: a.ID, Data: data, Version: a.version + 1, Expires: s.config.Clock.Now().Add(intentLifetime),
	}
	if a.Event != nil {
		record.Due = a.Event.Next
	}
	if a.version == 0 {
		return s.config.Records.AddRecord(ctx, record, nil)
	}
	return s.config.Records.SaveRecord(ctx, record)
}

// changeAccount applies a change to an account, and repeats it after a concurrent write. A change
// that returns an error writes nothing.
func (s *Sandbox) changeAccount(ctx context.Context, id string, change func(*account) error) (*account, error) {
	for {
		a, err := s.loadAccount(ctx, id)
		if errors.Is(err, market.ErrNotFound) {
			return nil, noAccount(id)
		}
		if err != nil {
			return nil, err
		}
		if err := change(a); err != nil {
			return nil, err
		}
		err = s.saveAccount(ctx, a)
		if !errors.Is(err, market.ErrConflict) {
			s.wakeRun()
			return a, err
		}
	}
}

// view returns the JSON object of the account.
func (a *account) view() object {
	transfers, due := "active", []string{}
	if !a.Submitted {
		transfers, due = "inactive", []string{"external_account", "tos_acceptance.date"}
	}
	return object{
		"id": a.ID, "object": "account", "type": "express", "business_type": nil, "country": "US", "created": a.Created,
		"default_currency": market.Currency, "email": nil, "livemode": false, "metadata": orEmpty(a.Metadata),
		"capabilities": object{"transfers": transfers}, "charges_enabled": false, "payouts_enabled": a.Submitted,
		"details_submitted": a.Submitted,
		"requirements":      object{"currently_due": due, "past_due": []string{}, "eventually_due": due, "disabled_reason": nil},
	}
}
