package stripe_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76"

	"secondring/market"
	"secondring/store/sqlite/sqlitetest"
)

var errCrash = errors.New("the process crashed")

// crashingStore is a store whose writes all fail after a number of writes, as if the process
// had crashed. The first write that fails may still be stored.
type crashingStore struct {
	market.DocumentStore
	left   int  // writes before the crash
	stored bool // whether the first write that fails is stored
	mu     sync.Mutex
}

func (c *crashingStore) write(do func() error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left < 0 {
		return errCrash
	}
	c.left--
	if c.left >= 0 {
		return do()
	}
	if c.stored {
		_ = do() // the caller does not get the result
	}
	return errCrash
}

func (c *crashingStore) AddRecord(ctx context.Context, r market.Record, effects []market.Effect) error {
	return c.write(func() error { return c.DocumentStore.AddRecord(ctx, r, effects) })
}

func (c *crashingStore) SaveRecord(ctx context.Context, r market.Record) error {
	return c.write(func() error { return c.DocumentStore.SaveRecord(ctx, r) })
}

// testCrashes runs a test with a crash at each of the first writes.
func testCrashes(t *testing.T, writes int, test func(t *testing.T, e *env, crashing *crashingStore)) {
	for left := range writes + 1 {
		for _, stored := range []bool{false, true} {
			t.Run(fmt.Sprintf("write %d, stored %t", left+1, stored), func(t *testing.T) {
				e := newEnv(t)
				test(t, e, &crashingStore{DocumentStore: e.records, left: left, stored: stored})
			})
		}
	}
}

func TestCrashDuringCreate(t *testing.T) {
	testCrashes(t, 3, func(t *testing.T, e *env, crashing *crashingStore) {
		crashed := send(t, e.newNode(crashing), "POST", "/v1/payment_intents", secretKey, intentForm(), "Idempotency-Key", "k")
		if crashing.left < 0 && crashed.status != 500 {
			t.Errorf("the response during the crash has status %d, want 500", crashed.status)
		}
		otherAmount := intentForm()
		otherAmount.Set("amount", "6000")
		if crashing.left < 2 && (crashing.left >= 0 || crashed.status == 200) {
			if a := e.send("POST", "/v1/payment_intents", secretKey, otherAmount, "Idempotency-Key", "k"); a.Type != "idempotency_error" {
				t.Errorf("other parameters with the same key: %d %s", a.status, a.body)
			}
		}
		a := e.createIntent("k")
		repeated := e.createIntent("k")
		if a.status != 200 || repeated.body != a.body || crashed.status == 200 && crashed.body != a.body {
			t.Fatalf("the response is %d %s, the repeated one %s", a.status, a.body, repeated.body)
		}
		e.step()
		if got := e.shop.eventTypes(); got != "payment_intent.created" {
			t.Errorf("the events are %q", got)
		}
	})
}

func TestCrashDuringConfirm(t *testing.T) {
	for method, events := range map[string]string{
		"pm_card_visa":           "payment_intent.created charge.succeeded payment_intent.succeeded",
		"pm_card_chargeDeclined": "payment_intent.created payment_intent.payment_failed",
	} {
		testCrashes(t, 3, func(t *testing.T, e *env, crashing *crashingStore) {
			i := e.intent()
			form := url.Values{"client_secret": {i.ClientSecret}, "payment_method": {method}}
			confirm := "/v1/payment_intents/" + i.ID + "/confirm"
			send(t, e.newNode(crashing), "POST", confirm, publishableKey, form, "Idempotency-Key", "k")
			if now := e.getIntent(i.ID); now.Status == "succeeded" != (now.AmountReceived > 0) || now.Status == "succeeded" && !now.LatestCharge.Paid {
				t.Errorf("the intent is partly changed: %+v", now)
			}
			a := e.send("POST", confirm, publishableKey, form, "Idempotency-Key", "k")
			repeated := e.send("POST", confirm, publishableKey, form, "Idempotency-Key", "k")
			if a.status != 200 && a.status != 402 || repeated.body != a.body {
				t.Errorf("the response is %d %s, the repeated one %s", a.status, a.body, repeated.body)
			}
			e.step()
			if got := e.shop.eventTypes(); got != events {
				t.Errorf("the events are %q", got)
			}
		})
	}
}

