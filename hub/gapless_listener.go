package hub

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Times and limits of a gaplessListener.
const (
	brokerTimeout = 5 * time.Second        // for one call
	retryMin      = 100 * time.Millisecond // after a failed history read, doubled each time…
	retryMax      = time.Second            // …up to this
	maxHeld       = 10_000                 // events held during a recovery
)

// sink receives the ordered events of one topic. Its methods are called one at a
// time and must not block.
type sink interface {
	// start is called once, first, with the position before the first event.
	start(at Position)
	// entry receives the next event.
	entry(e Entry)
	// lost reports that events before at cannot be recovered.
	lost(at Position)
}

// gaplessListener subscribes to one broker topic for this node and passes its
// events to the sink in order and once each. If events are missing, it reads
// them from the broker's history. While it subscribes or recovers, it holds new
// events, and merges them by offset afterwards.
type gaplessListener struct {
	broker Broker
	topic  string
	sink   sink
	log    *slog.Logger

	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu      sync.Mutex
	at      Position // of the last event given to the sink
	holding bool     // events go to held
	held    []Entry
	closed  bool // close was called
	missed  bool // events were missed during the recovery: read the history once more

	reconnected chan struct{} // signalled when the broker has reconnected: a waiting recovery retries at once
}

var _ Listener = (*gaplessListener)(nil)

func newGaplessListener(broker Broker, topic string, s sink, log *slog.Logger) *gaplessListener {
	l := &gaplessListener{broker: broker, topic: topic, sink: s, log: log, holding: true, reconnected: make(chan struct{}, 1)}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	return l
}

// open subscribes. After an error the listener cannot be used.
func (l *gaplessListener) open(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, brokerTimeout)
	defer cancel()
	at, err := l.broker.Subscribe(ctx, l.topic, l)
	if err != nil {
		l.cancel()
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at = at
	l.sink.start(at)
	l.deliverHeld(0)
	if len(l.held) > 0 || l.missed {
		l.recover() //nolint:contextcheck // goes on after this call
		return nil
	}
	l.holding = false
	return nil
}

// close unsubscribes and waits until nothing more reaches the sink.
func (l *gaplessListener) close(ctx context.Context) {
	l.cancel()
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, brokerTimeout)
	defer cancel()
	if err := l.broker.Unsubscribe(ctx, l.topic, l); err != nil {
		l.log.Debug("live: unsubscribe failed", "topic", l.topic, "error", err)
	}
	l.wg.Wait()
}

// Event implements Listener.
func (l *gaplessListener) Event(e Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	if l.holding {
		l.hold(e)
		return
	}
	if l.accept(e) {
		return
	}
	l.holding = true
	l.hold(e)
	l.recover()
}

// Gap implements Listener.
func (l *gaplessListener) Gap() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	if l.holding {
		l.missed = true
		select {
		case l.reconnected <- struct{}{}:
		default:
		}
		return
	}
	l.holding = true
	l.recover()
}

// hold keeps e until the recovery is done. The caller holds mu.
func (l *gaplessListener) hold(e Entry) {
	if len(l.held) >= maxHeld { // read them from the history instead
		l.held, l.missed = nil, true
		return
	}
	l.held = append(l.held, e)
}

// accept passes the next event to the sink and skips one that the sink has
// already. It returns false for any other. The caller holds mu.
func (l *gaplessListener) accept(e Entry) bool {
	if l.at.Covers(e.Position) {
		return true
	}
	if e.Position != l.at.Next() {
		return false
	}
	l.at = e.Position
	l.sink.entry(e)
	return true
}

// deliverHeld passes held events to the sink, up to the first that does not follow. The
// first inHistory of them were held before the last history read, which has covered them:
// those that do not follow are of an earlier epoch and are dropped. The caller holds mu.
func (l *gaplessListener) deliverHeld(inHistory int) {
	for i, e := range l.held {
		if !l.accept(e) && i >= inHistory {
			l.held = l.held[i:]
			return
		}
	}
	l.held = nil
}

// recover starts reading the missed events until it succeeds. The caller holds mu
// and has set holding.
func (l *gaplessListener) recover() {
	l.wg.Go(func() {
		wait := retryMin
		for !l.tryRecover() {
			timer := time.NewTimer(wait)
			select {
			case <-l.ctx.Done():
				timer.Stop()
				return
			case <-l.reconnected:
				timer.Stop()
			case <-timer.C:
			}
			wait = min(2*wait, retryMax)
		}
	})
}

// tryRecover reads the history once. It returns true when no event is missing any
// more.
func (l *gaplessListener) tryRecover() (complete bool) {
	l.mu.Lock()
	since, heldBefore := l.at, len(l.held)
	l.missed = false
	l.mu.Unlock()

	ctx, cancel := context.WithTimeout(l.ctx, brokerTimeout)
	h, err := l.broker.History(ctx, l.topic, since)
	cancel()
	if err != nil {
		if l.ctx.Err() == nil {
			l.log.Debug("live: cannot read the history, retrying", "topic", l.topic, "error", err)
		}
		return false
	}

	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return true
	}
	for _, e := range h.Entries {
		l.accept(e)
	}
	if !h.Complete {
		l.at = h.Top
		l.sink.lost(h.Top)
	}
	l.deliverHeld(min(heldBefore, len(l.held)))
	if len(l.held) > 0 || l.missed {
		return false
	}
	l.holding = false
	return true
}
