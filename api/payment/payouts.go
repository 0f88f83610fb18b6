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

// Payouts to sellers are Stripe Connect's separate charges and transfers: the market's
// account receives all charges, and transfers a seller's share later.

// The names in the metadata of an account and a transfer, beside metaMarket and
// metaBooking.
const (
	metaUser   = "user"
	metaNumber = "number"
)

// connect is the part of the Stripe client for accounts and transfers.
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

// OpenPayoutAccount opens an Express account for a user, or returns the ID of the one that
// was opened with the same arguments. Stripe remembers them for about a day. After that it
// opens another account, which stays empty.
func (g *Gateway) OpenPayoutAccount(ctx context.Context, uid, after string) (string, error) {
	key := "secondring-account-" + uid
	if after != "" {
		key += "-after-" + after
	}
	a, err := withKey([]string{key, key + "-2", key + "-3"}, isSpent, func(key string) (*stripe.Account, error) {
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
		return "", g.wrapAccountError(ctx, "open an account for user", uid, err)
	}
	return a.ID, nil
}

// OnboardingLink returns the URL of Stripe's page. If the link was used or has expired,
// Stripe redirects as from the end of the page, and the seller can open a new one.
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
		return "", g.wrapAccountError(ctx, "link to the onboarding of", id, err)
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
		return market.PayoutAccountState{}, g.wrapAccountError(ctx, "look at the account", id, err)
	}
	isReady := a.Capabilities != nil && a.Capabilities.Transfers == stripe.AccountCapabilityStatusActive
	return market.PayoutAccountState{UID: a.Metadata[metaUser], IsReady: isReady}, nil
}

// transferGroup returns the name under which Stripe lists the charge and the transfers of a
// booking.
func transferGroup(bookingID string) string { return "secondring-" + bookingID }

// Transfer creates the transfer, or returns the ID of the existing one of the same order. It
// uses the next key only after a failure that Stripe has stored, because then no transfer
// was made. It returns an error if the key was used with another account or amount.
func (g *Gateway) Transfer(ctx context.Context, r market.TransferRequest) (string, error) {
	if !accountID.MatchString(r.AccountID) {
		return "", market.ErrNoPayoutAccount
	}
	key := fmt.Sprintf("secondring-transfer-%s-%d", r.BookingID, r.Number)
	t, err := withKey([]string{key, key + "-again", key + "-once-more"}, isStoredFailure, func(key string) (*stripe.Transfer, error) {
		return g.connect.transfers.New(g.transferParams(ctx, r, key))
	})
	if err != nil {
		return "", g.wrapAccountError(ctx, "transfer the money of booking", r.BookingID, err)
	}
	return t.ID, nil
}

// transferParams returns the parameters of a transfer. They name the charge whose money is
// transferred. A later transfer uses the market's balance, to which the money of the earlier
// one has returned.
func (g *Gateway) transferParams(ctx context.Context, r market.TransferRequest, key string) *stripe.TransferParams {
	params := &stripe.TransferParams{
		Params: stripe.Params{Context: ctx, IdempotencyKey: &key},
		Amount: &r.Cents, Currency: new(market.Currency), Destination: &r.AccountID,
		TransferGroup: new(transferGroup(r.BookingID)),
		Metadata:      map[string]string{metaBooking: r.BookingID, metaNumber: strconv.Itoa(r.Number), metaMarket: g.market},
	}
	if r.Number == 1 && r.ChargeID != "" {
		params.SourceTransaction = &r.ChargeID
	}
	return params
}

// TransferOf returns the ID of a transfer that was made and not reversed; "" if there is
// none.
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
		return "", g.wrapAccountError(ctx, "list the transfers of booking", bookingID, err)
	}
	return "", nil
}

// ReverseTransfer reverses a whole transfer, once. It has no idempotency key: Stripe reverses at
// most the rest of a transfer, and with a key a refusal would be repeated for a day.
func (g *Gateway) ReverseTransfer(ctx context.Context, id string) error {
	reversed, err := g.isReversed(ctx, id)
	if err != nil || reversed {
		return err
	}
	_, err = g.connect.reversals.New(&stripe.TransferReversalParams{Params: stripe.Params{Context: ctx}, ID: &id})
	if err == nil {
		return nil
	}
	if codeOf(err) == stripe.ErrorCodeBalanceInsufficient {
		g.log.ErrorContext(ctx, "a transfer cannot be reversed: the seller's account has too little money", "transfer", id)
		g.problem(ProblemShort)
		return fmt.Errorf("payment: take back %s: %w", id, market.ErrInsufficientFunds)
	}
	failure := g.wrapAccountError(ctx, "take back the transfer", id, err)
	if reversed, err := g.isReversed(ctx, id); err == nil && reversed { // another process has reversed it at the same time
		return nil
	}
	return failure
}

func (g *Gateway) isReversed(ctx context.Context, id string) (bool, error) {
	if !transferID.MatchString(id) {
		return false, fmt.Errorf("payment: %q is no transfer of Stripe's", id)
	}
	t, err := g.connect.transfers.Get(id, &stripe.TransferParams{Params: stripe.Params{Context: ctx}})
	if err != nil {
		return false, g.wrapAccountError(ctx, "look at the transfer", id, err)
	}
	return t.Reversed, nil
}

// wrapAccountError is wrapError for a call about an account.
func (g *Gateway) wrapAccountError(ctx context.Context, action, id string, err error) error {
	switch codeOf(err) {
	case stripe.ErrorCodeAccountInvalid, codeNoTransfers, stripe.ErrorCodeTransfersNotAllowed:
		return fmt.Errorf("payment: %s %s: %w", action, id, market.ErrNoPayoutAccount)
	case stripe.ErrorCodeResourceMissing:
		if param := paramOf(err); param == "destination" || param == "account" {
			return fmt.Errorf("payment: %s %s: %w", action, id, market.ErrNoPayoutAccount)
		}
	}
	return g.wrapError(ctx, action, id, err)
}
