package hub

import (
	"context"
	"log/slog"
	"sync"

	"secondring/market"
)

// Hub serves the sockets of one node. Make it with New, start it with Run, mount it at GET
// /live, end it with Close.
type Hub struct {
	cfg    Config
	log    *slog.Logger
	stats  stats
	queues queueLimits // of every socket
	// replays limits the replays of each person within a minute.
	replays *replayLimit

	ctx    context.Context // of calls made for sockets; ends with Close
	cancel context.CancelFunc
	poll   poller
	wg     sync.WaitGroup // sockets, flushers, writers of slow sockets

	mu           sync.Mutex
	topics       map[topicKey]*topic
	conns        map[*conn]struct{}
	connsByUID   map[string][]*conn // signed-in sockets by UID
	perAddress   map[string]int     // sockets, and those to come, by their address
	controlCount uint64             // control events so far
	control      *gaplessListener   // nil until Run
	closing      bool
}

// New returns a hub that refuses sockets until Run. It returns an error for an incomplete
// Config.
func New(cfg Config) (*Hub, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	h := &Hub{
		cfg:        cfg,
		log:        cfg.Logger,
		topics:     map[topicKey]*topic{},
		conns:      map[*conn]struct{}{},
		connsByUID: map[string][]*conn{},
		perAddress: map[string]int{},
		replays:    newReplayLimit(cfg.Unlimited),
		queues:     queueLimits{bytes: cfg.Limits.QueueBytes, age: cfg.Limits.QueueAge},
	}
	h.ctx, h.cancel = context.WithCancel(context.Background())
	return h, nil
}

// Run subscribes to market.TopicControl, begins to serve, and returns. It returns the
// broker's error.
func (h *Hub) Run(ctx context.Context) error {
	control := newGaplessListener(h.cfg.Broker, market.TopicControl, &controller{hub: h}, h.log)
	if err := control.open(ctx); err != nil {
		return err
	}
	h.mu.Lock()
	unused := h.closing || h.control != nil
	if !unused {
		h.control = control
	}
	closing := h.closing
	h.mu.Unlock()
	if unused {
		control.close(ctx)
	}
	if closing {
		return ErrClosed
	}
	return nil
}

// Close refuses new sockets, closes all others with 1012 and waits until they have
// ended. If ctx ends first, it closes the other connections at once and returns the
// context's error.
func (h *Hub) Close(ctx context.Context) error {
	h.mu.Lock()
	h.closing = true
	control := h.control
	h.control = nil
	h.mu.Unlock()
	for _, c := range h.sockets() {
		c.closeSoon(CloseRestarting, reasonRestarting) //nolint:contextcheck // its reader ends when the socket closes
	}
	ended := make(chan struct{})
	go func() {
		h.wg.Wait()
		close(ended)
	}()
	var err error
	select {
	case <-ended:
	case <-ctx.Done():
		err = ctx.Err()
		for _, c := range h.sockets() {
			c.out.closeNow()
		}
		h.cancel()
		<-ended
	}
	h.cancel()
	h.poll.close()
	if control != nil {
		control.close(ctx)
	}
	return err
}

// sockets returns all sockets of this node.
func (h *Hub) sockets() []*conn {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make([]*conn, 0, len(h.conns))
	for c := range h.conns {
		all = append(all, c)
	}
	return all
}

// acquireTopic returns the topic, subscribed, and counts the caller as a user
// of it until it calls releaseTopic.
func (h *Hub) acquireTopic(key topicKey) (*topic, error) {
	h.mu.Lock()
	t, found := h.topics[key]
	if !found {
		t = newTopic(h, key)
		h.topics[key] = t
	}
	t.refs++
	h.mu.Unlock()
	if found {
		<-t.ready
	} else {
		t.err = t.feed.open(h.ctx)
		close(t.ready)
	}
	if t.err != nil {
		h.releaseTopic(t)
		return nil, t.err
	}
	return t, nil
}

// releaseTopic undoes acquireTopic; the call of the last user unsubscribes.
func (h *Hub) releaseTopic(t *topic) {
	h.mu.Lock()
	t.refs--
	last := t.refs == 0
	if h.topics[t.key] == t && (last || t.err != nil) {
		delete(h.topics, t.key)
	}
	h.mu.Unlock()
	if last && t.err == nil {
		t.feed.close(h.ctx)
	}
}
