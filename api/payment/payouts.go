package payment

import (
	"context"
	"fmt"
	"regexp"
	"strconv"

	"github.com/stripe/stripe-go/v76"
	"github.com/stripe/stripe-go/v76/account"
	"github.com/stripe/stripe-go/v76/accountlink"
	"github.com/stripe/stripe-go/v76/transfer"
	"github.com/stripe/stripe-go/v76/transferreversal"

	"secondring/market"
)

// Payouts to sellers are Stripe Connect's separate charges and transfers: the market's account
// takes all charges, and transfers a seller's share later.

// What an account and a transfer carry of the market, beside metaMarket and metaBooking.
const (
	metaUser   = "user"
	metaNumber = "number"
)

// connect is the part of the gateway for accounts and transfers.
type connect struct {
	accounts  account.Client
	links     accountlink.Client
	transfers transfer.Client
	reversals transferreversal.Client
	returnURL string
}

func newConnect(backend stripe.Backend, c GatewayConfig) connect {
	return connect{
		accounts:  account.Client{B: backend, Key: c.SecretKey},
		links:     accountlink.Client{B: backend, Key: c.SecretKey},
		transfers: transfer.Client{B: backend, Key: c.SecretKey},
		reversals: transferreversal.Client{B: backend, Key: c.SecretKey},
		returnURL: c.ReturnURL,
	}
}

// The forms of Stripe's ids of accounts and transfers; see intentID.
var (
	accountID  = regexp.MustCompile(`^acct_[A-Za-z0-9_]{1,200}$`)
	transferID = regexp.MustCompile(`^tr_[A-Za-z0-9_]{1,200}$`)
)

// codeNoTransfers is Stripe's code for an account that may not receive transfers.
const codeNoTransfers stripe.ErrorCode = "insufficient_capabilities_for_transfer"

// OpenPayoutAccount makes an Express account for a user, or returns the ID of the one that
// was made from the same arguments. Stripe remembers that for about a day; after it another
// account would be made, which stays empty.
func (g *Gateway) OpenPayoutAccount(ctx context.Context, uid, after string) (string, error) {
	key := "secondring-account-" + uid
	if after != "" {
		key += "-after-" + after
	}
	a, err := withKey([]string{key, key + "-2", key + "-3"}, spent, func(key string) (*stripe.Account, error) {
		return g.connect.accounts.New(&stripe.AccountParams{
			Params: stripe.Params{Context: ctx, IdempotencyKey: &key},
			Type:   new(string(stripe.AccountTypeExpress)),
			Capabilities: &stripe.AccountCapabilitiesParams{
				Transfers: &stripe.AccountCapabilitiesTransfersParams{Requested: new(true)},
			},
			Metadata: map[string]string{metaUser: uid, metaMarket: g.market},
		})
	})
	if err != nil {
		return "", g.accountFault(ctx, "open an account for user", uid, err)
	}
	return a.ID, nil
}

// OnboardingLink makes the URL of Stripe's page. Where the link is used or expired, Stripe
// leads back like from its end: the seller can open a new one there.
func (g *Gateway) OnboardingLink(ctx context.Context, id string) (string, error) {
	if !accountID.MatchString(id) {
		return "", market.ErrNoPayoutAccount
	}
	link, err := g.connect.links.New(&stripe.AccountLinkParams{
		Params:  stripe.Params{Context: ctx},
		Account: &id, Type: new(string(stripe.AccountLinkTypeAccountOnboarding)),
		ReturnURL: &g.connect.returnURL, RefreshURL: &g.connect.returnURL,
	})
	if err != nil {
		return "", g.accountFault(ctx, "link to the onboarding of", id, err)
	}
	return link.URL, nil
}

// PayoutAccount returns the current state of an account.
func (g *Gateway) PayoutAccount(ctx context.Context, id string) (market.PayoutAccountState, error) {
	if !accountID.MatchString(id) {
		return market.PayoutAccountState{}, market.ErrNoPayoutAccount
	}
	a, err := g.connect.accounts.GetByID(id, &stripe.AccountParams{Params: stripe.Params{Context: ctx}})
	if err != nil {
		return market.PayoutAccountState{}, g.accountFault(ctx, "look at the account", id, err)
	}
	isReady := a.Capabilities != nil && a.Capabilities.Transfers == stripe.AccountCapabilityStatusActive
	return market.PayoutAccountState{UID: a.Metadata[metaUser], IsReady: isReady}, nil
}

// transferGroup is what Stripe lists the charge and the transfers of a booking by.
func transferGroup(bookingID string) string { return "secondring-" + bookingID }

