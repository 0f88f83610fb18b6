package hub_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// masked is a client's frame, masked with a key that changes every byte.
func masked(first byte, payload string) []byte {
	key := []byte{1, 2, 3, 4}
	frame := append([]byte{first, 0x80 | byte(len(payload))}, key...)
	for i := range len(payload) {
		frame = append(frame, payload[i]^key[i%4])
	}
	return frame
}

const (
	textHead = 0x81
	pingHead = 0x89
	pongHead = 0x8a
	nobody   = `{"subscribe":{"no such topic":""}}`
)

// The hub reads the same however the network splits the bytes: several frames at once,
// and one frame byte by byte.
func TestFramesSplitAtAnyByte(t *testing.T) {
	h := start(t, nil)
	c := h.dial("")
	pongs := make(chan string, 4)
	c.ws.SetPongHandler(func(payload string) error {
		pongs <- payload
		return nil
	})
	all := append(masked(pingHead, "one"), masked(textHead, nobody)...)
	all = append(append(all, masked(pongHead, strings.Repeat("p", 125))...), masked(pingHead, "")...)
	all = append(all, masked(textHead, nobody)...)
	for _, size := range []int{len(all), 1, 7} {
		for at := 0; at < len(all); at += size {
			if _, err := c.ws.NetConn().Write(all[at:min(at+size, len(all))]); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			if f := c.read(); len(f.Denied) != 1 {
				t.Fatalf("got %+v", f)
			}
		}
		if first, second := <-pongs, <-pongs; first != "one" || second != "" {
			t.Errorf("pongs %q, %q", first, second)
		}
	}
}

// An unmasked or fragmented ping is refused by gorilla.
func TestInvalidPingsAreRefused(t *testing.T) {
	h := start(t, nil)
	for name, frame := range map[string][]byte{
		"not masked": {pingHead, 4, 1, 2, 3, 4},
		"in parts":   masked(pingHead&^0x80, "x"),
		"reserved":   masked(pingHead|0x40, "x"),
	} {
		t.Run(name, func(t *testing.T) {
			c := h.dial("")
			if _, err := c.ws.NetConn().Write(frame); err != nil {
				t.Fatal(err)
			}
			if code := c.closes(); code != websocket.CloseProtocolError {
				t.Errorf("%d", code)
			}
		})
	}
}

func TestIdleSocketsHaveNoGoroutine(t *testing.T) {
	h := start(t, nil)
	h.dial("").quiet()
	const sockets = 100
	before := runtime.NumGoroutine()
	for range sockets {
		c := h.dial("")
		c.subscribe(map[string]string{"advertised": ""})
		if err := c.ws.WriteControl(websocket.PongMessage, nil, time.Now().Add(patience)); err != nil {
			t.Fatal(err)
		}
	}
	again, deadline := time.NewTicker(10*time.Millisecond), time.After(patience)
	defer again.Stop()
	for runtime.NumGoroutine() > before+sockets/10 {
		select {
		case <-again.C:
		case <-deadline:
			t.Fatalf("%d goroutines for %d sockets", runtime.NumGoroutine()-before, sockets)
		}
	}
}
