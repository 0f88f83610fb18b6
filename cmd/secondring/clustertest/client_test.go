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

// view is a list with its topic. takes tells whether an event concerns the list, and
// whether the entity is in it after the event.
type view struct {
	path, topic string
	takes       func(kind string, e entity) (ours, on bool)
}

// window is a client of one list that follows the live protocol.
type window struct {
	view
	env  *env
	who  *account
	node int

	mu      sync.Mutex
	shown   map[string]entity
	known   map[string]int64 // versions, also of removed entities
	removed map[string]bool  // phones of product.removed on the topic admin
	at      string           // position
	stale   bool             // the list is to be fetched
	up      bool             // subscribed
	ends    map[int]int      // number of closed sockets by close code
	resyncs int
	changed time.Time
}

// watch opens n windows of all views, on all nodes. They are closed at the end of the
// test or by closeWindows.
func (e *env) watch(t *testing.T, n int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	e.closeWindows = func() {
		cancel()
		all.Wait()
	}
	t.Cleanup(e.closeWindows)
	began, kinds := time.Now(), e.views()
	for i := range n {
		k := kinds[i%len(kinds)]
		s := &window{
			view: k.view, env: e, who: k.who, node: i / len(kinds) % len(e.urls),
			shown: map[string]entity{}, known: map[string]int64{}, removed: map[string]bool{}, stale: true, ends: map[int]int{},
		}
		e.screens = append(e.screens, s)
		all.Go(func() { s.live(ctx) })
	}
	waitUntilNone(t, "all screens are live", func() string {
		for _, s := range e.screens {
			if _, ok := s.shows(); !ok {
				return s.path
			}
		}
		return ""
	})
	e.opening = time.Since(began)
}

// openView is a view and its user.
type openView struct {
	view
	who *account
}

// views returns the lists that windows show: a visitor's, each brand several times,
// each user's own and the admin's. Most windows show brands.
func (e *env) views() []openView {
	isIn := func(prefix, gone string) func(string, entity) (bool, bool) {
		return func(kind string, _ entity) (bool, bool) { return strings.HasPrefix(kind, prefix), kind != gone }
	}
	advertised := openView{view: view{"/products/advertised?limit=200", "advertised", func(_ string, e entity) (bool, bool) {
		return true, e.Advertise && !e.Booked
	}}}
	all := []openView{
		advertised,
		{view{"/reportedItems?limit=200", "admin", isIn("report.", "report.removed")}, e.chief},
		{view{"/users/sellers?limit=200", "admin", func(kind string, e entity) (bool, bool) {
			return kind == "user.removed" || e.AccountType == "Seller", kind != "user.removed"
		}}, e.chief},
	}
	for i, b := range e.brands {
		brand := view{"/categories/" + b.ID + "?limit=200", "brand:" + b.ID, isIn("product.", "product.removed")}
		all = append(all, openView{brand, e.buyers[i%len(e.buyers)]}, openView{brand, e.sellers[i%len(e.sellers)]}, advertised)
	}
	for _, b := range e.buyers {
		all = append(all, openView{view{"/bookings?limit=200&email=" + b.email, "me", isIn("booking.", "")}, b})
	}
	for _, s := range e.sellers {
		all = append(all, openView{view{"/products?limit=200&email=" + s.email, "me", isIn("product.", "product.removed")}, s})
	}
	return all
}

// The backoff of a window before it reconnects, as in the client.
const (
	backFirst = 250 * time.Millisecond
	backMost  = 2 * time.Second
)

// live shows the list until the context ends.
func (s *window) live(ctx context.Context) {
	for try := 0; ctx.Err() == nil; try++ {
		if s.once(ctx) {
			try = 0
		}
		s.useNextNode()
		wait := min(backFirst<<min(try, 8), backMost)
		pause(ctx.Done(), wait/2+rand.N(wait/2))
	}
}

// useNextNode connects the window to the next node if its own may have exited,
// as a load balancer does.
func (s *window) useNextNode() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.env.allowsExit(s.node) {
		s.node = (s.node + 1) % len(s.env.urls)
	}
}

// once fetches the list if needed and applies events until the socket closes. It tells
// whether it was subscribed.
func (s *window) once(ctx context.Context) (was bool) {
	if s.isStale() && !s.fetch() {
		return false
	}
	dialer := websocket.Dialer{Subprotocols: []string{"secondring.v1"}, HandshakeTimeout: callLimit}
	if s.who != nil {
		dialer.Subprotocols = append(dialer.Subprotocols, "bearer."+s.who.token)
	}
	socket, answer, err := dialer.DialContext(ctx, "ws"+strings.TrimPrefix(s.env.urls[s.node], "http")+"/live", nil)
	if answer != nil {
		_ = answer.Body.Close()
	}
	if err != nil {
		if answer != nil && answer.StatusCode != http.StatusServiceUnavailable {
			s.env.acknowledged.set(func() { s.env.acknowledged.wrong[fmt.Sprint("a socket is refused with ", answer.Status)]++ })
		}
		return false
	}
	ended := context.AfterFunc(ctx, func() { _ = socket.Close() })
	defer ended()
	defer func() { _ = socket.Close() }()
	if socket.WriteJSON(map[string]any{"subscribe": map[string]string{s.topic: s.at}}) != nil {
		return false
	}
	for {
		_, text, err := socket.ReadMessage()
		if err != nil {
			return s.ended(ctx, err)
		}
		s.take(frameOf(text))
		for s.isStale() {
			if !s.fetch() && !pause(ctx.Done(), backFirst/2+rand.N(backFirst)) {
				return true
			}
		}
	}
}

func (s *window) isStale() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stale
}

