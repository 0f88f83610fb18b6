package stripe_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"secondring/market"
	stripesandbox "secondring/sandbox/stripe"
)

// intentForm returns the form of a request that creates an intent.
func intentForm() url.Values {
	return url.Values{"amount": {"5000"}, "currency": {"usd"}, "metadata[booking]": {"b1"}}
}

// createIntent creates an intent with this idempotency key.
func (e *env) createIntent(key string) response {
	e.t.Helper()
	return e.send("POST", "/v1/payment_intents", secretKey, intentForm(), "Idempotency-Key", key)
}

func TestKeyRepeatsFirstResponse(t *testing.T) {
	e := newEnv(t)
	first := e.createIntent("k1")
	if first.status != 200 || first.header.Get("Idempotent-Replayed") != "" || first.header.Get("Idempotency-Key") != "k1" {
		t.Fatalf("the first response is %d %v: %s", first.status, first.header, first.body)
	}
	i := first.intent
	e.confirm(&i, "pm_card_visa")
	e.restart()
	repeated := e.createIntent("k1")
	if repeated.status != 200 || repeated.body != first.body || repeated.header.Get("Idempotent-Replayed") != "true" ||
		repeated.header.Get("Original-Request") != first.header.Get("Request-Id") {
		t.Errorf("the repeated response is %d %v: %s, want the first: %s", repeated.status, repeated.header, repeated.body, first.body)
	}
	if other := e.createIntent("k2"); other.intent.ID == first.intent.ID {
		t.Error("another key returned the same intent")
	}
}

func TestKeyIsBoundToRequest(t *testing.T) {
	e := newEnv(t)
	i := e.createIntent("k").intent
	otherAmount := intentForm()
	otherAmount.Set("amount", "5001")
	for name, a := range map[string]response{
		"another amount": e.send("POST", "/v1/payment_intents", secretKey, otherAmount, "Idempotency-Key", "k"),
		"another call":   e.send("POST", "/v1/payment_intents/"+i.ID+"/cancel", secretKey, nil, "Idempotency-Key", "k"),
	} {
		if a.status != 400 || a.Type != "idempotency_error" {
			t.Errorf("%s: the response is %d %s, want 400", name, a.status, a.body)
		}
	}
	if now := e.getIntent(i.ID); now.Status != "requires_payment_method" {
		t.Errorf("the intent is %s", now.Status)
	}
}

func TestDeclineIsRepeated(t *testing.T) {
	e := newEnv(t)
	i := e.intent()
	form := url.Values{"client_secret": {i.ClientSecret}, "payment_method": {"pm_card_chargeDeclined"}}
	first := e.send("POST", "/v1/payment_intents/"+i.ID+"/confirm", publishableKey, form, "Idempotency-Key", "k")
	repeated := e.send("POST", "/v1/payment_intents/"+i.ID+"/confirm", publishableKey, form, "Idempotency-Key", "k")
	if first.status != 402 || repeated.status != 402 || repeated.body != first.body || repeated.header.Get("Idempotent-Replayed") == "" {
		t.Errorf("the repeated response is %d %s, want the first: %d %s", repeated.status, repeated.body, first.status, first.body)
	}
	if last := e.getIntent(i.ID).LatestCharge.ID; last != first.Charge {
		t.Errorf("the repeated request made the charge %s", last)
	}
	form.Set("payment_method", "pm_card_visa")
	if a := e.send("POST", "/v1/payment_intents/"+i.ID+"/confirm", publishableKey, form, "Idempotency-Key", "k"); a.Type != "idempotency_error" {
		t.Errorf("another card with that key: %d %s", a.status, a.body)
	}
}

func TestRefusedRequestDoesNotUseItsKey(t *testing.T) {
	e := newEnv(t)
	invalid := intentForm()
	invalid.Set("amount", "much")
	if a := e.send("POST", "/v1/payment_intents", secretKey, invalid, "Idempotency-Key", "k"); a.status != 400 {
		t.Fatalf("the response is %d %s, want 400", a.status, a.body)
	}
	if a := e.createIntent("k"); a.status != 200 {
		t.Errorf("the response is %d %s, want 200", a.status, a.body)
	}
	if a := e.createIntent(strings.Repeat("k", 256)); a.status != 400 {
		t.Errorf("a key of 256 characters: %d", a.status)
	}
}

