package stripe

import (
	"context"
	"errors"
	"net/http"
	"time"

	"secondring/market"
)

const accountPrefix = "acct_" // of the IDs of accounts

// account is the document of a connected account of the type express, with all transfers to
// it and its payouts to its owner's bank.
type account struct {
	outbox

	ID        string            `json:"id"`
	Metadata  map[string]string `json:"metadata,omitempty"`
	Submitted bool              `json:"submitted,omitempty"` // the owner has completed the onboarding
	Link      *link             `json:"link,omitempty"`      // the newest onboarding link
	Transfers []transfer        `json:"transfers,omitempty"` // oldest first
	Payouts   []bankPayout      `json:"payouts,omitempty"`
}

// bankPayout is money that went from a connected account to its owner's bank.
type bankPayout struct {
	ID     string `json:"id"`
	Amount int64  `json:"amount"`
}

func (account) kind() string { return "stripe.account" }

// balance returns the account's balance, in cents.
func (a *account) balance() (cents int64) {
	for _, t := range a.Transfers {
		if !t.isReversed() {
			cents += t.Amount
		}
	}
	for _, p := range a.Payouts {
		cents -= p.Amount
	}
	return cents
}

func (s *Sandbox) createAccount(ctx context.Context, c *call) (object, error) {
	a := &account{ID: accountPrefix + c.op, Metadata: c.metadata()}
	a, err := create(ctx, s, a.ID, a)
	if err != nil {
		return nil, err
	}
	return a.view(), nil
}

func (s *Sandbox) retrieveAccount(ctx context.Context, c *call) (object, error) {
	a, _, err := load[account](ctx, s, c.id)
	if err != nil {
		return nil, accountError(err)
	}
	return a.view(), nil
}

// accountError returns Stripe's error for an account that does not exist or belongs to another key.
func accountError(err error) error {
	if !errors.Is(err, market.ErrNotFound) {
		return err
	}
	return &failure{
		Status: http.StatusForbidden, Type: invalidRequest, Code: "account_invalid",
		Message: "The provided key does not have access to this account, or it does not exist.",
	}
}

func (a *account) view() object {
	transfers := "inactive"
	if a.Submitted {
		transfers = "active"
	}
	return object{
		"id": a.ID, "object": "account", "type": "express", "capabilities": object{"transfers": transfers},
		"details_submitted": a.Submitted, "metadata": a.Metadata, "payouts_enabled": a.Submitted,
	}
}

// linkLifetime is how long an onboarding link is valid.
const linkLifetime = 5 * time.Minute

// createLink returns the URL of the page in onboarding.go, on the site to which the page returns.
func (s *Sandbox) createLink(ctx context.Context, c *call) (object, error) {
	a, err := change(ctx, s, c.text("account"), func(a *account) error {
		a.Link = &link{Token: c.op, Expires: s.now().Add(linkLifetime), Return: c.text("return_url"), Refresh: c.text("refresh_url")}
		return nil
	})
	if err != nil {
		return nil, accountError(err)
	}
	return object{"object": "account_link", "expires_at": a.Link.Expires.Unix(), "url": a.onboardingURL()}, nil
}

// createPayout sends money of a connected account, which the header Stripe-Account names, to
// its owner's bank.
func (s *Sandbox) createPayout(ctx context.Context, c *call) (object, error) {
	amount, err := c.cents("amount")
	if err != nil {
		return nil, err
	}
	p := bankPayout{ID: "po_" + c.op, Amount: amount}
	if _, err := change(ctx, s, c.account, func(a *account) error {
		a.Payouts = append(a.Payouts, p)
		return nil
	}); err != nil {
		return nil, accountError(err)
	}
	return object{"id": p.ID, "object": "payout", "amount": p.Amount, "currency": market.Currency, "status": "pending"}, nil
}
