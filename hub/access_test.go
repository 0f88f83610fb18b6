package hub_test

import (
	"context"
	"slices"
	"testing"

	"secondring/hub"
	"secondring/market"
)

func TestTokenOfAnotherPersonClosesWith1008(t *testing.T) {
	h := start(t, nil)
	c := h.dial(h.person("u1"))
	c.send(`{"token":"` + h.person("u2") + `"}`)
	if code := c.closes(); code != hub.CloseLimit {
		t.Errorf("%d", code)
	}
}

func TestRefusedNewTokenClosesWith4401(t *testing.T) {
	h := start(t, nil)
	c := h.dial(h.person("u1"))
	c.send(`{"token":"nonsense"}`)
	if code := c.closes(); code != hub.CloseTokenExpired {
		t.Errorf("%d", code)
	}
}

func TestNewTokenIsAuthorizedAgain(t *testing.T) {
	h := start(t, nil)
	h.setAdmin("u1", true)
	token := h.person("u1")
	c := h.dial(token)
	c.subscribe(map[string]string{"admin": "", "me": ""})
	h.setAdmin("u1", false)
	c.send(`{"token":"` + token + `"}`)
	if f := c.read(); !slices.Equal(f.Denied, []string{"admin"}) {
		t.Errorf("got %+v", f)
	}
	h.publish(event("admin", market.TypeReportCreated, "r1", 1), event("me:u1", market.TypeBookingChanged, "k1", 1))
	if e := c.events(1)[0]; e.Topic != "me" {
		t.Errorf("got %+v", e)
	}
}

func TestVisitorSignsInOnTheSameSocket(t *testing.T) {
	h := start(t, nil)
	c := h.dial("")
	c.send(`{"token":"` + h.person("u1") + `","subscribe":{"me":""}}`)
	if f := c.read(); f.Subscribed["me"] == "" {
		t.Errorf("got %+v", f)
	}
	h.control(market.TypeSessionEnded, market.Control{UID: "u1"})
	if code := c.closes(); code != hub.CloseTokenExpired {
		t.Errorf("%d", code)
	}
}

func TestSessionEnded(t *testing.T) {
	for _, tc := range []struct {
		name    string
		control market.Control
		closed  []string
		open    []string
	}{
		{"one", market.Control{UID: "u1", Session: "a"}, []string{"a"}, []string{"b", "other"}},
		{"all", market.Control{UID: "u1"}, []string{"a", "b"}, []string{"other"}},
		{"all but one", market.Control{UID: "u1", Except: "a"}, []string{"b"}, []string{"a", "other"}},
		{"nobody", market.Control{UID: "u3"}, nil, []string{"a", "b", "other"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h := start(t, nil)
			h.allow("a", hub.Viewer{UID: "u1", Session: "a"})
			h.allow("b", hub.Viewer{UID: "u1", Session: "b"})
			h.allow("other", hub.Viewer{UID: "u2", Session: "a"})
			sockets := map[string]*client{"a": h.dial("a"), "b": h.dial("b"), "other": h.dial("other")}
			h.control(market.TypeSessionEnded, tc.control)
			for _, name := range tc.closed {
				if code := sockets[name].closes(); code != hub.CloseTokenExpired {
					t.Errorf("%s closed with %d", name, code)
				}
			}
			for _, name := range tc.open {
				sockets[name].quiet()
			}
		})
	}
}

func TestAccountRemovedIsSentBeforeClose(t *testing.T) {
	removed := event("me:u1", market.TypeAccountRemoved, "u1", 9)
	ended := func(h *harness) { h.control(market.TypeAccessEnded, market.Control{UID: "u1"}) }
	for name, publish := range map[string]func(*harness){
		"event before control": func(h *harness) { h.publish(removed); ended(h) },
		"control before event": func(h *harness) { ended(h); h.publish(removed) },
	} {
		t.Run(name, func(t *testing.T) {
			h := start(t, nil)
			c := h.dial(h.person("u1"))
			c.subscribe(map[string]string{"me": "", brand: ""})
			publish(h)
			if e := c.events(1)[0]; e.Type != market.TypeAccountRemoved {
				t.Errorf("got %+v", e)
			}
			if code := c.closes(); code != hub.CloseAccountRemoved {
				t.Errorf("%d", code)
			}
		})
	}
}

