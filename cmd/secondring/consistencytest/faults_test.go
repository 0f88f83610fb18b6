package consistencytest_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"syscall"
	"time"

	"secondring/cmd/secondring/nodetest"
)

// fault is something that breaks in the middle of a round. What begins it
// returns what ends it.
type fault struct {
	name string
	// loses says that histories are lost, or do not reach back far enough for
	// somebody: only then may lists be fetched again.
	loses bool
	// server says that it concerns a server: what waits in one that was away is
	// published within five seconds (contract section 5).
	server bool
	// shared says that it needs what only several nodes have.
	shared bool
	begin  func(w *world, chance *rand.Rand) (end func())
}

// faults are all there are.
var faults = []fault{
	{name: "nothing", begin: func(*world, *rand.Rand) func() { return func() {} }},
	{name: "sockets are cut", begin: cutSockets},
	{name: "the network is cut", begin: cutLane},
	{name: "frames and answers are late", begin: delayLane},
	{name: "computers sleep", begin: sleep},
	{name: "computers sleep for longer than the history", loses: true, begin: oversleep},
	{name: "a node is killed", server: true, begin: endNode(syscall.SIGKILL)},
	{name: "a node is restarted", server: true, begin: endNode(syscall.SIGTERM)},
	{name: "Redis is killed", loses: true, server: true, shared: true, begin: killRedis},
	{name: "Redis is emptied", loses: true, server: true, shared: true, begin: emptyRedis},
	{name: "Redis hangs", loses: true, server: true, shared: true, begin: hangRedis},
}

// mix puts the faults into an order for so many rounds: each once, then again in
// another order. What concerns a server comes alone, and beside it something of
// the clients'.
func (w *world) mix(chance *rand.Rand, rounds int) [][]fault {
	var servers, others []fault
	for _, f := range faults {
		switch {
		case f.shared && w.redis == nil:
		case f.server:
			servers = append(servers, f)
		default:
			others = append(others, f)
		}
	}
	var all [][]fault
	for len(all) < rounds {
		first, second := chance.Perm(max(len(servers), len(others))), chance.Perm(len(others))
		for i, k := range first {
			round := []fault{others[second[i%len(others)]]}
			if k < len(servers) {
				round = append(round, servers[k])
			}
			all = append(all, round)
		}
	}
	return all[:rounds]
}

// some are windows of the world, by chance.
func (w *world) some(chance *rand.Rand, n int) (all []*client) {
	for _, i := range chance.Perm(len(w.clients))[:min(n, len(w.clients))] {
		all = append(all, w.clients[i])
	}
	return all
}

func (w *world) tell(c *client, do command) {
	do.Client = c.id
	if err := c.host.ask(do, nil); err != nil {
		w.t.Error(err)
	}
}

func cutSockets(w *world, chance *rand.Rand) func() {
	for _, c := range w.some(chance, 1+len(w.clients)/4) {
		w.tell(c, command{Do: "cut"})
	}
	return func() {}
}

func cutLane(w *world, chance *rand.Rand) func() {
	lane := w.lanes[chance.IntN(len(w.lanes))]
	lane.cut()
	return lane.cut
}

func delayLane(w *world, chance *rand.Rand) func() {
	one := chance.IntN(len(w.lanes))
	two := (one + 1 + chance.IntN(len(w.lanes)-1)) % len(w.lanes)
	w.lanes[one].delay(400)
	w.lanes[two].delay(900)
	return func() {
		w.lanes[one].heal()
		w.lanes[two].heal()
	}
}

// sleep has some computers sleep; of those that wake half have lost their connection.
func sleep(w *world, chance *rand.Rand) func() {
	sleepers := w.some(chance, 1+len(w.clients)/5)
	for _, c := range sleepers {
		c.mu.Lock() // what is under way ends first: no script runs in a sleeping computer
		c.asleep = true
		c.mu.Unlock()
		w.tell(c, command{Do: "sleep"})
	}
	return func() {
		for i, c := range sleepers {
			w.tell(c, command{Do: "wake", Lasted: i%2 == 0})
			c.mu.Lock()
			c.asleep = false
			c.mu.Unlock()
		}
	}
}

func oversleep(w *world, chance *rand.Rand) func() {
	wake := sleep(w, chance)
	return func() {
		w.stormy.storm()
		wake()
	}
}

func endNode(signal syscall.Signal) func(*world, *rand.Rand) func() {
	return func(w *world, chance *rand.Rand) func() {
		node := w.nodes[chance.IntN(len(w.nodes))]
		var ended sync.WaitGroup
		ended.Go(func() { node.End(signal) })
		return func() {
			ended.Wait()
			node.Launch()
		}
	}
}

func killRedis(w *world, _ *rand.Rand) func() {
	w.redis.Kill()
	return func() { w.redis.Restart(w.t) }
}

func emptyRedis(w *world, _ *rand.Rand) func() {
	w.redis.Do(w.t, "FLUSHALL")
	w.redis.Do(w.t, "SCRIPT", "FLUSH")
	return func() {}
}

func hangRedis(w *world, _ *rand.Rand) func() {
	w.redis.Hang(w.t)
	return func() { w.redis.Resume(w.t) }
}

// isServed waits until all nodes are ready.
func (w *world) isServed() {
	w.t.Helper()
	late, again := time.After(patience), time.NewTicker(20*time.Millisecond)
	defer again.Stop()
	for _, n := range w.nodes {
		for !nodetest.Ready(context.WithoutCancel(w.t.Context()), n.URL) {
			select {
			case <-late:
				w.t.Fatalf("%s is not ready %v after it has all that it needs", n.URL, patience)
			case <-again.C:
			}
		}
	}
}
