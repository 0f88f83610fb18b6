package hub

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"secondring/market"
)

// controller handles market.TopicControl: events that end or change people's access.
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

// lost implements sink. Events of ended access may have been missed, so the access of
// all signed-in sockets is checked.
func (a *controller) lost(Position) {
	a.hub.log.Warn("live: control events lost, checking the sessions of all sockets")
	a.hub.heardOf("")
	a.hub.unlessClosing(func() { a.hub.lookAgain(a.hub.sockets()) })
}

// How sockets' access is checked again: few at a time, so that the store has time
// for other calls; and again later where the check failed.
const (
	askedAtOnce = 4
	askAgain    = time.Second
)

// lookAgain checks whether sockets may stay, and which of their topics they may still
// read. If the check fails, the socket stays and is checked again later: if all were
// closed, they would all connect at once and cause the same checks.
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

// lookAgain tells whether the check succeeded.
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

// heardOf counts a control event and returns the sockets of its person.
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
	c.closeLocked(CloseTokenExpired, cmp.Or(ended.Reason, reasonEnded))
}

// decideAgain checks for every topic whether the socket may still read it.
func (c *conn) decideAgain() error {
	c.access.Lock()
	defer c.access.Unlock()
	return c.decideLocked()
}

// decideLocked drops the topics that are no longer allowed, and tells the client. A
// topic that has another source for this reader now, as after a visitor's sign-in,
// is subscribed again, and its list must be fetched again. Topics whose check fails
// stay; the error is that of one of them. The caller holds access.
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

// decideOrLeave is decideAgain after a known change: if the check fails, the socket is
// closed, and may connect again.
func (c *conn) decideOrLeave() {
	if err := c.decideAgain(); err != nil {
		c.tryAgain("authorize", "", err)
	}
}
