package payment_test

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"secondring/api/payment"
	"secondring/api/payment/stripetest"
	"secondring/market"
	"secondring/market/markettest"
	stripesandbox "secondring/sandbox/stripe"
	"secondring/store/sqlite/sqlitetest"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

const (
	sandboxSecret      = "sk_test_sandbox"
	sandboxPublishable = "pk_test_sandbox"
	sandboxWebhook     = "whsec_sandbox"
	sandboxURL         = "http://stripe.sandbox" + stripesandbox.Path
	earningsURL        = "https://shop.example.com/dashboard/earnings"
)

// gatewayEnv is a sandbox with a gateway to it. Each request of the gateway is also sent to
// stripe-mock.
type gatewayEnv struct {
	*payment.Gateway
	t       *testing.T
	clock   *markettest.Clock
	sandbox *stripesandbox.Sandbox
	checks  *stripetest.Transport
}

func newGatewayEnv(t *testing.T) *gatewayEnv {
	t.Helper()
	store, err := sqlitetest.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
	must(t, err)
	t.Cleanup(func() { must(t, store.Close()) })
	b := &gatewayEnv{t: t, clock: markettest.NewTicking(time.Now())}
	log := slog.New(slog.DiscardHandler)
	b.sandbox = stripesandbox.New(stripesandbox.Config{
		Records: store, Clock: b.clock, SecretKey: sandboxSecret, PublishableKey: sandboxPublishable,
		WebhookSecret: sandboxWebhook, Log: log,
	})
	b.checks = stripetest.NewTransport(t, stripesandbox.Path, b.sandbox.Client().Transport)
	b.Gateway = payment.NewGateway(payment.GatewayConfig{
		SecretKey: sandboxSecret, URL: sandboxURL, Market: "ours", ReturnURL: earningsURL, Client: &http.Client{Transport: b.checks}, Log: log,
	})
	return b
}

// call sends a request to the sandbox, as a browser with the publishable key, or as the
// shop with the secret one.
func (b *gatewayEnv) call(method, path, key string, form url.Values) (status int, body string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, sandboxURL+path, strings.NewReader(form.Encode()))
	must(b.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Authorization", "Bearer "+key)
	response, err := b.sandbox.Client().Do(r)
	must(b.t, err)
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	must(b.t, err)
	return response.StatusCode, string(raw)
}

func (b *gatewayEnv) open(o market.IntentRequest) market.Intent {
	b.t.Helper()
	in, err := b.OpenIntent(b.t.Context(), o)
	must(b.t, err)
	return in
}

// pay confirms an intent with one of Stripe's test cards.
func (b *gatewayEnv) pay(in market.Intent, card string) {
	b.t.Helper()
	status, body := b.call(http.MethodPost, "/v1/payment_intents/"+in.ID+"/confirm", sandboxPublishable,
		url.Values{"client_secret": {in.ClientSecret}, "payment_method": {card}})
	if status/100 == 5 || status == http.StatusNotFound || status == http.StatusBadRequest {
		b.t.Fatalf("%s: the response is %d %s", card, status, body)
	}
}

// getIntent reads an intent by the gateway.
func (b *gatewayEnv) getIntent(id string) market.Intent {
	b.t.Helper()
	in, err := b.Intent(b.t.Context(), id)
	must(b.t, err)
	return in
}

