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
	for _, id := range []string{id, again} { // first made, then from the cache
		if len(id) < 16 || strings.Count(e.log.String(), `"method":"GET","route":"/users/buyer/{person}","status":200,"id":"`+id+`"`) != 1 {
			t.Errorf("the call %s is not in the log", id)
		}
	}
	if id == again {
		t.Error("two calls have one id")
	}
	for _, secret := range []string{buyer.token, buyer.cookie, "@", buyer.user.Name + "1"} {
		if strings.Contains(log, secret) {
			t.Errorf("%q is in the log", secret)
		}
	}
}

// Of many refused handshakes only some are logged.
func TestRefusedHandshakesAreLogged(t *testing.T) {
	e := newEnv(t)
	shake := func(change ...func(*http.Request)) int {
		upgrade := []func(*http.Request){
			header("Connection", "Upgrade"), header("Upgrade", "websocket"), header("Sec-WebSocket-Version", "13"),
			header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
		}
		return e.visitor().get("/live", append(upgrade, change...)...).StatusCode
	}
	line := func(status int, reason string) string {
		return fmt.Sprintf(`"msg":"handshake refused","route":"/live","status":%d,"reason":%q,"network":"127.0.0.0"`, status, reason)
	}
	if got := shake(header("Origin", "https://evil.example")); got != http.StatusForbidden {
		t.Errorf("a foreign page gets %d", got)
	}
	if got := shake(header("Sec-WebSocket-Protocol", "secondring.v1, bearer.a-secret-token")); got != http.StatusUnauthorized {
		t.Errorf("a bad token gets %d", got)
	}
	e.visitor().get("/live").wantStatus(http.StatusBadRequest)
	log := e.log.String()
	for _, want := range []string{
		line(http.StatusForbidden, "foreign origin"), line(http.StatusUnauthorized, "bad token"), line(http.StatusBadRequest, "not a WebSocket handshake"),
	} {
		if strings.Count(log, want) != 1 {
			t.Errorf("no line %s", want)
		}
	}
	if strings.Contains(log, "evil.example") || strings.Contains(log, "a-secret-token") {
		t.Error("the log repeats what was sent")
	}
	began := time.Now()
	for range 200 {
		e.visitor().get("/live").wantStatus(http.StatusBadRequest)
	}
	most := 10 * (2 + int(time.Since(began)/time.Second))
	if got := strings.Count(e.log.String(), "handshake refused"); got < 10 || got > most {
		t.Errorf("%d lines, want 10 to %d", got, most)
	}
}

// failingRoutes adds routes that fail.
func failingRoutes(s *setup) {
	add := func(path string, serve func(http.ResponseWriter, *http.Request) error) {
		s.config.Routes = append(s.config.Routes, rest.Route{Method: http.MethodGet, Path: path, ID: path, Handle: serve})
	}
	add("/panics", func(http.ResponseWriter, *http.Request) error { panic("secret of the house") })
	add("/fails", func(http.ResponseWriter, *http.Request) error { return errUnavailable })
	add("/takes-long", func(http.ResponseWriter, *http.Request) error { return context.DeadlineExceeded })
	add("/away", func(http.ResponseWriter, *http.Request) error {
		return fmt.Errorf("list phones: %w", market.ErrUnavailable)
	})
	add("/half", func(w http.ResponseWriter, _ *http.Request) error {
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(make([]byte, 4096))
		panic("in the middle")
	})
}

func TestInternalErrors(t *testing.T) {
	e := newEnv(t, failingRoutes)
	t.Run("500 without details, which are logged", func(t *testing.T) {
		for path, cause := range map[string]string{"/panics": "secret of the house", "/fails": errUnavailable.Error()} {
			got := e.visitor().get(path)
			if got.wantError(http.StatusInternalServerError, "internal"); strings.Contains(string(got.body), cause) {
				t.Errorf("%s: %s", path, got.body)
			}
			if strings.Count(e.log.String(), cause) != 1 || !strings.Contains(e.log.String(), got.Header.Get("X-Request-Id")) {
				t.Errorf("%s: the log says %s", path, e.log)
			}
		}
	})
	t.Run("503 after the timeout, and while the store is unavailable", func(t *testing.T) {
		for _, path := range []string{"/takes-long", "/away"} {
			e.visitor().get(path).wantUnavailable()
		}
	})
	t.Run("a partial response is cut off", func(t *testing.T) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, e.server.URL+"/half", nil)
		must(t, err)
		res, err := plainClient.Do(r)
		if err == nil {
			err = res.Write(&strings.Builder{})
			must(t, res.Body.Close())
		}
		if err == nil {
			t.Error("the answer ended as if it were whole")
		}
	})
}

// noPositions is a broker that is unavailable.
type noPositions struct{}

func (noPositions) Position(context.Context, string) (string, error) {
	return "", &market.Error{Code: market.CodeUnavailable, Message: "The broker is away"}
}

func TestBrokerUnavailable(t *testing.T) {
	e := newEnv(t)
	config := e.config
	config.Positions, config.Registry = noPositions{}, nil
	config.Bearer = func(context.Context, string) (market.Actor, time.Time, error) {
		return market.Actor{}, time.Time{}, &market.Error{Code: market.CodeUnavailable, Message: "The store is away"}
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
