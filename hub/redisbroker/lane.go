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

// Times of a lane's connection.
const (
	pingEvery  = time.Second     // a server that says nothing for as long is asked…
	silence    = 3 * time.Second // …and given up after as long
	retryFirst = 50 * time.Millisecond
	retryLast  = 2 * time.Second
	perCommand = 500 // channels in one SSUBSCRIBE
)

// lane is a part of the topics, in one slot, and this node's one connection
// that listens to those of them that somebody here wants to hear.
type lane struct {
	broker  *Broker
	index   int
	tag     string // what the names of its keys begin with, hash tag included
	life    string // key
	scripts scripts
	wake    chan struct{} // something is in changed

	// Held while listeners are called, too: they do not block, and a listener
	// that has been taken off is not called any more.
	mu      sync.Mutex
	topics  map[string]*topic // by channel
	changed map[string]bool   // channels to be looked at by sync
	line    *line             // nil while there is no connection
}

// topic is one that somebody here listens to.
type topic struct {
	name      string
	listeners []hub.Listener
	heard     bool          // it has been subscribed before: who listens may have missed something
	up        chan struct{} // closed while it is subscribed
	at        hub.Position  // of the last event known here; without an epoch until there is one
}

func newLane(b *Broker, prefix string, index int) *lane {
	tag := prefix + ":{" + strconv.Itoa(index) + "}:"
	return &lane{
		broker: b, index: index, tag: tag, life: tag + "life", scripts: scriptsOf(index), wake: make(chan struct{}, 1),
		topics: map[string]*topic{}, changed: map[string]bool{},
	}
}

// keys of a topic, in the order of the scripts.
func (l *lane) keys(name string) []string {
	return []string{
		l.life, l.tag + "meta:" + name, l.tag + "history:" + name,
		l.tag + "young:" + name, l.tag + "old:" + name, l.channel(name),
	}
}

func (l *lane) channel(name string) string { return l.tag + "topic:" + name }

// join adds a listener and waits until its topic is subscribed. After an error
// it is not there.
func (l *lane) join(ctx context.Context, name string, to hub.Listener) error {
	channel := l.channel(name)
	l.mu.Lock()
	t := l.topics[channel]
	if t == nil {
		t = &topic{name: name, up: make(chan struct{})}
		l.topics[channel] = t
		if l.line != nil && l.line.has(channel) { // left a moment ago, and not given back yet
			close(t.up)
		}
		l.change(channel)
	}
	t.listeners = append(t.listeners, to)
	up := t.up
	l.mu.Unlock()
	select {
	case <-up:
		return nil
	case <-ctx.Done():
		l.leave(name, to)
		return ctx.Err()
	case <-l.broker.ctx.Done():
		l.leave(name, to)
		return hub.ErrClosed
	}
}

// leave takes a listener off; with the last one the topic goes.
func (l *lane) leave(name string, who hub.Listener) {
	channel := l.channel(name)
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.topics[channel]
	if t == nil {
		return
	}
	i := slices.Index(t.listeners, who)
	if i < 0 {
		return
	}
	t.listeners = slices.Delete(t.listeners, i, i+1)
	if len(t.listeners) == 0 {
		delete(l.topics, channel)
		l.change(channel)
	}
}

// change has run look at a channel. The caller holds mu.
func (l *lane) change(channel string) {
	l.changed[channel] = true
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// stands returns the last position known here.
func (l *lane) stands(name string) (hub.Position, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.topics[l.channel(name)]
	if t == nil || t.at.Epoch == "" {
		return hub.Position{}, false
	}
	return t.at, true
}

// stood notes a position that Redis told, unless more is known by now.
func (l *lane) stood(name string, at hub.Position) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if t := l.topics[l.channel(name)]; t != nil && !t.at.Covers(at) {
		t.at = at
	}
}

