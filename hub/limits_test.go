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
			if code := c.closes(); code != hub.CloseLimit {
				t.Errorf("%d", code)
			}
		})
	}
}

func TestBinaryFramesCloseWith1008(t *testing.T) {
	h := start(t, nil)
	c := h.dial("")
	if err := c.ws.WriteMessage(websocket.BinaryMessage, []byte(`{}`)); err != nil {
		t.Fatal(err)
	}
	if code := c.closes(); code != hub.CloseLimit {
		t.Errorf("%d", code)
	}
}

func TestFrameSize(t *testing.T) {
	h := start(t, nil)
	for size, want := range map[int]int{
		hub.DefaultFrameBytes + 1: hub.CloseTooBig,
		1 << 20:                   hub.CloseTooBig, // much of it still on its way
	} {
		c := h.dial("")
		_ = c.ws.WriteMessage(websocket.TextMessage, []byte(`{}`+strings.Repeat(" ", size-2)))
		if code := c.closes(); code != want {
			t.Errorf("%d bytes closed with %d, want %d", size, code, want)
		}
	}
	c := h.dial("")
	c.send(`{}` + strings.Repeat(" ", hub.DefaultFrameBytes-2))
	c.quiet()
}

func topics(from, to int) string {
	ask := map[string]string{}
	for i := from; i < to; i++ {
		ask[fmt.Sprintf("brand:%d", i)] = ""
	}
	text, _ := json.Marshal(map[string]map[string]string{"subscribe": ask})
	return string(text)
}

func TestTopicsPerSocket(t *testing.T) {
	h := start(t, nil)
	token := h.person("u1")
	c := h.dial(token)
	for range 2 { // again is not more
		c.send(topics(0, hub.DefaultTopics))
		if f := c.read(); len(f.Subscribed) != hub.DefaultTopics {
			t.Fatalf("got %+v", f)
		}
	}
	if s := h.hub.Stats(); s.Subscriptions != hub.DefaultTopics || s.Topics != hub.DefaultTopics {
		t.Errorf("%+v", s)
	}
	c.send(topics(hub.DefaultTopics, hub.DefaultTopics+1))
	if code := c.closes(); code != hub.CloseLimit {
		t.Errorf("%d", code)
	}
	c = h.dial(token)
	c.send(topics(0, hub.DefaultTopics+1))
	if code := c.closes(); code != hub.CloseLimit {
		t.Errorf("%d", code)
	}
}

// The limits must agree with one another: a full subscription with positions,
// as a client sends it after a restart, fits a frame.
func TestAllTopicsWithPositionsFitAFrame(t *testing.T) {
	h := start(t, nil)
	token := h.person("u1")
	ask := map[string]string{}
	for i := range hub.DefaultTopics {
		topic := fmt.Sprintf("brand:%024x", i)
		ask[topic] = strings.Replace(h.position(topic), ":0", ":123456789", 1)
	}
	text, _ := json.Marshal(map[string]map[string]string{"subscribe": ask})
	c := h.dial(token)
	c.send(string(text))
	if f := c.read(); len(f.Subscribed) != hub.DefaultTopics {
		t.Errorf("%d bytes, got %+v", len(text), f)
	}
}