func TestOpenIntent(t *testing.T) {
	b := newGatewayEnv(t)
	first := b.open(order)
	want := market.Intent{
		Status: market.IntentOpen, Cents: 12000, Currency: "usd", BookingID: "b1", ProductID: "p1", BuyerUID: "u1", IsOwn: true,
	}
	for _, in := range []market.Intent{first, b.getIntent(first.ID)} {
		if diff := cmp.Diff(want, in, cmpopts.IgnoreFields(market.Intent{}, "ID", "ClientSecret")); diff != "" {
			t.Error(diff)
		}
	}
	if !strings.HasPrefix(first.ID, "pi_") || !strings.HasPrefix(first.ClientSecret, first.ID+"_secret_") {
		t.Errorf("id %q, secret %q", first.ID, first.ClientSecret)
	}
	if second := b.open(order); second != first {
		t.Errorf("the same order created the intent %+v after %+v", second, first)
	}
	if b.checks.Checked("POST /v1/payment_intents") != 2 {
		t.Error("stripe-mock has not checked the orders")
	}
	_, body := b.call(http.MethodGet, "/v1/payment_intents/"+first.ID, sandboxSecret, nil)
	for _, part := range []string{`"receipt_email":"` + email, `"description":"Nokia Nexus 5"`, `"attempt":"2"`, `"payment_method_types":["card"]`} {
		if !strings.Contains(body, part) {
			t.Errorf("the intent lacks %s: %s", part, body)
		}
	}
	t.Run("another attempt is another intent", func(t *testing.T) {
		next := order
		next.Attempt++
		if b.open(next).ID == first.ID {
			t.Error("another attempt returned the same intent")
		}
	})
	t.Run("a changed order makes one intent", func(t *testing.T) {
		changed := order
		changed.Email = "another@phones.example"
		second := b.open(changed)
		if second.ID == first.ID || b.open(changed).ID != second.ID || b.open(order).ID != first.ID {
			t.Errorf("the intent of the changed order is %+v", second)
		}
	})
	t.Run("the current state is returned, not the first", func(t *testing.T) {
		_, err := b.CancelIntent(t.Context(), first.ID)
		must(t, err)
		if got := b.open(order); got.ID != first.ID || got.Status != market.IntentCancelled {
			t.Errorf("the intent is %+v, want it cancelled", got)
		}
	})
	t.Run("an email address that Stripe refuses only prevents the receipt", func(t *testing.T) {
		invalid := market.IntentRequest{BookingID: "b2", Cents: 500, Email: "not an address"}
		if in := b.open(invalid); in.Status != market.IntentOpen || b.open(invalid).ID != in.ID {
			t.Errorf("the intent is %+v", in)
		}
	})
}

func TestConcurrentOpensUseOneIntent(t *testing.T) {
	b := newGatewayEnv(t)
	var all sync.WaitGroup
	ids := make([]string, 20)
	for i := range ids {
		all.Go(func() {
			in, err := b.OpenIntent(t.Context(), order)
			for try := 0; try < 20 && errors.Is(err, market.ErrPaymentsUnavailable); try++ { // the first call was still in progress
				in, err = b.OpenIntent(t.Context(), order)
			}
			if err != nil {
				t.Error(err)
			}
			ids[i] = in.ID
		})
	}
	all.Wait()
	for _, id := range ids {
		if id != ids[0] {
			t.Fatalf("intents %v", ids)
		}
	}
}

func TestIntentStatus(t *testing.T) {
	b := newGatewayEnv(t)
	for card, want := range map[string]market.Intent{
		"":                               {Status: market.IntentOpen},
		"pm_card_visa":                   {Status: market.IntentSucceeded},
		"pm_card_chargeDeclined":         {Status: market.IntentOpen},
		"pm_card_authenticationRequired": {Status: market.IntentOpen},
		"pm_usBankAccount_processing":    {Status: market.IntentProcessing},
	} {
		o := order
		o.BookingID = "booking with " + card
		in := b.open(o)
		if card != "" {
			b.pay(in, card)
		}
		if got := b.getIntent(in.ID); got.Status != want.Status || got.Cents != 12000 || got.Returned {
			t.Errorf("after %s: %+v", card, got)
		}
		cancelled, err := b.CancelIntent(t.Context(), in.ID)
		must(t, err)
		if want.Status == market.IntentOpen {
			want.Status = market.IntentCancelled
		}
		if cancelled.Status != want.Status {
			t.Errorf("cancelled after %s: %+v", card, cancelled)
		}
		if b.checks.Checked("GET /v1/payment_intents/"+in.ID) == 0 || b.checks.Checked("POST /v1/payment_intents/"+in.ID+"/cancel") != 1 {
			t.Error("stripe-mock has not checked the calls")
		}
	}
	if _, err := b.Intent(t.Context(), "pi_nobody"); !errors.Is(err, market.ErrNoIntent) {
		t.Errorf("an unknown intent is read: %v", err)
	}
	if _, err := b.CancelIntent(t.Context(), "pi_nobody"); !errors.Is(err, market.ErrNoIntent) {
		t.Errorf("an unknown intent is cancelled: %v", err)
	}
}

