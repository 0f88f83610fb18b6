package stripe_test

import (
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76"

	stripesandbox "secondring/sandbox/stripe"
)

// newAccount creates a connected account, and completes its onboarding if isComplete is
// true.
func (e *env) newAccount(isComplete bool) *stripe.Account {
	e.t.Helper()
	a, err := e.stripe.Accounts.New(&stripe.AccountParams{
		Type: new("express"), Metadata: map[string]string{"user": "u1"},
		Capabilities: &stripe.AccountCapabilitiesParams{Transfers: &stripe.AccountCapabilitiesTransfersParams{Requested: new(true)}},
	})
	must(e.t, err)
	if isComplete {
		e.onboard(e.onboardingLink(a.ID), "complete")
	}
	a, err = e.stripe.Accounts.GetByID(a.ID, nil)
	must(e.t, err)
	return a
}

// onboardingLink returns the path and query of a new onboarding link.
func (e *env) onboardingLink(account string) string {
	e.t.Helper()
	l, err := e.stripe.AccountLinks.New(&stripe.AccountLinkParams{
		Account: &account, Type: new("account_onboarding"),
		ReturnURL: new("https://shop.example.com/earnings"), RefreshURL: new("https://shop.example.com/again"),
	})
	must(e.t, err)
	path, ok := strings.CutPrefix(l.URL, "https://shop.example.com"+stripesandbox.Path+"/onboarding/"+account)
	if !ok {
		e.t.Fatalf("the link is %s", l.URL)
	}
	return "/onboarding/" + account + path
}

