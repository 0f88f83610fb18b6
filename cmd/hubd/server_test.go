package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"secondring/hub/redisbroker/redistest"
)

const patience = 20 * time.Second

// start runs a server until the test ends; stop has it drain and returns what
// its run did.
func start(t *testing.T, redisURL string) (address string, stop func() error) {
	t.Helper()
	s, err := newServer(t.Context(), "127.0.0.1:0", redisURL, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.run(ctx) }()
	var ended bool
	stop = func() error {
		cancel()
		if ended {
			return nil
		}
		ended = true
		return <-done
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return s.listener.Addr().String(), stop
}

// listen opens a socket without Origin or subprotocol that reads topic, as soon
// as the server takes sockets.
func listen(t *testing.T, address, topic string) *websocket.Conn {
	t.Helper()
	again, deadline := time.NewTicker(10*time.Millisecond), time.After(patience)
	defer again.Stop()
	var ws *websocket.Conn
	for ws == nil {
		got, answer, err := websocket.DefaultDialer.Dial("ws://"+address+"/live", nil)
		if answer != nil {
			_ = answer.Body.Close()
		}
		if err == nil {
			ws = got
			break
		}
		select {
		case <-again.C:
		case <-deadline:
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = ws.Close() })
	_ = ws.SetReadDeadline(time.Now().Add(patience))
	if err := ws.WriteJSON(map[string]map[string]string{"subscribe": {topic: ""}}); err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{`"hello"`, `"subscribed"`} {
		if _, data, err := ws.ReadMessage(); err != nil || !strings.Contains(string(data), word) {
			t.Fatalf("%s, %v, want %s", data, err, word)
		}
	}
	return ws
}

func post(t *testing.T, address, topic, body string) (status int) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+"/publish?topic="+topic, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}

// awkward is valid JSON that any decoding and encoding would change.
const awkward = "{ \"a\" : 1.50,\n\t\"é\": \"\\u003c<\", \"a\": 1e2 }"

func expect(t *testing.T, ws *websocket.Conn, topic, data string) {
	t.Helper()
	_, text, err := ws.ReadMessage()
	if err != nil {
		t.Fatal(err)
	}
	var f struct {
		Events []struct {
			Topic, Type string
			Data        json.RawMessage
		}
	}
	if err := json.Unmarshal(text, &f); err != nil {
		t.Fatal(err)
	}
	if len(f.Events) != 1 || f.Events[0].Topic != topic || f.Events[0].Type != "bench" || string(f.Events[0].Data) != data {
		t.Errorf("got %s, want %s on %s", text, data, topic)
	}
}

func TestDataIsDeliveredUnchanged(t *testing.T) {
	address, _ := start(t, "none")
	// Names that mean something inside the product are topics like any other.
	for _, topic := range []string{"control", "me:u1", "A-z_0:9", strings.Repeat("x", 64)} {
		ws := listen(t, address, topic)
		for _, body := range []string{awkward, "null", `"` + strings.Repeat("y", maxBody-2) + `"`} {
			if status := post(t, address, topic, body); status != http.StatusNoContent {
				t.Fatalf("%d", status)
			}
			expect(t, ws, topic, body)
		}
	}
}

func TestRefusals(t *testing.T) {
	address, _ := start(t, "")
	for name, tc := range map[string]struct {
		topic, body string
		status      int
	}{
		"no topic":       {"", "{}", http.StatusBadRequest},
		"long topic":     {strings.Repeat("x", 65), "{}", http.StatusBadRequest},
		"strange topic":  {"a/b", "{}", http.StatusBadRequest},
		"no body":        {"t", "", http.StatusBadRequest},
		"no JSON":        {"t", "{", http.StatusBadRequest},
		"two values":     {"t", "1 2", http.StatusBadRequest},
		"one byte above": {"t", `"` + strings.Repeat("y", maxBody-1) + `"`, http.StatusRequestEntityTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			if status := post(t, address, tc.topic, tc.body); status != tc.status {
				t.Errorf("%d, want %d", status, tc.status)
			}
		})
	}
}

func TestDrainsWith1012(t *testing.T) {
	address, stop := start(t, "")
	ws := listen(t, address, "t")
	ended := make(chan error, 1)
	go func() { ended <- stop() }()
	_, _, err := ws.ReadMessage()
	if !websocket.IsCloseError(err, websocket.CloseServiceRestart) {
		t.Errorf("%v", err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestTwoNodesShareRedis(t *testing.T) {
	redis := redistest.Start(t)
	here, _ := start(t, redis.URL)
	there, _ := start(t, redis.URL)
	ws := listen(t, there, "t")
	if status := post(t, here, "t", awkward); status != http.StatusNoContent {
		t.Fatalf("%d", status)
	}
	expect(t, ws, "t", awkward)
}

func TestInvalidRedisAddressIsNotLogged(t *testing.T) {
	_, err := newServer(t.Context(), "127.0.0.1:0", "postgres://user:secret@host", slog.New(slog.DiscardHandler))
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
}