// deliver hands a message to those who listen.
func (l *lane) deliver(m *redis.Message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.topics[m.Channel]
	if t == nil {
		return
	}
	e, err := decodeMessage(t.name, m.Payload)
	if err != nil {
		l.broker.log.Error("live: a message on our channel that is not ours", "channel", m.Channel, "err", err)
		return
	}
	t.at = e.Position
	for _, to := range t.listeners {
		to.Event(e)
	}
}

// subscribed is told of each channel that is in force on a connection. Who
// listened before may have missed something while it was not.
func (l *lane) subscribed(from *line, channel string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if from != l.line || !from.confirm(channel) {
		return
	}
	t := l.topics[channel]
	if t == nil {
		return
	}
	if t.heard {
		for _, to := range t.listeners {
			to.Gap()
		}
	}
	t.heard = true
	select {
	case <-t.up:
	default:
		close(t.up)
	}
}

// left is told of each channel that is given up on a connection. False: it was
// the server that did so.
func (l *lane) left(from *line, channel string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return from.confirmLeft(channel)
}

// keepTopics has Redis keep the topics that are listened to here.
func (l *lane) keepTopics(ctx context.Context) error {
	l.mu.Lock()
	names := make([]string, 0, len(l.topics))
	for _, t := range l.topics {
		names = append(names, t.name)
	}
	l.mu.Unlock()
	for part := range slices.Chunk(names, perCommand) {
		pipe := l.broker.client.Pipeline()
		for _, name := range part {
			pipe.PExpire(ctx, l.keys(name)[1], l.broker.limits.Idle)
		}
		if _, err := pipe.Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// run keeps the connection for as long as the broker lives.
func (l *lane) run() {
	wait := retryFirst
	var out market.Outage
	for l.broker.ctx.Err() == nil {
		began := time.Now()
		err := l.listen()
		if l.broker.ctx.Err() != nil {
			return
		}
		if time.Since(began) > silence {
			wait = retryFirst
			out.Note(l.broker.ctx, l.broker.log, "to listen to Redis", nil)
		}
		out.Note(l.broker.ctx, l.broker.log, "to listen to Redis", err)
		again := time.NewTimer(wait/2 + rand.N(wait))
		select {
		case <-again.C:
		case <-l.broker.ctx.Done():
		}
		again.Stop()
		wait = min(2*wait, retryLast)
	}
}

// listen works with one connection until it is lost. A lane that nobody
// listens to has none.
func (l *lane) listen() error {
	line := newLine(l.broker.client.SSubscribe(l.broker.ctx))
	l.mu.Lock()
	l.line = line
	for channel := range l.topics {
		l.change(channel)
	}
	l.mu.Unlock()
	defer l.hangUp(line)

	lost := make(chan error, 1)
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for {
		select {
		case <-l.broker.ctx.Done():
			return l.broker.ctx.Err()
		case err := <-lost:
			return err
		case <-l.wake:
			if err := l.sync(line); err != nil {
				return err
			}
			if !line.reading && len(line.sent) > 0 {
				line.reading = true
				line.heard.Store(int64(market.Uptime()))
				line.wg.Go(func() { lost <- l.read(line) })
			}
		case <-ping.C:
			if err := line.check(l.broker.ctx); err != nil {
				return fmt.Errorf("ping: %w", err)
			}
		}
	}
}

// hangUp ends a connection. What was up is not, until the next one confirms it.
func (l *lane) hangUp(line *line) {
	_ = line.pubsub.Close()
	line.wg.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.line = nil
	for _, t := range l.topics {
		select {
		case <-t.up:
			t.up = make(chan struct{})
		default:
		}
	}
}

// read takes what comes until the connection is lost.
func (l *lane) read(line *line) error {
	for {
		got, err := line.pubsub.Receive(l.broker.ctx)
		if err != nil {
			return err
		}
		line.heard.Store(int64(market.Uptime()))
		switch m := got.(type) {
		case *redis.Message:
			l.deliver(m)
		case *redis.Subscription:
			if m.Kind == "ssubscribe" {
				l.subscribed(line, m.Channel)
			} else if !l.left(line, m.Channel) {
				return errMoved
			}
		}
	}
}
