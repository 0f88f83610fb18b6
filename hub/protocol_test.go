package hub_test

import (
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"time"

	"secondring/hub"
	"secondring/market"
)

const brand = "brand:b1"

func TestHelloComesFirst(t *testing.T) {
	h := start(t, nil)
	c := h.connect("")
	if got := c.ws.Subprotocol(); got != hub.Subprotocol {
		t.Errorf("selected %q", got)
	}
	f := c.read()
	if f.Hello == nil || f.Hello.Session == "" || f.Hello.Heartbeat != 25 {
		t.Errorf("got %+v", f.Hello)
	}
}

func TestEventEncoding(t *testing.T) {
	h := start(t, nil)
	c := h.dial(h.token("u1"))
	c.subscribe(map[string]string{brand: ""})
	h.publish(event(brand, market.TypeProductBooked, "p1", 7))
	_, raw, err := c.tryRead()
	if err != nil {
		t.Fatal(err)
	}
	position, _ := json.Marshal(h.position(brand))
	want := `{"events":[{"topic":"brand:b1","position":` + string(position) +
		`,"type":"product.booked","at":"2026-11-21T03:04:05Z","data":{"_id":"p1","version":7}}]}`
	if raw != want {
		t.Errorf("got  %s\nwant %s", raw, want)
	}
}

func TestSubscribedHasCurrentPosition(t *testing.T) {
	h := start(t, nil)
	h.publish(event(brand, market.TypeProductAdded, "p1", 1))
	c := h.dial(h.token("u1"))
	f := c.subscribe(map[string]string{brand: "", "me": ""})
	if f.Subscribed[brand] != h.position(brand) || f.Subscribed["me"] != h.position("me:u1") {
		t.Errorf("got %v", f.Subscribed)
	}
	c.wantNoEvents()
}

func TestMeTopicIsPerUser(t *testing.T) {
	h := start(t, nil)
	first, second := h.dial(h.token("u1")), h.dial(h.token("u2"))
	first.subscribe(map[string]string{"me": ""})
	second.subscribe(map[string]string{"me": ""})
	h.publish(event(market.TopicMe("u2"), market.TypeBookingChanged, "k1", 1))
	if e := second.events(1)[0]; e.Topic != "me" || e.Data.ID != "k1" {
		t.Errorf("got %+v", e)
	}
	first.wantNoEvents()
}

func TestPermissions(t *testing.T) {
	h := start(t, nil)
	h.setAdmin("admin", true)
	user, admin := h.token("u1"), h.token("admin")
	for _, tc := range []struct {
		who, token, topic string
		allowed           bool
	}{
		{"visitor", "", "advertised", true},
		{"visitor", "", brand, false},
		{"visitor", "", "me", false},
		{"visitor", "", "admin", false},
		{"user", user, "advertised", true},
		{"user", user, brand, true},
		{"user", user, "brand:none", false},
		{"user", user, "me", true},
		{"user", user, "me:admin", false},
		{"user", user, "admin", false},
		{"user", user, "control", false},
		{"admin", admin, "admin", true},
		{"admin", admin, "control", false},
	} {
		t.Run(tc.who+" "+tc.topic, func(t *testing.T) {
			c := h.dial(tc.token)
			c.send(`{"subscribe":{"` + tc.topic + `":""}}`)
			f := c.read()
			_, subscribed := f.Subscribed[tc.topic]
			denied := slices.Equal(f.Denied, []string{tc.topic})
			if subscribed != tc.allowed || denied == tc.allowed {
				t.Errorf("got %+v", f)
			}
		})
	}
}

func TestDeniedAndAllowedTopicsInOneFrame(t *testing.T) {
	h := start(t, nil)
	c := h.dial("")
	c.send(`{"subscribe":{"admin":"","advertised":"","me":""}}`)
	if f := c.read(); !slices.Equal(f.Denied, []string{"admin", "me"}) {
		t.Errorf("got %+v", f)
	}
	if f := c.read(); len(f.Subscribed) != 1 {
		t.Errorf("got %+v", f)
	}
}

func TestUnsubscribeStops(t *testing.T) {
	h := start(t, nil)
	c := h.dial(h.token("u1"))
	c.subscribe(map[string]string{brand: "", "advertised": ""})
	c.send(`{"unsubscribe":["brand:b1","brand:never"]}`)
	c.wantNoEvents()
	h.publish(event(brand, market.TypeProductAdded, "p1", 1), event("advertised", market.TypeAdvertisedChanged, "p1", 1))
	if e := c.events(1)[0]; e.Topic != "advertised" {
		t.Errorf("got %+v", e)
	}
}

func TestUnknownFieldsAreIgnored(t *testing.T) {
	h := start(t, nil)
	c := h.dial("")
	c.send(`{"subscribe":{"advertised":""},"later":{"x":[1]}}`)
	if f := c.read(); len(f.Subscribed) != 1 {
		t.Errorf("got %+v", f)
	}
}

func TestControlTopicIsDenied(t *testing.T) {
	h := start(t, func(c *hub.Config) { c.Authorize = hub.AllowAnyTopic })
	c := h.dial("")
	c.send(`{"subscribe":{"control":""}}`)
	if f := c.read(); len(f.Denied) != 1 {
		t.Errorf("got %+v", f)
	}
}

// No event follows the confirmation of the unsubscribe.
func TestUnsubscribeStopsWhileEventsFlow(t *testing.T) {
	h := start(t, func(c *hub.Config) { c.Limits.FrameRate = 1_000_000 })
	c := h.dial(h.token("u1"))
	stop := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		ticker := time.NewTicker(100 * time.Microsecond)
		defer ticker.Stop()
		for version := int64(1); ; version++ {
			select {
			case <-stop:
				return
			case <-ticker.C:
				h.publish(event(brand, market.TypeProductChanged, "p", version))
			}
		}
	})
	for range 200 {
		c.send(`{"subscribe":{"brand:b1":""}}`)
		for c.read().Subscribed == nil {
		}
		c.send(`{"unsubscribe":["brand:b1"]}`)
		c.send(`{"subscribe":{"denied":""}}`)
		for c.read().Denied == nil {
		}
		c.wantNoEvents()
	}
	close(stop)
	writer.Wait()
}
