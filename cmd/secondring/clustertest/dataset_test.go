package clustertest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"secondring/cmd/secondring/app"
)

// callLimit is how long no call may take, whatever is away (api's call time).
const callLimit = 15 * time.Second

// town is a market on several nodes with people who use it without a break. Its
// tests take servers away, and then hold it to what its people were told.
type town struct {
	*cluster
	t       *testing.T
	web     *http.Client
	urls    []string // of the nodes, those in other processes too
	brands  []named
	chief   *citizen
	sellers []*citizen
	buyers  []*citizen
	told    *promises
	screens []*window
	leave   func()        // ends the screens
	opening time.Duration // of the screens
	idle    int           // goroutines before there was a node
	dying   atomic.Int64  // the node that may die, counted from 1
}

type named struct {
	ID   string `json:"_id"`
	Name string
}

// citizen is somebody with an account; nil is a visitor.
type citizen struct{ name, email, token string }

// The people of a town. Few, for a password takes a while to be hashed.
const (
	buyersInTown  = 4
	sellersInTown = 3
	phonesAtFirst = 10 // of each seller
)

// settle starts a node with each of these settings beside the cluster's, and
// fills their market with people and phones.
func settle(t *testing.T, mongo string, nodes ...map[string]string) *town {
	t.Helper()
	return settleWith(t, mongo, func(*cluster) []map[string]string { return nodes })
}

// settleWith is settle, with settings that are made when the servers are there.
func settleWith(t *testing.T, mongo string, nodes func(*cluster) []map[string]string) *town {
	t.Helper()
	c := startCluster(t, 0, map[string]string{
		"MONGODB_URI": mongo, "DEMO": "", "MAX_HOLDS": "1000", "BOOKING_HOLD": "1h", "ADVERTISE": "verified",
	})
	settings := nodes(c)
	idle := runtime.NumGoroutine()
	for _, more := range settings {
		env := maps.Clone(c.env)
		maps.Copy(env, more)
		c.nodes = append(c.nodes, start(t, settingsFor(t, env)))
	}
	transport := &http.Transport{MaxIdleConnsPerHost: 64, MaxConnsPerHost: 256}
	w := &town{
		cluster: c, t: t, told: newPromises(), idle: idle,
		web: &http.Client{Transport: transport, Timeout: 2 * callLimit},
	}
	for _, n := range c.nodes {
		w.urls = append(w.urls, n.URL())
	}
	t.Cleanup(transport.CloseIdleConnections)
	w.must(w.call(0, nil, http.MethodGet, "/allCategories", nil), &w.brands)
	w.brands = w.brands[:4]
	for i := range buyersInTown {
		w.buyers = append(w.buyers, w.moveIn(fmt.Sprint("buyer", i), "User"))
	}
	for i := range sellersInTown {
		w.sellers = append(w.sellers, w.moveIn(fmt.Sprint("seller", i), "Seller"))
	}
	w.chief = w.elect()
	w.verify(w.sellers[0])
	for i, s := range w.sellers {
		for range phonesAtFirst {
			id := w.adds(i%len(w.urls), s)
			if id == "" {
				t.Fatal("no phone can be added")
			}
			if i == 0 {
				w.must(w.call(0, s, http.MethodPut, "/products/advertise/"+id, nil), nil)
			}
		}
	}
	return w
}

// reply is how a call ended.
type reply struct {
	status int // 0 where there was no answer
	header http.Header
	body   []byte
	took   time.Duration
	err    error
}

func (r reply) ok() bool { return r.status/100 == 2 }

// call makes one, on the node of that number.
func (w *town) call(node int, who *citizen, method, path string, body any) (r reply) {
	began := time.Now()
	defer func() { r.took = time.Since(began) }()
	sent, err := json.Marshal(body)
	if err != nil {
		return reply{err: err}
	}
	request, err := http.NewRequestWithContext(context.Background(), method, w.urls[node]+path, bytes.NewReader(sent))
	if err != nil {
		return reply{err: err}
	}
	request.Header.Set("Content-Type", "application/json")
	if who != nil {
		request.Header.Set("Authorization", "Bearer "+who.token)
	}
	answer, err := w.web.Do(request)
	if err != nil {
		return reply{err: err}
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return reply{err: err}
	}
	return reply{status: answer.StatusCode, header: answer.Header, body: text}
}