func TestRefund(t *testing.T) {
	b := newGatewayEnv(t)
	in := b.open(order)
	if err := b.Refund(t.Context(), in.ID, 0); err == nil {
		t.Error("an unpaid intent was refunded")
	}
	b.pay(in, "pm_card_visa")
	for range 3 { // the stored failure does not block it
		must(t, b.Refund(t.Context(), in.ID, 0))
		if got := b.getIntent(in.ID); !got.Returned || got.Status != market.IntentSucceeded {
			t.Errorf("the refunded intent is %+v", got)
		}
	}
	if b.checks.Checked("POST /v1/refunds") < 4 {
		t.Errorf("stripe-mock has checked %d refunds, want at least 4", b.checks.Checked("POST /v1/refunds"))
	}
	if err := b.Refund(t.Context(), "pi_nobody", 0); !errors.Is(err, market.ErrNoIntent) {
		t.Errorf("an unknown intent is refunded: %v", err)
	}
}

// A partial refund does not count as returned.
func TestReturnedNeedsFullRefund(t *testing.T) {
	b := newGatewayEnv(t)
	partial := b.open(order)
	b.pay(partial, "pm_card_visa")
	if status, body := b.call(http.MethodPost, "/v1/refunds", sandboxSecret, url.Values{"payment_intent": {partial.ID}, "amount": {"100"}}); status != http.StatusOK {
		t.Fatalf("the response is %d %s, want 200", status, body)
	}
	if got := b.getIntent(partial.ID); got.Returned {
		t.Errorf("after a partial refund the intent is %+v", got)
	}
	must(t, b.Refund(t.Context(), partial.ID, 0)) // the rest
	if got := b.getIntent(partial.ID); !got.Returned {
		t.Errorf("after the refund of the rest the intent is %+v", got)
	}
	next := order
	next.Attempt++
	disputed := b.open(next)
	b.pay(disputed, "pm_card_createDispute")
	b.clock.Pass(time.Minute)
	must(t, b.sandbox.Step(t.Context()))
	if got := b.getIntent(disputed.ID); !got.Returned {
		t.Errorf("disputed: %+v", got)
	}
	must(t, b.Refund(t.Context(), disputed.ID, 0)) // the money is already refunded
}

// A refund that Stripe has accepted can fail later. The next attempt has another
// idempotency key, because the old one would return the first success.
func TestFailedRefundIsRetriedWithNewKey(t *testing.T) {
	b := newGatewayEnv(t)
	in := b.open(order)
	b.pay(in, "pm_card_refundFail")
	for attempt := range 3 {
		must(t, b.Refund(t.Context(), in.ID, attempt))
		if got := b.getIntent(in.ID); !got.Returned || got.FailedRefunds != attempt {
			t.Fatalf("the accepted refund: %+v", got)
		}
		b.clock.Pass(time.Minute)
		must(t, b.sandbox.Step(t.Context()))
		if got := b.getIntent(in.ID); got.Returned || got.FailedRefunds != attempt+1 {
			t.Fatalf("the failed refund: %+v", got)
		}
	}
}

func TestIntentsAreListedOverPages(t *testing.T) {
	b := newGatewayEnv(t)
	const total = 120 // more than a page
	want := map[string]market.IntentStatus{}
	for n := range total {
		in := b.open(market.IntentRequest{BookingID: "b" + strconv.Itoa(n), ProductID: "p", BuyerUID: "u", Cents: 5000})
		want[in.ID] = market.IntentOpen
		if n == 7 {
			b.pay(in, "pm_card_visa")
			must(t, b.Refund(t.Context(), in.ID, 0))
			want[in.ID] = market.IntentSucceeded
		}
	}
	got := map[string]market.IntentStatus{}
	for in, err := range b.Intents(t.Context(), time.Time{}) {
		must(t, err)
		got[in.ID] = in.Status
		if (in.Status == market.IntentSucceeded) != in.Returned || !in.IsOwn || in.Cents != 5000 {
			t.Errorf("the listed intent is %+v", in)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if n := b.checks.Checked("GET /v1/payment_intents"); n != 2 {
		t.Errorf("%d calls for %d intents, want 2", n, total)
	}
	for in, err := range b.Intents(t.Context(), b.clock.Now().Add(time.Hour)) {
		t.Errorf("listed since an hour from now: %+v %v", in, err)
	}
}
