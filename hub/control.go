package hub

import (
	"encoding/json"
	"slices"

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

// lost implements sink: nobody knows whose access has ended meanwhile, so
// everybody comes back and shows a token.
func (a *controller) lost(Position) {
	a.hub.log.Warn("live: control events lost, all sockets come back")
	a.hub.heardOf("")
	for _, c := range a.hub.sockets() {
		c.close(CloseRestarting, reasonRestarting)
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
