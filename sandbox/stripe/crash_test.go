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
	"secondring/store/sqlite"
)

var errCrash = errors.New("the process died")

// crashing is a store that fails for good after a number of writes; the last one may be
// made although it returns an error.
type crashing struct {
	market.DocumentStore
	left  int
	after bool // the last write is made before the crash
	mu    sync.Mutex
}

func (c *crashing) write(do func() error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left < 0 {
		return errCrash
	}
	c.left--
	if c.left >= 0 {
		return do()
	}
	if c.after {
		_ = do() // its answer is lost with the process
	}
	return errCrash
}

func (c *crashing) AddRecord(ctx context.Context, r market.Record, events []market.Event) error {
	return c.write(func() error { return c.DocumentStore.AddRecord(ctx, r, events) })
}

func (c *crashing) SaveRecord(ctx context.Context, r market.Record) error {
	return c.write(func() error { return c.DocumentStore.SaveRecord(ctx, r) })
}

// crashes runs a test for each place at which a process may die.
func crashes(t *testing.T, writes int, test func(t *testing.T, e *env, dying *crashing)) {
	for left := range writes + 1 {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprintf("write %d, made %t", left+1, after), func(t *testing.T) {
				e := newEnv(t)
				test(t, e, &crashing{DocumentStore: e.records, left: left, after: after})
			})
		}
	}
}

func TestCrashDuringCreate(t *testing.T) {
	crashes(t, 3, func(t *testing.T, e *env, dying *crashing) {
		lost := send(t, e.over(dying), "POST", "/v1/payment_intents", secretKey, plain(), "Idempotency-Key", "k")
		if dying.left < 0 && lost.status != 500 {
			t.Errorf("the crash was answered with %d", lost.status)
		}
		dearer := plain()
		dearer.Set("amount", "6000")
		if dying.left < 2 && (dying.left >= 0 || lost.status == 200) {
			if a := e.send("POST", "/v1/payment_intents", secretKey, dearer, "Idempotency-Key", "k"); a.Type != "idempotency_error" {
				t.Errorf("other parameters: %d %s", a.status, a.body)
			}
		}
		a := e.send("POST", "/v1/payment_intents", secretKey, plain(), "Idempotency-Key", "k")
		again := e.send("POST", "/v1/payment_intents", secretKey, plain(), "Idempotency-Key", "k")
		if a.status != 200 || again.body != a.body || lost.status == 200 && lost.body != a.body {
			t.Fatalf("%d %s, again %s", a.status, a.body, again.body)
		}
		e.step()
		if got := e.shop.kinds(); got != "payment_intent.created" {
			t.Errorf("events %s", got)
		}
	})
}

func TestCrashDuringConfirm(t *testing.T) {
	for method, events := range map[string]string{
		"pm_card_visa":           "payment_intent.created charge.succeeded payment_intent.succeeded",
		"pm_card_chargeDeclined": "payment_intent.created payment_intent.payment_failed",
	} {
		crashes(t, 3, func(t *testing.T, e *env, dying *crashing) {
			i := e.intent()
			form := url.Values{"client_secret": {i.ClientSecret}, "payment_method": {method}}
			confirm := "/v1/payment_intents/" + i.ID + "/confirm"
			send(t, e.over(dying), "POST", confirm, publishableKey, form, "Idempotency-Key", "k")
			if now := e.now(i.ID); now.Status == "succeeded" != (now.AmountReceived > 0) || now.Status == "succeeded" && !now.LatestCharge.Paid {
				t.Errorf("half done: %+v", now)
			}
			a := e.send("POST", confirm, publishableKey, form, "Idempotency-Key", "k")
			again := e.send("POST", confirm, publishableKey, form, "Idempotency-Key", "k")
			if a.status != 200 && a.status != 402 || again.body != a.body {
				t.Errorf("%d %s, again %s", a.status, a.body, again.body)
			}
			e.step()
			if got := e.shop.kinds(); got != events {
				t.Errorf("events %s", got)
			}
		})
	}
}

func TestCrashDuringRefund(t *testing.T) {
	crashes(t, 3, func(t *testing.T, e *env, dying *crashing) {
		i := e.paid("pm_card_visa")
		form := url.Values{"payment_intent": {i.ID}, "amount": {"1000"}}
		send(t, e.over(dying), "POST", "/v1/refunds", secretKey, form, "Idempotency-Key", "k")
		a := e.send("POST", "/v1/refunds", secretKey, form, "Idempotency-Key", "k")
		if now := e.now(i.ID); a.status != 200 || now.LatestCharge.AmountRefunded != 1000 {
			t.Errorf("%d %s, refunded %d", a.status, a.body, now.LatestCharge.AmountRefunded)
		}
	})
}

