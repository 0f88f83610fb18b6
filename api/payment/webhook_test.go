package payment_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76/webhook"

	"secondring/api/payment"
	"secondring/market"
	"secondring/market/markettest"
	"secondring/store"
	"secondring/store/sqlite/sqlitetest"
)

// webhookEnv is a webhook with a market whose payment provider counts its calls.
type webhookEnv struct {
	t        *testing.T
	clock    *markettest.Clock
	store    *store.Store
	provider *countingProvider
	hook     http.Handler
	market   *market.Market
	log      *bytes.Buffer
	mu       sync.Mutex
	events   int // how many events were created
}

// countingProvider is a payment provider without intents that counts its calls.
type countingProvider struct {
	market.NoPayments
	mu       sync.Mutex
	requests map[string]int // by intent ID
	err      error
}

func (c *countingProvider) Intent(_ context.Context, id string) (market.Intent, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests[id]++
	return market.Intent{}, c.err
}

// times returns how often an intent was requested.
func (c *countingProvider) times(id string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.requests[id]
}

// setError sets the error of all requests.
func (c *countingProvider) setError(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = err
}

func newWebhookEnv(t *testing.T, change ...func(*payment.Config)) *webhookEnv {
	t.Helper()
	store, err := sqlitetest.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
	must(t, err)
	t.Cleanup(func() { must(t, store.Close()) })
	e := &webhookEnv{
		t: t, clock: markettest.NewClock(time.Now()), store: store, log: &bytes.Buffer{},
		provider: &countingProvider{requests: map[string]int{}, err: market.ErrNoIntent},
	}
	config := payment.Config{
		Market:  market.New(store, e.clock, market.Rules{}, e.provider),
		Records: store, Clock: e.clock, WebhookSecret: sandboxWebhook, Log: slog.New(slog.NewTextHandler(e.log, nil)),
	}
	e.market = config.Market
	for _, apply := range change {
		apply(&config)
	}
	service, err := payment.New(config)
	must(t, err)
	e.hook = service.Webhook()
	return e
}

// event returns a Stripe event about an intent.
func (e *webhookEnv) event(intent string, change ...string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.events++
	event := fmt.Sprintf(`{"id":"evt_%d","object":"event","type":"payment_intent.succeeded","livemode":false,`+
		`"api_version":"2099-01-01","data":{"object":{"object":"payment_intent","id":"%s"}}}`, e.events, intent)
	return strings.NewReplacer(change...).Replace(event)
}

// sign returns the signature header of a body at a time.
func sign(body, secret string, at time.Time) string {
	return fmt.Sprintf("t=%d,v1=%s", at.Unix(), hex.EncodeToString(webhook.ComputeSignature(at, []byte(body), secret)))
}

func (e *webhookEnv) post(body, signature string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(e.t.Context(), http.MethodPost, payment.WebhookPath, strings.NewReader(body))
	if signature != "" {
		r.Header.Set("Stripe-Signature", signature)
	}
	w := httptest.NewRecorder()
	e.hook.ServeHTTP(w, r)
	return w
}

// postSigned posts an event as Stripe does.
func (e *webhookEnv) postSigned(body string) *httptest.ResponseRecorder {
	return e.post(body, sign(body, sandboxWebhook, e.clock.Now()))
}

// wantAcknowledged fails the test unless the event was acknowledged.
func (e *webhookEnv) wantAcknowledged(response *httptest.ResponseRecorder, duplicate bool) {
	e.t.Helper()
	var got payment.Received
	if err := json.Unmarshal(response.Body.Bytes(), &got); err != nil || response.Code != http.StatusOK || !got.Received || got.Duplicate != duplicate {
		e.t.Errorf("the response is %d %s, want 200 with duplicate %v", response.Code, response.Body, duplicate)
	}
}

