package stripe_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"secondring/market/markettest"
)

func TestKeyRepeatsTheFirstResponse(t *testing.T) {
	e := newEnv(t)
	create := func(form url.Values) response { return e.post("/v1/payment_intents", form, "Idempotency-Key", "k") }
	invalid := order()
	invalid.Set("amount", "much")
	if a := create(invalid); a.status != http.StatusBadRequest {
		t.Errorf("an invalid amount: %d %s", a.status, a.body)
	}
	first := create(order()) // the invalid request has not used the key
	e.confirm(first, "pm_card_visa")
	e.Sandbox = e.newNode(e.store)
	again := create(order())
	if first.status != http.StatusOK || again.body != first.body || first.header.Get("Idempotent-Replayed") != "" || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the responses are %d %s and %v %s", first.status, first.body, again.header, again.body)
	}
	if a := create(invalid); a.status != http.StatusBadRequest || a.Type != "idempotency_error" {
		t.Errorf("other parameters: %d %s", a.status, a.body)
	}
	refund := func() response {
		return e.post("/v1/refunds", url.Values{"payment_intent": {e.intent().ID}}, "Idempotency-Key", "refund "+first.ID)
	}
	if refund(); refund().Type != "idempotency_error" {
		t.Error("the key of a refund is not bound to its intent")
	}
	e.clock.Pass(24*time.Hour + time.Second)
	later := create(order())
	if later.ID == first.ID || create(order()).ID != later.ID {
		t.Errorf("after a day: %s", later.body)
	}
}

func TestFailureIsRepeated(t *testing.T) {
	e := newEnv(t)
	i := e.intent()
	refund := func() response {
		return e.post("/v1/refunds", url.Values{"payment_intent": {i.ID}}, "Idempotency-Key", "k")
	}
	first := refund()
	e.confirm(i, "pm_card_visa")
	if a := refund(); a.status != http.StatusBadRequest || a.body != first.body || a.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the repeated failure is %d %s, want %s", a.status, a.body, first.body)
	}
}

func TestOneKeyOnManyNodesCreatesOneIntent(t *testing.T) {
	e := newEnv(t)
	ids := make([]string, 20)
	concurrently(len(ids), func(n int) {
		ids[n] = sendTo(t, e.newNode(e.store), http.MethodPost, "/v1/payment_intents", secretKey, order(), "Idempotency-Key", "k").ID
	})
	for _, id := range ids {
		if id == "" || id != ids[0] {
			t.Fatalf("the intents are %v, want one", ids)
		}
	}
}

// A process is killed before or after each write of a request. Its repetition does the work that is
// missing, and no work twice.
func TestRequestIsRepeatedAfterACrash(t *testing.T) {
	e := newEnv(t)
	errCrash := errors.New("the process was killed")
	for writes := range 4 {
		for _, isMade := range []bool{false, true} {
			name := fmt.Sprint(writes, isMade)
			// once sends a request to a process that is killed, and then again.
			once := func(path string, form url.Values) {
				t.Helper()
				crash := &markettest.Crash{Writes: writes, Made: isMade, Die: func() error { return errCrash }}
				sendTo(t, e.newNode(markettest.Guarded(e.store, crash.Guard)), http.MethodPost, path, secretKey, form, "Idempotency-Key", name)
				if a := e.post(path, form, "Idempotency-Key", name); a.status != http.StatusOK {
					t.Errorf("%s after %s: %d %s", path, name, a.status, a.body)
				}
			}
			intent := order()
			intent.Set("metadata[crash]", name)
			once("/v1/payment_intents", intent)
			i, account := e.paid("pm_card_visa"), e.account()
			name += " refund"
			once("/v1/refunds", url.Values{"payment_intent": {i.ID}, "amount": {"1000"}})
			if now := e.read(i); now.Charge.Refunded != 1000 {
				t.Errorf("%s: the intent is %s, want 1000 cents refunded", name, now.body)
			}
			name += " transfer"
			once("/v1/transfers", url.Values{
				"amount": {"900"}, "destination": {account}, "source_transaction": {i.Charge.ID}, "transfer_group": {name},
			})
			transfers := e.send(http.MethodGet, "/v1/transfers", secretKey, url.Values{"transfer_group": {name}})
			if len(transfers.Data) != 1 || transfers.Data[0].Amount != 900 {
				t.Errorf("%s: the transfers are %s, want one", name, transfers.body)
			}
			name += " dispute"
			disputed := e.paid("pm_card_createDispute")
			e.clock.Pass(time.Minute)
			must(t, e.Step(t.Context()))
			once("/v1/disputes/dp_"+strings.TrimPrefix(disputed.ID, "pi_"), url.Values{"evidence[uncategorized_text]": {"It was sent."}})
		}
	}
	intents := e.send(http.MethodGet, "/v1/payment_intents", secretKey, url.Values{"limit": {"100"}})
	if len(intents.Data) != 24 { // in each of eight rounds the one that was interrupted, the paid one and the disputed one
		t.Errorf("%d intents, want 24", len(intents.Data))
	}
}
