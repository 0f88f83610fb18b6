package app

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"secondring/hub"
	"secondring/market"
	"secondring/market/fresh"
)

// hearWithin is how long the start waits for the subscription.
const hearWithin = time.Second

// invalidator tells this node's caches whose access ends or changes on any node.
// Until it is subscribed, every token is checked with the store.
type invalidator struct {
	watch *fresh.Watch
	hears atomic.Bool
}

// Event implements hub.Listener.
func (e *invalidator) Event(entry hub.Entry) { e.watch.Heard(entry.Event) }

// Gap implements hub.Listener: events of ended access may have been missed.
func (e *invalidator) Gap() { e.watch.Lost() }

// open subscribes.
func (e *invalidator) open(ctx context.Context, broker hub.Broker) error {
	if _, err := broker.Subscribe(ctx, market.TopicControl, e); err != nil {
		return err
	}
	e.hears.Store(true)
	return nil
}

// keepOpening subscribes again and again until that succeeds or the server stops.
// The broker may wait for as long as Redis cannot be reached.
func (e *invalidator) keepOpening(ctx context.Context, broker hub.Broker) {
	again := time.NewTicker(hearAgain)
	defer again.Stop()
	for {
		if err := e.open(ctx, broker); err == nil || errors.Is(err, hub.ErrClosed) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-again.C:
		}
	}
}

// known answers from the token cache (identity.Service.Known) while it is subscribed.
func (e *invalidator) known(known func(string) (*market.Actor, bool)) func(string) (*market.Actor, bool) {
	return func(token string) (*market.Actor, bool) {
		if !e.hears.Load() {
			return nil, false
		}
		return known(token)
	}
}

// listenForRevocations subscribes now or, where Redis cannot be reached, as soon as
// possible: a node starts without Redis too.
func (a *App) listenForRevocations(ctx context.Context) {
	soon, cancel := context.WithTimeout(ctx, hearWithin)
	defer cancel()
	if err := a.invalidator.open(soon, a.cluster.broker); err != nil {
		a.loops = append(a.loops, func(ctx context.Context) { a.invalidator.keepOpening(ctx, a.cluster.broker) })
	}
}

// isSingleNode tells whether no other node writes to this node's store: lockDataDir
// allows one server for each folder.
func (a *App) isSingleNode() bool { return a.settings.MongoURI == "" }

// lookEvery is how often the store is asked whether another process, such as an
// admin command, has written to it.
const lookEvery = 200 * time.Millisecond

// changeCounter is a store with a number that changes when another process writes.
type changeCounter interface {
	Others(ctx context.Context) (version int64, err error)
}

// lookForOthers invalidates the caches when another process has written to the store,
// where the store can tell.
func (a *App) lookForOthers(in market.Store) {
	store, tells := in.(changeCounter)
	if !tells {
		return
	}
	a.loops = append(a.loops, func(ctx context.Context) {
		look := time.NewTicker(lookEvery)
		defer look.Stop()
		for known := int64(-1); ; {
			known = a.invalidator.look(ctx, store, known)
			select {
			case <-ctx.Done():
				return
			case <-look.C:
			}
		}
	})
}

// look returns the store's number. Where it has changed, everything is invalidated,
// since nothing tells what was written.
func (e *invalidator) look(ctx context.Context, store changeCounter, known int64) int64 {
	at := market.Monotonic()
	version, err := store.Others(ctx)
	if err != nil { // nothing is cached until the store can be asked
		return known
	}
	if version != known {
		e.watch.Lost()
	}
	e.watch.Sure(at)
	return version
}

// watched invalidates the caches by the store's writes.
func (a *App) watched(s market.Store) market.Store {
	if a.isSingleNode() {
		return a.invalidator.watch.StoreAlone(s)
	}
	return a.invalidator.watch.Store(s)
}

// keptBy decides how long answers are cached; nil where other nodes write too, of
// which this one hears too late.
func (a *App) keptBy() *fresh.Watch {
	if !a.isSingleNode() {
		return nil
	}
	return a.invalidator.watch
}
