package clustertest_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"secondring/cmd/secondring/nodetest"
	"secondring/market"
	"secondring/store/mongo/mongotest"
)

// outageEnv is a market on two nodes. The first reaches its servers through networks that the test
// can interrupt.
type outageEnv struct {
	*env
	cluster                    *cluster
	store                      *mongotest.Server
	storeNetwork, redisNetwork *nodetest.Network
	goroutinesBefore           int // the nodes started
	goroutinesAfter            int // they started
}

// startOutageEnv starts its own server of the store, even if MONGODB_URI names one.
func startOutageEnv(t *testing.T) *outageEnv {
	t.Helper()
	server, err := mongotest.Own()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	settings := loadSettings()
	settings["MONGODB_URI"] = server.Database()
	c := startCluster(t, 0, settings)
	e := &outageEnv{cluster: c, store: server}
	e.storeNetwork, e.redisNetwork = nodetest.StartNetwork(t, c.env["MONGODB_URI"]), nodetest.StartNetwork(t, c.env["REDIS_URL"])
	first := maps.Clone(c.env)
	first["MONGODB_URI"], first["REDIS_URL"] = e.storeNetwork.URL, e.redisNetwork.URL
	e.goroutinesBefore = runtime.NumGoroutine()
	for _, env := range []map[string]string{first, c.env} {
		c.nodes = append(c.nodes, startNode(t, nodetest.Settings(t, env)))
	}
	e.env = newEnv(t, c.nodes[0].URL(), c.nodes[1].URL())
	e.goroutinesAfter = e.goroutines()
	return e
}

// outage is a failure of a server or of a network. begin starts it and returns the function that ends it.
type outage struct {
	name    string
	begin   func(t *testing.T, e *outageEnv) (end func())
	unready []int         // the nodes that are not ready during it
	ready   []int         // the nodes that are ready during it
	refuses bool          // whether unready nodes refuse calls
	longest time.Duration // the longest call
}

var outages = []outage{
	{
		name: "the network to Redis is closed", unready: []int{0}, ready: []int{1}, longest: callLimit / 3,
		begin: func(_ *testing.T, e *outageEnv) func() { return e.redisNetwork.Close() },
	},
	{
		name: "the network to Redis drops all data", unready: []int{0}, ready: []int{1}, longest: callLimit / 3,
		begin: func(_ *testing.T, e *outageEnv) func() { return e.redisNetwork.DropData() },
	},
	{
		name: "the network to the store is closed", unready: []int{0}, ready: []int{1}, refuses: true, longest: callLimit,
		begin: func(_ *testing.T, e *outageEnv) func() { return e.storeNetwork.Close() },
	},
	{
		name: "the network to the store drops all data", unready: []int{0}, ready: []int{1}, refuses: true, longest: callLimit,
		begin: func(_ *testing.T, e *outageEnv) func() { return e.storeNetwork.DropData() },
	},
	{
		name: "Redis hangs", unready: []int{0, 1}, longest: callLimit / 3,
		begin: func(t *testing.T, e *outageEnv) func() {
			t.Helper()
			e.cluster.redis.Hang(t)
			return func() { e.cluster.redis.Resume(t) }
		},
	},
	{
		name: "Redis is killed", unready: []int{0, 1}, longest: callLimit / 3,
		begin: func(t *testing.T, e *outageEnv) func() {
			t.Helper()
			e.cluster.redis.Kill()
			return func() { e.cluster.redis.Restart(t) }
		},
	},
}

// outageTime is the duration of an outage. It is twice the timeout of a call of the store, so
// that calls are refused during it also on a busy machine.
const outageTime = 10 * time.Second

// Servers and networks fail under load, and a node is killed during bookings. Calls are served or
// refused in time, and no acknowledged write is lost. In the end the nodes have released what they used.
func TestOutagesUnderLoad(t *testing.T) {
	e := startOutageEnv(t)
	for _, o := range outages {
		t.Run(o.name, func(t *testing.T) { e.runOutage(t, o) })
	}
	t.Run("the store is killed", e.killStore)
	t.Run("a node is killed during bookings", e.killNodeDuringBookings)
	e.checkNoLeaks(t)
}

// runOutage lets an outage begin and end under load, and checks the calls that were made meanwhile.
func (e *outageEnv) runOutage(t *testing.T, o outage) {
	t.Helper()
	screen := e.openScreen(t)
	l := &load{env: e.env, pace: 100 * time.Millisecond}
	var from, to time.Time
	runWith(func() {
		e.expectProgress(t, "book", 10)
		end := o.begin(t, e)
		from = time.Now()
		e.waitForReady(t, http.StatusServiceUnavailable, o.unready...)
		e.waitForReady(t, http.StatusOK, o.ready...)
		for _, path := range []string{"/healthz", "/config"} { // they need no other server
			if r := e.call(0, nil, http.MethodGet, path, nil); r.status != http.StatusOK {
				t.Errorf("%s returns %d, %v; want 200", path, r.status, r.err)
			}
		}
		pause(t.Context().Done(), time.Until(from.Add(outageTime)))
		to = time.Now()
		end()
		e.waitForReady(t, http.StatusOK, 0, 1)
	}, l.workers()...)
	served, refused := 0, 0
	for what, all := range e.callsOfLoad(t, from, to) {
		if _, _, longest := durationStats(all); longest > o.longest {
			t.Errorf("%s: %s; want no call longer than %v", what, durationText(all), o.longest)
		}
		served += count(all, http.StatusOK)
		refused += count(all, http.StatusServiceUnavailable)
	}
	if served == 0 || o.refuses != (refused > 0) {
		t.Errorf("%d calls were served and %d refused; want some served, and some refused: %v", served, refused, o.refuses)
	}
	if o.refuses { // by the store, on which sockets do not depend
		screen.expectChange(t)
	}
	e.checkAcknowledged(t, 1)
}

