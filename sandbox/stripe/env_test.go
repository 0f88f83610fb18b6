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
	return newEnvWith(t, namespace{shared, rand.Text() + " "})
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
	e.Sandbox = e.newNode(e.records)
	e.stripe = library(e.Sandbox)
}

// newNode returns another sandbox process over these records.
func (e *env) newNode(records market.DocumentStore) *stripesandbox.Sandbox {
	e.t.Helper()
	s, err := stripesandbox.New(stripesandbox.Config{
		Records: records, Clock: e.clock, SecretKey: secretKey, PublishableKey: publishableKey, WebhookSecret: webhookSecret,
		Webhook: e.shop, Log: slog.New(slog.DiscardHandler),
	})
	must(e.t, err)
	return s
}

// library returns Stripe's library as a client of the sandbox.
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

// step runs the sandbox's jobs that are due.
func (e *env) step() {
	e.t.Helper()
	must(e.t, e.Step(e.t.Context()))
}

// intentParams returns the parameters of an intent.
func intentParams() *stripe.PaymentIntentParams {
	return &stripe.PaymentIntentParams{
		Amount: stripe.Int64(12300), Currency: new("usd"), ReceiptEmail: new("grace@example.com"),
		Description:             new("Nexus 5"),
		AutomaticPaymentMethods: &stripe.PaymentIntentAutomaticPaymentMethodsParams{Enabled: new(true)},
		Metadata:                map[string]string{"booking": "b1", "product": "p1"},
	}
}

// intent creates an intent.
func (e *env) intent() *stripe.PaymentIntent {
	e.t.Helper()
	i, err := e.stripe.PaymentIntents.New(intentParams())
	must(e.t, err)
	return i
}

// confirmedIntent creates an intent and confirms it with a payment method.
func (e *env) confirmedIntent(method string) *stripe.PaymentIntent {
	e.t.Helper()
	i := e.intent()
	if a := e.confirm(i, method); a.status != 200 {
		e.t.Fatalf("confirm with %s: %s", method, a.body)
	}
	return e.getIntent(i.ID)
}

// getIntent returns the current intent, with its latest charge and refunds.
func (e *env) getIntent(id string) *stripe.PaymentIntent {
	e.t.Helper()
	p := &stripe.PaymentIntentParams{}
	p.AddExpand("latest_charge")
	p.AddExpand("latest_charge.refunds")
	i, err := e.stripe.PaymentIntents.Get(id, p)
	must(e.t, err)
	return i
}

// response is a complete response. It has the fields of the error or of the intent in its body.
type response struct {
	status int
	header http.Header
	body   string
	apiError
	intent stripe.PaymentIntent
}

// apiError is the JSON of an error of Stripe's API.
type apiError struct {
	Type        string                `json:"type"`
	Code        string                `json:"code"`
	DeclineCode string                `json:"decline_code"`
	Message     string                `json:"message"`
	Param       string                `json:"param"`
	Charge      string                `json:"charge"`
	Intent      *stripe.PaymentIntent `json:"payment_intent"`
}

// send sends a request as a browser does. headers are pairs of name and value.
func (e *env) send(method, path, key string, form url.Values, headers ...string) response {
	e.t.Helper()
	return send(e.t, e.Sandbox, method, path, key, form, headers...)
}

func send(t *testing.T, s *stripesandbox.Sandbox, method, path, key string, form url.Values, headers ...string) response {
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
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := s.Client().Do(r)
	must(t, err)
	return read(t, res)
}

func read(t *testing.T, res *http.Response) response {
	t.Helper()
	body, err := io.ReadAll(res.Body)
	must(t, errors.Join(err, res.Body.Close()))
	a := response{status: res.StatusCode, header: res.Header, body: string(body)}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") {
		parsed := struct{ Error *apiError }{&a.apiError}
		must(t, json.Unmarshal(body, &parsed))
		if res.StatusCode == http.StatusOK {
			must(t, json.Unmarshal(body, &a.intent))
		}
	}
	return a
}

// confirm pays as the browser does, with a payment method's name.
func (e *env) confirm(i *stripe.PaymentIntent, method string) response {
	e.t.Helper()
	return e.send("POST", "/v1/payment_intents/"+i.ID+"/confirm", publishableKey,
		url.Values{"client_secret": {i.ClientSecret}, "payment_method": {method}})
}

// card returns a confirmation's form fields with the data of a card.
func card(i *stripe.PaymentIntent, number string) url.Values {
	return url.Values{
		"client_secret": {i.ClientSecret}, "payment_method_data[type]": {"card"},
		"payment_method_data[card][number]": {number}, "payment_method_data[card][exp_month]": {"12"},
		"payment_method_data[card][exp_year]": {"2040"}, "payment_method_data[card][cvc]": {"987"},
		"payment_method_data[billing_details][address][postal_code]": {"94107"},
	}
}

func (e *env) authenticate(i *stripe.PaymentIntent, outcome string) response {
	e.t.Helper()
	return e.send("POST", "/v1/payment_intents/"+i.ID+"/authenticate", publishableKey,
		url.Values{"client_secret": {i.ClientSecret}, "outcome": {outcome}})
}

// shop receives webhooks, and verifies each with Stripe's library.
type shop struct {
	t      *testing.T
	mu     sync.Mutex
	status func(e stripe.Event) int // the status of the response; nil for 200
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
	// The test's clock may be days ahead, so other tests check the age of the signature.
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

// setStatus sets the function that returns the status of a response; nil for 200.
func (s *shop) setStatus(status func(e stripe.Event) int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status = status
}

// take returns the deliveries since its last call.
func (s *shop) take() []delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	got := s.got
	s.got = nil
	return got
}

// eventTypes returns the types of the events since the last call, separated by spaces.
func (s *shop) eventTypes() string {
	types := []string{}
	for _, d := range s.take() {
		types = append(types, string(d.Type))
	}
	return strings.Join(types, " ")
}

func stripeError(t *testing.T, err error) *stripe.Error {
	t.Helper()
	var e *stripe.Error
	if !errors.As(err, &e) {
		t.Fatalf("the error %v is no stripe.Error", err)
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
