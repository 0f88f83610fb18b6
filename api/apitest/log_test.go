package apitest_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"secondring/api/rest"
	"secondring/api/server"
	"secondring/market"
)

func TestLog(t *testing.T) {
	e := newEnv(t)
	buyer, other := e.buyer("Bob"), e.buyer("Ned")
	got := buyer.get("/users/buyer/" + buyer.user.Email).wantStatus(http.StatusOK)
	buyer.get("/users/buyer/" + other.user.Email)
	buyer.ownBookings()
	buyer.get("/nowhere/" + buyer.user.Email)
	log := e.log.String()

	id := got.Header.Get("X-Request-Id")
	again := buyer.get("/users/buyer/" + buyer.user.Email).wantStatus(http.StatusOK).Header.Get("X-Request-Id")
	for _, id := range []string{id, again} { // the second response is cached
		if len(id) < 16 || strings.Count(e.log.String(), `"method":"GET","route":"/users/buyer/{person}","status":200,"id":"`+id+`"`) != 1 {
			t.Errorf("the log does not have one line for the request %s", id)
		}
	}
	if id == again {
		t.Error("two requests have the same ID")
	}
	name, _, _ := strings.Cut(buyer.user.Email, "@")
	for _, secret := range []string{buyer.token, buyer.cookie, "@", name} {
		if strings.Contains(log, secret) {
			t.Errorf("the log contains %q", secret)
		}
	}
}

// The log has a line with the reason for a refused handshake, but only some lines if there are
// many.
func TestRefusedHandshakesAreLogged(t *testing.T) {
	e := newEnv(t)
	handshake := func(change ...func(*http.Request)) int {
		upgrade := []func(*http.Request){
			header("Connection", "Upgrade"), header("Upgrade", "websocket"), header("Sec-WebSocket-Version", "13"),
			header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
		}
		return e.visitor().get("/live", append(upgrade, change...)...).StatusCode
	}
	line := func(status int, reason string) string {
		return fmt.Sprintf(`"msg":"handshake refused","route":"/live","status":%d,"reason":%q,"network":"127.0.0.0"`, status, reason)
	}
	if got := handshake(header("Origin", "https://evil.example")); got != http.StatusForbidden {
		t.Errorf("a handshake of another origin has status %d, want 403", got)
	}
	if got := handshake(header("Sec-WebSocket-Protocol", "secondring.v1, bearer.a-secret-token")); got != http.StatusUnauthorized {
		t.Errorf("a handshake with an invalid token has status %d, want 401", got)
	}
	e.visitor().get("/live").wantStatus(http.StatusBadRequest)
	log := e.log.String()
	for _, want := range []string{
		line(http.StatusForbidden, "foreign origin"), line(http.StatusUnauthorized, "bad token"), line(http.StatusBadRequest, "not a WebSocket handshake"),
	} {
		if strings.Count(log, want) != 1 {
			t.Errorf("the log does not have one line with %s", want)
		}
	}
	if strings.Contains(log, "evil.example") || strings.Contains(log, "a-secret-token") {
		t.Error("the log contains the origin or the token of a request")
	}
	began := time.Now()
	for range 200 {
		e.visitor().get("/live").wantStatus(http.StatusBadRequest)
	}
	limit := 10 * (2 + int(time.Since(began)/time.Second))
	if got := strings.Count(e.log.String(), "handshake refused"); got < 10 || got > limit {
		t.Errorf("the log has %d lines about refused handshakes, want 10 to %d", got, limit)
	}
}

// failingRoutes adds routes that fail.
func failingRoutes(s *setup) {
	add := func(path string, serve func(http.ResponseWriter, *http.Request) error) {
		s.config.Routes = append(s.config.Routes, rest.Route{Method: http.MethodGet, Path: path, ID: path, Handle: serve})
	}
	add("/panic", func(http.ResponseWriter, *http.Request) error { panic("secret cause") })
	add("/error", func(http.ResponseWriter, *http.Request) error { return errUnavailable })
	add("/timeout", func(http.ResponseWriter, *http.Request) error { return context.DeadlineExceeded })
	add("/unavailable", func(http.ResponseWriter, *http.Request) error {
		return fmt.Errorf("list phones: %w", market.ErrUnavailable)
	})
	add("/partial", func(w http.ResponseWriter, _ *http.Request) error {
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(make([]byte, 4096))
		panic("after a part of the body")
	})
}

func TestInternalErrors(t *testing.T) {
	e := newEnv(t, failingRoutes)
	t.Run("500 without the cause, which is in the log", func(t *testing.T) {
		for path, cause := range map[string]string{"/panic": "secret cause", "/error": errUnavailable.Error()} {
			got := e.visitor().get(path)
			if got.wantError(http.StatusInternalServerError, "internal"); strings.Contains(string(got.body), cause) {
				t.Errorf("the response of %s contains the cause: %s", path, got.body)
			}
			if strings.Count(e.log.String(), cause) != 1 || !strings.Contains(e.log.String(), got.Header.Get("X-Request-Id")) {
				t.Errorf("the log does not have one line with the cause and the ID of %s: %s", path, e.log)
			}
		}
	})
	t.Run("503 after the timeout, and while the store is unavailable", func(t *testing.T) {
		for _, path := range []string{"/timeout", "/unavailable"} {
			e.visitor().get(path).wantUnavailable()
		}
	})
	t.Run("the connection ends after a partial response", func(t *testing.T) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, e.server.URL+"/partial", nil)
		must(t, err)
		res, err := plainClient.Do(r)
		if err == nil {
			err = res.Write(&strings.Builder{})
			must(t, res.Body.Close())
		}
		if err == nil {
			t.Error("the client reads a partial response without an error")
		}
	})
}

// unavailableBroker has no positions.
type unavailableBroker struct{}

func (unavailableBroker) Position(context.Context, string) (string, error) {
	return "", &market.Error{Code: market.CodeUnavailable, Message: "The broker is unavailable"}
}

func TestBrokerUnavailable(t *testing.T) {
	e := newEnv(t)
	config := e.config
	config.Positions, config.Registry = unavailableBroker{}, nil
	config.Bearer = func(context.Context, string) (market.Actor, time.Time, error) {
		return market.Actor{}, time.Time{}, &market.Error{Code: market.CodeUnavailable, Message: "The store is unavailable"}
	}
	handler, err := server.New(config)
	must(t, err)
	e.server = httptest.NewServer(handler)
	t.Cleanup(e.server.Close)
	for path, token := range map[string]string{"/products/advertised": "", "/reportedItems": "any"} {
		reader := &person{env: e, token: token}
		got := reader.get(path)
		if got.wantUnavailable(); got.Header.Get("Live-Position") != "" {
			t.Errorf("%s: the error has a Live-Position header", path)
		}
	}
}