// killStore kills the processes of the store's server in turn.
func (e *outageEnv) killStore(t *testing.T) {
	l := &load{env: e.env, pace: 100 * time.Millisecond}
	from := time.Now()
	runWith(func() {
		for _, name := range []string{"ferretdb", "postgres", "ferretdb", "postgres"} {
			e.expectProgress(t, "book", 5)
			if err := e.store.Kill(name); err != nil {
				t.Error(err)
				return
			}
		}
		e.expectProgress(t, "book", 5)
	}, l.workers()...)
	for what, all := range e.callsOfLoad(t, from, time.Now()) {
		if _, _, longest := durationStats(all); longest > callLimit {
			t.Errorf("%s: %s, want no call longer than %v", what, durationText(all), callLimit)
		}
	}
	e.checkAcknowledged(t, 0)
}

// dieInBooking is an environment variable with which a node kills itself in one of its first
// bookings, between the write of the phone and the write of the booking.
const dieInBooking = "SECONDRING_TEST_DIE_IN_BOOKING"

// killInBooking returns a hook that kills the process if dieInBooking is set.
func killInBooking() market.StoreHook {
	if os.Getenv(dieInBooking) == "" {
		return nil
	}
	var left atomic.Int64
	left.Store(1 + rand.Int64N(5))
	return func(_ context.Context, call market.StoreCall, do func() error) error {
		_, isBooking := call.Entity.(market.Booking)
		if isBooking && call.Op == market.OpAdd && left.Add(-1) == 0 {
			nodetest.KillSelf()
		}
		return do()
	}
}

// killNodeDuringBookings starts a third node, which is killed during a booking again and again.
// The other nodes finish its work.
func (e *outageEnv) killNodeDuringBookings(t *testing.T) {
	env := maps.Clone(e.cluster.env)
	env[dieInBooking] = "1"
	node := nodetest.Start(t, env)
	e.urls, e.dyingNode = append(e.urls, node.URL), 2
	l := &load{env: e.env, pace: 60 * time.Millisecond}
	runWith(func() {
		for n := range nodetest.KillCount(t, 3) {
			if n > 0 {
				node.Open()
			}
			e.open.Store(3)
			node.Wait()
			e.open.Store(2)
		}
	}, l.workers()...)
	e.checkAcknowledged(t, 0)
}

// change is a screen, and the phone whose booking it must show.
type change struct {
	*socket
	e     *outageEnv
	phone string
}

// openScreen opens the screen of a brand on the first node.
func (e *outageEnv) openScreen(t *testing.T) change {
	t.Helper()
	buyer, seller := e.buyers[0], e.sellers[0]
	var added insertedResponse
	e.must(e.call(1, seller, http.MethodPost, "/products", newPhone(fmt.Sprint("Shown ", serial.Add(1)), e.brands[0], seller.name, seller.email)), &added)
	browser := &browser{appNode: e.cluster.nodes[0], token: buyer.token}
	return change{socket: browser.subscribe(map[string]string{"brand:" + e.brands[0].ID: ""}), e: e, phone: added.InsertedID}
}

// expectChange changes the phone on the second node, and waits for the event on the same socket.
func (c change) expectChange(t *testing.T) {
	t.Helper()
	c.e.must(c.e.call(1, c.e.sellers[0], http.MethodPatch, "/products/"+c.phone, map[string]int{"resalePrice": 77}), nil)
	c.expectEvent("product.changed", c.phone)
}

// goroutines counts the goroutines after it has closed the idle connections of the test.
func (e *outageEnv) goroutines() int {
	e.web.CloseIdleConnections()
	http.DefaultClient.CloseIdleConnections()
	return runtime.NumGoroutine()
}

// checkNoLeaks fails the test if the nodes have more goroutines than before the outages, or if
// goroutines are left after the nodes have stopped.
func (e *outageEnv) checkNoLeaks(t *testing.T) {
	t.Helper()
	// A connection of a pool that has grown has goroutines that read from it and write to it, at the
	// node and at the test's networks.
	const grown = 20 + 10*2*20
	waitUntilNoProblem(t, "the nodes have released their goroutines", func() string {
		if n := e.goroutines(); n > e.goroutinesAfter+grown {
			return fmt.Sprintf("%d goroutines, %d before the outages", n, e.goroutinesAfter)
		}
		return ""
	})
	t.Logf("%d goroutines, %d before the outages", e.goroutines(), e.goroutinesAfter)
	var all sync.WaitGroup
	for _, n := range e.cluster.nodes {
		all.Go(func() {
			if err := n.stop(); err != nil {
				t.Errorf("stopping a node: %v", err)
			}
		})
	}
	all.Wait()
	const own = 3 // of the test's own servers
	waitUntilNoProblem(t, "all goroutines of the nodes have ended", func() string {
		if n := e.goroutines(); n > e.goroutinesBefore+own {
			return fmt.Sprintf("%d goroutines, %d before the nodes started", n, e.goroutinesBefore)
		}
		return ""
	})
}