func TestCrashDuringRefund(t *testing.T) {
	testCrashes(t, 3, func(t *testing.T, e *env, crashing *crashingStore) {
		i := e.confirmedIntent("pm_card_visa")
		form := url.Values{"payment_intent": {i.ID}, "amount": {"1000"}}
		send(t, e.newNode(crashing), "POST", "/v1/refunds", secretKey, form, "Idempotency-Key", "k")
		a := e.send("POST", "/v1/refunds", secretKey, form, "Idempotency-Key", "k")
		if now := e.getIntent(i.ID); a.status != 200 || now.LatestCharge.AmountRefunded != 1000 {
			t.Errorf("the response is %d %s, %d cents are refunded", a.status, a.body, now.LatestCharge.AmountRefunded)
		}
	})
}

// The response is the same after any further changes of the intent.
func TestLostRefundResponseIsRepeated(t *testing.T) {
	e := newEnv(t)
	i := e.confirmedIntent("pm_card_visa")
	form := url.Values{"payment_intent": {i.ID}, "amount": {"1000"}}
	crashing := &crashingStore{DocumentStore: e.records, left: 1, stored: true} // stores the key and the intent, but not the response
	if a := send(t, e.newNode(crashing), "POST", "/v1/refunds", secretKey, form, "Idempotency-Key", "k"); a.status != 500 {
		t.Fatalf("the response during the crash has status %d, want 500", a.status)
	}
	for n := range 25 {
		cent := url.Values{"payment_intent": {i.ID}, "amount": {"1"}}
		e.send("POST", "/v1/refunds", secretKey, cent, "Idempotency-Key", fmt.Sprint("cent ", n))
	}
	a := e.send("POST", "/v1/refunds", secretKey, form, "Idempotency-Key", "k")
	if now := e.getIntent(i.ID); a.status != 200 || now.LatestCharge.AmountRefunded != 1025 {
		t.Errorf("the response is %d %s, %d cents are refunded", a.status, a.body, now.LatestCharge.AmountRefunded)
	}
}

func TestCrashDuringWebhookDelivery(t *testing.T) {
	testCrashes(t, 5, func(t *testing.T, e *env, crashing *crashingStore) {
		i := e.confirmedIntent("pm_card_visa")
		err := e.newNode(crashing).Step(t.Context())
		if err != nil && !errors.Is(err, errCrash) {
			t.Fatal(err)
		}
		before := e.shop.take()
		for range 4 {
			e.clock.Pass(time.Second)
			e.step()
		}
		seen, types := map[string]bool{}, []string{}
		for _, d := range append(before, e.shop.take()...) {
			if !seen[d.ID] {
				types = append(types, string(d.Type))
			}
			seen[d.ID] = true
		}
		if got := strings.Join(types, " "); got != "payment_intent.created charge.succeeded payment_intent.succeeded" {
			t.Errorf("the events of %s are %q", i.ID, got)
		}
	})
}

// concurrently calls a function n times in parallel, each time with another number.
func (e *env) concurrently(n int, do func(i int)) {
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { do(i) })
	}
	group.Wait()
}

func TestConcurrentConfirmsChargeOnce(t *testing.T) {
	e := newEnv(t)
	i, other := e.intent(), e.newNode(e.records)
	var paid, refused atomic.Int32
	e.concurrently(100, func(n int) {
		node := e.Sandbox
		if n%2 == 0 {
			node = other
		}
		a := send(t, node, "POST", "/v1/payment_intents/"+i.ID+"/confirm", publishableKey,
			url.Values{"client_secret": {i.ClientSecret}, "payment_method": {"pm_card_visa"}})
		switch {
		case a.status == 200:
			paid.Add(1)
		case a.status == 400 && a.Code == "payment_intent_unexpected_state":
			refused.Add(1)
		default:
			t.Errorf("the response is %d %s, want 200, or 400 with an unexpected state", a.status, a.body)
		}
	})
	if paid.Load() != 1 || refused.Load() != 99 {
		t.Errorf("%d confirms succeeded and %d were refused, want 1 and 99", paid.Load(), refused.Load())
	}
	e.step()
	if got := e.shop.eventTypes(); got != "payment_intent.created charge.succeeded payment_intent.succeeded" {
		t.Errorf("the events are %q", got)
	}
}

