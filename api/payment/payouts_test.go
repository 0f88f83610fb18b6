package payment_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"secondring/api/payment"
	"secondring/market"
)

// account opens a payout account, and completes its onboarding if isComplete is true.
func (b *gatewayEnv) account(uid string, isComplete bool) string {
	b.t.Helper()
	id, err := b.OpenPayoutAccount(b.t.Context(), uid, "")
	must(b.t, err)
	link, err := b.OnboardingLink(b.t.Context(), id)
	must(b.t, err)
	if isComplete {
		b.submit(link)
	}
	return id
}

// submit sends the form of the onboarding page.
func (b *gatewayEnv) submit(link string) {
	b.t.Helper()
	at, err := url.Parse(link)
	must(b.t, err)
	form := url.Values{"link": at.Query()["link"], "action": {"complete"}}
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, link, strings.NewReader(form.Encode()))
	must(b.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := b.sandbox.Client().Transport.RoundTrip(r)
	must(b.t, err)
	_ = response.Body.Close()
	if response.StatusCode != http.StatusSeeOther || response.Header.Get("Location") != earningsURL {
		b.t.Fatalf("the form's response is %s %v", response.Status, response.Header)
	}
}

// payOut pays money of a connected account out to its bank.
func (b *gatewayEnv) payOut(account string, cents string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, sandboxURL+"/v1/payouts",
		strings.NewReader(url.Values{"amount": {cents}, "currency": {"usd"}}.Encode()))
	must(b.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Authorization", "Bearer "+sandboxSecret)
	r.Header.Set("Stripe-Account", account)
	response, err := b.sandbox.Client().Do(r)
	must(b.t, err)
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		b.t.Fatal(response.Status)
	}
}

func TestPayoutAccountIsOpenedOnceAndBecomesReady(t *testing.T) {
	b := newGatewayEnv(t)
	id := b.account("u1", false)
	if second := b.account("u1", false); second != id {
		t.Errorf("the second call opened %s, want %s", second, id)
	}
	for _, isReady := range []bool{false, true} {
		got, err := b.PayoutAccount(t.Context(), id)
		must(t, err)
		if want := (market.PayoutAccountState{UID: "u1", IsReady: isReady}); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
		b.account("u1", true)
	}
	next, err := b.OpenPayoutAccount(t.Context(), "u1", id)
	must(t, err)
	if next == id {
		t.Error("the deleted account was not replaced")
	}
	for _, unknown := range []string{"acct_nobody", "../transfers", ""} {
		_, err := b.PayoutAccount(t.Context(), unknown)
		_, linkErr := b.OnboardingLink(t.Context(), unknown)
		if !errors.Is(err, market.ErrNoPayoutAccount) || !errors.Is(linkErr, market.ErrNoPayoutAccount) {
			t.Errorf("the account %q: %v and %v, want unknown", unknown, err, linkErr)
		}
	}
	for _, call := range []string{"POST /v1/accounts", "POST /v1/account_links", "GET /v1/accounts/" + id} {
		if b.checks.Checked(call) == 0 {
			t.Errorf("stripe-mock has not checked %s", call)
		}
	}
}

// paid returns an intent whose charge has succeeded.
func (b *gatewayEnv) paid() market.Intent {
	b.t.Helper()
	in := b.open(order)
	b.pay(in, "pm_card_visa")
	return b.getIntent(in.ID)
}

func TestTransferIsMadeOnceAndFound(t *testing.T) {
	b := newGatewayEnv(t)
	in := b.paid()
	o := market.TransferRequest{BookingID: order.BookingID, Number: 1, ChargeID: in.ChargeID, Cents: 11000, AccountID: b.account("u1", false)}
	if in.ChargeID == "" {
		t.Fatal("the intent has no charge ID")
	}
	wantTransfer := func(number int, want string) {
		t.Helper()
		if id, err := b.TransferOf(t.Context(), o.BookingID, number); err != nil || id != want {
			t.Errorf("transfer %d is %q, %v, want %q", number, id, err, want)
		}
	}
	if _, err := b.Transfer(t.Context(), o); !errors.Is(err, market.ErrNoPayoutAccount) {
		t.Errorf("a transfer to an account that is not ready: %v", err)
	}
	wantTransfer(1, "")
	b.account("u1", true)
	id, err := b.Transfer(t.Context(), o) // the stored failure does not block it
	must(t, err)
	repeated, err := b.Transfer(t.Context(), o)
	must(t, err)
	if repeated != id {
		t.Errorf("the repeated transfer is %s, want %s", repeated, id)
	}
	wantTransfer(1, id)
	wantTransfer(2, "")
	other := o
	other.AccountID = b.account("u2", true)
	if second, err := b.Transfer(t.Context(), other); err == nil {
		t.Errorf("the same transfer to another account is %s", second)
	}
	other.AccountID = "acct_nobody"
	other.Number = 2
	if _, err := b.Transfer(t.Context(), other); !errors.Is(err, market.ErrNoPayoutAccount) {
		t.Errorf("a transfer to an unknown account: %v", err)
	}
	for _, call := range []string{"POST /v1/transfers", "GET /v1/transfers"} {
		if b.checks.Checked(call) == 0 {
			t.Errorf("stripe-mock has not checked %s", call)
		}
	}
}