// ended records the close code, unless the window closed the socket itself, and tells
// whether the window was subscribed.
func (s *window) ended(ctx context.Context, err error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil {
		return s.up
	}
	code := 0
	if closed, ok := errors.AsType[*websocket.CloseError](err); ok {
		code = closed.Code
	}
	s.ends[code]++
	was := s.up
	s.up = false
	return was
}

func (s *window) take(f *liveFrame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at, in := f.Subscribed[s.topic]; in {
		s.at, s.up = at, true
	}
	if len(f.Denied) > 0 {
		s.wrong("a topic is denied: " + s.topic)
	}
	if len(f.Resync) > 0 {
		s.stale = true
		s.resyncs++
	}
	for _, e := range f.Events {
		s.at = e.Position
		if s.topic == "admin" && e.Type == "product.removed" {
			s.removed[e.entity.ID], s.changed = true, time.Now()
			continue
		}
		ours, on := s.takes(e.Type, e.entity)
		if !ours || e.entity.Version <= s.known[e.entity.ID] {
			continue
		}
		s.known[e.entity.ID] = e.entity.Version
		if s.changed = time.Now(); on {
			s.shown[e.entity.ID] = e.entity
		} else {
			delete(s.shown, e.entity.ID)
		}
	}
}

// fetch fetches the list. Its entities must not be older than the known ones.
func (s *window) fetch() bool {
	items, at, ok := s.env.list(s.node, s.who, s.path)
	if !ok {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	listed := map[string]entity{}
	for _, text := range items {
		e := entityOf(text)
		if e.Version < s.known[e.ID] {
			s.wrong(fmt.Sprintf("%s lists version %d of what was known in version %d", s.path, e.Version, s.known[e.ID]))
		}
		s.known[e.ID] = e.Version
		listed[e.ID] = e
	}
	s.shown, s.stale, s.changed = listed, false, time.Now()
	if !s.up {
		s.at = at
	}
	return true
}

func (s *window) wrong(what string) {
	s.env.acknowledged.set(func() { s.env.acknowledged.wrong[what]++ })
}

// shows returns the shown entities, and whether the window is live.
func (s *window) shows() (map[string]entity, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.shown), s.up && !s.stale
}

// fetchLists returns the current lists by reader and path.
func (e *env) fetchLists(node int) (map[string]map[string]entity, bool) {
	all := map[string]map[string]entity{}
	for _, k := range e.views() {
		key := keyOf(k.who, k.path)
		if all[key] != nil {
			continue
		}
		items, _, ok := e.list(node, k.who, k.path)
		if !ok {
			return nil, false
		}
		all[key] = map[string]entity{}
		for _, text := range items {
			e := entityOf(text)
			all[key][e.ID] = e
		}
	}
	return all, true
}

func keyOf(who *account, path string) string {
	if who == nil {
		return path
	}
	return who.email + " " + path
}

// difference describes how a window differs from its list, "" if it does not.
func (s *window) difference(lists map[string]map[string]entity) string {
	want := lists[keyOf(s.who, s.path)]
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.up || s.stale {
		return fmt.Sprintf("%s on node %d: subscribed %v, to be fetched %v", s.path, s.node, s.up, s.stale)
	}
	for id, e := range want {
		if shown := s.withPhoneRemoved(s.shown[id]); !shown.isAs(e) {
			return fmt.Sprintf("%s on node %d shows %+v, is %+v", s.path, s.node, shown, e)
		}
	}
	for id, e := range s.shown {
		if _, there := want[id]; !there {
			return fmt.Sprintf("%s on node %d shows %s, which is not there", s.path, s.node, e.text)
		}
	}
	return ""
}

// withPhoneRemoved is the entity as the screen shows it: a report learns from
// product.removed that its phone is no longer on the market.
func (s *window) withPhoneRemoved(e entity) entity {
	if e.ProductID == "" || !s.removed[e.ProductID] || strings.Contains(e.text, `"phoneRemoved"`) {
		return e
	}
	e.text = strings.TrimSuffix(e.text, "}") + `"phoneRemoved":true,}`
	return e
}

// syncTimeout is the maximum time until all windows are current after an outage: five
// seconds, or on a slow machine the time in which they were opened.
func (e *env) syncTimeout() time.Duration { return max(5*time.Second, e.opening) }

// waitUntilCurrent waits until every screen equals its list, while nothing changes, and
// returns the time since then.
func (e *env) waitUntilCurrent(t *testing.T, node int, since time.Time) time.Duration {
	t.Helper()
	wrong := "the lists are not served"
	late, again := time.After(patience+e.syncTimeout()), time.NewTicker(50*time.Millisecond)
	defer again.Stop()
	for {
		if lists, ok := e.fetchLists(node); ok {
			looked := time.Now()
			if wrong = e.differences(lists); wrong == "" {
				return looked.Sub(since)
			}
		}
		select {
		case <-late:
			t.Errorf("after %v: %s", time.Since(since), wrong)
			return time.Since(since)
		case <-again.C:
		}
	}
}

func (e *env) differences(lists map[string]map[string]entity) string {
	first, n := "", 0
	for _, s := range e.screens {
		if wrong := s.difference(lists); wrong != "" {
			first = wrong
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d screens, such as %s", n, len(e.screens), first)
}

// endings counts closed sockets by close code (0 without one), and lists that were
// fetched again.
func (e *env) endings() (codes map[int]int, resyncs int) {
	codes = map[int]int{}
	for _, s := range e.screens {
		s.mu.Lock()
		for code, n := range s.ends {
			codes[code] += n
		}
		resyncs += s.resyncs
		s.mu.Unlock()
	}
	return codes, resyncs
}