func TestWebhookEventIsVerifiedAtStripe(t *testing.T) {
	e := newWebhookEnv(t)
	for name, c := range map[string]struct {
		object   string
		verifies bool
	}{
		"a payment intent":       {`{"object":"payment_intent","id":"pi_ID"}`, true},
		"a charge":               {`{"object":"charge","id":"ch_1","payment_intent":"pi_ID"}`, true},
		"a refund":               {`{"object":"refund","id":"re_1","payment_intent":"pi_ID"}`, true},
		"a dispute":              {`{"object":"dispute","id":"du_1","payment_intent":"pi_ID"}`, true},
		"a charge without one":   {`{"object":"charge","id":"ch_1","payment_intent":null}`, false},
		"a customer":             {`{"object":"customer","id":"cus_1","payment_intent":"pi_ID"}`, false},
		"something with no name": {`{"id":"pi_ID"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			id := "pi_" + strings.ReplaceAll(name, " ", "")
			body := e.event("", `{"object":"payment_intent","id":""}`, strings.ReplaceAll(c.object, "pi_ID", id))
			e.wantAcknowledged(e.postSigned(body), false)
			if (e.provider.times(id) == 1) != c.verifies {
				t.Errorf("the intent was requested %d times; want one request: %v", e.provider.times(id), c.verifies)
			}
		})
	}
}

func TestWebhookSignatures(t *testing.T) {
	e := newWebhookEnv(t)
	body, now := e.event("pi_1"), e.clock.Now()
	valid := sign(body, sandboxWebhook, now)
	_, v1, _ := strings.Cut(valid, ",")
	for name, signature := range map[string]string{
		"missing":                 "",
		"not a signature":         "nonsense",
		"without a time":          v1,
		"forged":                  sign(body, "whsec_another", now),
		"of another body":         sign(body+" ", sandboxWebhook, now),
		"with its time changed":   fmt.Sprintf("t=%d,%s", now.Unix()+1, v1),
		"with a second time":      fmt.Sprintf("t=%d,%s", now.Add(-time.Hour).Unix(), valid),
		"with a newer time first": fmt.Sprintf("t=%d,", now.Unix()) + sign(body, sandboxWebhook, now.Add(-time.Hour)),
		"old":                     sign(body, sandboxWebhook, now.Add(-5*time.Minute-time.Second)),
		"of the future":           sign(body, sandboxWebhook, now.Add(5*time.Minute+2*time.Second)),
		"of the far future":       sign(body, sandboxWebhook, now.Add(24*time.Hour)),
		"of the test scheme only": strings.Replace(valid, "v1=", "v0=", 1),
	} {
		t.Run(name, func(t *testing.T) {
			if response := e.post(body, signature); response.Code != http.StatusBadRequest || !strings.Contains(response.Body.String(), `"code":"bad_request"`) {
				t.Errorf("the response is %d %s, want 400", response.Code, response.Body)
			}
		})
	}
	if e.provider.times("pi_1") != 0 {
		t.Errorf("refused events have requested the intent %d times", e.provider.times("pi_1"))
	}
	if strings.Contains(e.log.String(), sandboxWebhook) || !strings.Contains(e.log.String(), "STRIPE_WEBHOOK_SECRET") {
		t.Errorf("the log is %s", e.log)
	}
	t.Run("a small clock difference is accepted", func(t *testing.T) {
		for _, difference := range []time.Duration{-4 * time.Minute, 4 * time.Minute} {
			body := e.event("pi_2")
			e.wantAcknowledged(e.post(body, sign(body, sandboxWebhook, now.Add(difference))), false)
		}
	})
	t.Run("one of several signatures is enough", func(t *testing.T) {
		body := e.event("pi_3")
		_, other, _ := strings.Cut(sign(body, "whsec_retired", now), ",")
		e.wantAcknowledged(e.post(body, sign(body, sandboxWebhook, now)+","+other), false)
	})
	t.Run("signed, but no valid event", func(t *testing.T) {
		for _, body := range []string{"", "null", "[]", "{", `{"id":""}`, `{"id":"evt_x","data":7}`} {
			if response := e.postSigned(body); response.Code != http.StatusBadRequest {
				t.Errorf("%q: the response is %d %s, want 400", body, response.Code, response.Body)
			}
		}
		e.wantAcknowledged(e.postSigned(`{"id":"evt_without_data"}`), false)
	})
	t.Run("413 for a large body", func(t *testing.T) {
		if response := e.postSigned(strings.Repeat(" ", 1<<20) + e.event("pi_4")); response.Code != http.StatusRequestEntityTooLarge {
			t.Errorf("the response is %d %s, want 413", response.Code, response.Body)
		}
	})
}

func TestWebhookEventIsHandledOnce(t *testing.T) {
	e := newWebhookEnv(t)
	body := e.event("pi_1")
	e.wantAcknowledged(e.postSigned(body), false)
	for range 3 {
		e.clock.Pass(24 * time.Hour)
		e.wantAcknowledged(e.postSigned(body), true)
	}
	if n := e.provider.times("pi_1"); n != 1 {
		t.Errorf("a repeated event has requested the intent %d times, want 1", n)
	}
	e.wantAcknowledged(e.postSigned(e.event("pi_1")), false) // another event about the same intent
	if n := e.provider.times("pi_1"); n != 2 {
		t.Errorf("two events have requested the intent %d times, want 2", n)
	}
	e.clock.Pass(31 * 24 * time.Hour)
	if n, err := e.store.PurgeRecords(t.Context(), e.clock.Now(), 100); err != nil || n != 2 {
		t.Errorf("%d of two events were purged: %v", n, err)
	}
}

func TestConcurrentDeliveriesOfOneEvent(t *testing.T) {
	e := newWebhookEnv(t)
	body := e.event("pi_1")
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if response := e.postSigned(body); response.Code != http.StatusOK {
				t.Errorf("the response is %d %s, want 200", response.Code, response.Body)
			}
		})
	}
	all.Wait()
	e.wantAcknowledged(e.postSigned(body), true)
}

// An event that could not be checked is neither acknowledged nor stored as handled.
func TestWebhookDuringStripeOutage(t *testing.T) {
	e := newWebhookEnv(t)
	body := e.event("pi_1")
	e.provider.setError(fmt.Errorf("read: %w", market.ErrPaymentsUnavailable))
	for range 2 {
		if response := e.postSigned(body); response.Code != http.StatusServiceUnavailable || response.Header().Get("Retry-After") == "" {
			t.Fatalf("the response is %d %s, want 503", response.Code, response.Body)
		}
	}
	e.provider.setError(market.ErrNoIntent)
	e.wantAcknowledged(e.postSigned(body), false)
	e.wantAcknowledged(e.postSigned(body), true)
}

func TestWebhookDuringStoreOutage(t *testing.T) {
	e := newWebhookEnv(t)
	must(t, e.store.Close())
	if response := e.postSigned(e.event("pi_1")); response.Code != http.StatusInternalServerError {
		t.Errorf("the response is %d %s, want 500", response.Code, response.Body)
	}
}

func TestEventsOfOtherModeAreIgnored(t *testing.T) {
	for _, live := range []bool{false, true} {
		e := newWebhookEnv(t, func(c *payment.Config) { c.Live = live })
		for _, sent := range []bool{false, true} {
			e.wantAcknowledged(e.postSigned(e.event("pi_1", `"livemode":false`, fmt.Sprintf(`"livemode":%v`, sent))), false)
			if warned := strings.Contains(e.log.String(), "wrong mode"); sent != live && !warned {
				t.Error("the log has no warning about the wrong mode")
			}
		}
		if n := e.provider.times("pi_1"); n != 1 {
			t.Errorf("live %v: the intent was requested %d times, want 1", live, n)
		}
	}
}

func TestNoWebhookWithoutSecret(t *testing.T) {
	if _, err := payment.New(payment.Config{}); err == nil {
		t.Error("a service without a webhook secret was created")
	}
}

// A charge without a booking is logged for the operator and acknowledged, because a
// repetition would have the same result.
func TestChargeWithoutBookingIsLogged(t *testing.T) {
	problems := []string{}
	e := newWebhookEnv(t, func(c *payment.Config) {
		bank := markettest.NewBank()
		in, err := bank.OpenIntent(t.Context(), market.IntentRequest{BookingID: "lost", Cents: 100})
		must(t, err)
		bank.Change(in.ID, func(in *market.Intent) { in.ID, in.IsOwn, in.Status = "pi_lost", true, market.IntentSucceeded })
		c.Market = market.New(c.Records.(market.Store), c.Clock, market.Rules{}, renamingBank{bank, in.ID})
		c.Problem = func(name string) { problems = append(problems, name) }
	})
	event := e.event("pi_lost")
	e.wantAcknowledged(e.postSigned(event), false)
	e.wantAcknowledged(e.postSigned(event), true)
	if len(problems) != 1 || problems[0] != payment.ProblemUnknownBooking {
		t.Errorf("the problems are %q", problems)
	}
	if !strings.Contains(e.log.String(), "level=ERROR") || !strings.Contains(e.log.String(), "pi_lost") {
		t.Errorf("the log is %s", e.log)
	}
}

// An event about a pending refund is not stored as handled, so Stripe sends it again.
func TestPendingRefundEventIsRedelivered(t *testing.T) {
	bank := markettest.NewBank()
	var in market.Intent
	e := newWebhookEnv(t, func(c *payment.Config) {
		var err error
		in, err = bank.OpenIntent(t.Context(), market.IntentRequest{BookingID: "lost", Cents: 100})
		must(t, err)
		bank.Change(in.ID, func(in *market.Intent) { in.ID, in.IsOwn, in.Status = "pi_lost", true, market.IntentSucceeded })
		c.Market = market.New(c.Records.(market.Store), c.Clock, market.Rules{}, renamingBank{bank, in.ID})
	})
	e.wantAcknowledged(e.postSigned(e.event("pi_lost")), false)
	bank.FailRefund(in.ID)
	failed := e.event("pi_lost")
	for range 2 {
		if response := e.postSigned(failed); response.Code != http.StatusServiceUnavailable {
			t.Errorf("the response is %d %s, want 503", response.Code, response.Body)
		}
	}
}

// renamingBank is a bank whose calls all use one intent, whatever the ID.
type renamingBank struct {
	*markettest.Bank
	id string
}

func (r renamingBank) Intent(ctx context.Context, _ string) (market.Intent, error) {
	return r.Bank.Intent(ctx, r.id)
}

func (r renamingBank) Refund(ctx context.Context, _ string, attempt int) error {
	return r.Bank.Refund(ctx, r.id, attempt)
}
