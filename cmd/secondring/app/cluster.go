package app

import (
	"context"
	"errors"
	"time"

	"github.com/go-chi/httprate"

	"secondring/api/ratelimit"
	"secondring/api/rest"
	"secondring/cmd/secondring/settings"
	"secondring/hub"
	"secondring/hub/redisbroker"
	"secondring/market"
)

// cluster has what the nodes of a market share apart from the store: events and counters.
type cluster struct {
	broker   hub.Broker
	attempts rest.Counter          // of sign-ins, uploads and messages
	rates    httprate.LimitCounter // nil counts in this process
	// changes counts the changes of each phone, and calls that reach the card provider; nil
	// counts in this process.
	changes httprate.LimitCounter
	loops   []func(context.Context)
	ping    func(context.Context) error // of Redis; nil without Redis
}

// openCluster connects to the Redis of REDIS_URL; without it, this node is the only one.
func openCluster(s settings.Settings, o Options) (cluster, error) {
	attempts := rest.NewMemoryCounter(o.Clock)
	if s.RedisURL == "" {
		return cluster{broker: hub.NewMemoryBroker(o.History), attempts: attempts}, nil
	}
	broker, err := redisbroker.New(redisbroker.Options{URL: s.RedisURL, Limits: o.History, Logger: o.Log, Content: s.Rules.Contact})
	if err != nil { // err may contain the password, so it is not returned
		return cluster{}, &settings.Error{
			Setting: "REDIS_URL", Problem: "is no address of a Redis", Fix: "write it like redis://user:password@host:6379/0",
		}
	}
	client, prefix := broker.Client()
	rates, changes := ratelimit.NewLimiter(client, prefix), ratelimit.NewLimiter(client, prefix+":changes")
	return cluster{
		broker: broker, attempts: ratelimit.NewAttempts(client, prefix, attempts), rates: rates,
		changes: changes, loops: []func(context.Context){rates.Run, changes.Run}, ping: broker.Ping,
	}, nil
}

// subscribeEvery is the interval between attempts to subscribe.
const subscribeEvery = 500 * time.Millisecond

// acceptSocketsWhenSubscribed starts the hub, which accepts sockets as soon as it is
// subscribed to the events that end the access of users. It retries until that succeeds.
func (a *App) acceptSocketsWhenSubscribed(ctx context.Context) {
	tick := time.NewTicker(subscribeEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := a.hub.Run(ctx)
		if err == nil || errors.Is(err, hub.ErrClosed) {
			return
		}
	}
}

// reportNotReady makes ready return an error, so that load balancers send new callers to
// other nodes. With Redis there may be other nodes: then it waits for notReadyDelay, until the
// load balancers have noticed.
func (a *App) reportNotReady() {
	a.stopping.Store(true)
	if a.cluster.ping != nil {
		<-time.After(notReadyDelay)
	}
}

// errStopping is the error of ready on a node that is about to stop.
var errStopping = &market.Error{Code: market.CodeUnavailable, Message: "This node is about to stop"}

// readyTimeout bounds the readiness check of the store and of Redis.
const readyTimeout = 1500 * time.Millisecond

// ready returns nil if this node accepts new calls: the store and Redis respond, and it is
// not about to stop.
func (a *App) ready(ctx context.Context) error {
	if a.stopping.Load() {
		return errStopping
	}
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	if a.cluster.ping != nil {
		if err := a.cluster.ping(ctx); err != nil {
			return err
		}
	}
	return a.store.Ping(ctx)
}
