package hub_test

import (
	"context"
	"math/rand/v2"
	"sync"

	"secondring/hub"
)

// lossyBroker is a broker that fails like a connection to Redis. It drops events with or without a
// Gap, repeats events, and sometimes returns an error.
type lossyBroker struct {
	hub.Broker

	mu        sync.Mutex
	random    *rand.Rand
	listeners map[hub.Listener]*lossyListener
}

func newLossyBroker(b hub.Broker, seed uint64) *lossyBroker {
	return &lossyBroker{Broker: b, random: rand.New(rand.NewPCG(seed, 1)), listeners: map[hub.Listener]*lossyListener{}}
}

func (b *lossyBroker) chance(oneIn int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.random.IntN(oneIn) == 0
}

// Subscribe implements hub.Broker.
func (b *lossyBroker) Subscribe(ctx context.Context, topic string, l hub.Listener) (hub.Position, error) {
	listener := &lossyListener{Listener: l, broker: b}
	b.mu.Lock()
	b.listeners[l] = listener
	b.mu.Unlock()
	return b.Broker.Subscribe(ctx, topic, listener)
}

// Unsubscribe implements hub.Broker.
func (b *lossyBroker) Unsubscribe(ctx context.Context, topic string, l hub.Listener) error {
	b.mu.Lock()
	listener := b.listeners[l]
	delete(b.listeners, l)
	b.mu.Unlock()
	return b.Broker.Unsubscribe(ctx, topic, listener)
}

// History implements hub.Broker.
func (b *lossyBroker) History(ctx context.Context, topic string, since hub.Position) (hub.History, error) {
	if b.chance(10) {
		return hub.History{}, context.DeadlineExceeded
	}
	return b.Broker.History(ctx, topic, since)
}

// lossyListener is a listener of a lossyBroker.
type lossyListener struct {
	hub.Listener
	broker *lossyBroker
	before hub.Entry
}

// Event implements hub.Listener.
func (l *lossyListener) Event(e hub.Entry) {
	switch {
	case l.broker.chance(20):
		return // the next offset shows the loss
	case l.broker.chance(20):
		l.Gap()
		return
	case l.broker.chance(20) && l.before.Position.Epoch != "":
		l.Listener.Event(l.before)
	}
	l.before = e
	l.Listener.Event(e)
}
