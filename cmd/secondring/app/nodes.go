package app

import (
	"context"
	"errors"
	"time"

	"github.com/go-chi/httprate"

	"secondring/api/counts"
	"secondring/api/identity"
	"secondring/cmd/secondring/settings"
	"secondring/hub"
	"secondring/hub/redisbroker"
	"secondring/market"
)

// nodes is what the nodes of a market share beside its store: events and counts.
type nodes struct {
	broker hub.Broker
	tries  identity.Counter      // nil counts in this process
	rates  httprate.LimitCounter // nil counts in this process
	// changes are those of each phone; nil counts in this process.
	changes httprate.LimitCounter
	loops   []func(context.Context)
	ping    func(context.Context) error // nil has nothing to ask
}

// openNodes has them shared over REDIS_URL; without it, this node is the only one.
func openNodes(s settings.Settings, o Options) (nodes, error) {
	if s.RedisURL == "" {
		return nodes{broker: hub.NewMemoryBroker(o.History)}, nil
	}
	broker, err := redisbroker.New(redisbroker.Options{URL: s.RedisURL, Limits: o.History, Logger: o.Log})
	if err != nil { // which may tell the password: it stays here
		return nodes{}, &settings.Error{
			Setting: "REDIS_URL", Problem: "is no address of a Redis", Mend: "write it like redis://user:password@host:6379/0",
		}
	}
	client, prefix := broker.Client()
	rates, changes := counts.NewRates(client, prefix), counts.NewRates(client, prefix+":changes")
	return nodes{
		broker: broker, tries: counts.NewTries(client, prefix, identity.NewMemoryCounter(o.Clock)), rates: rates,
		changes: changes, loops: []func(context.Context){rates.Run, changes.Run}, ping: broker.Ping,
	}, nil
}

// hearAgain is the time between two tries to hear of what the nodes share.
const hearAgain = 500 * time.Millisecond

// hear has the hub take sockets as soon as it hears whose access ends.
func (a *App) hear(ctx context.Context) {
	again := time.NewTicker(hearAgain)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-again.C:
		}
		err := a.hub.Run(ctx)
		if err == nil || errors.Is(err, hub.ErrClosed) {
			return
		}
	}
}

// leave has balancers send nobody new here, where there are other nodes.
func (a *App) leave() {
	a.leaving.Store(true)
	if a.nodes.ping != nil {
		<-time.After(leaveTime)
	}
}

// errLeaving is what a balancer gets to know of a node that is about to stop.
var errLeaving = &market.Error{Code: market.CodeUnavailable, Message: "This node is about to stop"}

// readyTime is how long the servers that a node needs may take to say that they
// are there. Balancers do not wait long either.
const readyTime = 1500 * time.Millisecond

// ready tells whether this node should be sent anybody: all it needs is there,
// and it is going to stay.
func (a *App) ready(ctx context.Context) error {
	if a.leaving.Load() {
		return errLeaving
	}
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	if a.nodes.ping != nil {
		if err := a.nodes.ping(ctx); err != nil {
			return err
		}
	}
	return a.store.Ping(ctx)
}
