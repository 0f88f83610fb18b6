package clustertest_test

import (
	"context"
	"encoding/json"
	"fmt"
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
	"secondring/cmd/secondring/nodetest"
)

// callLimit is the maximum duration of a call during any outage (api's call time).
const callLimit = 15 * time.Second

// env is a market on several nodes under load. Tests stop its servers, and then compare its
// data with the responses that its users got.
type env struct {
	*cluster
	t                *testing.T
	web              *http.Client
	urls             []string // of all nodes, also of those in other processes
	brands           []brand
	admin            *account
	sellers          []*account
	buyers           []*account
	acknowledged     *callLog
	clients          []*client
	closeClients     func()
	openDuration     time.Duration // of the clients
	goroutinesBefore int           // goroutines before the first node started
	dyingNode        atomic.Int64  // the number of the node that may exit, from 1; 0 for none
}

type brand struct {
	ID   string `json:"_id"`
	Name string
}

// account is a signed-in user of the API; nil is a visitor.
type account struct{ name, email, token string }

// newPhone returns the body of POST /products.
func newPhone(name string, of brand, sellerName, email string) map[string]any {
	return map[string]any{
		"name": name, "brand": of.Name, "id": of.ID, "img": "/images/a.jpg",
		"originalPrice": 500, "resalePrice": 100, "productCondition": "Good", "usedTime": "1 year",
		"description": "Rings.", "sellerName": sellerName, "email": email, "location": "Dhaka", "phone": "01700000",
		"selling_post_date": "2026-11-01",
	}
}

// The numbers of users and phones of an env. They are small, because hashing a password is
// slow.
const (
	buyerCount      = 4
	sellerCount     = 3
	phonesPerSeller = 10
)

// startEnv starts a node with each of these settings in addition to the cluster's,
// and fills the market with users and phones.
func startEnv(t *testing.T, mongo string, nodes ...map[string]string) *env {
	t.Helper()
	return startEnvWith(t, mongo, func(*cluster) []map[string]string { return nodes })
}

// startEnvWith is startEnv with settings that depend on the running servers.
func startEnvWith(t *testing.T, mongo string, nodes func(*cluster) []map[string]string) *env {
	t.Helper()
	c := startCluster(t, 0, map[string]string{
		"MONGODB_URI": mongo, "DEMO": "", "MAX_HOLDS": "1000", "BOOKING_HOLD": "1h", "ADVERTISE": "verified",
	})
	settings := nodes(c)
	goroutines := runtime.NumGoroutine()
	for _, overrides := range settings {
		env := maps.Clone(c.env)
		maps.Copy(env, overrides)
		c.nodes = append(c.nodes, startNode(t, nodetest.Settings(t, env)))
	}
	transport := &http.Transport{MaxIdleConnsPerHost: 64, MaxConnsPerHost: 256}
	e := &env{
		cluster: c, t: t, acknowledged: newCallLog(), goroutinesBefore: goroutines,
		web: &http.Client{Transport: transport, Timeout: 2 * callLimit},
	}
	for _, n := range c.nodes {
		e.urls = append(e.urls, n.URL())
	}
	t.Cleanup(transport.CloseIdleConnections)
	e.must(e.call(0, nil, http.MethodGet, "/allCategories", nil), &e.brands)
	e.brands = e.brands[:4]
	for i := range buyerCount {
		e.buyers = append(e.buyers, e.signUp(fmt.Sprint("buyer", i), "User"))
	}
	for i := range sellerCount {
		e.sellers = append(e.sellers, e.signUp(fmt.Sprint("seller", i), "Seller"))
	}
	e.admin = e.createAdmin()
	e.verify(e.sellers[0])
	for i, s := range e.sellers {
		for range phonesPerSeller {
			id := e.addPhone(i%len(e.urls), s)
			if id == "" {
				t.Fatal("a phone could not be added")
			}
			if i == 0 {
				e.must(e.call(0, s, http.MethodPut, "/products/advertise/"+id, nil), nil)
			}
		}
	}
	return e
}

