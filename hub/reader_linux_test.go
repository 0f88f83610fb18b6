package hub_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// masked returns a client frame, masked with a key that changes every byte.
func masked(first byte, payload string) []byte {
	key := []byte{1, 2, 3, 4}
	frame := append([]byte{first, 0x80 | byte(len(payload))}, key...)
	for i := range len(payload) {
		frame = append(frame, payload[i]^key[i%4])
	}
	return frame
}

const (
	textFrame = 0x81
	pingFrame = 0x89
	pongFrame = 0x8a
	// deniedSubscribe is a frame with a denied topic, to which the hub responds with one frame.
	deniedSubscribe = `{"subscribe":{"no such topic":""}}`
)

// The hub reads the same frames however the network splits the bytes: all at once, byte by byte and
// in pieces of 7 bytes.
func TestFramesSplitAtAnyByte(t *testing.T) {
	h := start(t, nil)
	c := h.dial("")
	pongs := make(chan string, 4)
	c.ws.SetPongHandler(func(payload string) error {
		pongs <- payload
		return nil
	})
	frames := append(masked(pingFrame, "one"), masked(textFrame, deniedSubscribe)...)
	frames = append(append(frames, masked(pongFrame, strings.Repeat("p", 125))...), masked(pingFrame, "")...)
	frames = append(frames, masked(textFrame, deniedSubscribe)...)
	for _, size := range []int{len(frames), 1, 7} {
		for i := 0; i < len(frames); i += size {
			if _, err := c.ws.NetConn().Write(frames[i:min(i+size, len(frames))]); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			if f := c.read(); len(f.Denied) != 1 {
				t.Fatalf("got %+v", f)
			}
		}
		if first, second := <-pongs, <-pongs; first != "one" || second != "" {
			t.Errorf("the pongs are %q and %q, want \"one\" and \"\"", first, second)
		}
	}
}

// gorilla refuses an unmasked ping, a fragmented one, and one with a reserved bit.
func TestInvalidPingsAreRefused(t *testing.T) {
	h := start(t, nil)
	for name, frame := range map[string][]byte{
		"unmasked":     {pingFrame, 4, 1, 2, 3, 4},
		"fragmented":   masked(pingFrame&^0x80, "x"),
		"reserved bit": masked(pingFrame|0x40, "x"),
	} {
		t.Run(name, func(t *testing.T) {
			c := h.dial("")
			if _, err := c.ws.NetConn().Write(frame); err != nil {
				t.Fatal(err)
			}
			c.wantClosed(websocket.CloseProtocolError)
		})
	}
}

func TestIdleSocketsHaveNoGoroutine(t *testing.T) {
	h := start(t, nil)
	h.dial("").wantNoEvents()
	const sockets = 100
	before := runtime.NumGoroutine()
	for range sockets {
		c := h.dial("")
		c.subscribe(map[string]string{"advertised": ""})
		if err := c.ws.WriteControl(websocket.PongMessage, nil, time.Now().Add(patience)); err != nil {
			t.Fatal(err)
		}
	}
	ticker, deadline := time.NewTicker(10*time.Millisecond), time.After(patience)
	defer ticker.Stop()
	for runtime.NumGoroutine() > before+sockets/10 {
		select {
		case <-ticker.C:
		case <-deadline:
			t.Fatalf("%d goroutines for %d sockets", runtime.NumGoroutine()-before, sockets)
		}
	}
}
