package clustertest_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// view is a list with its topic. applies tells whether an event concerns the list, and
// whether the entity is in the list after the event.
type view struct {
	path, topic string
	applies     func(kind string, e entity) (concerns, listed bool)
}

// client is a client of one list that follows the live protocol.
type client struct {
	view
	env     *env
	account *account
	node    int

	mu         sync.Mutex
	shown      map[string]entity
	versions   map[string]int64 // by id, also of removed entities
	removed    map[string]bool  // phones of product.removed on the topic admin
	position   string
	stale      bool // the list must be fetched
	subscribed bool
	closeCodes map[int]int // number of closed sockets by close code
	resyncs    int
	changedAt  time.Time
}

// openClients opens n clients of all views, on all nodes. They are closed at the end of the
// test or by closeClients.
func (e *env) openClients(t *testing.T, n int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	e.closeClients = func() {
		cancel()
		all.Wait()
	}
	t.Cleanup(e.closeClients)
	startedAt, views := time.Now(), e.openViews()
	for i := range n {
		v := views[i%len(views)]
		s := &client{
			view: v.view, env: e, account: v.account, node: i / len(views) % len(e.urls),
			shown: map[string]entity{}, versions: map[string]int64{}, removed: map[string]bool{}, stale: true, closeCodes: map[int]int{},
		}
		e.clients = append(e.clients, s)
		all.Go(func() { s.run(ctx) })
	}
	waitUntilNoProblem(t, "all clients are live", func() string {
		for _, s := range e.clients {
			if _, ok := s.state(); !ok {
				return s.path
			}
		}
		return ""
	})
	e.openDuration = time.Since(startedAt)
}

// openView is a view and its user.
type openView struct {
	view
	account *account
}

// openViews returns the lists that clients show: a visitor's, each brand several times,
// each user's own and the admin's. Most clients show brands.
func (e *env) openViews() []openView {
	hasPrefix := func(prefix, removed string) func(string, entity) (bool, bool) {
		return func(kind string, _ entity) (bool, bool) { return strings.HasPrefix(kind, prefix), kind != removed }
	}
	advertised := openView{view: view{"/products/advertised?limit=200", "advertised", func(_ string, e entity) (bool, bool) {
		return true, e.Advertise && !e.Booked
	}}}
	all := []openView{
		advertised,
		{view{"/reportedItems?limit=200", "admin", hasPrefix("report.", "report.removed")}, e.admin},
		{view{"/users/sellers?limit=200", "admin", func(kind string, e entity) (bool, bool) {
			return kind == "user.removed" || e.AccountType == "Seller", kind != "user.removed"
		}}, e.admin},
	}
	for i, b := range e.brands {
		brand := view{"/categories/" + b.ID + "?limit=200", "brand:" + b.ID, hasPrefix("product.", "product.removed")}
		all = append(all, openView{brand, e.buyers[i%len(e.buyers)]}, openView{brand, e.sellers[i%len(e.sellers)]}, advertised)
	}
	for _, b := range e.buyers {
		all = append(all, openView{view{"/bookings?limit=200&email=" + b.email, "me", hasPrefix("booking.", "")}, b})
	}
	for _, s := range e.sellers {
		all = append(all, openView{view{"/products?limit=200&email=" + s.email, "me", hasPrefix("product.", "product.removed")}, s})
	}
	return all
}

// The backoff before a client reconnects, as in the real client.
const (
	minBackoff = 250 * time.Millisecond
	maxBackoff = 2 * time.Second
)

// run shows the list until the context ends.
func (c *client) run(ctx context.Context) {
	for try := 0; ctx.Err() == nil; try++ {
		if c.followOnce(ctx) {
			try = 0
		}
		c.useNextNode()
		wait := min(minBackoff<<min(try, 8), maxBackoff)
		pause(ctx.Done(), wait/2+rand.N(wait/2))
	}
}

