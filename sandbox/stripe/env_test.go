package stripe_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76"
	"github.com/stripe/stripe-go/v76/client"
	"github.com/stripe/stripe-go/v76/webhook"

	"secondring/market"
	"secondring/market/markettest"
	stripesandbox "secondring/sandbox/stripe"
)

var secretKey, publishableKey, webhookSecret = stripesandbox.Keys([]byte("a secret of the test"))

// env is a sandbox over a real store, with Stripe's own library as its client.
type env struct {
	*stripesandbox.Sandbox
	t       *testing.T
	records market.DocumentStore
	clock   *markettest.Clock
	shop    *shop
	stripe  *client.API
}

func newEnv(t *testing.T) *env {
	t.Helper()
	return newEnvWith(t, room{shared, rand.Text() + " "})
}

func newEnvWith(t *testing.T, records market.DocumentStore) *env {
	t.Helper()
	e := &env{
		t: t, records: records, shop: &shop{t: t}, clock: markettest.NewClock(time.Now().Truncate(time.Millisecond)),
	}
	e.restart()
	return e
}

// restart replaces the sandbox, as a new process would.
func (e *env) restart() {
	e.t.Helper()
	e.Sandbox = e.over(e.records)
	e.stripe = library(e.Sandbox)
}

// over is one more node, over the same or a broken store.
func (e *env) over(records market.DocumentStore) *stripesandbox.Sandbox {
	e.t.Helper()
	s, err := stripesandbox.New(stripesandbox.Config{
		Records: records, Clock: e.clock, SecretKey: secretKey, PublishableKey: publishableKey, WebhookSecret: webhookSecret,
		Webhook: e.shop, Log: slog.New(slog.DiscardHandler),
	})
	must(e.t, err)
	return s
}

