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

// timeout is how long a socket may take to open, and a frame to arrive.
const timeout = 3 * time.Minute

// start runs a server until the test ends. stop drains it and returns the error of its run.
func start(t *testing.T, redisURL string) (address string, stop func() error) {
	t.Helper()
	s, err := newServer(t.Context(), "127.0.0.1:0", redisURL, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.run(ctx) }()
	var stopped bool
	stop = func() error {
		cancel()
		if stopped {
			return nil
		}
		stopped = true
		return <-done
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return s.listener.Addr().String(), stop
}

// subscribe opens a socket without Origin or subprotocol, as soon as the server accepts it,
// and subscribes to the topic.
func subscribe(t *testing.T, address, topic string) *websocket.Conn {
	t.Helper()
	tick, deadline := time.NewTicker(10*time.Millisecond), time.After(timeout)
	defer tick.Stop()
	var ws *websocket.Conn
	for ws == nil {
		socket, response, err := websocket.DefaultDialer.Dial("ws://"+address+"/live", nil)
		if response != nil {
			_ = response.Body.Close()
		}
		if err == nil {
			ws = socket
			break
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = ws.Close() })
	_ = ws.SetReadDeadline(time.Now().Add(timeout))
	if err := ws.WriteJSON(map[string]map[string]string{"subscribe": {topic: ""}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"hello"`, `"subscribed"`} {
		if _, data, err := ws.ReadMessage(); err != nil || !strings.Contains(string(data), want) {
			t.Fatalf("the frame is %s, %v; want %s", data, err, want)
		}
	}
	return ws
}

// post publishes a message and returns the response's status.
func post(t *testing.T, address, topic, body string) (status int) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+"/publish?topic="+topic, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode
}

// unusualJSON is valid JSON that decoding and encoding would change.
const unusualJSON = "{ \"a\" : 1.50,\n\t\"é\": \"\\u003c<\", \"a\": 1e2 }"

// wantEvent fails the test unless the next frame has one event with this topic and data.
func wantEvent(t *testing.T, ws *websocket.Conn, topic, data string) {
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
		t.Errorf("the frame is %s, want the data %s on the topic %s", text, data, topic)
	}
}

func TestDataIsDeliveredUnchanged(t *testing.T) {
	address, _ := start(t, "none")
	// The names of internal topics of the product have no special meaning here.
	for _, topic := range []string{"control", "me:u1", "A-z_0:9", strings.Repeat("x", 64)} {
		ws := subscribe(t, address, topic)
		for _, body := range []string{unusualJSON, "null", `"` + strings.Repeat("y", maxBody-2) + `"`} {
			if status := post(t, address, topic, body); status != http.StatusNoContent {
				t.Fatalf("post returns %d, want 204", status)
			}
			wantEvent(t, ws, topic, body)
		}
	}
}

func TestInvalidMessagesAreRefused(t *testing.T) {
	address, _ := start(t, "")
	for name, tc := range map[string]struct {
		topic, body string
		status      int
	}{
		"no topic":                   {"", "{}", http.StatusBadRequest},
		"topic too long":             {strings.Repeat("x", 65), "{}", http.StatusBadRequest},
		"invalid character in topic": {"a/b", "{}", http.StatusBadRequest},
		"no body":                    {"t", "", http.StatusBadRequest},
		"invalid JSON":               {"t", "{", http.StatusBadRequest},
		"two JSON values":            {"t", "1 2", http.StatusBadRequest},
		"body too long":              {"t", `"` + strings.Repeat("y", maxBody-1) + `"`, http.StatusRequestEntityTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			if status := post(t, address, tc.topic, tc.body); status != tc.status {
				t.Errorf("post returns %d, want %d", status, tc.status)
			}
		})
	}
}

func TestDrainsWith1012(t *testing.T) {
	address, stop := start(t, "")
	ws := subscribe(t, address, "t")
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	_, _, err := ws.ReadMessage()
	if !websocket.IsCloseError(err, websocket.CloseServiceRestart) {
		t.Errorf("the socket was closed with %v, want code 1012", err)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

func TestTwoNodesShareRedis(t *testing.T) {
	redis := redistest.Start(t)
	first, _ := start(t, redis.URL)
	second, _ := start(t, redis.URL)
	ws := subscribe(t, second, "t")
	if status := post(t, first, "t", unusualJSON); status != http.StatusNoContent {
		t.Fatalf("post returns %d, want 204", status)
	}
	wantEvent(t, ws, "t", unusualJSON)
}

func TestInvalidRedisAddressIsNotLogged(t *testing.T) {
	_, err := newServer(t.Context(), "127.0.0.1:0", "postgres://user:secret@host", slog.New(slog.DiscardHandler))
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("newServer returned %v, want an error without the password", err)
	}
}
