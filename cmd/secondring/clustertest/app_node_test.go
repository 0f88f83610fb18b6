package clustertest_test

import (
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"testing"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/nodetest"
	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// appNode is a node in the process of the test.
type appNode struct {
	*app.App
	t    *testing.T
	stop func() error // shuts down, and returns the result
}

func startNode(t *testing.T, s settings.Settings) *appNode {
	t.Helper()
	return startNodeWithClock(t, s, nil)
}

// startNodeWithClock starts a node with this clock; nil is the system's.
func startNodeWithClock(t *testing.T, s settings.Settings, clock market.Clock) *appNode {
	t.Helper()
	node, stop := nodetest.StartInProcess(t, s, app.Options{Clock: clock})
	return &appNode{App: node, t: t, stop: stop}
}

// browser is the browser of a user or a visitor, with its cookies.
type browser struct {
	*appNode
	http.Client
	token    string
	proxyURL string // of the proxy that the browser uses, "" for none
}

// URL is the address of the node that this browser uses.
func (b *browser) URL() string {
	if b.proxyURL != "" {
		return b.proxyURL
	}
	return b.appNode.URL()
}

func (n *appNode) visitor() *browser {
	n.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		n.t.Fatal(err)
	}
	return &browser{appNode: n, Client: http.Client{Jar: jar}}
}

func (n *appNode) signIn(email, password string) *browser {
	n.t.Helper()
	p := n.visitor()
	p.call(http.MethodPost, "/identity/sign-in", map[string]string{"email": email, "password": password}, nil)
	var answer struct{ AccessToken string }
	p.call(http.MethodGet, "/jwt?email="+email, nil, &answer)
	p.token = answer.AccessToken
	return p
}

// status returns the status of a GET by a visitor.
func (n *appNode) status(path string) int {
	n.t.Helper()
	answer, _ := n.visitor().send(http.MethodGet, path, nil)
	return answer.StatusCode
}

// call fails the test unless the call succeeds, and decodes its body.
func (b *browser) call(method, path string, body, into any) {
	b.t.Helper()
	answer, text := b.send(method, path, body)
	if answer.StatusCode/100 != 2 {
		b.t.Fatalf("%s %s: %s %s", method, path, answer.Status, text)
	}
	if into != nil {
		if err := json.Unmarshal(text, into); err != nil {
			b.t.Fatal(err)
		}
	}
}

func (b *browser) send(method, path string, body any) (*http.Response, []byte) {
	b.t.Helper()
	answer, text, err := nodetest.Do(b.t.Context(), &b.Client, method, b.URL()+path, b.token, body)
	if err != nil {
		b.t.Fatal(err)
	}
	return answer, text
}
