package hub_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"secondring/hub"
	"secondring/market"
)

// next reads one frame and measures how long it waited.
func (c *client) next() (raw string, waited time.Duration, err error) {
	start := time.Now()
	_ = c.ws.SetReadDeadline(start.Add(24 * time.Hour))
	_, data, err := c.ws.ReadMessage()
	return string(data), time.Since(start), err
}

func TestHeartbeatAfterSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := startInBubble(t, nil)
		c := h.dial("")
		pings := 0
		respond := c.ws.PingHandler()
		c.ws.SetPingHandler(func(data string) error {
			pings++
			return respond(data)
		})
		for range 1000 {
			raw, waited, err := c.next()
			if raw != "{}" || waited != hub.DefaultHeartbeat || err != nil {
				t.Fatalf("got frame %q after %v (%v)", raw, waited, err)
			}
		}
		if pings < 999 { // the last ping follows the last heartbeat
			t.Errorf("got %d pings, want at least 999", pings)
		}
	})
}

func TestNoHeartbeatAfterOtherFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := startInBubble(t, nil)
		c := h.dial("")
		c.subscribe(map[string]string{"advertised": ""})
		time.AfterFunc(20*time.Second, func() {
			h.publish(event("advertised", market.TypeAdvertisedChanged, "p1", 1))
		})
		if raw, waited, err := c.next(); raw == "{}" || waited != 20*time.Second || err != nil {
			t.Fatalf("got frame %q after %v (%v)", raw, waited, err)
		}
		if raw, waited, err := c.next(); raw != "{}" || waited != 25*time.Second || err != nil {
			t.Fatalf("got frame %q after %v (%v)", raw, waited, err)
		}
	})
}

func TestTwoUnansweredPingsCloseSocket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := startInBubble(t, nil)
		c := h.dial("")
		c.ws.SetPingHandler(func(string) error { return nil })
		start, heartbeats := time.Now(), 0
		var err error
		for err == nil {
			if _, _, err = c.next(); err == nil {
				heartbeats++
			}
		}
		if heartbeats != 2 || time.Since(start) != 75*time.Second || !websocket.IsCloseError(err, websocket.CloseAbnormalClosure) {
			t.Errorf("%d heartbeats, closed after %v with %v", heartbeats, time.Since(start), err)
		}
		synctest.Wait()
		if s := h.hub.Stats(); s.Drops["silent"] != 1 || s.Sockets != 0 {
			t.Errorf("the statistics are %+v", s)
		}
	})
}

func TestExpiredTokenClosesWith4401(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := startInBubble(t, nil)
		start := time.Now()
		h.allow("short", hub.Viewer{UID: "u1", Expires: start.Add(10 * time.Minute)})
		c := h.dial("short")
		if code := c.closeCodeAfterHeartbeats(); code != hub.CloseTokenExpired || time.Since(start) != 10*time.Minute {
			t.Errorf("closed with %d after %v", code, time.Since(start))
		}
	})
}

func TestRenewedTokenReplacesOldOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := startInBubble(t, nil)
		start := time.Now()
		h.allow("old", hub.Viewer{UID: "u1", Expires: start.Add(10 * time.Minute)})
		h.allow("new", hub.Viewer{UID: "u1", Expires: start.Add(time.Hour)})
		c := h.dial("old")
		c.subscribe(map[string]string{"me": ""})
		c.send(`{"token":"new"}`)
		if code := c.closeCodeAfterHeartbeats(); code != hub.CloseTokenExpired || time.Since(start) != time.Hour {
			t.Errorf("closed with %d after %v", code, time.Since(start))
		}
	})
}

// closeCodeAfterHeartbeats is closeCode for sockets that get heartbeats for hours.
func (c *client) closeCodeAfterHeartbeats() int {
	c.t.Helper()
	for {
		_, _, err := c.next()
		if err == nil {
			continue
		}
		var closed *websocket.CloseError
		if !errors.As(err, &closed) {
			c.t.Fatal(err)
		}
		return closed.Code
	}
}

func TestAtMostTwentyFramesPerSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := startInBubble(t, nil)
		c := h.dial("")
		for range 5 {
			for range hub.DefaultFrameRate {
				c.send(`{}`)
			}
			<-time.After(time.Second)
		}
		c.wantNoEvents()
		for range hub.DefaultFrameRate {
			c.send(`{}`)
		}
		if code := c.closeCodeAfterHeartbeats(); code != hub.CloseLimit {
			t.Errorf("closed with %d, want %d", code, hub.CloseLimit)
		}
	})
}

func TestSocketWithoutCloseReplyIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := startInBubble(t, nil)
		c := h.dial(h.token("u1"))
		c.ws.SetCloseHandler(func(int, string) error { return nil })
		h.control(market.TypeSessionEnded, market.Control{UID: "u1"})
		if code := c.closeCodeAfterHeartbeats(); code != hub.CloseTokenExpired {
			t.Errorf("closed with %d, want %d", code, hub.CloseTokenExpired)
		}
		<-time.After(time.Minute)
		if s := h.hub.Stats(); s.Sockets != 0 {
			t.Errorf("%d sockets are left, want none", s.Sockets)
		}
	})
}

// Slow sockets have 30 s for their close frame, except when the hub closes.
func TestCloseDoesNotWaitForSlowSockets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := startInBubble(t, nil)
		slow := h.dial("")
		slow.subscribe(map[string]string{"advertised": ""})
		h.publish(event("advertised", market.TypeAdvertisedChanged, "p1", 1))
		<-time.After(hub.DefaultQueueAge + time.Second)
		if s := h.hub.Stats(); s.Drops["slow"] != 1 || s.Sockets != 1 {
			t.Fatalf("the statistics are %+v", s)
		}
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := h.hub.Close(ctx); err != nil || time.Since(start) > 9*time.Second {
			t.Errorf("Close took %v (%v), want at most 9 s", time.Since(start), err)
		}
	})
}
