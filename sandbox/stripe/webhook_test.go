package stripe_test

import (
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76"
	"github.com/stripe/stripe-go/v76/webhook"

	stripesandbox "secondring/sandbox/stripe"
)

// serverError is a shop whose webhook always fails.
func serverError(stripe.Event) int { return http.StatusInternalServerError }

// signedAt returns the time of the signature.
func (d delivery) signedAt(t *testing.T) time.Time {
	t.Helper()
	timestamp, _, _ := strings.Cut(strings.TrimPrefix(d.signature, "t="), ",")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	must(t, err)
	return time.Unix(seconds, 0)
}

func TestEventsAreSignedSnapshots(t *testing.T) {
	e := newEnv(t)
	first := e.createIntent("k")
	i := first.intent
	e.confirm(&i, "pm_card_visa")
	e.step()
	got := e.shop.take()
	if len(got) != 3 {
		t.Fatalf("events %+v", got)
	}
	for _, d := range got {
		// The product verifies events like this, including their age and API version.
		event, err := webhook.ConstructEvent([]byte(d.body), d.signature, webhookSecret)
		must(t, err)
		if !strings.HasPrefix(event.ID, "evt_") || event.Livemode || event.Object != "event" || event.Created != e.clock.Now().Unix() ||
			event.Request == nil || !strings.HasPrefix(event.Request.ID, "req_") {
			t.Errorf("event %s", d.body)
		}
		if _, err := webhook.ConstructEvent([]byte(d.body), d.signature, webhookSecret+"0"); err == nil {
			t.Error("another secret verifies the event")
		}
	}
	created, charged := got[0], got[1]
	if created.Type != "payment_intent.created" || created.GetObjectValue("status") != "requires_payment_method" ||
		created.GetObjectValue("metadata", "booking") != "b1" || created.Request.IdempotencyKey != "k" ||
		created.Request.ID != first.header.Get("Request-Id") {
		t.Errorf("first event %s", created.body)
	}
	if charged.Type != "charge.succeeded" || charged.GetObjectValue("payment_intent") != i.ID || charged.Request.IdempotencyKey != "" {
		t.Errorf("second event %s", charged.body)
	}
	if e.step(); len(e.shop.take()) != 0 {
		t.Error("events were sent twice")
	}
}

func TestEventsAreRetriedWithBackoff(t *testing.T) {
	e := newEnv(t)
	e.shop.setStatus(serverError)
	e.intent()
	start, last := e.clock.Now(), e.clock.Now()
	e.step()
	first := e.shop.take()[0]
	for _, pause := range []time.Duration{
		time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, time.Hour, time.Hour,
	} {
		e.clock.Pass(pause - time.Millisecond)
		if e.step(); len(e.shop.take()) != 0 {
			t.Fatalf("sent again before %s had passed", pause)
		}
		e.clock.Pass(time.Millisecond)
		e.restart() // the delivery continues after the restart
		e.step()
		got := e.shop.take()
		if len(got) != 1 || got[0].body != first.body || got[0].ID != first.ID {
			t.Fatalf("after %s: %+v", pause, got)
		}
		if at := got[0].signedAt(t); !at.After(last.Add(-time.Second)) || at.Unix() != e.clock.Now().Unix() || got[0].signature == first.signature {
			t.Errorf("signed at %s, sent at %s", at, e.clock.Now())
		}
		last = e.clock.Now()
	}
	e.shop.setStatus(nil)
	e.clock.Pass(time.Hour)
	if e.step(); len(e.shop.take()) != 1 {
		t.Error("the event was not sent again")
	}
	e.clock.Pass(time.Hour)
	if e.step(); len(e.shop.take()) != 0 {
		t.Error("an acknowledged event was sent again")
	}
	if e.clock.Now().Sub(start) < 5*time.Hour {
		t.Error("the retries have spanned less than five hours")
	}
}