// mayDie tells whether a call to a node may stay without an answer.
func (w *town) mayDie(node int) bool { return w.dying.Load() == int64(node+1) }

// must wants a success, and reads its body.
func (w *town) must(r reply, into any) {
	w.t.Helper()
	if !r.ok() {
		w.t.Fatalf("%d %s %v", r.status, r.body, r.err)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(r.body, into); err != nil {
		w.t.Fatal(err)
	}
}

// moveIn signs somebody up.
func (w *town) moveIn(name, accountType string) *citizen {
	w.t.Helper()
	p := w.nodes[0].visitor()
	c := &citizen{name: name, email: name + "@example.com"}
	p.call(http.MethodPost, "/identity/sign-up", map[string]string{"email": c.email, "password": "secret", "displayName": name}, nil)
	p.call(http.MethodPost, "/users", map[string]string{"name": name, "email": c.email, "accountType": accountType}, nil)
	var answer struct{ AccessToken string }
	p.call(http.MethodGet, "/jwt?email="+url.QueryEscape(c.email), nil, &answer)
	c.token = answer.AccessToken
	return c
}

// elect makes an admin.
func (w *town) elect() *citizen {
	w.t.Helper()
	tools, err := app.OpenAdmin(w.t.Context(), settingsFor(w.t, w.env))
	if err != nil {
		w.t.Fatal(err)
	}
	if err := tools.Identity.CreateAdmin(w.t.Context(), "chief@example.com", "secret"); err != nil {
		w.t.Fatal(err)
	}
	if err := tools.Close(); err != nil {
		w.t.Fatal(err)
	}
	return &citizen{name: "chief", email: "chief@example.com", token: w.nodes[0].signIn("chief@example.com", "secret").token}
}

func (w *town) verify(c *citizen) {
	w.t.Helper()
	var all []struct {
		ID    string `json:"_id"`
		Email string
	}
	w.must(w.call(0, w.chief, http.MethodGet, "/users/sellers", nil), &all)
	for _, s := range all {
		if s.Email == c.email {
			w.must(w.call(0, w.chief, http.MethodPut, "/users/seller/"+s.ID, nil), nil)
		}
	}
}

// list is every page of one, and the Live-Position of the first.
func (w *town) list(node int, who *citizen, path string) (items []json.RawMessage, position string, ok bool) {
	for path != "" {
		r := w.call(node, who, http.MethodGet, path, nil)
		var page []json.RawMessage
		if !r.ok() || json.Unmarshal(r.body, &page) != nil {
			return nil, "", false
		}
		if items == nil {
			_, position, _ = strings.Cut(r.header.Get("Live-Position"), "=")
		}
		items = append(items, page...)
		path, _, _ = strings.Cut(strings.TrimPrefix(r.header.Get("Link"), "<"), ">")
	}
	return items, position, true
}

// ready is what /readyz says on a node.
func (w *town) ready(node int) int {
	return w.call(node, nil, http.MethodGet, "/readyz", nil).status
}

// during runs do while a number of others go on, and ends those then.
func during(do func(), others ...func(stop <-chan struct{})) {
	stop := make(chan struct{})
	var all sync.WaitGroup
	for _, other := range others {
		all.Go(func() { other(stop) })
	}
	do()
	close(stop)
	all.Wait()
}

// pause waits a moment, or until the end.
func pause(stop <-chan struct{}, d time.Duration) (goOn bool) {
	again := time.NewTimer(d)
	defer again.Stop()
	select {
	case <-stop:
		return false
	case <-again.C:
		return true
	}
}
