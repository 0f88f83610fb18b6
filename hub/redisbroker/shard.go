package redisbroker

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"secondring/hub"
	"secondring/market"
)

// Times of a shard's connection.
const (
	pingInterval       = time.Second     // after this time without data the server gets a ping
	readTimeout        = 3 * time.Second // after this time without data the connection is closed
	retryMin           = 50 * time.Millisecond
	retryMax           = 2 * time.Second
	channelsPerCommand = 500 // channels in one SSUBSCRIBE
)

// shard is a part of the topics, all in one Redis slot, with this node's one
// connection that subscribes to those of them that have listeners on this node.
type shard struct {
	broker   *Broker
	index    int
	tag      string // the prefix of its keys, with the hash tag
	epochKey string // counts the epochs that were begun for all topics
	scripts  scripts
	wake     chan struct{} // signalled when changed is not empty

	// mu is also held while listeners are called: they do not block, and a listener
	// that was removed is not called after that.
	mu            sync.Mutex
	topics        map[string]*topic // by channel
	changed       map[string]bool   // channels that sync must subscribe or unsubscribe
	sub           *subscriber       // nil while there is no connection
	reconnectedAt time.Duration     // market.Monotonic of the last reconnection; 0 if there was none
}

// topic is a topic that has listeners on this node.
type topic struct {
	name             string
	listeners        []hub.Listener
	subscribedBefore bool          // listeners may have missed events before the next subscription
	ready            chan struct{} // closed while it is subscribed
	at               hub.Position  // of the last event received; without an epoch before the first
}

// markSubscribed records that the topic is subscribed. The caller holds the shard's mu.
func (t *topic) markSubscribed() {
	t.subscribedBefore = true
	select {
	case <-t.ready:
	default:
		close(t.ready)
	}
}

func newShard(b *Broker, prefix, content string, index int) *shard {
	tag := prefix + ":{" + strconv.Itoa(index) + "}:"
	return &shard{
		broker: b, index: index, tag: tag, epochKey: tag + "life", scripts: scriptsOf(tag, content), wake: make(chan struct{}, 1),
		topics: map[string]*topic{}, changed: map[string]bool{},
	}
}

// keys returns the keys of a topic, in the order of the scripts' KEYS.
func (s *shard) keys(name string) []string {
	return []string{
		s.epochKey, s.tag + "meta:" + name, s.tag + "history:" + name,
		s.tag + "young:" + name, s.tag + "old:" + name, s.channel(name),
	}
}

func (s *shard) channel(name string) string { return s.tag + "topic:" + name }

// addListener adds a listener and waits until its topic is subscribed. After an error the
// listener is not added.
func (s *shard) addListener(ctx context.Context, name string, l hub.Listener) error {
	channel := s.channel(name)
	s.mu.Lock()
	t := s.topics[channel]
	if t == nil {
		t = &topic{name: name, ready: make(chan struct{})}
		s.topics[channel] = t
		if s.sub != nil && s.sub.isSubscribed(channel) { // not unsubscribed yet since the last listener left
			t.markSubscribed()
		}
		s.markChanged(channel)
	}
	t.listeners = append(t.listeners, l)
	ready := t.ready
	s.mu.Unlock()
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
		s.removeListener(name, l)
		return ctx.Err()
	case <-s.broker.ctx.Done():
		s.removeListener(name, l)
		return hub.ErrClosed
	}
}

