package hub

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"secondring/market"
)

// controller acts on market.TopicControl: what ends or changes people's access.
type controller struct{ hub *Hub }

var _ sink = (*controller)(nil)

// start implements sink.
func (*controller) start(Position) {}

// entry implements sink.
func (a *controller) entry(e Entry) {
	var c market.Control
	if err := json.Unmarshal(e.Event.Data, &c); err != nil {
		a.hub.log.Error("live: unreadable control event", "type", e.Event.Type, "err", err)
		return
	}
	for _, conn := range a.hub.heardOf(c.UID) {
		switch e.Event.Type {
		case market.TypeSessionEnded:
			conn.endSession(c)
		case market.TypeAccessEnded:
			conn.endAccount()
		case market.TypeAccessChanged:
			a.hub.unlessClosing(conn.decideOrLeave)
		}
	}
}

// lost implements sink: nobody knows whose access has ended meanwhile, so it is
// asked of everybody who is signed in.
func (a *controller) lost(Position) {
	a.hub.log.Warn("live: control events lost, everybody's access is looked at again")
	a.hub.heardOf("")
	a.hub.unlessClosing(func() { a.hub.lookAgain(a.hub.sockets()) })
}

// How sockets' access is looked at again: so many at the same time, that those who
// fetch their lists just then find the store with time for them; and those of whom
// nobody could say, once more after a while.
const (
	askedAtOnce = 4
	askAgain    = time.Second
)

// lookAgain asks of sockets whether they still may be here, and of their topics
// whether they may read them. Those of whom nobody could say stay, and are asked
// about again: to send them away would only have all of them come back at once,
// and ask the same.
func (h *Hub) lookAgain(all []*conn) {
	places := make(chan struct{}, askedAtOnce)
	var asking sync.WaitGroup
	var mu sync.Mutex
	var open []*conn
	for _, c := range all {
		if h.isClosing() {
			break
		}
		places <- struct{}{}
		asking.Go(func() {
			if !c.lookAgain() {
				mu.Lock()
				open = append(open, c)
				mu.Unlock()
			}
			<-places
		})
	}
	asking.Wait()
	if len(open) > 0 {
		time.AfterFunc(askAgain, func() { h.unlessClosing(func() { h.lookAgain(open) }) })
	}
}

// lookAgain tells whether it could be decided.
func (c *conn) lookAgain() bool {
	c.mu.Lock()
	v, over := c.viewer, c.closing
	c.mu.Unlock()
	if v.UID == "" || over {
		return true
	}
	ctx, cancel := context.WithTimeout(c.hub.ctx, decideTimeout)
	holds, err := c.hub.cfg.Holds(ctx, v)
	cancel()
	switch {
	case errors.Is(err, errUnknown):
		c.tryAgain("whether access holds", "", err)
	case err != nil:
		return false
	case !holds:
		c.close(CloseTokenExpired, reasonEnded)
	default:
		return c.decideAgain() == nil
	}
	return true
}

// heardOf notes a control event and returns the sockets of whom it is about.
func (h *Hub) heardOf(uid string) []*conn {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.heard++
	return slices.Clone(h.people[uid])
}

// endSession closes the socket if its session is among those ended.
func (c *conn) endSession(ended market.Control) {
	c.mu.Lock()
	defer c.mu.Unlock()
	mine := c.viewer.Session
	if ended.Session != "" && mine != ended.Session {
		return
	}
	if ended.Session == "" && ended.Except != "" && mine == ended.Except {
		return
	}
	c.closeLocked(CloseTokenExpired, reasonEnded)
}

// decideAgain asks of every topic anew whether the socket may read it.
func (c *conn) decideAgain() error {
	c.access.Lock()
	defer c.access.Unlock()
	return c.decideLocked()
}

// decideLocked drops the topics no longer allowed and says so. A topic that this
// reader hears from another source by now, as a visitor who has signed in does,
// is subscribed anew, and its list is to be fetched again. Topics of which nobody
// could say stay; the error is that of one of them. The caller holds access.
func (c *conn) decideLocked() (undecided error) {
	c.mu.Lock()
	keys := make([]topicKey, len(c.subs))
	for i, s := range c.subs {
		keys[i] = s.topic.key
	}
	c.mu.Unlock()
	var denied []string
	var joins []*joining
	for _, key := range keys {
		broker, ok, err := c.authorize(key.wire)
		switch {
		case err != nil:
			undecided = err
		case !ok:
			c.drop(key.wire)
			denied = append(denied, key.wire)
		case broker != key.broker:
			j, err := c.joinNow(topicKey{key.wire, broker})
			if err != nil {
				undecided = err
				continue
			}
			j.resync = true
			joins = append(joins, j)
		}
	}
	slices.Sort(denied)
	c.begin(joins, denied)
	return undecided
}

// decideOrLeave is decideAgain where what has changed is known: a socket that
// cannot be decided about now goes, and may come back.
func (c *conn) decideOrLeave() {
	if err := c.decideAgain(); err != nil {
		c.tryAgain("authorize", "", err)
	}
}
