package hub

import (
	"strings"
	"sync"
	"time"

	"secondring/market"
)

// topicKey has the names of a topic: on the wire, for its readers, and at the broker.
type topicKey struct{ wire, broker string }

// topic is one topic on this node with the sockets that read it. Its flusher, a
// goroutine that runs only while events wait, encodes all waiting events as one
// frame and writes it to every socket. New events wait for the next frame.
//
// A frame costs the same for one event as for many. So a busy topic waits a little for more
// events before it writes. It is busy if events came during the last round, or if the last
// round ended less time ago than it took. The latter happens with many publishers on one
// processor, who cannot publish while the flusher writes.
type topic struct {
	hub  *Hub
	key  topicKey
	feed *gaplessListener
	// private says that the topic is one person's own.
	private bool
	refs    int // guarded by Hub.mu

	ready chan struct{} // closed when the topic is subscribed, or err is set
	err   error

	mu        sync.Mutex
	subs      []*subscription
	at        Position // of the last item
	seq       uint64   // of the last item: counts on through new epochs
	pending   []item
	size      int // bytes in pending
	flushing  bool
	frameFull chan struct{} // signalled when fullFrameBytes wait; created by the first flusher that waits

	lastRound      time.Duration // how long the last round of writing took
	lastRoundEnded time.Time
}

// How long a busy flusher waits for more events: a part of the duration of the last round,
// within these bounds.
const (
	gatherFraction = 4
	gatherMin      = 50 * time.Microsecond
	gatherMax      = 2 * time.Millisecond
	fullFrameBytes = 16 << 10 // bytes; waiting for more has no benefit
)

// item is one event waiting to be flushed, or a marker that events were lost.
type item struct {
	seq       uint64
	at        Position
	json      []byte // nil for the marker
	removed   bool   // an account.removed
	createdAt time.Time
}

func newTopic(h *Hub, key topicKey) *topic {
	t := &topic{hub: h, key: key, ready: make(chan struct{})}
	t.private = strings.HasPrefix(key.broker, market.TopicMe(""))
	t.feed = newGaplessListener(h.cfg.Broker, key.broker, t, h.log)
	return t
}

// start implements sink.
func (t *topic) start(at Position) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.at = at
}

// entry implements sink.
func (t *topic) entry(e Entry) {
	it := item{
		at:        e.Position,
		json:      encodeEvent(t.key.wire, e.Position, e.Event),
		removed:   e.Event.Type == market.TypeAccountRemoved,
		createdAt: e.Event.At,
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.add(it)
}

// lost implements sink.
func (t *topic) lost(at Position) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.add(item{at: at})
}

// add queues an item and wakes the flusher. The caller holds mu.
func (t *topic) add(it item) {
	t.seq++
	it.seq, t.at = t.seq, it.at
	if len(t.subs) == 0 && !t.flushing {
		return
	}
	if t.size += len(it.json); t.size > maxTopicBytes {
		// Events come faster than they can be written: drop them, and have every
		// reader fetch its list again.
		t.hub.stats.overflows.Add(1)
		t.pending, t.size = t.pending[:0], 0
		it.json = nil
	}
	t.pending = append(t.pending, it)
	if t.size >= fullFrameBytes && t.frameFull != nil {
		select {
		case t.frameFull <- struct{}{}:
		default:
		}
	}
	if !t.flushing {
		t.flushing = true
		t.hub.wg.Go(t.flush)
	}
}

// addSubscription adds s, which gets the items queued from now on.
func (t *topic) addSubscription(s *subscription) (at Position) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.index = len(t.subs)
	t.subs = append(t.subs, s)
	s.afterSeq = t.seq
	return t.at
}

// removeSubscription removes s.
func (t *topic) removeSubscription(s *subscription) {
	t.mu.Lock()
	defer t.mu.Unlock()
	last := len(t.subs) - 1
	t.subs[s.index] = t.subs[last]
	t.subs[s.index].index = s.index
	t.subs[last] = nil
	t.subs = t.subs[:last]
}

// flush writes the waiting items to every socket until none is left.
func (t *topic) flush() {
	var subs []*subscription
	for {
		t.gather()
		t.mu.Lock()
		items := t.pending
		t.pending, t.size = nil, 0
		if len(items) == 0 {
			t.flushing = false
			t.mu.Unlock()
			return
		}
		subs = append(subs[:0], t.subs...)
		t.mu.Unlock()
		start := time.Now()
		t.write(items, subs)
		ended := time.Now()
		t.mu.Lock()
		t.lastRound, t.lastRoundEnded = ended.Sub(start), ended
		t.mu.Unlock()
		t.reportDelay(items[0], len(subs), ended)
	}
}

// reportDelay reports the time that the oldest of some events took to reach its readers.
func (t *topic) reportDelay(oldest item, readers int, now time.Time) {
	if readers > 0 && !oldest.createdAt.IsZero() && t.hub.cfg.OnSent != nil {
		t.hub.cfg.OnSent(max(0, now.Sub(oldest.createdAt))) // clocks of nodes differ
	}
}

// gather waits for more events if the topic is busy.
func (t *topic) gather() {
	t.mu.Lock()
	wait := min(t.lastRound/gatherFraction, gatherMax)
	isBusy := wait >= gatherMin && time.Since(t.lastRoundEnded) < t.lastRound
	if !isBusy || len(t.pending) == 0 || t.size >= fullFrameBytes {
		t.mu.Unlock()
		return
	}
	if t.frameFull == nil {
		t.frameFull = make(chan struct{}, 1)
	}
	t.mu.Unlock()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.frameFull:
	}
}

// write sends items to every socket in as few frames as possible.
func (t *topic) write(items []item, subs []*subscription) {
	for len(items) > 0 {
		var b *batch
		b, items = nextBatch(t.key.wire, items)
		reached := 0
		for _, s := range subs {
			if s.deliver(b) {
				reached++
			}
		}
		t.hub.stats.deliveries.Add(int64(reached * b.events()))
	}
}

// batch is an encoded frame and its items.
type batch struct {
	items []item
	frame []byte
}

// nextBatch returns the items of one frame as a batch, and the other items.
func nextBatch(wireTopic string, items []item) (b *batch, rest []item) {
	if items[0].json == nil {
		return &batch{items: items[:1], frame: lostFrames(wireTopic, items[0].at)}, items[1:]
	}
	size, n := 0, 0
	for n < len(items) && items[n].json != nil && (n == 0 || size+len(items[n].json) <= maxBatchBytes) {
		size += len(items[n].json)
		n++
	}
	return newBatch(items[:n]), items[n:]
}

func newBatch(items []item) *batch {
	events := make([][]byte, len(items))
	for i, it := range items {
		events[i] = it.json
	}
	return &batch{items: items, frame: eventsFrame(events)}
}

// lostFrames returns the frames that send a reader the position of its topic and make it
// fetch the list again.
func lostFrames(wireTopic string, at Position) []byte {
	subscribed := serverFrame{Subscribed: map[string]string{wireTopic: at.String()}}.encode()
	return append(subscribed, serverFrame{Resync: []string{wireTopic}}.encode()...)
}

func (b *batch) events() int {
	if b.items[0].json == nil {
		return 0
	}
	return len(b.items)
}

func (b *batch) removed() bool {
	for _, it := range b.items {
		if it.removed {
			return true
		}
	}
	return false
}
