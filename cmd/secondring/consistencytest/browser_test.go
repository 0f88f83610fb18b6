package consistencytest_test

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"time"

	"secondring/cmd/secondring/nodetest"
)

// browser is an HTTP client with cookies, without the client's code.
type browser struct {
	env   *env
	http  http.Client
	token string
}

func newBrowser(e *env) *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		e.t.Fatal(err)
	}
	return &browser{env: e, http: http.Client{Jar: jar, Timeout: 20 * time.Second}}
}

func (b *browser) signIn(p *person) {
	b.env.t.Helper()
	b.mustCall(http.MethodPost, "/identity/sign-in", map[string]string{"email": p.email, "password": password}, nil)
	var answer struct{ AccessToken string }
	b.mustCall(http.MethodGet, "/jwt?email="+url.QueryEscape(p.email), nil, &answer)
	b.token = answer.AccessToken
}

// mustCall repeats a call until it succeeds, because a node may be unavailable.
func (b *browser) mustCall(method, path string, body, into any) {
	b.env.t.Helper()
	timeout, ticker := time.After(3*time.Minute), time.NewTicker(200*time.Millisecond)
	defer ticker.Stop()
	for {
		status, text := b.call(method, path, body)
		if status/100 == 2 {
			if into != nil && json.Unmarshal(text, into) != nil {
				b.env.t.Errorf("%s %s: %s", method, path, text)
			}
			return
		}
		select {
		case <-timeout:
			b.env.t.Errorf("%s %s: %d %s", method, path, status, text)
			return
		case <-ticker.C:
		}
	}
}

func (b *browser) call(method, path string, body any) (status int, text []byte) {
	node := b.env.nodes[rand.IntN(len(b.env.nodes))]
	// Cookies do not depend on the port, so the nodes share them.
	answer, text, err := nodetest.Do(b.env.t.Context(), &b.http, method, node.URL+path, b.token, body)
	if err != nil {
		return 0, []byte(err.Error())
	}
	return answer.StatusCode, text
}
