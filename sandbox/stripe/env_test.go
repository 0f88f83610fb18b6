package stripe_test

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76"
	"github.com/stripe/stripe-go/v76/webhook"

	"secondring/market"
	"secondring/market/markettest"
	stripesandbox "secondring/sandbox/stripe"
	"secondring/store/sqlite/sqlitetest"
)

var secretKey, publishableKey, webhookSecret = stripesandbox.Keys([]byte("a secret of the test"))

// env is a sandbox over a real store.
type env struct {
	*stripesandbox.Sandbox
	t     *testing.T
	store market.Store
	clock *markettest.Clock
	shop  *shop
}

func newEnv(t *testing.T) *env {
	t.Helper()
	e := &env{t: t, clock: markettest.NewClock(time.Now().Truncate(time.Second)), shop: &shop{t: t}}
	store, err := sqlitetest.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
	must(t, err)
	t.Cleanup(func() { must(t, store.Close()) })
	e.store = store
	e.Sandbox = e.newNode(store)
	return e
}

// newNode returns another sandbox process over a store.
func (e *env) newNode(store market.Store) *stripesandbox.Sandbox {
	return stripesandbox.New(stripesandbox.Config{
		Records: store, Clock: e.clock, SecretKey: secretKey, PublishableKey: publishableKey, WebhookSecret: webhookSecret,
		Webhook: e.shop, Log: slog.New(slog.DiscardHandler),
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// step does the work of the sandbox that is due after a time.
func (e *env) step(after time.Duration) {
	e.t.Helper()
	e.clock.Pass(after)
	must(e.t, e.Step(e.t.Context()))
}

// response is a response, and the fields of the object or the error in its body.
type response struct {
	status int
	header http.Header
	body   string

	ID     string
	Status string
	Secret string `json:"client_secret"`
	Code   string
	Type   string
	Charge struct {
		ID       string
		Refunded int `json:"amount_refunded"`
	} `json:"latest_charge"`
	Decline string `json:"decline_code"`
	Message string
	URL     string
	Data    []struct{ Amount int }
}

// send sends a request to the sandbox. headers are pairs of name and value.
func (e *env) send(method, path, key string, form url.Values, headers ...string) response {
	e.t.Helper()
	return sendTo(e.t, e.Sandbox, method, path, key, form, headers...)
}

func sendTo(t *testing.T, s *stripesandbox.Sandbox, method, path, key string, form url.Values, headers ...string) response {
	t.Helper()
	body := form.Encode()
	if method == http.MethodGet && body != "" {
		path += "?" + body
	}
	r, err := http.NewRequestWithContext(t.Context(), method, "http://shop.example.com"+stripesandbox.Path+path, strings.NewReader(body))
	must(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Authorization", "Bearer "+key)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := s.Client().Transport.RoundTrip(r) // does not follow a redirect
	must(t, err)
	raw, err := io.ReadAll(res.Body)
	must(t, errors.Join(err, res.Body.Close()))
	a := response{status: res.StatusCode, header: res.Header, body: string(raw)}
	if res.Header.Get("Content-Type") == "application/json" {
		content := raw
		var failed struct{ Error json.RawMessage }
		must(t, json.Unmarshal(raw, &failed))
		if failed.Error != nil {
			content = failed.Error
		}
		_ = json.Unmarshal(content, &a) // latest_charge may be an ID
	}
	return a
}

// post sends a POST with the secret key.
func (e *env) post(path string, form url.Values, headers ...string) response {
	e.t.Helper()
	return e.send(http.MethodPost, path, secretKey, form, headers...)
}

// order returns the parameters of an intent of 120 dollars.
func order() url.Values {
	return url.Values{"amount": {"12000"}, "currency": {"usd"}, "metadata[booking]": {"b1"}}
}

func (e *env) intent() response {
	e.t.Helper()
	return e.post("/v1/payment_intents", order())
}

// confirm pays as a browser does, with the name of a payment method.
func (e *env) confirm(i response, method string) response {
	e.t.Helper()
	return e.browser(i, "confirm", url.Values{"payment_method": {method}})
}

// browser sends a request about an intent as a browser does.
func (e *env) browser(i response, step string, form url.Values) response {
	e.t.Helper()
	form.Set("client_secret", i.Secret)
	return e.send(http.MethodPost, "/v1/payment_intents/"+i.ID+"/"+step, publishableKey, form)
}

// paid returns an intent that was paid with a payment method.
func (e *env) paid(method string) response {
	e.t.Helper()
	i := e.intent()
	if a := e.confirm(i, method); a.Status != "succeeded" {
		e.t.Fatalf("with %s the intent is %s", method, a.body)
	}
	return e.read(i)
}

// read reads an intent with its charge and refunds.
func (e *env) read(i response) response {
	e.t.Helper()
	return e.send(http.MethodGet, "/v1/payment_intents/"+i.ID, secretKey, url.Values{"expand[]": {"latest_charge.refunds"}})
}

// account creates a connected account that is ready for transfers, and returns its ID.
func (e *env) account() string {
	e.t.Helper()
	id := e.post("/v1/accounts", url.Values{"type": {"express"}}).ID
	if a := e.submit(e.link(id), "complete"); a.status != http.StatusSeeOther {
		e.t.Fatalf("the form's response is %d %s", a.status, a.body)
	}
	return id
}

// link returns the path and the query of a new onboarding link.
func (e *env) link(account string) string {
	e.t.Helper()
	a := e.post("/v1/account_links", url.Values{
		"account": {account}, "return_url": {"https://shop.example.com/earnings"}, "refresh_url": {"https://shop.example.com/again"},
	})
	_, path, _ := strings.Cut(a.URL, stripesandbox.Path)
	return path
}

// submit sends the form of an onboarding page.
func (e *env) submit(link, action string) response {
	e.t.Helper()
	path, token, _ := strings.Cut(link, "?link=")
	return e.send(http.MethodPost, path, "", url.Values{"link": {token}, "action": {action}})
}

// shop receives webhooks, and verifies each with Stripe's library.
type shop struct {
	t        *testing.T
	mu       sync.Mutex
	isClosed bool // every event is refused
	got      []stripe.Event
}

// ServeHTTP implements http.Handler.
func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.URL.Path != "/stripe/webhook" {
		s.t.Errorf("webhook %s: %v", r.URL, err)
	}
	// The clock of the test may be ahead.
	event, err := webhook.ConstructEventWithOptions(body, r.Header.Get("Stripe-Signature"), webhookSecret, webhook.ConstructEventOptions{IgnoreTolerance: true})
	if err != nil {
		s.t.Errorf("webhook: %v", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, event)
	if s.isClosed {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}

// take returns the events since its last call.
func (s *shop) take() []stripe.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	got := s.got
	s.got = nil
	return got
}

// concurrently calls a function n times in parallel, each time with another number.
func concurrently(n int, do func(i int)) {
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { do(i) })
	}
	group.Wait()
}