func TestReversalNeedsTheAccountsBalance(t *testing.T) {
	b := newGatewayEnv(t)
	problems := map[string]int{}
	b.Gateway = payment.NewGateway(payment.GatewayConfig{
		SecretKey: sandboxSecret, URL: sandboxURL, Market: "ours", ReturnURL: earningsURL, Client: &http.Client{Transport: b.checks}, Log: slog.New(slog.DiscardHandler),
		Problem: func(name string) { problems[name]++ },
	})
	in, account := b.paid(), b.account("u1", true)
	transfer := func(number int) string {
		t.Helper()
		id, err := b.Transfer(t.Context(), market.TransferRequest{
			BookingID: order.BookingID, Number: number, ChargeID: in.ChargeID, AccountID: account, Cents: 11000,
		})
		must(t, err)
		return id
	}
	first := transfer(1)
	b.payOut(account, "1")
	for range 2 {
		if err := b.ReverseTransfer(t.Context(), first); !errors.Is(err, market.ErrInsufficientFunds) {
			t.Fatalf("a reversal from an account with too little money: %v", err)
		}
	}
	if problems[payment.ProblemShort] != 2 {
		t.Errorf("the problems are %v", problems)
	}
	second := transfer(2) // more than the rest of the charge: from the balance
	for range 2 {
		must(t, b.ReverseTransfer(t.Context(), first))
	}
	if err := b.ReverseTransfer(t.Context(), second); !errors.Is(err, market.ErrInsufficientFunds) {
		t.Errorf("the reversal of the second transfer: %v", err)
	}
	if err := b.ReverseTransfer(t.Context(), "by hand"); err == nil {
		t.Error("an invalid transfer ID was reversed")
	}
	if b.checks.Checked("POST /v1/transfers/"+first+"/reversals") == 0 || b.checks.Checked("GET /v1/transfers/"+first) == 0 {
		t.Error("stripe-mock has not checked the calls")
	}
}

// accounts is a provider that records which accounts are provider.
type accounts struct {
	market.PayoutProvider
	ids []string
	err error
}

func (a *accounts) PayoutAccount(_ context.Context, id string) (market.PayoutAccountState, error) {
	a.ids = append(a.ids, id)
	return market.PayoutAccountState{UID: "nobody"}, a.err
}

func TestAccountEventRefreshesTheAccount(t *testing.T) {
	e := newWebhookEnv(t, func(c *payment.Config) { c.ConnectSecret = "whsec_connect" })
	provider := &accounts{}
	e.market.UsePayouts(provider)
	event := e.event("acct_1", `"object":"payment_intent"`, `"object":"account"`, "payment_intent.succeeded", "account.updated")
	e.wantAcknowledged(e.post(event, sign(event, "whsec_connect", e.clock.Now())), false)
	e.wantAcknowledged(e.postSigned(event), true)
	if len(provider.ids) != 1 || provider.ids[0] != "acct_1" {
		t.Errorf("the requested accounts are %v, want acct_1 once", provider.ids)
	}
	if w := e.post(event, sign(event, "whsec_other", e.clock.Now())); w.Code != http.StatusBadRequest {
		t.Errorf("signed with another secret: %d", w.Code)
	}
	provider.err = market.ErrPaymentsUnavailable
	if w := e.postSigned(e.event("acct_2", `"object":"payment_intent"`, `"object":"account"`)); w.Code != http.StatusServiceUnavailable {
		t.Errorf("while Stripe is unavailable: %d", w.Code)
	}
}