func TestKeyExpiresAfterADay(t *testing.T) {
	e := newEnv(t)
	first := e.createIntent("k")
	e.clock.Pass(24*time.Hour - time.Second)
	if a := e.createIntent("k"); a.intent.ID != first.intent.ID {
		t.Errorf("within a day: %s", a.body)
	}
	e.clock.Pass(2 * time.Second)
	later := e.createIntent("k")
	if later.status != 200 || later.intent.ID == first.intent.ID || later.header.Get("Idempotent-Replayed") != "" {
		t.Errorf("after a day: %s", later.body)
	}
	if a := e.createIntent("k"); a.intent.ID != later.intent.ID {
		t.Errorf("the same key after that: %s", a.body)
	}
}

func TestKeysOfBrowsersAreSeparate(t *testing.T) {
	e := newEnv(t)
	first, second := e.intent(), e.intent()
	confirm := func(id, secret string) response {
		return e.send("POST", "/v1/payment_intents/"+id+"/confirm", publishableKey,
			url.Values{"client_secret": {secret}, "payment_method": {"pm_card_visa"}}, "Idempotency-Key", "k")
	}
	if a := confirm(first.ID, first.ClientSecret); a.status != 200 {
		t.Fatalf("the response is %d %s, want 200", a.status, a.body)
	}
	if a := confirm(second.ID, second.ClientSecret); a.status != 200 || a.intent.ID != second.ID {
		t.Errorf("the other browser: %d %s", a.status, a.body)
	}
	if a := confirm(first.ID, "guess"); a.status != 404 || strings.Contains(a.body, first.ClientSecret) {
		t.Errorf("a wrong client secret: %d %s", a.status, a.body)
	}
}

// blockingStore is a store that blocks its first write of an intent or an account.
type blockingStore struct {
	market.DocumentStore
	blocked, release chan struct{} // closed when it blocks, and to end that
	once             sync.Once
}

func (s *blockingStore) block(r market.Record) {
	if r.Kind == "stripe.intent" || r.Kind == "stripe.account" {
		s.once.Do(func() {
			close(s.blocked)
			<-s.release
		})
	}
}

func (s *blockingStore) AddRecord(ctx context.Context, r market.Record, effects []market.Effect) error {
	s.block(r)
	return s.DocumentStore.AddRecord(ctx, r, effects)
}

func (s *blockingStore) SaveRecord(ctx context.Context, r market.Record) error {
	s.block(r)
	return s.DocumentStore.SaveRecord(ctx, r)
}

func TestKeyIsLockedDuringRequest(t *testing.T) {
	e := newEnv(t)
	store := &blockingStore{DocumentStore: e.records, blocked: make(chan struct{}), release: make(chan struct{})}
	node := e.newNode(store)
	first := make(chan response)
	go func() {
		first <- send(t, node, "POST", "/v1/payment_intents", secretKey, intentForm(), "Idempotency-Key", "k")
	}()
	<-store.blocked
	a := send(t, node, "POST", "/v1/payment_intents", secretKey, intentForm(), "Idempotency-Key", "k")
	if a.status != 409 || a.Code != "idempotency_key_in_use" {
		t.Errorf("the response is %d %s, want 409", a.status, a.body)
	}
	// Another node does not see the lock. Both create the same intent, which is stored once.
	other := e.createIntent("k")
	close(store.release)
	if a := <-first; a.status != 200 || a.body != other.body {
		t.Errorf("%d %s, on the other node %s", a.status, a.body, other.body)
	}
}

// Two nodes handle one request. Both return the same link, and it is valid.
func TestRepeatedCallKeepsItsLink(t *testing.T) {
	e := newEnv(t)
	store := &blockingStore{DocumentStore: e.records, blocked: make(chan struct{}), release: make(chan struct{})}
	node := e.newNode(store)
	form := url.Values{
		"account": {e.newAccount(false).ID}, "type": {"account_onboarding"},
		"return_url": {"https://shop.example.com/earnings"}, "refresh_url": {"https://shop.example.com/again"},
	}
	first := make(chan response)
	go func() { first <- send(t, node, "POST", "/v1/account_links", secretKey, form, "Idempotency-Key", "k") }()
	<-store.blocked
	other := e.send("POST", "/v1/account_links", secretKey, form, "Idempotency-Key", "k")
	close(store.release)
	if a := <-first; a.status != 200 || a.body != other.body {
		t.Errorf("%d %s, on the other node %s", a.status, a.body, other.body)
	}
	var link struct{ URL string }
	must(t, json.Unmarshal([]byte(other.body), &link))
	_, path, _ := strings.Cut(link.URL, stripesandbox.Path)
	if status, _, _ := e.browse(http.MethodGet, path, nil); status != 200 {
		t.Errorf("the page of the link has status %d, want 200", status)
	}
}