// browse follows a link of the page, or sends its form, as a browser does.
func (e *env) browse(method, path string, form url.Values) (status int, header http.Header, body string) {
	e.t.Helper()
	r, err := http.NewRequestWithContext(e.t.Context(), method, "https://shop.example.com"+stripesandbox.Path+path, strings.NewReader(form.Encode()))
	must(e.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := e.Client().Transport.RoundTrip(r)
	must(e.t, err)
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	must(e.t, err)
	return res.StatusCode, res.Header, string(raw)
}

// onboard opens an onboarding link, and submits an action.
func (e *env) onboard(link, action string) {
	e.t.Helper()
	status, header, body := e.browse(http.MethodGet, link, nil)
	if status != 200 || !strings.Contains(body, "Set up payouts") || !strings.Contains(header.Get("Content-Security-Policy"), "style-src 'self'") {
		e.t.Fatalf("the onboarding page is %d %v %s", status, header, body)
	}
	path, query, _ := strings.Cut(link, "?")
	token, err := url.ParseQuery(query)
	must(e.t, err)
	status, header, body = e.browse(http.MethodPost, path, url.Values{"link": token["link"], "action": {action}})
	if status != http.StatusSeeOther || header.Get("Location") != "https://shop.example.com/earnings" {
		e.t.Fatalf("the form's response is %d %v %s", status, header, body)
	}
	if status, _, body = e.browse(http.MethodGet, link, nil); status != http.StatusGone || !strings.Contains(body, "https://shop.example.com/again") {
		e.t.Errorf("the link works twice: %d %s", status, body)
	}
}

func TestOnboardingIsPostponedAndCompleted(t *testing.T) {
	e := newEnv(t)
	a := e.newAccount(false)
	if a.PayoutsEnabled || a.Capabilities.Transfers != "inactive" || a.Metadata["user"] != "u1" {
		t.Errorf("the new account is %+v", a)
	}
	e.onboard(e.onboardingLink(a.ID), "later")
	e.step()
	if got := e.shop.eventTypes(); got != "" {
		t.Errorf("the events of a postponed onboarding are %q, want none", got)
	}
	e.onboard(e.onboardingLink(a.ID), "complete")
	e.shop.setStatus(func(stripe.Event) int { return 500 })
	e.step()
	e.shop.setStatus(nil)
	e.step() // sends nothing before the pause
	e.clock.Pass(time.Second)
	e.step()
	e.step()
	got := e.shop.take()
	if len(got) != 2 || got[1].Type != "account.updated" || got[1].GetObjectValue("id") != a.ID || got[1].Account != a.ID || got[1].ID != got[0].ID {
		t.Errorf("events %+v", got)
	}
	a, err := e.stripe.Accounts.GetByID(a.ID, nil)
	must(t, err)
	if !a.PayoutsEnabled || !a.DetailsSubmitted || a.Capabilities.Transfers != "active" {
		t.Errorf("the onboarded account is %+v", a)
	}
	link := e.onboardingLink(a.ID)
	e.clock.Pass(5 * time.Minute)
	if status, _, _ := e.browse(http.MethodGet, link, nil); status != http.StatusGone {
		t.Errorf("the expired link: %d", status)
	}
	for _, path := range []string{"/onboarding/" + a.ID + "?link=guess", "/onboarding/acct_nobody?link=", "/onboarding/" + a.ID} {
		if status, _, _ := e.browse(http.MethodGet, path, nil); status != http.StatusGone && status != http.StatusNotFound {
			t.Errorf("%s: the response is %d, want 404 or 410", path, status)
		}
	}
	if status, _, body := e.browse(http.MethodGet, "/onboarding.css", nil); status != 200 || !strings.Contains(body, "main") {
		t.Errorf("the stylesheet: %d", status)
	}
}

func (e *env) transfer(i *stripe.PaymentIntent, a *stripe.Account, cents int64) (*stripe.Transfer, error) {
	return e.stripe.Transfers.New(&stripe.TransferParams{
		Amount: &cents, Currency: new("usd"), Destination: &a.ID, SourceTransaction: &i.LatestCharge.ID, TransferGroup: new("order 1"),
		Metadata: map[string]string{"n": "1"},
	})
}

func TestTransferIsMadeOnce(t *testing.T) {
	e := newEnv(t)
	i, a := e.confirmedIntent("pm_card_visa"), e.newAccount(true)
	form := url.Values{
		"amount": {"10000"}, "currency": {"usd"}, "destination": {a.ID}, "source_transaction": {i.LatestCharge.ID}, "transfer_group": {"order 1"},
	}
	first := e.send("POST", "/v1/transfers", secretKey, form, "Idempotency-Key", "k")
	repeated := e.send("POST", "/v1/transfers", secretKey, form, "Idempotency-Key", "k")
	if first.status != 200 || repeated.body != first.body {
		t.Fatalf("the response is %d %s, the repeated one %s", first.status, first.body, repeated.body)
	}
	list := e.stripe.Transfers.List(&stripe.TransferListParams{TransferGroup: new("order 1")})
	n := 0
	for list.Next() {
		n++
		tr := list.Transfer()
		got, err := e.stripe.Transfers.Get(tr.ID, nil)
		must(t, err)
		if tr.Amount != 10000 || tr.Destination.ID != a.ID || tr.SourceTransaction.ID != i.LatestCharge.ID || tr.Reversed || got.ID != tr.ID {
			t.Errorf("the transfer is %+v", tr)
		}
	}
	must(t, list.Err())
	if n != 1 {
		t.Errorf("%d transfers, want 1", n)
	}
	if _, err := e.transfer(i, a, 2301); stripeError(t, err).Param != "amount" { // of 123.00
		t.Errorf("a transfer of more than the charge: %v", err)
	}
	_, err := e.transfer(i, a, 2300)
	must(t, err)
}

func TestCrashDuringTransfer(t *testing.T) {
	testCrashes(t, 3, func(t *testing.T, e *env, crashing *crashingStore) {
		i, a := e.confirmedIntent("pm_card_visa"), e.newAccount(true)
		form := url.Values{
			"amount": {"10000"}, "currency": {"usd"}, "destination": {a.ID}, "source_transaction": {i.LatestCharge.ID}, "transfer_group": {"g"},
		}
		send(t, e.newNode(crashing), "POST", "/v1/transfers", secretKey, form, "Idempotency-Key", "k")
		created := e.send("POST", "/v1/transfers", secretKey, form, "Idempotency-Key", "k")
		list := e.send("GET", "/v1/transfers", secretKey, url.Values{"transfer_group": {"g"}})
		if created.status != 200 || strings.Count(list.body, `"object":"transfer"`) != 1 {
			t.Errorf("the response is %d %s, the transfers are %s, want one", created.status, created.body, list.body)
		}
	})
}

func TestTransferRefusals(t *testing.T) {
	e := newEnv(t)
	i, ready, notReady := e.confirmedIntent("pm_card_visa"), e.newAccount(true), e.newAccount(false)
	grouped, err := e.stripe.PaymentIntents.New(&stripe.PaymentIntentParams{Amount: new(int64(5000)), Currency: new("usd"), TransferGroup: new("a")})
	must(t, err)
	e.confirm(grouped, "pm_card_visa")
	charge := e.getIntent(grouped.ID).LatestCharge.ID
	for name, c := range map[string]struct {
		change url.Values
		code   string
		param  string
	}{
		"an account that is not ready":  {url.Values{"destination": {notReady.ID}}, "insufficient_capabilities_for_transfer", "destination"},
		"unknown account":               {url.Values{"destination": {"acct_nobody"}}, "resource_missing", "destination"},
		"unknown charge":                {url.Values{"source_transaction": {"ch_nothing"}}, "resource_missing", "source_transaction"},
		"another group than the charge": {url.Values{"source_transaction": {charge}, "transfer_group": {"b"}}, "", "transfer_group"},
		"zero":                          {url.Values{"amount": {"0"}}, "parameter_invalid_integer", "amount"},
		"another currency":              {url.Values{"currency": {"eur"}}, "", "currency"},
	} {
		form := url.Values{"amount": {"100"}, "currency": {"usd"}, "destination": {ready.ID}, "source_transaction": {i.LatestCharge.ID}}
		maps.Copy(form, c.change)
		if a := e.send("POST", "/v1/transfers", secretKey, form); a.status/100 != 4 || a.Code != c.code || a.Param != c.param {
			t.Errorf("%s: the response is %d %s, want code %q and parameter %q", name, a.status, a.body, c.code, c.param)
		}
	}
	for path, status := range map[string]int{"/v1/accounts/acct_nobody": 403, "/v1/transfers/tr_nothing": 404, "/v1/transfers": 400} {
		if a := e.send("GET", path, secretKey, nil); a.status != status {
			t.Errorf("%s: the response is %d %s, want %d", path, a.status, a.body, status)
		}
	}
	if a := e.send("POST", "/v1/accounts", publishableKey, url.Values{"type": {"express"}}); a.status != 403 {
		t.Errorf("with the publishable key: %d", a.status)
	}
}

func TestReversalNeedsTheAccountsBalance(t *testing.T) {
	e := newEnv(t)
	i, a := e.confirmedIntent("pm_card_visa"), e.newAccount(true)
	tr, err := e.transfer(i, a, 10000)
	must(t, err)
	_, err = e.stripe.Payouts.New(&stripe.PayoutParams{Params: stripe.Params{StripeAccount: &a.ID}, Amount: new(int64(1)), Currency: new("usd")})
	must(t, err)
	reverse := func() error {
		_, err := e.stripe.TransferReversals.New(&stripe.TransferReversalParams{ID: &tr.ID})
		return err
	}
	if e := stripeError(t, reverse()); e.Code != "balance_insufficient" || e.HTTPStatusCode != 400 {
		t.Errorf("a reversal of more than the balance: %+v", e)
	}
	_, err = e.transfer(i, a, 100)
	must(t, err)
	must(t, reverse())
	got, err := e.stripe.Transfers.Get(tr.ID, nil)
	must(t, err)
	if !got.Reversed || got.AmountReversed != 10000 || len(got.Reversals.Data) != 1 {
		t.Errorf("the reversed transfer is %+v", got)
	}
	if e := stripeError(t, reverse()); e.HTTPStatusCode != 400 || e.Code != "" {
		t.Errorf("the second reversal: %+v", e)
	}
	_, err = e.stripe.Payouts.New(&stripe.PayoutParams{Params: stripe.Params{StripeAccount: &a.ID}, Amount: new(int64(100)), Currency: new("usd")})
	if e := stripeError(t, err); e.Code != "balance_insufficient" {
		t.Errorf("a payout of more than the balance: %+v", e)
	}
}

// The event of an account is sent after any time without a running process, and then dropped three
// days after its creation.
func TestAccountEventExpiresAfterItsFirstTry(t *testing.T) {
	e := newEnv(t)
	e.shop.setStatus(serverError)
	e.newAccount(true)
	e.clock.Pass(4 * 24 * time.Hour)
	e.step()
	if got := e.shop.eventTypes(); got != "account.updated" {
		t.Errorf("the events after four days are %q, want one attempt", got)
	}
	e.clock.Pass(time.Second)
	e.step()
	if got := e.shop.eventTypes(); got != "" {
		t.Errorf("the later events are %q, want none", got)
	}
}

func TestKeysOfAccountsAreSeparate(t *testing.T) {
	e := newEnv(t)
	i := e.confirmedIntent("pm_card_visa")
	form := url.Values{"amount": {"100"}, "currency": {"usd"}}
	payouts := map[string]bool{}
	for range 2 {
		a := e.newAccount(true)
		_, err := e.transfer(i, a, 100)
		must(t, err)
		for range 2 {
			p := e.send("POST", "/v1/payouts", secretKey, form, "Idempotency-Key", "k", "Stripe-Account", a.ID)
			if p.status != 200 {
				t.Errorf("the payout: %d %s", p.status, p.body)
			}
			payouts[p.intent.ID] = true
		}
	}
	if len(payouts) != 2 {
		t.Errorf("the payouts of two accounts with one key are %v, want one of each account", payouts)
	}
}