// Transfer makes the transfer, or returns the ID of the one that was made from the same order.
// Another key is used only after a failure that Stripe has stored: no transfer was made with
// it. The same key with another account or amount is an error, and no reason for another key.
func (g *Gateway) Transfer(ctx context.Context, o market.TransferOrder) (string, error) {
	if !accountID.MatchString(o.AccountID) {
		return "", market.ErrNoPayoutAccount
	}
	key := fmt.Sprintf("secondring-transfer-%s-%d", o.BookingID, o.Number)
	t, err := withKey([]string{key, key + "-again", key + "-once-more"}, isStoredFailure, func(key string) (*stripe.Transfer, error) {
		return g.connect.transfers.New(g.transferParams(ctx, o, key))
	})
	if err != nil {
		return "", g.accountFault(ctx, "transfer the money of booking", o.BookingID, err)
	}
	return t.ID, nil
}

// transferParams name the charge that the money comes from. The money of a later transfer has
// come back from an earlier one, and is in the market's balance.
func (g *Gateway) transferParams(ctx context.Context, o market.TransferOrder, key string) *stripe.TransferParams {
	params := &stripe.TransferParams{
		Params: stripe.Params{Context: ctx, IdempotencyKey: &key},
		Amount: &o.Cents, Currency: new(market.Currency), Destination: &o.AccountID,
		TransferGroup: new(transferGroup(o.BookingID)),
		Metadata:      map[string]string{metaBooking: o.BookingID, metaNumber: strconv.Itoa(o.Number), metaMarket: g.market},
	}
	if o.Number == 1 && o.ChargeID != "" {
		params.SourceTransaction = &o.ChargeID
	}
	return params
}

// TransferOf returns the ID of a transfer that was made and not taken back; "" if there is none.
func (g *Gateway) TransferOf(ctx context.Context, bookingID string, number int) (string, error) {
	all := g.connect.transfers.List(&stripe.TransferListParams{
		ListParams: stripe.ListParams{Context: ctx, Limit: new(int64(listPage))}, TransferGroup: new(transferGroup(bookingID)),
	})
	for all.Next() {
		if t := all.Transfer(); t.Metadata[metaNumber] == strconv.Itoa(number) && t.Metadata[metaMarket] == g.market && !t.Reversed {
			return t.ID, nil
		}
	}
	if err := all.Err(); err != nil {
		return "", g.accountFault(ctx, "list the transfers of booking", bookingID, err)
	}
	return "", nil
}

// TakeBack takes a whole transfer back, once. It needs no idempotency key of its own: Stripe
// takes back no more than is left of a transfer, and a stored refusal would be repeated for a
// day.
func (g *Gateway) TakeBack(ctx context.Context, id string) error {
	isDone, err := g.isTakenBack(ctx, id)
	if err != nil || isDone {
		return err
	}
	_, err = g.connect.reversals.New(&stripe.TransferReversalParams{Params: stripe.Params{Context: ctx}, ID: &id})
	if err == nil {
		return nil
	}
	if codeOf(err) == stripe.ErrorCodeBalanceInsufficient {
		g.log.ErrorContext(ctx, "a transfer cannot be taken back: the seller has too little money", "transfer", id)
		g.problem(ProblemShort)
		return fmt.Errorf("payment: take back %s: %w", id, market.ErrShort)
	}
	fault := g.accountFault(ctx, "take back the transfer", id, err)
	if isDone, err := g.isTakenBack(ctx, id); err == nil && isDone { // by another process, just now
		return nil
	}
	return fault
}

func (g *Gateway) isTakenBack(ctx context.Context, id string) (bool, error) {
	if !transferID.MatchString(id) {
		return false, fmt.Errorf("payment: %q is no transfer of Stripe's", id)
	}
	t, err := g.connect.transfers.Get(id, &stripe.TransferParams{Params: stripe.Params{Context: ctx}})
	if err != nil {
		return false, g.accountFault(ctx, "look at the transfer", id, err)
	}
	return t.Reversed, nil
}

// accountFault is fault for a call about an account.
func (g *Gateway) accountFault(ctx context.Context, what, id string, err error) error {
	switch codeOf(err) {
	case stripe.ErrorCodeAccountInvalid, codeNoTransfers, stripe.ErrorCodeTransfersNotAllowed:
		return fmt.Errorf("payment: %s %s: %w", what, id, market.ErrNoPayoutAccount)
	case stripe.ErrorCodeResourceMissing:
		if param := paramOf(err); param == "destination" || param == "account" {
			return fmt.Errorf("payment: %s %s: %w", what, id, market.ErrNoPayoutAccount)
		}
	}
	return g.fault(ctx, what, id, err)
}
