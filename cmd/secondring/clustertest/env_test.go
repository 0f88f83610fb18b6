package clustertest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"secondring/cmd/secondring/nodetest"
)

// callLimit is the maximum duration of a call during any outage (api's call time).
const callLimit = 15 * time.Second

// env is a market under load. Tests stop its servers, and then compare its data with the
// responses that its users got.
type env struct {
	t            *testing.T
	web          *http.Client
	urls         []string     // of the nodes, or of a proxy
	open         atomic.Int64 // how many of them get the calls of the load
	dyingNode    int          // the index of the node that may exit during a call; -1 for none
	brands       []brand
	sellers      []*account
	buyers       []*account
	acknowledged *callLog
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

// loadSettings are the settings of nodes that get the load of an env.
func loadSettings() map[string]string {
	return map[string]string{"DEMO": "", "MAX_HOLDS": "1000", "BOOKING_HOLD": "1h", "TRUSTED_PROXIES": "127.0.0.1"}
}

// newEnv fills the market of the nodes at these addresses with users and phones.
func newEnv(t *testing.T, urls ...string) *env {
	t.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: 64, MaxConnsPerHost: 256}
	t.Cleanup(transport.CloseIdleConnections)
	e := &env{t: t, urls: urls, dyingNode: -1, acknowledged: newCallLog(), web: &http.Client{Transport: transport, Timeout: 2 * callLimit}}
	e.open.Store(int64(len(urls)))
	e.must(e.call(0, nil, http.MethodGet, "/allCategories", nil), &e.brands)
	e.brands = e.brands[:4]
	for i := range buyerCount {
		e.buyers = append(e.buyers, e.signUp(fmt.Sprint("buyer", i), "User"))
	}
	for i := range sellerCount {
		e.sellers = append(e.sellers, e.signUp(fmt.Sprint("seller", i), "Seller"))
	}
	for _, s := range e.sellers {
		for range phonesPerSeller {
			if e.addPhone(0, s) == "" {
				t.Fatal("a phone could not be added")
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
	c := &account{name: name, email: name + "@example.com"}
	signedUp := e.call(0, nil, http.MethodPost, "/identity/sign-up", map[string]string{"email": c.email, "password": "secret-ring", "displayName": name})
	e.must(signedUp, nil)
	c.token, _, _ = strings.Cut(signedUp.header.Get("Set-Cookie"), ";")
	e.must(e.call(0, c, http.MethodPost, "/users", map[string]string{"name": name, "email": c.email, "accountType": accountType}), nil)
	var answer struct{ AccessToken string }
	e.must(e.call(0, c, http.MethodGet, "/jwt?email="+c.email, nil), &answer)
	c.token = answer.AccessToken
	return c
}

// rowsOf returns the rows of every page of a list.
func rowsOf[T any](e *env, node int, account *account, path string) (rows []T, ok bool) {
	for path != "" {
		r := e.call(node, account, http.MethodGet, path, nil)
		var page []T
		if !r.ok() || json.Unmarshal(r.body, &page) != nil {
			return nil, false
		}
		rows = append(rows, page...)
		path, _, _ = strings.Cut(strings.TrimPrefix(r.header.Get("Link"), "<"), ">")
	}
	return rows, true
}

// waitForReady waits until each of these nodes returns the status at /readyz.
func (e *env) waitForReady(t *testing.T, status int, nodes ...int) {
	t.Helper()
	waitUntilNoProblem(t, fmt.Sprint("nodes return ", status, " at /readyz"), func() string {
		for _, node := range nodes {
			if r := e.call(node, nil, http.MethodGet, "/readyz", nil); r.status != status {
				return fmt.Sprintf("node %d returns %d", node, r.status)
			}
		}
		return ""
	})
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

// waitUntilNoProblem waits until problem returns "".
func waitUntilNoProblem(t *testing.T, what string, problem func() string) {
	t.Helper()
	timeout, ticker := time.After(3*patience), time.NewTicker(100*time.Millisecond)
	defer ticker.Stop()
	for {
		current := problem()
		if current == "" {
			return
		}
		select {
		case <-timeout:
			t.Errorf("not within %v: %s: %s", 3*patience, what, current)
			return
		case <-ticker.C:
		}
	}
}
