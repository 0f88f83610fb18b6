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
	"secondring/store/sqlite"
	"secondring/store/sqlite/sqlitetest"
)

// webhookEnv is a webhook with a market whose provider counts its calls.
type webhookEnv struct {
	t      *testing.T
	clock  *markettest.Clock
	store  *sqlite.Store
	bank   *counting
	hook   http.Handler
	market *market.Market
	log    *bytes.Buffer
	mu     sync.Mutex
	made   int
}

// counting is a provider that has no intents of this market.
type counting struct {
	market.NoPayments
	mu    sync.Mutex
	asked map[string]int
	err   error
}

func (c *counting) Intent(_ context.Context, id string) (market.Intent, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked[id]++
	return market.Intent{}, c.err
}

// times returns how often an intent was requested from the provider.
func (c *counting) times(id string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked[id]
}

func (c *counting) answers(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = err
}

func newWebhookEnv(t *testing.T, change ...func(*payment.Config)) *webhookEnv {
	t.Helper()
	store, err := sqlitetest.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
	must(t, err)
	t.Cleanup(func() { must(t, store.Close()) })
	d := &webhookEnv{
		t: t, clock: markettest.NewClock(time.Now()), store: store, log: &bytes.Buffer{},
		bank: &counting{asked: map[string]int{}, err: market.ErrNoIntent},
	}
	config := payment.Config{
		Market:  market.New(store, d.clock, market.Rules{}, d.bank),
		Records: store, Clock: d.clock, WebhookSecret: boxWebhook, Log: slog.New(slog.NewTextHandler(d.log, nil)),
	}
	d.market = config.Market
	for _, apply := range change {
		apply(&config)
	}
	service, err := payment.New(config)
	must(t, err)
	d.hook = service.Webhook()
	return d
}

// event returns a Stripe event about an intent.
func (d *webhookEnv) event(intent string, change ...string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.made++
	event := fmt.Sprintf(`{"id":"evt_%d","object":"event","type":"payment_intent.succeeded","livemode":false,`+
		`"api_version":"2099-01-01","data":{"object":{"object":"payment_intent","id":"%s"}}}`, d.made, intent)
	return strings.NewReplacer(change...).Replace(event)
}

// sign returns the signature header of a body at a time.
func sign(body, secret string, at time.Time) string {
	return fmt.Sprintf("t=%d,v1=%s", at.Unix(), hex.EncodeToString(webhook.ComputeSignature(at, []byte(body), secret)))
}

func (d *webhookEnv) post(body, signature string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(d.t.Context(), http.MethodPost, payment.WebhookPath, strings.NewReader(body))
	if signature != "" {
		r.Header.Set("Stripe-Signature", signature)
	}
	w := httptest.NewRecorder()
	d.hook.ServeHTTP(w, r)
	return w
}

// postSigned posts an event as Stripe does.
func (d *webhookEnv) postSigned(body string) *httptest.ResponseRecorder {
	return d.post(body, sign(body, boxWebhook, d.clock.Now()))
}

// wantAcknowledged fails the test unless the event was acknowledged.
func (d *webhookEnv) wantAcknowledged(answer *httptest.ResponseRecorder, duplicate bool) {
	d.t.Helper()
	var got payment.Received
	if err := json.Unmarshal(answer.Body.Bytes(), &got); err != nil || answer.Code != http.StatusOK || !got.Received || got.Duplicate != duplicate {
		d.t.Errorf("answered %d %s, want duplicate %v", answer.Code, answer.Body, duplicate)
	}
}

func TestWebhookEventIsVerifiedAtStripe(t *testing.T) {
	d := newWebhookEnv(t)
	for name, c := range map[string]struct {
		object string
		asks   bool
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
			body := d.event("", `{"object":"payment_intent","id":""}`, strings.ReplaceAll(c.object, "pi_ID", id))
			d.wantAcknowledged(d.postSigned(body), false)
			if (d.bank.times(id) == 1) != c.asks {
				t.Errorf("asked %d times", d.bank.times(id))
			}
		})
	}
}