// removeListener removes a listener, and with the last one the topic.
func (s *shard) removeListener(name string, l hub.Listener) {
	channel := s.channel(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.topics[channel]
	if t == nil {
		return
	}
	i := slices.Index(t.listeners, l)
	if i < 0 {
		return
	}
	t.listeners = slices.Delete(t.listeners, i, i+1)
	if len(t.listeners) == 0 {
		delete(s.topics, channel)
		s.markChanged(channel)
	}
}

// markChanged adds a channel to those that sync must check. The caller holds mu.
func (s *shard) markChanged(channel string) {
	s.changed[channel] = true
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// position returns the last position that this node knows.
func (s *shard) position(name string) (hub.Position, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.topics[s.channel(name)]
	if t == nil || t.at.Epoch == "" {
		return hub.Position{}, false
	}
	return t.at, true
}

// setPosition stores a position from Redis unless a later one is stored.
func (s *shard) setPosition(name string, at hub.Position) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.topics[s.channel(name)]; t != nil && !t.at.Covers(at) {
		t.at = at
	}
}

// deliver passes a message to the listeners.
func (s *shard) deliver(m *redis.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.topics[m.Channel]
	if t == nil {
		return
	}
	e, err := decodeMessage(t.name, m.Payload)
	if err != nil {
		s.broker.log.Error("live: unreadable message on a channel", "channel", m.Channel, "error", err)
		return
	}
	t.at = e.Position
	for _, l := range t.listeners {
		l.Event(e)
	}
}

// subscribed handles the confirmation of a subscription. Listeners that were there
// before may have missed events.
func (s *shard) subscribed(from *subscriber, channel string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if from != s.sub || !from.confirm(channel) {
		return
	}
	t := s.topics[channel]
	if t == nil {
		return
	}
	if t.subscribedBefore {
		for _, l := range t.listeners {
			l.Gap()
		}
	}
	t.markSubscribed()
}

// unsubscribed handles the end of a subscription. It returns false if the server ended
// the subscription without a request.
func (s *shard) unsubscribed(from *subscriber, channel string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return from.confirmUnsubscribe(channel)
}

// extendTopicExpiry extends the expiry of the topics that have listeners on this node.
func (s *shard) extendTopicExpiry(ctx context.Context) error {
	s.mu.Lock()
	names := make([]string, 0, len(s.topics))
	for _, t := range s.topics {
		names = append(names, t.name)
	}
	s.mu.Unlock()
	for part := range slices.Chunk(names, channelsPerCommand) {
		pipe := s.broker.client.Pipeline()
		for _, name := range part {
			pipe.PExpire(ctx, s.keys(name)[1], s.broker.limits.Idle)
		}
		if _, err := pipe.Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// run keeps a connection until the broker is closed.
func (s *shard) run() {
	wait := retryMin
	var failures market.FailureLog
	for s.broker.ctx.Err() == nil {
		start := time.Now()
		err := s.listen()
		if s.broker.ctx.Err() != nil {
			return
		}
		s.markReconnected()
		if time.Since(start) > readTimeout {
			wait = retryMin
			failures.Record(s.broker.ctx, s.broker.log, "to listen to Redis", nil)
		}
		failures.Record(s.broker.ctx, s.broker.log, "to listen to Redis", err)
		timer := time.NewTimer(wait/2 + rand.N(wait))
		select {
		case <-timer.C:
		case <-s.broker.ctx.Done():
		}
		timer.Stop()
		wait = min(2*wait, retryMax)
	}
}

// listen works with one connection until it is lost. A shard without listeners has
// no connection.
func (s *shard) listen() error {
	sub := newSubscriber(s.broker.client.SSubscribe(s.broker.ctx))
	s.mu.Lock()
	s.sub = sub
	for channel := range s.topics {
		s.markChanged(channel)
	}
	s.mu.Unlock()
	defer s.disconnect(sub)

	lost := make(chan error, 1)
	ping := time.NewTicker(pingInterval)
	defer ping.Stop()
	for {
		select {
		case <-s.broker.ctx.Done():
			return s.broker.ctx.Err()
		case err := <-lost:
			return err
		case <-s.wake:
			if err := s.sync(sub); err != nil {
				return err
			}
			if !sub.reading && len(sub.requested) > 0 {
				sub.reading = true
				sub.lastReceived.Store(int64(market.Monotonic()))
				sub.wg.Go(func() { lost <- s.read(sub) })
			}
		case <-ping.C:
			if err := sub.check(s.broker.ctx); err != nil {
				return fmt.Errorf("ping: %w", err)
			}
		}
	}
}

// disconnect closes the connection. Its topics are not subscribed until the next
// connection confirms them.
func (s *shard) disconnect(sub *subscriber) {
	_ = sub.pubsub.Close()
	sub.wg.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sub = nil
	for _, t := range s.topics {
		select {
		case <-t.ready:
			t.ready = make(chan struct{})
		default:
		}
	}
}

// read handles messages until the connection is lost.
func (s *shard) read(sub *subscriber) error {
	for {
		got, err := sub.pubsub.Receive(s.broker.ctx)
		if err != nil {
			return err
		}
		sub.lastReceived.Store(int64(market.Monotonic()))
		switch m := got.(type) {
		case *redis.Message:
			s.deliver(m)
		case *redis.Subscription:
			if m.Kind == "ssubscribe" {
				s.subscribed(sub, m.Channel)
			} else if !s.unsubscribed(sub, m.Channel) {
				return errMoved
			}
		}
	}
}