// The response is the same after any further changes of the intent.
func TestLostRefundResponseIsRepeated(t *testing.T) {
	e := newEnv(t)
	i := e.paid("pm_card_visa")
	form := url.Values{"payment_intent": {i.ID}, "amount": {"1000"}}
	dying := &crashing{DocumentStore: e.records, left: 1, after: true} // the key, and the intent, of which nobody hears
	if a := send(t, e.over(dying), "POST", "/v1/refunds", secretKey, form, "Idempotency-Key", "k"); a.status != 500 {
		t.Fatalf("the crash was answered with %d", a.status)
	}
	for n := range 25 {
		cent := url.Values{"payment_intent": {i.ID}, "amount": {"1"}}
		e.send("POST", "/v1/refunds", secretKey, cent, "Idempotency-Key", fmt.Sprint("cent ", n))
	}
	a := e.send("POST", "/v1/refunds", secretKey, form, "Idempotency-Key", "k")
	if now := e.now(i.ID); a.status != 200 || now.LatestCharge.AmountRefunded != 1025 {
		t.Errorf("%d %s, refunded %d", a.status, a.body, now.LatestCharge.AmountRefunded)
	}
}

func TestCrashDuringWebhookDelivery(t *testing.T) {
	crashes(t, 5, func(t *testing.T, e *env, dying *crashing) {
		i := e.paid("pm_card_visa")
		err := e.over(dying).Step(t.Context())
		if err != nil && !errors.Is(err, errCrash) {
			t.Fatal(err)
		}
		before := e.shop.take()
		for range 4 {
			e.clock.Pass(time.Second)
			e.step()
		}
		seen, order := map[string]bool{}, []string{}
		for _, d := range append(before, e.shop.take()...) {
			if !seen[d.ID] {
				order = append(order, string(d.Type))
			}
			seen[d.ID] = true
		}
		if got := strings.Join(order, " "); got != "payment_intent.created charge.succeeded payment_intent.succeeded" {
			t.Errorf("events of %s: %s", i.ID, got)
		}
	})
}

// atOnce does the same from many goroutines and nodes.
func (e *env) atOnce(n int, do func(node int)) {
	var group sync.WaitGroup
	for at := range n {
		group.Go(func() { do(at) })
	}
	group.Wait()
}

func TestConcurrentConfirmsChargeOnce(t *testing.T) {
	e := newEnv(t)
	i, other := e.intent(), e.over(e.records)
	var paid, refused atomic.Int32
	e.atOnce(100, func(at int) {
		node := e.Sandbox
		if at%2 == 0 {
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
			t.Errorf("%d %s", a.status, a.body)
		}
	})
	if paid.Load() != 1 || refused.Load() != 99 {
		t.Errorf("%d paid, %d were refused", paid.Load(), refused.Load())
	}
	e.step()
	if got := e.shop.kinds(); got != "payment_intent.created charge.succeeded payment_intent.succeeded" {
		t.Errorf("events %s", got)
	}
}

func TestOneKeyOnManyNodesMakesOneIntent(t *testing.T) {
	e := newEnv(t)
	var mu sync.Mutex
	bodies := map[string]int{}
	e.atOnce(40, func(int) {
		a := send(t, e.over(e.records), "POST", "/v1/payment_intents", secretKey, plain(), "Idempotency-Key", "k")
		mu.Lock()
		defer mu.Unlock()
		bodies[a.body]++
		if a.status != 200 {
			t.Errorf("%d %s", a.status, a.body)
		}
	})
	if len(bodies) != 1 {
		t.Errorf("answers %v", bodies)
	}
	e.step()
	if got := e.shop.kinds(); got != "payment_intent.created" {
		t.Errorf("events %s", got)
	}
}

func TestConcurrentConfirmAndCancel(t *testing.T) {
	e := newEnv(t)
	for range 20 {
		i := e.intent()
		var won atomic.Int32
		e.atOnce(6, func(at int) {
			step := func() answer { return e.confirm(i, "pm_card_visa") }
			if at%2 == 1 {
				step = func() answer { return e.send("POST", "/v1/payment_intents/"+i.ID+"/cancel", secretKey, nil) }
			}
			if step().status == 200 {
				won.Add(1)
			}
		})
		now := e.now(i.ID)
		if won.Load() != 1 || (now.Status == "canceled") == (now.AmountReceived > 0) {
			t.Errorf("%d won; %s, received %d", won.Load(), now.Status, now.AmountReceived)
		}
	}
}

func TestConcurrentRefundsDoNotExceedCharge(t *testing.T) {
	e := newEnv(t)
	i := e.paid("pm_card_visa")
	e.atOnce(30, func(int) {
		_, _ = e.stripe.Refunds.New(&stripe.RefundParams{PaymentIntent: &i.ID, Amount: stripe.Int64(1000)})
	})
	if c := e.now(i.ID).LatestCharge; c.AmountRefunded != 12000 {
		t.Errorf("refunded %d of %d", c.AmountRefunded, c.Amount)
	}
}

func TestCardNumbersAreNotStored(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shop.db")
	store, err := sqlite.Open(t.Context(), path)
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
	found := false
	for _, file := range files {
		data, err := os.ReadFile(file)
		must(t, err)
		found = found || bytes.Contains(data, []byte("stripe.intent"))
		for _, secret := range []string{"4242424242424242", "4000000000000002", "4539578763621486", `"987"`, "3621486"} {
			if bytes.Contains(data, []byte(secret)) {
				t.Errorf("%s holds %s", filepath.Base(file), secret)
			}
		}
	}
	if !found {
		t.Error("the store was not looked into")
	}
}
