package stripe_test

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

// plain are the parameters of an intent, as they are sent.
func plain() url.Values {
	return url.Values{"amount": {"5000"}, "currency": {"usd"}, "metadata[booking]": {"b1"}}
}

func TestKeyRepeatsFirstResponse(t *testing.T) {
	e := newEnv(t)
	first := e.send("POST", "/v1/payment_intents", secretKey, plain(), "Idempotency-Key", "k1")
	if first.status != 200 || first.header.Get("Idempotent-Replayed") != "" || first.header.Get("Idempotency-Key") != "k1" {
		t.Fatalf("%d %v: %s", first.status, first.header, first.body)
	}
	i := first.intent
	e.confirm(&i, "pm_card_visa")
	e.restart()
	again := e.send("POST", "/v1/payment_intents", secretKey, plain(), "Idempotency-Key", "k1")
	if again.status != 200 || again.body != first.body || again.header.Get("Idempotent-Replayed") != "true" ||
		again.header.Get("Original-Request") != first.header.Get("Request-Id") {
		t.Errorf("%d %v: %s, first: %s", again.status, again.header, again.body, first.body)
	}
	if other := e.send("POST", "/v1/payment_intents", secretKey, plain(), "Idempotency-Key", "k2"); other.intent.ID == first.intent.ID {
		t.Error("another key led to the same intent")
	}
}

func TestKeyIsBoundToRequest(t *testing.T) {
	e := newEnv(t)
	i := e.send("POST", "/v1/payment_intents", secretKey, plain(), "Idempotency-Key", "k").intent
	dearer := plain()
	dearer.Set("amount", "5001")
	for name, a := range map[string]answer{
		"another amount": e.send("POST", "/v1/payment_intents", secretKey, dearer, "Idempotency-Key", "k"),
		"another call":   e.send("POST", "/v1/payment_intents/"+i.ID+"/cancel", secretKey, nil, "Idempotency-Key", "k"),
	} {
		if a.status != 400 || a.Type != "idempotency_error" {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	if now := e.now(i.ID); now.Status != "requires_payment_method" {
		t.Errorf("the intent is %s", now.Status)
	}
}

func TestDeclineIsRepeated(t *testing.T) {
	e := newEnv(t)
	i := e.intent()
	form := url.Values{"client_secret": {i.ClientSecret}, "payment_method": {"pm_card_chargeDeclined"}}
	first := e.send("POST", "/v1/payment_intents/"+i.ID+"/confirm", publishableKey, form, "Idempotency-Key", "k")
	again := e.send("POST", "/v1/payment_intents/"+i.ID+"/confirm", publishableKey, form, "Idempotency-Key", "k")
	if first.status != 402 || again.status != 402 || again.body != first.body || again.header.Get("Idempotent-Replayed") == "" {
		t.Errorf("%d %s, first: %d %s", again.status, again.body, first.status, first.body)
	}
	if last := e.now(i.ID).LatestCharge.ID; last != first.Charge {
		t.Errorf("there is a second charge %s", last)
	}
	form.Set("payment_method", "pm_card_visa")
	if a := e.send("POST", "/v1/payment_intents/"+i.ID+"/confirm", publishableKey, form, "Idempotency-Key", "k"); a.Type != "idempotency_error" {
		t.Errorf("another card with that key: %d %s", a.status, a.body)
	}
}

func TestRefusedRequestDoesNotUseItsKey(t *testing.T) {
	e := newEnv(t)
	wrong := plain()
	wrong.Set("amount", "much")
	if a := e.send("POST", "/v1/payment_intents", secretKey, wrong, "Idempotency-Key", "k"); a.status != 400 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if a := e.send("POST", "/v1/payment_intents", secretKey, plain(), "Idempotency-Key", "k"); a.status != 200 {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := e.send("POST", "/v1/payment_intents", secretKey, plain(), "Idempotency-Key", strings.Repeat("k", 256)); a.status != 400 {
		t.Errorf("a key of 256 characters: %d", a.status)
	}
}

func TestKeyExpiresAfterADay(t *testing.T) {
	e := newEnv(t)
	first := e.send("POST", "/v1/payment_intents", secretKey, plain(), "Idempotency-Key", "k")
	e.clock.Pass(24*time.Hour - time.Second)
	if a := e.send("POST", "/v1/payment_intents", secretKey, plain(), "Idempotency-Key", "k"); a.intent.ID != first.intent.ID {
		t.Errorf("within the day: %s", a.body)
	}
	e.clock.Pass(2 * time.Second)
	later := e.send("POST", "/v1/payment_intents", secretKey, plain(), "Idempotency-Key", "k")
	if later.status != 200 || later.intent.ID == first.intent.ID || later.header.Get("Idempotent-Replayed") != "" {
		t.Errorf("after it: %s", later.body)
	}
	if a := e.send("POST", "/v1/payment_intents", secretKey, plain(), "Idempotency-Key", "k"); a.intent.ID != later.intent.ID {
		t.Errorf("and again: %s", a.body)
	}
}

func TestKeysOfBrowsersAreSeparate(t *testing.T) {
	e := newEnv(t)
	mine, theirs := e.intent(), e.intent()
	confirm := func(id, secret string) answer {
		return e.send("POST", "/v1/payment_intents/"+id+"/confirm", publishableKey,
			url.Values{"client_secret": {secret}, "payment_method": {"pm_card_visa"}}, "Idempotency-Key", "k")
	}
	if a := confirm(mine.ID, mine.ClientSecret); a.status != 200 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if a := confirm(theirs.ID, theirs.ClientSecret); a.status != 200 || a.intent.ID != theirs.ID {
		t.Errorf("theirs: %d %s", a.status, a.body)
	}
	if a := confirm(mine.ID, "guess"); a.status != 404 || strings.Contains(a.body, mine.ClientSecret) {
		t.Errorf("a guess: %d %s", a.status, a.body)
	}
}

// held is a store that stops a writer until it is let go.
type held struct {
	market.DocumentStore
	began, goOn chan struct{}
}

func (h *held) AddRecord(ctx context.Context, r market.Record, events []market.Event) error {
	if r.Kind == "stripe.intent" {
		close(h.began)
		<-h.goOn
	}
	return h.DocumentStore.AddRecord(ctx, r, events)
}

func TestKeyIsLockedDuringRequest(t *testing.T) {
	e := newEnv(t)
	h := &held{e.records, make(chan struct{}), make(chan struct{})}
	s := e.over(h)
	first := make(chan answer)
	go func() { first <- send(t, s, "POST", "/v1/payment_intents", secretKey, plain(), "Idempotency-Key", "k") }()
	<-h.began
	a := send(t, s, "POST", "/v1/payment_intents", secretKey, plain(), "Idempotency-Key", "k")
	if a.status != 409 || a.Code != "idempotency_key_in_use" {
		t.Errorf("%d %s", a.status, a.body)
	}
	// Another node cannot know. It does the same work, and it is done once.
	elsewhere := e.send("POST", "/v1/payment_intents", secretKey, plain(), "Idempotency-Key", "k")
	close(h.goOn)
	if a := <-first; a.status != 200 || a.body != elsewhere.body {
		t.Errorf("%d %s, elsewhere %s", a.status, a.body, elsewhere.body)
	}
}