func TestOneKeyOnManyNodesCreatesOneIntent(t *testing.T) {
	e := newEnv(t)
	var mu sync.Mutex
	bodies := map[string]int{}
	e.concurrently(40, func(int) {
		a := send(t, e.newNode(e.records), "POST", "/v1/payment_intents", secretKey, intentForm(), "Idempotency-Key", "k")
		mu.Lock()
		defer mu.Unlock()
		bodies[a.body]++
		if a.status != 200 {
			t.Errorf("the response is %d %s, want 200", a.status, a.body)
		}
	})
	if len(bodies) != 1 {
		t.Errorf("the responses differ: %v", bodies)
	}
	e.step()
	if got := e.shop.eventTypes(); got != "payment_intent.created" {
		t.Errorf("the events are %q", got)
	}
}

func TestConcurrentConfirmAndCancel(t *testing.T) {
	e := newEnv(t)
	for range 20 {
		i := e.intent()
		var succeeded atomic.Int32
		e.concurrently(6, func(n int) {
			request := func() response { return e.confirm(i, "pm_card_visa") }
			if n%2 == 1 {
				request = func() response { return e.send("POST", "/v1/payment_intents/"+i.ID+"/cancel", secretKey, nil) }
			}
			if request().status == 200 {
				succeeded.Add(1)
			}
		})
		now := e.getIntent(i.ID)
		if succeeded.Load() != 1 || (now.Status == "canceled") == (now.AmountReceived > 0) {
			t.Errorf("%d requests succeeded, want 1; the status is %s, received %d", succeeded.Load(), now.Status, now.AmountReceived)
		}
	}
}

func TestConcurrentRefundsDoNotExceedCharge(t *testing.T) {
	e := newEnv(t)
	i := e.confirmedIntent("pm_card_visa")
	e.concurrently(30, func(int) {
		_, _ = e.stripe.Refunds.New(&stripe.RefundParams{PaymentIntent: &i.ID, Amount: stripe.Int64(1000)})
	})
	if c := e.getIntent(i.ID).LatestCharge; c.AmountRefunded != 12000 {
		t.Errorf("refunded %d of %d, want 12000", c.AmountRefunded, c.Amount)
	}
}

func TestCardNumbersAreNotStored(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shop.db")
	store, err := sqlitetest.Open(t.Context(), path)
	must(t, err)
	defer func() { must(t, store.Close()) }()
	e := newEnvWith(t, store)
	for _, number := range []string{"4242424242424242", "4000000000000002", "4539578763621486"} {
		i := e.intent()
		e.send("POST", "/v1/payment_intents/"+i.ID+"/confirm", publishableKey, card(i, number), "Idempotency-Key", number[:6])
		form := url.Values{"type": {"card"}, "card[number]": {number}, "card[exp_month]": {"12"}, "card[exp_year]": {"2040"}, "card[cvc]": {"987"}}
		e.send("POST", "/v1/payment_methods", publishableKey, form, "Idempotency-Key", "m")
	}
	files, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	must(t, err)
	hasIntents := false
	for _, file := range files {
		data, err := os.ReadFile(file)
		must(t, err)
		hasIntents = hasIntents || bytes.Contains(data, []byte("stripe.intent"))
		for _, secret := range []string{"4242424242424242", "4000000000000002", "4539578763621486", `"987"`, "3621486"} {
			if bytes.Contains(data, []byte(secret)) {
				t.Errorf("%s contains %s", filepath.Base(file), secret)
			}
		}
	}
	if !hasIntents {
		t.Error("the files contain no intents, so the test checks nothing")
	}
}
