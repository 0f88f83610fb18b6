package stripe_test

import (
	"net/url"
	"testing"
	"time"
)

func TestEventIsRetriedUntilItIsAccepted(t *testing.T) {
	e := newEnv(t)
	e.shop.isClosed = true
	i := e.paid("pm_card_visa")
	for n, pause := range []time.Duration{0, time.Second, 4 * time.Second, 16 * time.Second, 64 * time.Second, 256 * time.Second, 1024 * time.Second, time.Hour} {
		if e.step(max(pause-time.Second, 0)); n > 0 && len(e.shop.take()) != 0 {
			t.Fatalf("sent again before %s had passed", pause)
		}
		e.Sandbox = e.newNode(e.store) // the delivery continues after a restart
		e.step(min(pause, time.Second))
		got := e.shop.take()
		if len(got) != 1 || got[0].Type != "payment_intent.succeeded" || got[0].GetObjectValue("id") != i.ID || got[0].GetObjectValue("status") != "succeeded" {
			t.Fatalf("after %s: %+v", pause, got)
		}
	}
	e.shop.isClosed = false
	e.step(time.Hour)
	first := e.shop.take()
	e.step(24 * time.Hour)
	if len(first) != 1 || len(e.shop.take()) != 0 {
		t.Error("an accepted event was sent again")
	}
}

func TestEventIsDroppedAfterThreeDays(t *testing.T) {
	e := newEnv(t)
	e.shop.isClosed = true
	e.paid("pm_card_visa")
	e.clock.Pass(30 * 24 * time.Hour) // without a process
	for range 100 {
		e.step(time.Hour)
	}
	if tries := len(e.shop.take()); tries < 70 || tries > 80 {
		t.Errorf("sent %d times, want 70 to 80", tries)
	}
}

// A later event replaces one that was not delivered, because the product reads the current state.
func TestNewestEventIsSent(t *testing.T) {
	e := newEnv(t)
	e.shop.isClosed = true
	i := e.paid("pm_card_visa")
	e.step(0)
	e.shop.isClosed = false
	e.post("/v1/refunds", url.Values{"payment_intent": {i.ID}})
	e.step(0)
	e.step(time.Hour)
	got := e.shop.take()
	if len(got) != 2 || got[1].Type != "charge.refunded" || got[1].GetObjectValue("payment_intent") != i.ID || got[0].ID == got[1].ID {
		t.Errorf("the events are %+v, want that of the refund after the first", got)
	}
}

func TestEventIsSentOnceByManyNodes(t *testing.T) {
	e := newEnv(t)
	const total = 20
	for range total {
		e.paid("pm_card_visa")
	}
	concurrently(6, func(int) {
		if err := e.newNode(e.store).Step(t.Context()); err != nil {
			t.Error(err)
		}
	})
	seen := map[string]bool{}
	got := e.shop.take()
	for _, event := range got {
		seen[event.ID] = true
	}
	if len(seen) != total || len(got) != total {
		t.Errorf("%d events were sent %d times, want %d once", len(seen), len(got), total)
	}
}
