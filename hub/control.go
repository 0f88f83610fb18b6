package hub

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

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
			a.hub.unlessClosing(conn.decideAgain)
		}
	}
}

// lost implements sink: nobody knows whose access has ended meanwhile, so it is
// asked of everybody who is signed in.
func (a *controller) lost(Position) {
	a.hub.log.Warn("live: control events lost, everybody's access is looked at again")
	a.hub.heardOf("")
	a.hub.unlessClosing(a.hub.lookAgain)
}

// askedAtOnce is how many sockets' access is looked at at the same time.
const askedAtOnce = 16

// lookAgain asks of every signed-in socket whether it still may be here, and
// of its topics whether it may read them.
func (h *Hub) lookAgain() {
	places := make(chan struct{}, askedAtOnce)
	var asking sync.WaitGroup
	for _, c := range h.sockets() {
		if h.ctx.Err() != nil {
			break
		}
		places <- struct{}{}
		asking.Go(func() {
			c.lookAgain()
			<-places
		})
	}
	asking.Wait()
}

func (c *conn) lookAgain() {
	c.mu.Lock()
	v := c.viewer
	c.mu.Unlock()
	if v.UID == "" {
		return
	}
	ctx, cancel := context.WithTimeout(c.hub.ctx, decideTimeout)
	holds, err := c.hub.cfg.Holds(ctx, v)
	cancel()
	switch {
	case err != nil:
		c.tryAgain("whether access holds", "", err)
	case !holds:
		c.close(CloseTokenExpired, reasonEnded)
	default:
		c.decideAgain()
	}
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
func (c *conn) decideAgain() {
	c.access.Lock()
	defer c.access.Unlock()
	c.decideLocked()
}

// decideLocked drops the topics no longer allowed and says so. The caller
// holds access.
func (c *conn) decideLocked() {
	c.mu.Lock()
	keys := make([]topicKey, len(c.subs))
	for i, s := range c.subs {
		keys[i] = s.topic.key
	}
	c.mu.Unlock()
	var denied []string
	for _, key := range keys {
		broker, ok, err := c.authorize(key.wire)
		if err != nil {
			c.tryAgain("authorize", key.wire, err)
			return
		}
		if !ok || broker != key.broker {
			c.drop(key.wire)
			denied = append(denied, key.wire)
		}
	}
	slices.Sort(denied)
	c.begin(nil, denied)
}