// useNextNode connects the client to the next node if its own may have exited, as a load
// balancer does.
func (c *client) useNextNode() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.env.allowsExit(c.node) {
		c.node = (c.node + 1) % len(c.env.urls)
	}
}

// followOnce fetches the list if needed and applies events until the socket closes. It tells
// whether the client was subscribed.
func (c *client) followOnce(ctx context.Context) (wasSubscribed bool) {
	if c.isStale() && !c.fetch() {
		return false
	}
	dialer := websocket.Dialer{Subprotocols: []string{"secondring.v1"}, HandshakeTimeout: callLimit}
	if c.account != nil {
		dialer.Subprotocols = append(dialer.Subprotocols, "bearer."+c.account.token)
	}
	socket, answer, err := dialer.DialContext(ctx, "ws"+strings.TrimPrefix(c.env.urls[c.node], "http")+"/live", nil)
	if answer != nil {
		_ = answer.Body.Close()
	}
	if err != nil {
		if answer != nil && answer.StatusCode != http.StatusServiceUnavailable {
			c.env.acknowledged.locked(func() { c.env.acknowledged.violations[fmt.Sprint("a socket is refused with ", answer.Status)]++ })
		}
		return false
	}
	ended := context.AfterFunc(ctx, func() { _ = socket.Close() })
	defer ended()
	defer func() { _ = socket.Close() }()
	if socket.WriteJSON(map[string]any{"subscribe": map[string]string{c.topic: c.position}}) != nil {
		return false
	}
	for {
		_, text, err := socket.ReadMessage()
		if err != nil {
			return c.onClose(ctx, err)
		}
		c.applyFrame(decodeFrame(text))
		for c.isStale() {
			if !c.fetch() && !pause(ctx.Done(), minBackoff/2+rand.N(minBackoff)) {
				return true
			}
		}
	}
}

func (c *client) isStale() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stale
}

// onClose records the close code, unless the client closed the socket itself, and tells
// whether the client was subscribed.
func (c *client) onClose(ctx context.Context, err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ctx.Err() != nil {
		return c.subscribed
	}
	code := 0
	if closed, ok := errors.AsType[*websocket.CloseError](err); ok {
		code = closed.Code
	}
	c.closeCodes[code]++
	wasSubscribed := c.subscribed
	c.subscribed = false
	return wasSubscribed
}

func (c *client) applyFrame(f *liveFrame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, in := f.Subscribed[c.topic]; in {
		c.position, c.subscribed = at, true
	}
	if len(f.Denied) > 0 {
		c.report("a topic is denied: " + c.topic)
	}
	if len(f.Resync) > 0 {
		c.stale = true
		c.resyncs++
	}
	for _, e := range f.Events {
		c.position = e.Position
		if c.topic == "admin" && e.Type == "product.removed" {
			c.removed[e.entity.ID], c.changedAt = true, time.Now()
			continue
		}
		concerns, listed := c.applies(e.Type, e.entity)
		if !concerns || e.entity.Version <= c.versions[e.entity.ID] {
			continue
		}
		c.versions[e.entity.ID] = e.entity.Version
		if c.changedAt = time.Now(); listed {
			c.shown[e.entity.ID] = e.entity
		} else {
			delete(c.shown, e.entity.ID)
		}
	}
}

// fetch fetches the list. Its entities must not be older than the known ones.
func (c *client) fetch() bool {
	items, at, ok := c.env.list(c.node, c.account, c.path)
	if !ok {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	listed := map[string]entity{}
	for _, text := range items {
		e := decodeEntity(text)
		if e.Version < c.versions[e.ID] {
			c.report(fmt.Sprintf("%s lists version %d of an entity after version %d", c.path, e.Version, c.versions[e.ID]))
		}
		c.versions[e.ID] = e.Version
		listed[e.ID] = e
	}
	c.shown, c.stale, c.changedAt = listed, false, time.Now()
	if !c.subscribed {
		c.position = at
	}
	return true
}

func (c *client) report(what string) {
	c.env.acknowledged.locked(func() { c.env.acknowledged.violations[what]++ })
}

// state returns the shown entities, and whether the client is live.
func (c *client) state() (map[string]entity, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.shown), c.subscribed && !c.stale
}