func TestEventIsDroppedAfterThreeDays(t *testing.T) {
	e := newEnv(t)
	e.shop.setStatus(serverError)
	e.intent()
	for range 75 {
		e.step()
		e.clock.Pass(time.Hour)
	}
	if tries := len(e.shop.take()); tries < 70 || tries > 73 {
		t.Errorf("sent %d times, want 70 to 73", tries)
	}
	e.shop.setStatus(nil)
	e.clock.Pass(time.Hour)
	if e.step(); len(e.shop.take()) != 0 {
		t.Error("an event was sent after three days")
	}
}

func TestEventsOfAnIntentKeepTheirOrder(t *testing.T) {
	e := newEnv(t)
	failures := 2
	e.shop.setStatus(func(stripe.Event) int {
		if failures--; failures >= 0 {
			return http.StatusServiceUnavailable
		}
		return http.StatusOK
	})
	e.confirmedIntent("pm_card_visa")
	e.step()
	if got := e.shop.eventTypes(); got != "payment_intent.created" {
		t.Errorf("the events of the first step are %q", got)
	}
	e.clock.Pass(time.Second)
	e.step()
	e.clock.Pass(5 * time.Second)
	e.step()
	if got := e.shop.eventTypes(); got != "payment_intent.created payment_intent.created charge.succeeded payment_intent.succeeded" {
		t.Errorf("the later events are %q", got)
	}
}

func TestUndeliverableEventDoesNotBlockOthers(t *testing.T) {
	e := newEnv(t)
	e.shop.setStatus(func(e stripe.Event) int {
		if e.Type == "payment_intent.created" {
			panic("a failure of the handler")
		}
		return http.StatusNoContent
	})
	i := e.confirmedIntent("pm_card_visa")
	for range 4 {
		e.step()
		e.clock.Pass(10 * time.Second)
	}
	got := e.shop.eventTypes()
	if !strings.HasSuffix(got, "payment_intent.created charge.succeeded payment_intent.succeeded") {
		t.Errorf("the events of %s are %q", i.ID, got)
	}
}

func TestEventIsSentOnceByManyNodes(t *testing.T) {
	e := newEnv(t)
	for range 20 {
		e.confirmedIntent("pm_card_visa")
	}
	e.concurrently(6, func(int) {
		if err := e.newNode(e.records).Step(t.Context()); err != nil {
			t.Error(err)
		}
	})
	e.step()
	seen := map[string]int{}
	for _, d := range e.shop.take() {
		seen[d.ID]++
	}
	if len(seen) != 60 {
		t.Errorf("%d events, want 60", len(seen))
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("%s was sent %d times", id, n)
		}
	}
}

func TestRunSendsEventsOfOtherNodes(t *testing.T) {
	e := newEnv(t)
	received := make(chan stripe.Event, 10)
	e.shop.setStatus(func(e stripe.Event) int {
		received <- e
		return http.StatusOK
	})
	e.background(e.newNode(e.records))
	e.background(e.Sandbox)
	i := e.confirmedIntent("pm_usBankAccount_success")
	for _, want := range []stripe.EventType{"payment_intent.created", "payment_intent.processing"} {
		if e := <-received; e.Type != want || e.GetObjectValue("id") != i.ID {
			t.Errorf("%s of %s, want %s", e.Type, e.GetObjectValue("id"), want)
		}
	}
	e.clock.Pass(2 * time.Second)
	for _, want := range []stripe.EventType{"charge.succeeded", "payment_intent.succeeded"} {
		if e := <-received; e.Type != want {
			t.Errorf("%s, want %s", e.Type, want)
		}
	}
}

func TestNoEventsWithoutWebhook(t *testing.T) {
	e := newEnv(t)
	e.intent() // stores an event
	withoutWebhook, err := stripesandbox.New(stripesandbox.Config{
		Records: e.records, Clock: e.clock, SecretKey: secretKey, PublishableKey: publishableKey, WebhookSecret: webhookSecret,
		Log: slog.New(slog.DiscardHandler),
	})
	must(t, err)
	_, err = library(withoutWebhook).PaymentIntents.New(intentParams())
	must(t, err)
	must(t, withoutWebhook.Step(t.Context()))
	if e.step(); len(e.shop.take()) != 0 {
		t.Error("events were sent")
	}
}