// reply is the result of a call.
type reply struct {
	status int // 0 without a response
	header http.Header
	body   []byte
	took   time.Duration
	err    error
}

func (r reply) ok() bool { return r.status/100 == 2 }

// call makes a call to the node with this index.
func (e *env) call(node int, account *account, method, path string, body any) (r reply) {
	startedAt := time.Now()
	defer func() { r.took = time.Since(startedAt) }()
	token := ""
	if account != nil {
		token = account.token
	}
	answer, text, err := nodetest.Do(context.Background(), e.web, method, e.urls[node]+path, token, body)
	if err != nil {
		return reply{err: err}
	}
	return reply{status: answer.StatusCode, header: answer.Header, body: text}
}

// allowsExit tells whether a call to a node may fail without a response.
func (e *env) allowsExit(node int) bool { return e.dyingNode.Load() == int64(node+1) }

// must fails the test unless the call succeeded, and decodes its body.
func (e *env) must(r reply, into any) {
	e.t.Helper()
	if !r.ok() {
		e.t.Fatalf("the call failed: %d %s %v", r.status, r.body, r.err)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(r.body, into); err != nil {
		e.t.Fatal(err)
	}
}

// signUp signs up a user.
func (e *env) signUp(name, accountType string) *account {
	e.t.Helper()
	p := e.nodes[0].visitor()
	c := &account{name: name, email: name + "@example.com"}
	p.call(http.MethodPost, "/identity/sign-up", map[string]string{"email": c.email, "password": "secret-ring", "displayName": name}, nil)
	p.call(http.MethodPost, "/users", map[string]string{"name": name, "email": c.email, "accountType": accountType}, nil)
	var answer struct{ AccessToken string }
	p.call(http.MethodGet, "/jwt?email="+url.QueryEscape(c.email), nil, &answer)
	c.token = answer.AccessToken
	return c
}

// createAdmin creates an admin, as the command does.
func (e *env) createAdmin() *account {
	e.t.Helper()
	tools, err := app.OpenAdmin(e.t.Context(), nodetest.Settings(e.t, e.env))
	if err != nil {
		e.t.Fatal(err)
	}
	if err := tools.Identity.CreateAdmin(e.t.Context(), "admin@example.com", "secret-ring"); err != nil {
		e.t.Fatal(err)
	}
	if err := tools.Close(); err != nil {
		e.t.Fatal(err)
	}
	return &account{name: "admin", email: "admin@example.com", token: e.nodes[0].signIn("admin@example.com", "secret-ring").token}
}

func (e *env) verify(c *account) {
	e.t.Helper()
	var all []struct {
		ID    string `json:"_id"`
		Email string
	}
	e.must(e.call(0, e.admin, http.MethodGet, "/users/sellers", nil), &all)
	for _, s := range all {
		if s.Email == c.email {
			e.must(e.call(0, e.admin, http.MethodPut, "/users/seller/"+s.ID, nil), nil)
		}
	}
}

// list returns every page of a list, and the Live-Position of the first.
func (e *env) list(node int, account *account, path string) (items []json.RawMessage, position string, ok bool) {
	for path != "" {
		r := e.call(node, account, http.MethodGet, path, nil)
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

// ready returns the status of /readyz on a node.
func (e *env) ready(node int) int {
	return e.call(node, nil, http.MethodGet, "/readyz", nil).status
}

// runWith runs do while the background tasks run, and stops them when do returns.
func runWith(do func(), background ...func(stop <-chan struct{})) {
	stop := make(chan struct{})
	var all sync.WaitGroup
	for _, task := range background {
		all.Go(func() { task(stop) })
	}
	do()
	close(stop)
	all.Wait()
}

// pause waits for d. It returns false if stop is closed earlier.
func pause(stop <-chan struct{}, d time.Duration) (elapsed bool) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-stop:
		return false
	case <-timer.C:
		return true
	}
}