// fetchLists returns the server's lists by user and path.
func (e *env) fetchLists(node int) (map[string]map[string]entity, bool) {
	all := map[string]map[string]entity{}
	for _, v := range e.openViews() {
		key := keyOf(v.account, v.path)
		if all[key] != nil {
			continue
		}
		items, _, ok := e.list(node, v.account, v.path)
		if !ok {
			return nil, false
		}
		all[key] = map[string]entity{}
		for _, text := range items {
			e := decodeEntity(text)
			all[key][e.ID] = e
		}
	}
	return all, true
}

func keyOf(account *account, path string) string {
	if account == nil {
		return path
	}
	return account.email + " " + path
}

// difference describes how a client differs from its list, "" if it does not.
func (c *client) difference(lists map[string]map[string]entity) string {
	want := lists[keyOf(c.account, c.path)]
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.subscribed || c.stale {
		return fmt.Sprintf("%s on node %d: subscribed %v, stale %v", c.path, c.node, c.subscribed, c.stale)
	}
	for id, e := range want {
		if shown := c.withPhoneRemoved(c.shown[id]); !shown.equals(e) {
			return fmt.Sprintf("%s on node %d shows %+v, want %+v", c.path, c.node, shown, e)
		}
	}
	for id, e := range c.shown {
		if _, exists := want[id]; !exists {
			return fmt.Sprintf("%s on node %d shows %s, which the server does not list", c.path, c.node, e.text)
		}
	}
	return ""
}

// withPhoneRemoved returns the entity as the client shows it. After product.removed the
// report of that phone says that the phone was removed.
func (c *client) withPhoneRemoved(e entity) entity {
	if e.ProductID == "" || !c.removed[e.ProductID] || strings.Contains(e.text, `"phoneRemoved"`) {
		return e
	}
	e.text = strings.TrimSuffix(e.text, "}") + `"phoneRemoved":true,}`
	return e
}

// syncTimeout is the maximum time until all clients are current after an outage. On an idle machine
// they take one to three seconds, which the tests log; a busy one needs several times as long.
func (e *env) syncTimeout() time.Duration { return max(30*time.Second, 3*e.openDuration) }

// waitUntilCurrent waits until every client equals its list, while nothing changes, and
// returns the time from since until then.
func (e *env) waitUntilCurrent(t *testing.T, node int, since time.Time) time.Duration {
	t.Helper()
	problem := "the lists cannot be read"
	timeout, ticker := time.After(patience+e.syncTimeout()), time.NewTicker(50*time.Millisecond)
	defer ticker.Stop()
	for {
		if lists, ok := e.fetchLists(node); ok {
			fetchedAt := time.Now()
			if problem = e.differences(lists); problem == "" {
				return fetchedAt.Sub(since)
			}
		}
		select {
		case <-timeout:
			t.Errorf("not current after %v: %s", time.Since(since), problem)
			return time.Since(since)
		case <-ticker.C:
		}
	}
}

func (e *env) differences(lists map[string]map[string]entity) string {
	first, n := "", 0
	for _, s := range e.clients {
		if problem := s.difference(lists); problem != "" {
			first = problem
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d clients differ, such as %s", n, len(e.clients), first)
}

// closeCodes counts closed sockets by close code (0 without one), and lists that were
// fetched again.
func (e *env) closeCodes() (codes map[int]int, resyncs int) {
	codes = map[int]int{}
	for _, s := range e.clients {
		s.mu.Lock()
		for code, n := range s.closeCodes {
			codes[code] += n
		}
		resyncs += s.resyncs
		s.mu.Unlock()
	}
	return codes, resyncs
}
