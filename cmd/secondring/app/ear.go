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

// hearWithin is how long a start waits to hear.
const hearWithin = time.Second

// ear tells this node's Watch whose access ends or changes on any node. Until
// it hears, no token is believed without asking the store.
type ear struct {
	watch *fresh.Watch
	hears atomic.Bool
}

// Event implements hub.Listener.
func (e *ear) Event(entry hub.Entry) { e.watch.Heard(entry.Event) }

// Gap implements hub.Listener: whose access has ended meanwhile nobody knows.
func (e *ear) Gap() { e.watch.Lost() }

// open begins to hear.
func (e *ear) open(ctx context.Context, broker hub.Broker) error {
	if _, err := broker.Subscribe(ctx, market.TopicControl, e); err != nil {
		return err
	}
	e.hears.Store(true)
	return nil
}

// keepOpening tries until it hears, or the server stops. The broker may wait for
// a Redis that is away for as long as that is away.
func (e *ear) keepOpening(ctx context.Context, broker hub.Broker) {
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

// known believes tokens (identity.Service.Known) while it hears.
func (e *ear) known(known func(string) (*market.Actor, bool)) func(string) (*market.Actor, bool) {
	return func(token string) (*market.Actor, bool) {
		if !e.hears.Load() {
			return nil, false
		}
		return known(token)
	}
}

// hearEndings has this node's ear hear, now or as soon as it can: a node starts
// without Redis too, for which the broker would wait.
func (a *App) hearEndings(ctx context.Context) {
	soon, cancel := context.WithTimeout(ctx, hearWithin)
	defer cancel()
	if err := a.ear.open(soon, a.nodes.broker); err != nil {
		a.loops = append(a.loops, func(ctx context.Context) { a.ear.keepOpening(ctx, a.nodes.broker) })
	}
}

// alone tells whether no other node writes to this one's store: a folder has one
// server, which lockDataDir sees to.
func (a *App) alone() bool { return a.settings.MongoURI == "" }

// lookEvery is how often a store is asked whether the command line has written to
// it, beside this process.
const lookEvery = 200 * time.Millisecond

// besides is a store that tells whether others have written to it, by a number
// that is another one then.
type besides interface {
	Others(ctx context.Context) (version int64, err error)
}

// lookForOthers has the Watch sure of what it has counted, where the store can
// tell of others.
func (a *App) lookForOthers(in market.Store) {
	store, tells := in.(besides)
	if !tells {
		return
	}
	a.loops = append(a.loops, func(ctx context.Context) {
		look := time.NewTicker(lookEvery)
		defer look.Stop()
		for known := int64(-1); ; {
			known = a.ear.look(ctx, store, known)
			select {
			case <-ctx.Done():
				return
			case <-look.C:
			}
		}
	})
}

// look returns the number that the store tells. Where others have written,
// everything is counted first: what it was about nobody knows.
func (e *ear) look(ctx context.Context, store besides, known int64) int64 {
	at := market.Uptime()
	version, err := store.Others(ctx)
	if err != nil { // nobody is sure until the store can be asked
		return known
	}
	if version != known {
		e.watch.Lost()
	}
	e.watch.Sure(at)
	return version
}

// watched has the store's writes counted.
func (a *App) watched(s market.Store) market.Store {
	if a.alone() {
		return a.ear.watch.StoreAlone(s)
	}
	return a.ear.watch.Store(s)
}

// keptBy is the Watch that answers may be kept by; nil where other nodes change
// what this one cannot know in time.
func (a *App) keptBy() *fresh.Watch {
	if !a.alone() {
		return nil
	}
	return a.ear.watch
}
