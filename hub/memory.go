package hub

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"secondring/market"
)

// Defaults of HistoryLimits. Ten minutes are enough for a laptop that sleeps for a short
// time; a thousand events are many for one brand. Beyond either limit a client fetches its
// list again.
const (
	DefaultHistorySize  = 1000
	DefaultHistoryBytes = 1 << 20
	DefaultHistoryAge   = 10 * time.Minute
	DefaultIdleTopic    = time.Hour
	DefaultHistoryTotal = 64 << 20
)

// sweepsPerAge is how often, per HistoryLimits.Age, old events are dropped from topics
// without new ones.
const sweepsPerAge = 4

// HistoryLimits limits the history that a broker keeps of each topic. Zero fields mean the defaults.
type HistoryLimits struct {
	Size int // events
	// Bytes of the events' data in one topic, and Total of those in all topics of
	// a MemoryBroker: Redis has a bound of its own for all.
	Bytes, Total int
	Age          time.Duration // since publishing
	Idle         time.Duration // without event, listener or call, before the topic is forgotten
}

// WithDefaults returns the limits with the defaults in place of zero fields.
func (l HistoryLimits) WithDefaults() HistoryLimits {
	if l.Size <= 0 {
		l.Size = DefaultHistorySize
	}
	if l.Bytes <= 0 {
		l.Bytes = DefaultHistoryBytes
	}
	if l.Total <= 0 {
		l.Total = DefaultHistoryTotal
	}
	if l.Age <= 0 {
		l.Age = DefaultHistoryAge
	}
	if l.Idle <= 0 {
		l.Idle = DefaultIdleTopic
	}
	return l
}

// MemoryBroker is the Broker of a single node. Its history ends with the process.
// Epochs are random, so positions from before a restart are recognised.
type MemoryBroker struct {
	limits HistoryLimits

	mu     sync.RWMutex
	topics map[string]*memoryTopic
	// epoch is the epoch of new topics. A topic without events and listeners takes
	// no memory: its position is epoch:0. After a topic is dropped, new topics get
	// another epoch, so that its old positions do not match.
	epoch  string
	sweep  *time.Timer
	closed bool
	total  atomic.Int64 // bytes of data in the histories of all topics
}

var _ Broker = (*MemoryBroker)(nil)

// NewMemoryBroker returns a broker ready for use. Close ends it.
func NewMemoryBroker(limits HistoryLimits) *MemoryBroker {
	b := &MemoryBroker{limits: limits.WithDefaults(), topics: map[string]*memoryTopic{}, epoch: RandomID()}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sweep = time.AfterFunc(b.limits.Age/sweepsPerAge, b.removeExpired)
	return b
}

// Publish implements market.Publisher.
func (b *MemoryBroker) Publish(ctx context.Context, events []market.Event) error {
	for _, e := range events {
		err := b.with(ctx, e.Topic, true, func(t *memoryTopic) { t.publish(e, b.limits) })
		if err != nil {
			return err
		}
		if b.total.Load() > int64(b.limits.Total) {
			b.shrink()
		}
	}
	return nil
}

// shrink drops the older half of each topic's history.
func (b *MemoryBroker) shrink() {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, t := range b.topics {
		t.mu.Lock()
		t.drop((len(t.entries) + 1) / 2)
		t.mu.Unlock()
	}
}

// Position implements market.Positions.
func (b *MemoryBroker) Position(ctx context.Context, topic string) (string, error) {
	var at Position
	err := b.with(ctx, topic, false, func(t *memoryTopic) { at = t.at })
	return at.String(), err
}

// Subscribe implements Broker.
func (b *MemoryBroker) Subscribe(ctx context.Context, topic string, l Listener) (at Position, err error) {
	err = b.with(ctx, topic, true, func(t *memoryTopic) {
		t.listeners = append(t.listeners, l)
		at = t.at
	})
	return at, err
}

// Unsubscribe implements Broker.
func (b *MemoryBroker) Unsubscribe(ctx context.Context, topic string, l Listener) error {
	return b.with(context.WithoutCancel(ctx), topic, false, func(t *memoryTopic) { t.unsubscribe(l) })
}

// HasListenerWithin implements Broker.
func (b *MemoryBroker) HasListenerWithin(ctx context.Context, topic string, d time.Duration) (hasListener bool, err error) {
	err = b.with(ctx, topic, false, func(t *memoryTopic) {
		hasListener = len(t.listeners) > 0 || !t.lastUnsubscribe.IsZero() && time.Since(t.lastUnsubscribe) <= min(d, PresenceRetention)
	})
	return hasListener, err
}

// History implements Broker.
func (b *MemoryBroker) History(ctx context.Context, topic string, since Position) (h History, err error) {
	err = b.with(ctx, topic, false, func(t *memoryTopic) { h = t.history(since, b.limits) })
	return h, err
}

// Close implements Broker.
func (b *MemoryBroker) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.sweep.Stop()
	b.topics = nil
	return nil
}

// with calls f while it holds the lock of the topic. If the topic does not exist, f gets a
// new one, which is stored only if create is true.
func (b *MemoryBroker) with(ctx context.Context, name string, create bool, f func(*memoryTopic)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for {
		t, err := b.topic(name, create)
		if err != nil {
			return err
		}
		t.mu.Lock()
		if t.removed { // between the look-up and the lock
			t.mu.Unlock()
			continue
		}
		t.lastUsed = time.Now()
		f(t)
		t.mu.Unlock()
		return nil
	}
}

func (b *MemoryBroker) topic(name string, create bool) (*memoryTopic, error) {
	b.mu.RLock()
	t, epoch, closed := b.topics[name], b.epoch, b.closed
	b.mu.RUnlock()
	switch {
	case closed:
		return nil, ErrClosed
	case t != nil:
		return t, nil
	case !create:
		return &memoryTopic{at: Position{Epoch: epoch}, total: &b.total}, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, ErrClosed
	}
	if t := b.topics[name]; t != nil {
		return t, nil
	}
	t = &memoryTopic{at: Position{Epoch: b.epoch}, total: &b.total}
	b.topics[name] = t
	return t, nil
}

// removeExpired drops old events, and topics that were not used for Idle.
func (b *MemoryBroker) removeExpired() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	now, positionsLost := time.Now(), false
	for name, t := range b.topics {
		t.mu.Lock()
		t.trim(now, b.limits)
		idle := now.Sub(t.lastUsed) >= b.limits.Idle
		if idle && len(t.listeners) == 0 && len(t.entries) == 0 {
			t.removed = true
			delete(b.topics, name)
			positionsLost = positionsLost || t.at.Offset > 0
		}
		t.mu.Unlock()
	}
	if positionsLost {
		b.epoch = RandomID()
	}
	b.sweep.Reset(b.limits.Age / sweepsPerAge)
}