func TestWebhookSignatures(t *testing.T) {
	d := newWebhookEnv(t)
	body, now := d.event("pi_1"), d.clock.Now()
	good := sign(body, boxWebhook, now)
	_, v1, _ := strings.Cut(good, ",")
	for name, signature := range map[string]string{
		"missing":                 "",
		"nonsense":                "nonsense",
		"without a time":          v1,
		"forged":                  sign(body, "whsec_another", now),
		"of another body":         sign(body+" ", boxWebhook, now),
		"with its time changed":   fmt.Sprintf("t=%d,%s", now.Unix()+1, v1),
		"with a second time":      fmt.Sprintf("t=%d,%s", now.Add(-time.Hour).Unix(), good),
		"with a fresher time":     fmt.Sprintf("t=%d,", now.Unix()) + sign(body, boxWebhook, now.Add(-time.Hour)),
		"old":                     sign(body, boxWebhook, now.Add(-5*time.Minute-time.Second)),
		"of the future":           sign(body, boxWebhook, now.Add(5*time.Minute+2*time.Second)),
		"of the far future":       sign(body, boxWebhook, now.Add(24*time.Hour)),
		"of the test scheme only": strings.Replace(good, "v1=", "v0=", 1),
	} {
		t.Run(name, func(t *testing.T) {
			if answer := d.post(body, signature); answer.Code != http.StatusBadRequest || !strings.Contains(answer.Body.String(), `"code":"bad_request"`) {
				t.Errorf("%d %s", answer.Code, answer.Body)
			}
		})
	}
	if d.bank.times("pi_1") != 0 {
		t.Errorf("asked %d times", d.bank.times("pi_1"))
	}
	if strings.Contains(d.log.String(), boxWebhook) || !strings.Contains(d.log.String(), "STRIPE_WEBHOOK_SECRET") {
		t.Errorf("the log says %s", d.log)
	}
	t.Run("a small clock difference is accepted", func(t *testing.T) {
		for _, off := range []time.Duration{-4 * time.Minute, 4 * time.Minute} {
			body := d.event("pi_2")
			d.wantAcknowledged(d.post(body, sign(body, boxWebhook, now.Add(off))), false)
		}
	})
	t.Run("and one of several signatures is enough", func(t *testing.T) {
		body := d.event("pi_3")
		_, other, _ := strings.Cut(sign(body, "whsec_retired", now), ",")
		d.wantAcknowledged(d.post(body, sign(body, boxWebhook, now)+","+other), false)
	})
	t.Run("signed, but no valid event", func(t *testing.T) {
		for _, body := range []string{"", "null", "[]", "{", `{"id":""}`, `{"id":"evt_x","data":7}`} {
			if answer := d.postSigned(body); answer.Code != http.StatusBadRequest {
				t.Errorf("%q: %d %s", body, answer.Code, answer.Body)
			}
		}
		d.wantAcknowledged(d.postSigned(`{"id":"evt_without_data"}`), false)
	})
	t.Run("413 for a large body", func(t *testing.T) {
		if answer := d.postSigned(strings.Repeat(" ", 1<<20) + d.event("pi_4")); answer.Code != http.StatusRequestEntityTooLarge {
			t.Errorf("%d %s", answer.Code, answer.Body)
		}
	})
}

func TestWebhookEventIsHandledOnce(t *testing.T) {
	d := newWebhookEnv(t)
	body := d.event("pi_1")
	d.wantAcknowledged(d.postSigned(body), false)
	for range 3 {
		d.clock.Pass(24 * time.Hour)
		d.wantAcknowledged(d.postSigned(body), true)
	}
	if n := d.bank.times("pi_1"); n != 1 {
		t.Errorf("asked %d times", n)
	}
	d.wantAcknowledged(d.postSigned(d.event("pi_1")), false) // another event about the same intent
	if n := d.bank.times("pi_1"); n != 2 {
		t.Errorf("asked %d times", n)
	}
	d.clock.Pass(31 * 24 * time.Hour)
	if n, err := d.store.PurgeRecords(t.Context(), d.clock.Now(), 100); err != nil || n != 2 {
		t.Errorf("%d of two events are forgotten in the end: %v", n, err)
	}
}

func TestConcurrentDeliveriesOfOneEvent(t *testing.T) {
	d := newWebhookEnv(t)
	body := d.event("pi_1")
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if answer := d.postSigned(body); answer.Code != http.StatusOK {
				t.Errorf("%d %s", answer.Code, answer.Body)
			}
		})
	}
	all.Wait()
	d.wantAcknowledged(d.postSigned(body), true)
}