func library(s *stripesandbox.Sandbox) *client.API {
	return client.New(secretKey, &stripe.Backends{API: stripe.GetBackendWithConfig(stripe.APIBackend, &stripe.BackendConfig{
		URL: stripe.String("http://sandbox.example.com" + stripesandbox.Path), HTTPClient: s.Client(),
		MaxNetworkRetries: stripe.Int64(0), LeveledLogger: &stripe.LeveledLogger{Level: stripe.LevelNull},
	})})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// step does what is due.
func (e *env) step() {
	e.t.Helper()
	must(e.t, e.Step(e.t.Context()))
}

// order is an intent's parameters.
func order() *stripe.PaymentIntentParams {
	return &stripe.PaymentIntentParams{
		Amount: stripe.Int64(12300), Currency: new("usd"), ReceiptEmail: new("grace@example.com"),
		Description:             new("Nexus 5"),
		AutomaticPaymentMethods: &stripe.PaymentIntentAutomaticPaymentMethodsParams{Enabled: new(true)},
		Metadata:                map[string]string{"booking": "b1", "product": "p1"},
	}
}

// intent makes one.
func (e *env) intent() *stripe.PaymentIntent {
	e.t.Helper()
	i, err := e.stripe.PaymentIntents.New(order())
	must(e.t, err)
	return i
}

// paid makes one and pays it.
func (e *env) paid(method string) *stripe.PaymentIntent {
	e.t.Helper()
	i := e.intent()
	if a := e.confirm(i, method); a.status != 200 {
		e.t.Fatalf("confirm with %s: %s", method, a.body)
	}
	return e.now(i.ID)
}

// now returns the current intent.
func (e *env) now(id string) *stripe.PaymentIntent {
	e.t.Helper()
	p := &stripe.PaymentIntentParams{}
	p.AddExpand("latest_charge")
	p.AddExpand("latest_charge.refunds")
	i, err := e.stripe.PaymentIntents.Get(id, p)
	must(e.t, err)
	return i
}

// answer is what a call got.
type answer struct {
	status int
	header http.Header
	body   string
	problem
	intent stripe.PaymentIntent
}

// problem is an error, as it is on the wire.
type problem struct {
	Type        string                `json:"type"`
	Code        string                `json:"code"`
	DeclineCode string                `json:"decline_code"`
	Message     string                `json:"message"`
	Param       string                `json:"param"`
	Charge      string                `json:"charge"`
	Intent      *stripe.PaymentIntent `json:"payment_intent"`
}

// send makes a call as a browser would. Headers are given as name and value in
// turn.
func (e *env) send(method, path, key string, form url.Values, headers ...string) answer {
	e.t.Helper()
	return send(e.t, e.Sandbox, method, path, key, form, headers...)
}

func send(t *testing.T, s *stripesandbox.Sandbox, method, path, key string, form url.Values, headers ...string) answer {
	t.Helper()
	body := io.Reader(http.NoBody)
	if method == http.MethodGet {
		path += "?" + form.Encode()
	} else {
		body = strings.NewReader(form.Encode())
	}
	r, err := http.NewRequestWithContext(t.Context(), method, "http://shop.example.com"+stripesandbox.Path+path, body)
	must(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	for at := 0; at < len(headers); at += 2 {
		r.Header.Set(headers[at], headers[at+1])
	}
	res, err := s.Client().Do(r)
	must(t, err)
	return read(t, res)
}

func read(t *testing.T, res *http.Response) answer {
	t.Helper()
	body, err := io.ReadAll(res.Body)
	must(t, errors.Join(err, res.Body.Close()))
	a := answer{status: res.StatusCode, header: res.Header, body: string(body)}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") {
		whole := struct{ Error *problem }{&a.problem}
		must(t, json.Unmarshal(body, &whole))
		if res.StatusCode == http.StatusOK {
			must(t, json.Unmarshal(body, &a.intent))
		}
	}
	return a
}

// confirm pays as the browser does, with a payment method's name.
func (e *env) confirm(i *stripe.PaymentIntent, method string) answer {
	e.t.Helper()
	return e.send("POST", "/v1/payment_intents/"+i.ID+"/confirm", publishableKey,
		url.Values{"client_secret": {i.ClientSecret}, "payment_method": {method}})
}

// card are the fields of a card, brought along with a confirmation.
func card(i *stripe.PaymentIntent, number string) url.Values {
	return url.Values{
		"client_secret": {i.ClientSecret}, "payment_method_data[type]": {"card"},
		"payment_method_data[card][number]": {number}, "payment_method_data[card][exp_month]": {"12"},
		"payment_method_data[card][exp_year]": {"2040"}, "payment_method_data[card][cvc]": {"987"},
		"payment_method_data[billing_details][address][postal_code]": {"94107"},
	}
}

func (e *env) authenticate(i *stripe.PaymentIntent, outcome string) answer {
	e.t.Helper()
	return e.send("POST", "/v1/payment_intents/"+i.ID+"/authenticate", publishableKey,
		url.Values{"client_secret": {i.ClientSecret}, "outcome": {outcome}})
}

// shop takes webhooks, and checks each with Stripe's library.
type shop struct {
	t      *testing.T
	mu     sync.Mutex
	status func(e stripe.Event) int // nil: 200
	got    []delivery
}

type delivery struct {
	stripe.Event
	body, signature string
}

// ServeHTTP implements http.Handler.
func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.URL.Path != "/stripe/webhook" || r.Method != http.MethodPost {
		s.t.Errorf("webhook %s %s: %v", r.Method, r.URL, err)
	}
	signature := r.Header.Get("Stripe-Signature")
	// The tests' clock may be days ahead: the age is checked apart.
	e, err := webhook.ConstructEventWithOptions(body, signature, webhookSecret, webhook.ConstructEventOptions{IgnoreTolerance: true})
	if err != nil {
		s.t.Errorf("webhook: %v", err)
	}
	s.mu.Lock()
	s.got = append(s.got, delivery{e, string(body), signature})
	status := s.status
	s.mu.Unlock()
	if status != nil {
		w.WriteHeader(status(e))
	}
}

// answers sets what the shop says to an event.
func (s *shop) answers(status func(e stripe.Event) int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status = status
}

// take returns what came since the last time.
func (s *shop) take() []delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	got := s.got
	s.got = nil
	return got
}

// kinds are the types of what came since the last time.
func (s *shop) kinds() string {
	kinds := []string{}
	for _, d := range s.take() {
		kinds = append(kinds, string(d.Type))
	}
	return strings.Join(kinds, " ")
}

func stripeError(t *testing.T, err error) *stripe.Error {
	t.Helper()
	var e *stripe.Error
	if !errors.As(err, &e) {
		t.Fatalf("%v is no error of Stripe's", err)
	}
	return e
}

// background runs the sandbox until the test ends.
func (e *env) background(s *stripesandbox.Sandbox) {
	ctx, cancel := context.WithCancel(e.t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Run(ctx)
	}()
	e.t.Cleanup(func() {
		cancel()
		<-done
	})
}
