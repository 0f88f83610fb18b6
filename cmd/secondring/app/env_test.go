package app_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/nodetest"
	"secondring/cmd/secondring/settings"
)

// testServer is an app that runs in the process of the test.
type testServer struct {
	*app.App
	t    *testing.T
	stop func() error // drains the server and returns the error of Run
}

func start(t *testing.T, s settings.Settings) *testServer {
	t.Helper()
	return startWith(t, s, app.Options{})
}

// startWith starts a server with these options.
func startWith(t *testing.T, s settings.Settings, o app.Options) *testServer {
	t.Helper()
	node, stop := nodetest.StartInProcess(t, s, o)
	return &testServer{App: node, t: t, stop: stop}
}

// wantSettingsError fails the test unless the app refuses to start because of the setting.
func wantSettingsError(t *testing.T, s settings.Settings, setting string) {
	t.Helper()
	a, err := app.New(t.Context(), s, app.Options{})
	if wrong, ok := errors.AsType[*settings.Error](err); !ok || wrong.Setting != setting {
		t.Errorf("app.New returned %v, want an error about %s", err, setting)
	}
	if a != nil {
		_ = a.Close()
	}
}

// browser is the HTTP client of a user, or of a visitor who has not signed in.
type browser struct {
	*testServer
	client http.Client
	token  string
}

func (s *testServer) newBrowser() *browser {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return &browser{testServer: s, client: http.Client{Jar: jar}}
}

func (s *testServer) signIn(email, password string) *browser {
	s.t.Helper()
	b := s.newBrowser()
	b.call(http.MethodPost, "/identity/sign-in", map[string]string{"email": email, "password": password}, nil)
	var body struct{ AccessToken string }
	b.call(http.MethodGet, "/jwt?email="+email, nil, &body)
	b.token = body.AccessToken
	return b
}

// call makes a call that must succeed, decodes the response into into, and returns the
// response's header.
func (b *browser) call(method, path string, body, into any) http.Header {
	b.t.Helper()
	response, text, err := nodetest.Do(b.t.Context(), &b.client, method, b.URL()+path, b.token, body)
	if err != nil {
		b.t.Fatal(err)
	}
	if response.StatusCode/100 != 2 {
		b.t.Fatalf("%s %s: %s %s", method, path, response.Status, text)
	}
	if into != nil {
		if err := json.Unmarshal(text, into); err != nil {
			b.t.Fatal(err)
		}
	}
	return response.Header
}

// get requests a path without cookies or a token.
func (s *testServer) get(path string) (status int, header http.Header) {
	s.t.Helper()
	response, _, err := nodetest.Do(s.t.Context(), http.DefaultClient, http.MethodGet, s.URL()+path, "", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return response.StatusCode, response.Header
}

// subscribe opens a socket and subscribes to the topics. It returns when the subscription is
// confirmed.
func (b *browser) subscribe(topics ...string) *websocket.Conn {
	b.t.Helper()
	var dialer websocket.Dialer
	if b.token != "" {
		dialer.Subprotocols = []string{"secondring.v1", "bearer." + b.token}
	}
	socket, response, err := dialer.DialContext(b.t.Context(), "ws"+strings.TrimPrefix(b.URL(), "http")+"/live", nil)
	if err != nil {
		b.t.Fatal(err)
	}
	_ = response.Body.Close()
	b.t.Cleanup(func() { _ = socket.Close() })
	positions := map[string]string{}
	for _, topic := range topics {
		positions[topic] = ""
	}
	if err := socket.WriteJSON(map[string]any{"subscribe": positions}); err != nil {
		b.t.Fatal(err)
	}
	waitForFrame(b.t, socket, `"subscribed"`)
	return socket
}

// waitForFrame reads frames until one contains the text.
func waitForFrame(t *testing.T, socket *websocket.Conn, text string) {
	t.Helper()
	if err := socket.SetReadDeadline(time.Now().Add(3 * time.Minute)); err != nil {
		t.Fatal(err)
	}
	for {
		_, frame, err := socket.ReadMessage()
		if err != nil {
			t.Fatalf("no frame contains %s: %v", text, err)
		}
		if strings.Contains(string(frame), text) {
			return
		}
	}
}

// wantClose reads frames until the socket is closed, and checks the code of the close frame.
func wantClose(t *testing.T, socket *websocket.Conn, code int) {
	t.Helper()
	if err := socket.SetReadDeadline(time.Now().Add(3 * time.Minute)); err != nil {
		t.Fatal(err)
	}
	for {
		if _, _, err := socket.ReadMessage(); err != nil {
			if !websocket.IsCloseError(err, code) {
				t.Errorf("the socket was closed with %v, want code %d", err, code)
			}
			return
		}
	}
}

// waitFor polls a condition until it is true. If that takes too long, the test fails with
// what message returns.
func waitFor(t *testing.T, condition func() bool, message func() string) {
	t.Helper()
	deadline, tick := time.After(3*time.Minute), time.NewTicker(20*time.Millisecond)
	defer tick.Stop()
	for !condition() {
		select {
		case <-deadline:
			t.Fatal(message())
		case <-tick.C:
		}
	}
}