// An event that could not be checked is neither acknowledged nor stored as handled.
func TestWebhookDuringStripeOutage(t *testing.T) {
	d := newWebhookEnv(t)
	body := d.event("pi_1")
	d.bank.answers(fmt.Errorf("look: %w", market.ErrPaymentsUnavailable))
	for range 2 {
		if answer := d.postSigned(body); answer.Code != http.StatusServiceUnavailable || answer.Header().Get("Retry-After") == "" {
			t.Fatalf("%d %s", answer.Code, answer.Body)
		}
	}
	d.bank.answers(market.ErrNoIntent)
	d.wantAcknowledged(d.postSigned(body), false)
	d.wantAcknowledged(d.postSigned(body), true)
}

func TestWebhookDuringStoreOutage(t *testing.T) {
	d := newWebhookEnv(t)
	must(t, d.store.Close())
	if answer := d.postSigned(d.event("pi_1")); answer.Code != http.StatusInternalServerError {
		t.Errorf("%d %s", answer.Code, answer.Body)
	}
}

func TestEventsOfOtherModeAreIgnored(t *testing.T) {
	for _, live := range []bool{false, true} {
		d := newWebhookEnv(t, func(c *payment.Config) { c.Live = live })
		for _, sent := range []bool{false, true} {
			d.wantAcknowledged(d.postSigned(d.event("pi_1", `"livemode":false`, fmt.Sprintf(`"livemode":%v`, sent))), false)
			if warned := strings.Contains(d.log.String(), "wrong mode"); sent != live && !warned {
				t.Error("no warning")
			}
		}
		if n := d.bank.times("pi_1"); n != 1 {
			t.Errorf("live %v: asked %d times", live, n)
		}
	}
}

func TestNoWebhookWithoutSecret(t *testing.T) {
	if _, err := payment.New(payment.Config{}); err == nil {
		t.Error("events can be signed without a secret")
	}
}

// A charge without a booking is logged for the operator and acknowledged, because a
// repetition would have the same result.
func TestChargeWithoutBookingIsLogged(t *testing.T) {
	problems := []string{}
	d := newWebhookEnv(t, func(c *payment.Config) {
		bank := markettest.NewBank()
		in, err := bank.OpenIntent(t.Context(), market.IntentRequest{BookingID: "lost", Cents: 100})
		must(t, err)
		bank.Change(in.ID, func(in *market.Intent) { in.ID, in.Ours, in.Status = "pi_lost", true, market.IntentSucceeded })
		c.Market = market.New(c.Records.(market.Store), c.Clock, market.Rules{}, renamed{bank, in.ID})
		c.Problem = func(name string) { problems = append(problems, name) }
	})
	event := d.event("pi_lost")
	d.wantAcknowledged(d.postSigned(event), false)
	d.wantAcknowledged(d.postSigned(event), true)
	if len(problems) != 1 || problems[0] != payment.ProblemUnknownBooking {
		t.Errorf("counted %q", problems)
	}
	if !strings.Contains(d.log.String(), "level=ERROR") || !strings.Contains(d.log.String(), "pi_lost") {
		t.Errorf("the log: %s", d.log)
	}
}

// An event about a pending refund is not stored as handled, so Stripe sends it again.
func TestPendingRefundEventIsRedelivered(t *testing.T) {
	bank := markettest.NewBank()
	var in market.Intent
	d := newWebhookEnv(t, func(c *payment.Config) {
		var err error
		in, err = bank.OpenIntent(t.Context(), market.IntentRequest{BookingID: "lost", Cents: 100})
		must(t, err)
		bank.Change(in.ID, func(in *market.Intent) { in.ID, in.Ours, in.Status = "pi_lost", true, market.IntentSucceeded })
		c.Market = market.New(c.Records.(market.Store), c.Clock, market.Rules{}, renamed{bank, in.ID})
	})
	d.wantAcknowledged(d.postSigned(d.event("pi_lost")), false)
	bank.FailRefund(in.ID)
	failed := d.event("pi_lost")
	for range 2 {
		if answer := d.postSigned(failed); answer.Code != http.StatusServiceUnavailable {
			t.Errorf("%d %s", answer.Code, answer.Body)
		}
	}
}

// renamed is a bank that has stored an intent under another ID.
type renamed struct {
	*markettest.Bank
	id string
}

func (r renamed) Intent(ctx context.Context, _ string) (market.Intent, error) {
	return r.Bank.Intent(ctx, r.id)
}

func (r renamed) Refund(ctx context.Context, _ string, attempt int) error {
	return r.Bank.Refund(ctx, r.id, attempt)
}
