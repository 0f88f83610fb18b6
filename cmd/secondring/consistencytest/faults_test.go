package consistencytest_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"syscall"
	"time"

	"secondring/cmd/secondring/nodetest"
)

// fault is a failure during a round. begin starts it and returns the function that ends it.
type fault struct {
	name string
	// losesHistory says that histories are lost, or too short for some clients. Lists may
	// be fetched again only then.
	losesHistory bool
	// affectsServer says that a server is unavailable. Its pending events are published
	// after it is available again.
	affectsServer bool
	// needsCluster says that the fault needs several nodes.
	needsCluster bool
	begin        func(e *env, chance *rand.Rand) (end func())
}

// faults has all faults.
var faults = []fault{
	{name: "none", begin: func(*env, *rand.Rand) func() { return func() {} }},
	{name: "sockets are cut", begin: cutSockets},
	{name: "the network is cut", begin: cutNetwork},
	{name: "responses and events are delayed", begin: delayNetworks},
	{name: "clients are suspended", begin: suspendClients},
	{name: "clients are suspended for longer than the history", losesHistory: true, begin: suspendBeyondHistory},
	{name: "a node is killed at a write", affectsServer: true, begin: endNode(killInWrite)},
	{name: "a node is restarted", affectsServer: true, begin: endNode(syscall.SIGTERM)},
	{name: "Redis is killed", losesHistory: true, affectsServer: true, needsCluster: true, begin: killRedis},
	{name: "Redis is emptied", losesHistory: true, affectsServer: true, needsCluster: true, begin: emptyRedis},
	{name: "Redis hangs", losesHistory: true, affectsServer: true, needsCluster: true, begin: hangRedis},
	{name: "the network of a node to Redis is interrupted", losesHistory: true, affectsServer: true, needsCluster: true, begin: interruptRedis},
	{name: "the network of a node to the store is interrupted", affectsServer: true, needsCluster: true, begin: interruptStore},
}

// faultSchedule returns the faults of each round in random order: every fault occurs once,
// then every fault again in another order. A round has one fault of the clients, and at most
// one of a server.
func (e *env) faultSchedule(random *rand.Rand, rounds int) [][]fault {
	var servers, others []fault
	for _, f := range faults {
		switch {
		case f.needsCluster && e.redis == nil:
		case f.affectsServer:
			servers = append(servers, f)
		default:
			others = append(others, f)
		}
	}
	var all [][]fault
	for len(all) < rounds {
		first, second := random.Perm(max(len(servers), len(others))), random.Perm(len(others))
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

// randomClients returns up to n clients, chosen at random.
func (e *env) randomClients(random *rand.Rand, n int) (all []*client) {
	for _, i := range random.Perm(len(e.clients))[:min(n, len(e.clients))] {
		all = append(all, e.clients[i])
	}
	return all
}

func (e *env) send(c *client, do command) {
	do.Client = c.id
	if err := c.host.call(do, nil); err != nil {
		e.t.Error(err)
	}
}

func cutSockets(e *env, random *rand.Rand) func() {
	for _, c := range e.randomClients(random, 1+len(e.clients)/4) {
		e.send(c, command{Command: "disconnect"})
	}
	return func() {}
}

func cutNetwork(e *env, random *rand.Rand) func() {
	network := e.networks[random.IntN(len(e.networks))]
	network.Cut()
	return network.Cut
}

func delayNetworks(e *env, random *rand.Rand) func() {
	slow := random.IntN(len(e.networks))
	slower := (slow + 1 + random.IntN(len(e.networks)-1)) % len(e.networks)
	endSlow, endSlower := e.networks[slow].Delay(400), e.networks[slower].Delay(900)
	return func() {
		endSlow()
		endSlower()
	}
}

// suspendClients suspends some clients, as a sleeping computer does. Half of them have lost
// their connection when they resume.
func suspendClients(e *env, random *rand.Rand) func() {
	clients := e.randomClients(random, 1+len(e.clients)/5)
	for _, c := range clients {
		c.mu.Lock() // waits for a running action: no script runs in a sleeping computer
		c.suspended = true
		c.mu.Unlock()
		e.send(c, command{Command: "suspend"})
	}
	return func() {
		for i, c := range clients {
			e.send(c, command{Command: "resume", KeepConnection: i%2 == 0})
			c.mu.Lock()
			c.suspended = false
			c.mu.Unlock()
		}
	}
}

func suspendBeyondHistory(e *env, random *rand.Rand) func() {
	resume := suspendClients(e, random)
	return func() {
		e.apiSeller.overflowHistory()
		resume()
	}
}

func endNode(signal syscall.Signal) func(*env, *rand.Rand) func() {
	return func(e *env, random *rand.Rand) func() {
		node := e.nodes[random.IntN(len(e.nodes))]
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

// interrupt interrupts a network until the returned function is called. Either connections are
// closed and new ones refused, or connections stay open and all data is dropped.
func interrupt(network *nodetest.Network, random *rand.Rand) (end func()) {
	if random.IntN(2) == 0 {
		return network.Close()
	}
	return network.DropData()
}

func interruptRedis(e *env, random *rand.Rand) func() {
	return interrupt(e.redisNetwork, random)
}

func interruptStore(e *env, random *rand.Rand) func() {
	return interrupt(e.storeNetwork, random)
}

// waitUntilReady waits until all nodes are ready.
func (e *env) waitUntilReady() {
	e.t.Helper()
	timeout, ticker := time.After(patience), time.NewTicker(20*time.Millisecond)
	defer ticker.Stop()
	for _, n := range e.nodes {
		for !nodetest.Ready(context.WithoutCancel(e.t.Context()), n.URL) {
			select {
			case <-timeout:
				e.t.Fatalf("%s is not ready %v after the end of the faults", n.URL, patience)
			case <-ticker.C:
			}
		}
	}
}
