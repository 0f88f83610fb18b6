package consistencytest_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"syscall"
	"time"

	"secondring/cmd/secondring/nodetest"
)

// fault is a failure during a round. begin starts it and returns the function that
// ends it.
type fault struct {
	name string
	// loses says that histories are lost, or too short for some readers. Lists may be
	// fetched again only then.
	loses bool
	// server says that a server is unavailable. Its pending events are published within
	// five seconds after it is available again.
	server bool
	// shared says that the fault needs several nodes.
	shared bool
	begin  func(e *env, chance *rand.Rand) (end func())
}

// faults returns all faults.
var faults = []fault{
	{name: "nothing", begin: func(*env, *rand.Rand) func() { return func() {} }},
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

// mix returns the faults of each round in random order: every fault occurs once, then
// every fault again in another order. At most one fault of a round concerns a server;
// a fault of the clients is added to it.
func (e *env) mix(chance *rand.Rand, rounds int) [][]fault {
	var servers, others []fault
	for _, f := range faults {
		switch {
		case f.shared && e.redis == nil:
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

// some returns some of the clients, chosen at random.
func (e *env) some(chance *rand.Rand, n int) (all []*client) {
	for _, i := range chance.Perm(len(e.clients))[:min(n, len(e.clients))] {
		all = append(all, e.clients[i])
	}
	return all
}

func (e *env) tell(c *client, do command) {
	do.Client = c.id
	if err := c.host.ask(do, nil); err != nil {
		e.t.Error(err)
	}
}

func cutSockets(e *env, chance *rand.Rand) func() {
	for _, c := range e.some(chance, 1+len(e.clients)/4) {
		e.tell(c, command{Do: "disconnect"})
	}
	return func() {}
}

func cutLane(e *env, chance *rand.Rand) func() {
	network := e.networks[chance.IntN(len(e.networks))]
	network.cut()
	return network.cut
}

func delayLane(e *env, chance *rand.Rand) func() {
	one := chance.IntN(len(e.networks))
	two := (one + 1 + chance.IntN(len(e.networks)-1)) % len(e.networks)
	e.networks[one].delay(400)
	e.networks[two].delay(900)
	return func() {
		e.networks[one].restore()
		e.networks[two].restore()
	}
}

// sleep suspends some clients. Half of them have lost their connection when they resume.
func sleep(e *env, chance *rand.Rand) func() {
	sleepers := e.some(chance, 1+len(e.clients)/5)
	for _, c := range sleepers {
		c.mu.Lock() // what is under way ends first: no script runs in a sleeping computer
		c.asleep = true
		c.mu.Unlock()
		e.tell(c, command{Do: "sleep"})
	}
	return func() {
		for i, c := range sleepers {
			e.tell(c, command{Do: "wake", Lasted: i%2 == 0})
			c.mu.Lock()
			c.asleep = false
			c.mu.Unlock()
		}
	}
}

func oversleep(e *env, chance *rand.Rand) func() {
	wake := sleep(e, chance)
	return func() {
		e.stormy.storm()
		wake()
	}
}

func endNode(signal syscall.Signal) func(*env, *rand.Rand) func() {
	return func(e *env, chance *rand.Rand) func() {
		node := e.nodes[chance.IntN(len(e.nodes))]
		var ended sync.WaitGroup
		ended.Go(func() { node.End(signal) })
		return func() {
			ended.Wait()
			node.Launch()
		}
	}
}

func killRedis(e *env, _ *rand.Rand) func() {
	e.redis.Kill()
	return func() { e.redis.Restart(e.t) }
}

func emptyRedis(e *env, _ *rand.Rand) func() {
	e.redis.Do(e.t, "FLUSHALL")
	e.redis.Do(e.t, "SCRIPT", "FLUSH")
	return func() {}
}

func hangRedis(e *env, _ *rand.Rand) func() {
	e.redis.Hang(e.t)
	return func() { e.redis.Resume(e.t) }
}

// isServed waits until all nodes are ready.
func (e *env) isServed() {
	e.t.Helper()
	late, again := time.After(patience), time.NewTicker(20*time.Millisecond)
	defer again.Stop()
	for _, n := range e.nodes {
		for !nodetest.Ready(context.WithoutCancel(e.t.Context()), n.URL) {
			select {
			case <-late:
				e.t.Fatalf("%s is not ready %v after it has all that it needs", n.URL, patience)
			case <-again.C:
			}
		}
	}
}
