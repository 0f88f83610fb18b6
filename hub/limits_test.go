package hub_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"secondring/hub"
)

func TestMalformedFramesCloseWith1008(t *testing.T) {
	h := start(t, nil)
	for _, text := range []string{
		``, `x`, `null`, `[]`, `"subscribe"`, `7`, `{} {}`, `{"subscribe":`,
		`{"subscribe":["advertised"]}`, `{"subscribe":{"advertised":7}}`,
		`{"unsubscribe":{"advertised":""}}`, `{"unsubscribe":[1]}`, `{"token":7}`,
	} {
		t.Run(text, func(t *testing.T) {
			c := h.dial("")
			c.send(text)
			c.wantClosed(hub.CloseLimit)
		})
	}
}

func TestBinaryFramesCloseWith1008(t *testing.T) {
	h := start(t, nil)
	c := h.dial("")
	if err := c.ws.WriteMessage(websocket.BinaryMessage, []byte(`{}`)); err != nil {
		t.Fatal(err)
	}
	c.wantClosed(hub.CloseLimit)
}

func TestFrameSize(t *testing.T) {
	h := start(t, nil)
	for size, want := range map[int]int{
		hub.DefaultFrameBytes + 1: hub.CloseTooBig,
		1 << 20:                   hub.CloseTooBig, // the hub closes before it has received all of it
	} {
		c := h.dial("")
		_ = c.ws.WriteMessage(websocket.TextMessage, []byte(`{}`+strings.Repeat(" ", size-2)))
		if code := c.closeCode(); code != want {
			t.Errorf("%d bytes closed with %d, want %d", size, code, want)
		}
	}
	c := h.dial("")
	c.send(`{}` + strings.Repeat(" ", hub.DefaultFrameBytes-2))
	c.wantNoEvents()
}

// subscribeTo returns a frame that subscribes to the brands with the numbers from from to to-1.
func subscribeTo(from, to int) string {
	subscriptions := map[string]string{}
	for i := from; i < to; i++ {
		subscriptions[fmt.Sprintf("brand:%d", i)] = ""
	}
	text, _ := json.Marshal(map[string]map[string]string{"subscribe": subscriptions})
	return string(text)
}

func TestTopicsPerSocket(t *testing.T) {
	h := start(t, nil)
	token := h.token("u1")
	c := h.dial(token)
	for range 2 { // a topic that is subscribed again does not count twice
		c.send(subscribeTo(0, hub.DefaultTopics))
		if f := c.read(); len(f.Subscribed) != hub.DefaultTopics {
			t.Fatalf("got %+v", f)
		}
	}
	if s := h.hub.Stats(); s.Subscriptions != hub.DefaultTopics || s.Topics != hub.DefaultTopics {
		t.Errorf("the statistics are %+v", s)
	}
	c.send(subscribeTo(hub.DefaultTopics, hub.DefaultTopics+1))
	c.wantClosed(hub.CloseLimit)
	c = h.dial(token)
	c.send(subscribeTo(0, hub.DefaultTopics+1))
	c.wantClosed(hub.CloseLimit)
}

// The limits must be consistent: a subscription to the maximum number of topics with positions, which
// a client sends after a restart, must fit into a frame.
func TestAllTopicsWithPositionsFitAFrame(t *testing.T) {
	h := start(t, nil)
	token := h.token("u1")
	subscriptions := map[string]string{}
	for i := range hub.DefaultTopics {
		topic := fmt.Sprintf("brand:%024x", i)
		subscriptions[topic] = strings.Replace(h.position(topic), ":0", ":123456789", 1)
	}
	text, _ := json.Marshal(map[string]map[string]string{"subscribe": subscriptions})
	c := h.dial(token)
	c.send(string(text))
	if f := c.read(); len(f.Subscribed) != hub.DefaultTopics {
		t.Errorf("a frame of %d bytes: got %+v, want all topics subscribed", len(text), f)
	}
}
