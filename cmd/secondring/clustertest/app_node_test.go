package clustertest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"sync"
	"testing"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/settings"
)

func settingsFor(t *testing.T, pairs map[string]string) settings.Settings {
	t.Helper()
	env := map[string]string{"ADDR": "127.0.0.1:0", "DATA_DIR": t.TempDir(), "RATE_LIMIT": "off"}
	maps.Copy(env, pairs)
	s, err := settings.Read(func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// running is a running node.
type running struct {
	*app.App
	t    *testing.T
	stop func() error // drains, and tells how that went
}

func start(t *testing.T, s settings.Settings) *running {
	t.Helper()
	a, err := app.New(t.Context(), s, app.Options{Version: "test", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	r := &running{App: a, t: t, stop: sync.OnceValue(func() error {
		cancel()
		return <-done
	})}
	t.Cleanup(func() {
		if err := r.stop(); err != nil {
			t.Errorf("stopping: %v", err)
		}
	})
	return r
}

// person is a browser of a user.
type person struct {
	*running
	http.Client
	token   string
	through string // the proxy's address, if there is one between
}

// URL is the address of the node that this browser uses.
func (p *person) URL() string {
	if p.through != "" {
		return p.through
	}
	return p.running.URL()
}

func (r *running) visitor() *person {
	r.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return &person{running: r, Client: http.Client{Jar: jar}}
}

func (r *running) signIn(email, password string) *person {
	r.t.Helper()
	p := r.visitor()
	p.call(http.MethodPost, "/identity/sign-in", map[string]string{"email": email, "password": password}, nil)
	var answer struct{ AccessToken string }
	p.call(http.MethodGet, "/jwt?email="+email, nil, &answer)
	p.token = answer.AccessToken
	return p
}

// status returns the status of a GET by a visitor.
func (r *running) status(path string) int {
	r.t.Helper()
	answer, _ := r.visitor().ask(http.MethodGet, path, nil)
	return answer.StatusCode
}

// call fails the test unless the call succeeds, and reads its body.
func (p *person) call(method, path string, body, into any) {
	p.t.Helper()
	answer, text := p.ask(method, path, body)
	if answer.StatusCode/100 != 2 {
		p.t.Fatalf("%s %s: %s %s", method, path, answer.Status, text)
	}
	if into != nil {
		if err := json.Unmarshal(text, into); err != nil {
			p.t.Fatal(err)
		}
	}
}

func (p *person) ask(method, path string, body any) (*http.Response, []byte) {
	p.t.Helper()
	var sent, got bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&sent).Encode(body); err != nil {
			p.t.Fatal(err)
		}
	}
	request, err := http.NewRequestWithContext(p.t.Context(), method, p.URL()+path, &sent)
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if p.token != "" {
		request.Header.Set("Authorization", "Bearer "+p.token)
	}
	answer, err := p.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if _, err := got.ReadFrom(answer.Body); err != nil {
		p.t.Fatal(err)
	}
	return answer, got.Bytes()
}
