package hub

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// What a feed allows the broker.
const (
	brokerTimeout = 5 * time.Second        // for one call
	retryFirst    = 100 * time.Millisecond // after a failed history read, doubled each time…
	retryLast     = time.Second            // …up to this: a screen is to be true soon after an outage
	maxHeld       = 10_000                 // events that wait while a gap is made good
)

// sink takes what a feed has put in order. Its methods are called one at a
// time and must not block.
type sink interface {
	// start says where the feed begins; called once, before all else.
	start(at Position)
	// entry is the next event.
	entry(e Entry)
	// lost says that events before at are gone for good.
	lost(at Position)
}

// feed is one broker topic as this node receives it: in order, each event
// once, gaps made good from the history. While it subscribes or recovers, new
// events are held and merged by offset afterwards.
type feed struct {
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
	closed  bool // nothing more is heard
	again   bool // something passed unseen during recovery: read once more

	renewed chan struct{} // the broker's connection was, while a recovery waits to try again
}

var _ Listener = (*feed)(nil)

func newFeed(broker Broker, topic string, to sink, log *slog.Logger) *feed {
	f := &feed{broker: broker, topic: topic, sink: to, log: log, holding: true, renewed: make(chan struct{}, 1)}
	f.ctx, f.cancel = context.WithCancel(context.Background())
	return f
}

// open subscribes. On an error the feed is of no further use.
func (f *feed) open(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, brokerTimeout)
	defer cancel()
	at, err := f.broker.Subscribe(ctx, f.topic, f)
	if err != nil {
		f.cancel()
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at = at
	f.sink.start(at)
	f.settle(0)
	if len(f.held) > 0 || f.again {
		f.recover() //nolint:contextcheck // goes on after this call
		return nil
	}
	f.holding = false
	return nil
}

// close unsubscribes and waits until nothing more reaches the sink.
func (f *feed) close(ctx context.Context) {
	f.cancel()
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, brokerTimeout)
	defer cancel()
	if err := f.broker.Unsubscribe(ctx, f.topic, f); err != nil {
		f.log.Debug("live: unsubscribe", "topic", f.topic, "err", err)
	}
	f.wg.Wait()
}

// Event implements Listener.
func (f *feed) Event(e Entry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return
	}
	if f.holding {
		f.hold(e)
		return
	}
	if f.accept(e) {
		return
	}
	f.holding = true
	f.hold(e)
	f.recover()
}

// Gap implements Listener.
func (f *feed) Gap() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return
	}
	if f.holding {
		f.again = true
		select {
		case f.renewed <- struct{}{}:
		default:
		}
		return
	}
	f.holding = true
	f.recover()
}

// hold keeps e until the gap before it is made good. The caller holds mu.
func (f *feed) hold(e Entry) {
	if len(f.held) >= maxHeld { // the history has them too
		f.held, f.again = nil, true
		return
	}
	f.held = append(f.held, e)
}

// accept passes on the next event, or one already given silently away, and
// says false of any other. The caller holds mu.
func (f *feed) accept(e Entry) bool {
	if f.at.Covers(e.Position) {
		return true
	}
	if e.Position != f.at.Next() {
		return false
	}
	f.at = e.Position
	f.sink.entry(e)
	return true
}

// settle passes on what was held, up to the first event that does not fit.
// The first known ones were there before the last history read, so the history
// has told all about them: what does not fit belongs to an epoch long gone.
// The caller holds mu.
func (f *feed) settle(known int) {
	for i, e := range f.held {
		if !f.accept(e) && i >= known {
			f.held = f.held[i:]
			return
		}
	}
	f.held = nil
}

// recover begins to make a gap good. The caller holds mu and has set holding.
func (f *feed) recover() {
	f.wg.Go(func() {
		wait := retryFirst
		for !f.tryRecover() {
			timer := time.NewTimer(wait)
			select {
			case <-f.ctx.Done():
				timer.Stop()
				return
			case <-f.renewed:
				timer.Stop()
			case <-timer.C:
			}
			wait = min(2*wait, retryLast)
		}
	})
}

// tryRecover reads the history once and says whether the feed is whole again.
func (f *feed) tryRecover() (whole bool) {
	f.mu.Lock()
	since, known := f.at, len(f.held)
	f.again = false
	f.mu.Unlock()

	ctx, cancel := context.WithTimeout(f.ctx, brokerTimeout)
	h, err := f.broker.History(ctx, f.topic, since)
	cancel()
	if err != nil {
		if f.ctx.Err() == nil {
			f.log.Debug("live: history unread, trying again", "topic", f.topic, "err", err)
		}
		return false
	}

	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return true
	}
	for _, e := range h.Entries {
		f.accept(e)
	}
	if !h.Complete {
		f.at = h.Top
		f.sink.lost(h.Top)
	}
	f.settle(min(known, len(f.held)))
	if len(f.held) > 0 || f.again {
		return false
	}
	f.holding = false
	return true
}