func TestAccessEndedClosesWith4403(t *testing.T) {
	for name, topic := range map[string]string{"where me is read, without its event": "me", "where it is not": brand} {
		t.Run(name, func(t *testing.T) {
			h := start(t, nil)
			c, other := h.dial(h.person("u1")), h.dial(h.person("u2"))
			c.subscribe(map[string]string{topic: ""})
			h.control(market.TypeAccessEnded, market.Control{UID: "u1"})
			if code := c.closes(); code != hub.CloseAccountRemoved {
				t.Errorf("%d", code)
			}
			other.quiet()
		})
	}
}

func TestAccessChanged(t *testing.T) {
	h := start(t, nil)
	h.setAdmin("u1", true)
	c := h.dial(h.person("u1"))
	c.subscribe(map[string]string{"admin": "", brand: ""})
	h.control(market.TypeAccessChanged, market.Control{UID: "u1"})
	c.quiet()
	h.setAdmin("u1", false)
	h.control(market.TypeAccessChanged, market.Control{UID: "u1"})
	if f := c.read(); !slices.Equal(f.Denied, []string{"admin"}) {
		t.Errorf("got %+v", f)
	}
	h.publish(event("admin", market.TypeReportCreated, "r1", 1), event(brand, market.TypeProductAdded, "p1", 1))
	if e := c.events(1)[0]; e.Topic != brand {
		t.Errorf("got %+v", e)
	}
}

// After a visitor signs in on the open socket, the same topic has the events of
// signed-in users. The list must be read again, because the visitor's list has no
// contact data.
func TestTopicsChangeWhenVisitorSignsIn(t *testing.T) {
	const forVisitors = "visitor:" + brand
	var h *harness
	h = start(t, func(c *hub.Config) {
		c.Authorize = func(ctx context.Context, v hub.Viewer, topic string) (string, bool, error) {
			if v.UID == "" && topic == brand {
				return forVisitors, true, nil
			}
			return h.authorize(ctx, v, topic)
		}
	})
	c := h.dial("")
	c.subscribe(map[string]string{brand: ""})
	h.publish(event(brand, market.TypeProductAdded, "p1", 1), event(forVisitors, market.TypeProductAdded, "p1", 1))
	c.events(1)
	c.send(`{"token":"` + h.person("u1") + `"}`)
	if f := c.read(); f.Subscribed[brand] != h.position(brand) || len(f.Denied) > 0 {
		t.Fatalf("got %+v, want the topic in force", f)
	}
	if f := c.read(); !slices.Equal(f.Resync, []string{brand}) {
		t.Errorf("got %+v, want the list to be fetched again", f)
	}
	h.publish(event(forVisitors, market.TypeProductAdded, "p2", 1), event(brand, market.TypeProductAdded, "p3", 1))
	if e := c.events(1)[0]; e.Topic != brand || e.Data.ID != "p3" {
		t.Errorf("got %+v", e)
	}
	c.quiet()
}

// A session that ends between the check of a socket's token and the socket's
// registration must end the socket.
func TestSessionEndedDuringTheHandshake(t *testing.T) {
	var h *harness
	asked := 0
	end := func() { h.control(market.TypeSessionEnded, market.Control{UID: "u1"}) }
	h = start(t, func(cfg *hub.Config) {
		check := cfg.Authenticate
		cfg.Authenticate = func(ctx context.Context, token string) (hub.Viewer, error) {
			v, err := check(ctx, token)
			if asked++; asked == 1 {
				h.forget(token)
				end()
			}
			return v, err
		}
	})
	c := h.mustShake(h.person("u1"))
	if code := c.closes(); code != hub.CloseTokenExpired || asked != 2 {
		t.Errorf("%d, asked %d times", code, asked)
	}
}
