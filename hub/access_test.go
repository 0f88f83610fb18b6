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
	c := h.dial(h.token("u1"))
	c.send(`{"token":"` + h.token("u2") + `"}`)
	c.wantClosed(hub.CloseLimit)
}

func TestRefusedNewTokenClosesWith4401(t *testing.T) {
	h := start(t, nil)
	c := h.dial(h.token("u1"))
	c.send(`{"token":"nonsense"}`)
	c.wantClosed(hub.CloseTokenExpired)
}

func TestNewTokenIsAuthorizedAgain(t *testing.T) {
	h := start(t, nil)
	h.setAdmin("u1", true)
	token := h.token("u1")
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
	c.send(`{"token":"` + h.token("u1") + `","subscribe":{"me":""}}`)
	if f := c.read(); f.Subscribed["me"] == "" {
		t.Errorf("got %+v", f)
	}
	h.control(market.TypeSessionEnded, market.Control{UID: "u1"})
	c.wantClosed(hub.CloseTokenExpired)
}

func TestSessionEnded(t *testing.T) {
	for _, tc := range []struct {
		name    string
		control market.Control
		closed  []string
		open    []string
	}{
		{"one session", market.Control{UID: "u1", Session: "a"}, []string{"a"}, []string{"b", "other"}},
		{"all sessions", market.Control{UID: "u1"}, []string{"a", "b"}, []string{"other"}},
		{"all sessions but one", market.Control{UID: "u1", Except: "a"}, []string{"b"}, []string{"a", "other"}},
		{"sessions of older credentials", market.Control{UID: "u1", CredentialsVersion: 2}, []string{"a"}, []string{"b", "other"}},
		{"another user", market.Control{UID: "u3"}, nil, []string{"a", "b", "other"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h := start(t, func(c *hub.Config) {
				c.CheckSession = func(context.Context, hub.Viewer) (bool, error) { return true, nil }
			})
			h.allow("a", hub.Viewer{UID: "u1", Session: "a", CredentialsVersion: 1})
			h.allow("b", hub.Viewer{UID: "u1", Session: "b", CredentialsVersion: 2})
			h.allow("other", hub.Viewer{UID: "u2", Session: "a"})
			sockets := map[string]*client{"a": h.dial("a"), "b": h.dial("b"), "other": h.dial("other")}
			h.control(market.TypeSessionEnded, tc.control)
			for _, name := range tc.closed {
				if code := sockets[name].closeCode(); code != hub.CloseTokenExpired {
					t.Errorf("%s closed with %d, want %d", name, code, hub.CloseTokenExpired)
				}
			}
			for _, name := range tc.open {
				sockets[name].wantNoEvents()
			}
		})
	}
}

// The account of the one session that stays has changed, so its access is checked again.
func TestKeptSessionIsCheckedAgain(t *testing.T) {
	var changed []string
	h := start(t, func(c *hub.Config) {
		c.CheckSession = func(context.Context, hub.Viewer) (bool, error) { return false, nil }
		c.OnAccessChanged = func(uid string) { changed = append(changed, uid) }
	})
	h.allow("a", hub.Viewer{UID: "u1", Session: "a"})
	c := h.dial("a")
	h.control(market.TypeSessionEnded, market.Control{UID: "u1", Except: "a"})
	c.wantClosed(hub.CloseTokenExpired)
	if !slices.Equal(changed, []string{"u1"}) {
		t.Errorf("access changed of %v", changed)
	}
}

func TestAccountRemovedIsSentBeforeClose(t *testing.T) {
	removed := event("me:u1", market.TypeAccountRemoved, "u1", 9)
	endAccess := func(h *harness) { h.control(market.TypeAccessEnded, market.Control{UID: "u1"}) }
	for name, publish := range map[string]func(*harness){
		"event before control": func(h *harness) { h.publish(removed); endAccess(h) },
		"control before event": func(h *harness) { endAccess(h); h.publish(removed) },
	} {
		t.Run(name, func(t *testing.T) {
			h := start(t, nil)
			c := h.dial(h.token("u1"))
			c.subscribe(map[string]string{"me": "", brand: ""})
			publish(h)
			if e := c.events(1)[0]; e.Type != market.TypeAccountRemoved {
				t.Errorf("got %+v", e)
			}
			c.wantClosed(hub.CloseAccountRemoved)
		})
	}
}

func TestAccessEndedClosesWith4403(t *testing.T) {
	for name, topic := range map[string]string{"subscribed to me": "me", "not subscribed to me": brand} {
		t.Run(name, func(t *testing.T) {
			h := start(t, nil)
			c, other := h.dial(h.token("u1")), h.dial(h.token("u2"))
			c.subscribe(map[string]string{topic: ""})
			h.control(market.TypeAccessEnded, market.Control{UID: "u1"})
			c.wantClosed(hub.CloseAccountRemoved)
			other.wantNoEvents()
		})
	}
}

func TestAccessChanged(t *testing.T) {
	h := start(t, nil)
	h.setAdmin("u1", true)
	c := h.dial(h.token("u1"))
	c.subscribe(map[string]string{"admin": "", brand: ""})
	h.control(market.TypeAccessChanged, market.Control{UID: "u1"})
	c.wantNoEvents()
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

// After a visitor signs in on the open socket, the same topic has the events of signed-in users.
// The client must fetch the list again, because the visitor's list has no contact data.
func TestTopicsChangeWhenVisitorSignsIn(t *testing.T) {
	const visitorTopic = "visitor:" + brand
	var h *harness
	h = start(t, func(c *hub.Config) {
		c.Authorize = func(ctx context.Context, v hub.Viewer, topic string) (string, bool, error) {
			if v.UID == "" && topic == brand {
				return visitorTopic, true, nil
			}
			return h.authorize(ctx, v, topic)
		}
	})
	c := h.dial("")
	c.subscribe(map[string]string{brand: ""})
	h.publish(event(brand, market.TypeProductAdded, "p1", 1), event(visitorTopic, market.TypeProductAdded, "p1", 1))
	c.events(1)
	c.send(`{"token":"` + h.token("u1") + `"}`)
	if f := c.read(); f.Subscribed[brand] != h.position(brand) || len(f.Denied) > 0 {
		t.Fatalf("got %+v, want the topic subscribed at its current position", f)
	}
	if f := c.read(); !slices.Equal(f.Resync, []string{brand}) {
		t.Errorf("got %+v, want a resync of the topic", f)
	}
	h.publish(event(visitorTopic, market.TypeProductAdded, "p2", 1), event(brand, market.TypeProductAdded, "p3", 1))
	if e := c.events(1)[0]; e.Topic != brand || e.Data.ID != "p3" {
		t.Errorf("got %+v", e)
	}
	c.wantNoEvents()
}

// A session that ends between the check of a socket's token and the socket's
// registration must end the socket.
func TestSessionEndedDuringTheHandshake(t *testing.T) {
	var h *harness
	checks := 0
	endSession := func() { h.control(market.TypeSessionEnded, market.Control{UID: "u1"}) }
	h = start(t, func(cfg *hub.Config) {
		check := cfg.Authenticate
		cfg.Authenticate = func(ctx context.Context, token string) (hub.Viewer, error) {
			v, err := check(ctx, token)
			if checks++; checks == 1 {
				h.revoke(token)
				endSession()
			}
			return v, err
		}
	})
	c := h.connect(h.token("u1"))
	if code := c.closeCode(); code != hub.CloseTokenExpired || checks != 2 {
		t.Errorf("closed with %d after %d checks of the token, want 2 checks", code, checks)
	}
}
