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

// next reads one frame and how long it took to come.
func (c *client) next() (raw string, took time.Duration, err error) {
	began := time.Now()
	_ = c.ws.SetReadDeadline(began.Add(24 * time.Hour))
	_, data, err := c.ws.ReadMessage()
	return string(data), time.Since(began), err
}

func TestHeartbeatAfterSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := startInBubble(t, nil)
		c := h.dial("")
		pings := 0
		answer := c.ws.PingHandler()
		c.ws.SetPingHandler(func(data string) error {
			pings++
			return answer(data)
		})
		for range 1000 {
			raw, took, err := c.next()
			if raw != "{}" || took != hub.DefaultHeartbeat || err != nil {
				t.Fatalf("%q after %v, %v", raw, took, err)
			}
		}
		if pings < 999 { // the last one comes behind the last heartbeat
			t.Errorf("%d pings came with them", pings)
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
		if raw, took, err := c.next(); raw == "{}" || took != 20*time.Second || err != nil {
			t.Fatalf("%q after %v, %v", raw, took, err)
		}
		if raw, took, err := c.next(); raw != "{}" || took != 25*time.Second || err != nil {
			t.Fatalf("%q after %v, %v", raw, took, err)
		}
	})
}

func TestTwoUnansweredPingsCutTheSocket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := startInBubble(t, nil)
		c := h.dial("")
		c.ws.SetPingHandler(func(string) error { return nil })
		began, beats := time.Now(), 0
		var err error
		for err == nil {
			if _, _, err = c.next(); err == nil {
				beats++
			}
		}
		if beats != 2 || time.Since(began) != 75*time.Second || !websocket.IsCloseError(err, websocket.CloseAbnormalClosure) {
			t.Errorf("%d heartbeats, cut after %v with %v", beats, time.Since(began), err)
		}
		synctest.Wait()
		if s := h.hub.Stats(); s.Drops["silent"] != 1 || s.Sockets != 0 {
			t.Errorf("%+v", s)
		}
	})
}

func TestExpiredTokenClosesWith4401(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := startInBubble(t, nil)
		began := time.Now()
		h.allow("short", hub.Viewer{UID: "u1", Expires: began.Add(10 * time.Minute)})
		c := h.dial("short")
		if code := c.closesAtLast(); code != hub.CloseTokenExpired || time.Since(began) != 10*time.Minute {
			t.Errorf("%d after %v", code, time.Since(began))
		}
	})
}

func TestRenewedTokenReplacesOldOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := startInBubble(t, nil)
		began := time.Now()
		h.allow("old", hub.Viewer{UID: "u1", Expires: began.Add(10 * time.Minute)})
		h.allow("new", hub.Viewer{UID: "u1", Expires: began.Add(time.Hour)})
		c := h.dial("old")
		c.subscribe(map[string]string{"me": ""})
		c.send(`{"token":"new"}`)
		if code := c.closesAtLast(); code != hub.CloseTokenExpired || time.Since(began) != time.Hour {
			t.Errorf("%d after %v", code, time.Since(began))
		}
	})
}

// closesAtLast is closes for hours of heartbeats.
func (c *client) closesAtLast() int {
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
		for range 5 { // twenty in each of five seconds
			for range hub.DefaultFrameRate {
				c.send(`{}`)
			}
			<-time.After(time.Second)
		}
		c.quiet()
		for range hub.DefaultFrameRate {
			c.send(`{}`)
		}
		if code := c.closesAtLast(); code != hub.CloseLimit {
			t.Errorf("%d", code)
		}
	})
}

func TestSocketWithoutCloseReplyIsCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := startInBubble(t, nil)
		c := h.dial(h.person("u1"))
		c.ws.SetCloseHandler(func(int, string) error { return nil })
		h.control(market.TypeSessionEnded, market.Control{UID: "u1"})
		if code := c.closesAtLast(); code != hub.CloseTokenExpired {
			t.Errorf("%d", code)
		}
		<-time.After(time.Minute)
		if s := h.hub.Stats(); s.Sockets != 0 {
			t.Errorf("%d sockets left", s.Sockets)
		}
	})
}

// Slow sockets have half a minute for their close frame, but not when the hub closes.
func TestCloseDoesNotWaitForSlowSockets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := startInBubble(t, nil)
		slow := h.dial("")
		slow.subscribe(map[string]string{"advertised": ""})
		h.publish(event("advertised", market.TypeAdvertisedChanged, "p1", 1))
		<-time.After(hub.DefaultQueueAge + time.Second)
		if s := h.hub.Stats(); s.Drops["slow"] != 1 || s.Sockets != 1 {
			t.Fatalf("%+v", s)
		}
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := h.hub.Close(ctx); err != nil || time.Since(began) > 9*time.Second {
			t.Errorf("took %v, %v", time.Since(began), err)
		}
	})
}
