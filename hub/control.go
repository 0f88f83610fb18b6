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
		a.hub.log.Error("live: unreadable control event", "type", e.Event.Type, "error", err)
		return
	}
	a.hub.cfg.OnAccessChanged(c.UID)
	var stay []*conn
	for _, conn := range a.hub.countControlEvent(c.UID) {
		switch e.Event.Type {
		case market.TypeSessionEnded:
			if !conn.endSession(c) {
				stay = append(stay, conn)
			}
		case market.TypeAccessEnded:
			conn.endAccount()
		case market.TypeAccessChanged:
			a.hub.goUnlessClosing(conn.recheckTopicsOrClose)
		}
	}
	if len(stay) > 0 && c.Session == "" { // an admin may have switched off the second factor
		a.hub.goUnlessClosing(func() { a.hub.recheckSockets(stay) })
	}
}

// lost implements sink. Events of ended access may have been missed, so the access of
// all signed-in sockets is checked.
func (a *controller) lost(Position) {
	a.hub.log.Warn("live: control events lost, checking the sessions of all sockets")
	a.hub.cfg.OnAccessChanged("")
	a.hub.countControlEvent("")
	a.hub.goUnlessClosing(func() { a.hub.recheckSockets(a.hub.sockets()) })
}

// How the access of sockets is checked again: few at a time, so that the store has time
// for other calls, and after a delay where the check failed.
const (
	checkedAtOnce = 4
	recheckDelay  = time.Second
)

// recheckSockets checks whether sockets may stay, and which of their topics they may still
// read. If the check fails, the socket stays and is checked again later: if all were
// closed, they would all connect at once and cause the same checks.
func (h *Hub) recheckSockets(all []*conn) {
	slots := make(chan struct{}, checkedAtOnce)
	var checks sync.WaitGroup
	var mu sync.Mutex
	var failed []*conn
	for _, c := range all {
		if h.isClosing() {
			break
		}
		slots <- struct{}{}
		checks.Go(func() {
			if !c.recheckAccess() {
				mu.Lock()
				failed = append(failed, c)
				mu.Unlock()
			}
			<-slots
		})
	}
	checks.Wait()
	if len(failed) > 0 {
		time.AfterFunc(recheckDelay, func() { h.goUnlessClosing(func() { h.recheckSockets(failed) }) })
	}
}

// recheckAccess checks the session and the topics of a socket. It returns false if the
// check failed and must be repeated.
func (c *conn) recheckAccess() bool {
	c.mu.Lock()
	v, closing := c.viewer, c.closing
	c.mu.Unlock()
	if v.UID == "" || closing {
		return true
	}
	ctx, cancel := context.WithTimeout(c.hub.ctx, authTimeout)
	valid, err := c.hub.cfg.CheckSession(ctx, v)
	cancel()
	switch {
	case errors.Is(err, errNoSessionCheck):
		c.closeForRetry("whether access holds", "", err)
	case err != nil:
		return false
	case !valid:
		c.close(CloseTokenExpired, reasonEnded)
	default:
		return c.recheckTopics() == nil
	}
	return true
}

// countControlEvent counts a control event and returns the sockets of its person.
func (h *Hub) countControlEvent(uid string) []*conn {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.controlCount++
	return slices.Clone(h.connsByUID[uid])
}

// endSession closes the socket if the control event ends its session. It returns whether it has.
func (c *conn) endSession(ended market.Control) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	v := c.viewer
	isOther := ended.Session != "" && v.Session != ended.Session
	isKept := ended.Session == "" && v.Session == ended.Except
	isLater := ended.Session == "" && ended.CredentialsVersion > 0 && v.CredentialsVersion >= ended.CredentialsVersion
	if isOther || isKept || isLater {
		return false
	}
	c.closeLocked(CloseTokenExpired, cmp.Or(ended.Reason, reasonEnded))
	return true
}

// recheckTopics checks for every topic whether the socket may still read it.
func (c *conn) recheckTopics() error {
	c.access.Lock()
	defer c.access.Unlock()
	return c.recheckTopicsLocked()
}

// recheckTopicsLocked drops the topics that are no longer allowed, and notifies the client.
// A topic that has another source for this reader now, as after a visitor's sign-in,
// is subscribed again, and its list must be fetched again. Topics whose check fails
// stay; the error is that of one of them. The caller holds access.
func (c *conn) recheckTopicsLocked() (failed error) {
	c.mu.Lock()
	keys := make([]topicKey, len(c.subs))
	for i, s := range c.subs {
		keys[i] = s.topic.key
	}
	c.mu.Unlock()
	var denied []string
	var joins []*pendingSubscription
	for _, key := range keys {
		brokerTopic, ok, err := c.authorize(key.wire)
		switch {
		case err != nil:
			failed = err
		case !ok:
			c.unsubscribe(key.wire)
			denied = append(denied, key.wire)
		case brokerTopic != key.broker:
			j, err := c.joinNow(topicKey{key.wire, brokerTopic})
			if err != nil {
				failed = err
				continue
			}
			j.resync = true
			joins = append(joins, j)
		}
	}
	slices.Sort(denied)
	c.startSubscriptions(joins, denied)
	return failed
}

// recheckTopicsOrClose is recheckTopics after a known change: if the check fails, the socket is
// closed, and may connect again.
func (c *conn) recheckTopicsOrClose() {
	if err := c.recheckTopics(); err != nil {
		c.closeForRetry("authorize", "", err)
	}
}
