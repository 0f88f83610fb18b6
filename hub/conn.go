package hub

import (
	"bufio"
	"errors"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// Reasons in close frames.
const (
	reasonRestarting = "restarting"
	reasonExpired    = "token expired"
	reasonEnded      = "session ended"
	reasonBadToken   = "token refused"
	reasonOtherUser  = "token of another account"
	reasonRemoved    = "account removed"
	reasonTooSlow    = "too slow"
	reasonMalformed  = "malformed frame"
	reasonTooMany    = "too many frames"
	reasonTopics     = "too many topics"
	reasonTooBig     = "frame too big"
	reasonTryAgain   = "try again"
)

// conn is one socket. Writes go through its queuedConn. A goroutine reads while there is
// something to read.
type conn struct {
	hub *Hub
	id  string // for logs
	// address is the client's address, from Config.Address.
	address string
	ws      *websocket.Conn
	out     *queuedConn

	readerState readerState
	polled      bool // the poller starts its reader; otherwise a goroutine waits for data

	// access serializes changes of what the socket may read: subscriptions, a new token,
	// and the check after access.changed.
	access sync.Mutex

	mu             sync.Mutex
	viewer         Viewer
	subs           []*subscription
	closing        bool
	accountRemoved bool // the account was removed; account.removed may not be written yet
	removalSent    bool // account.removed has been sent
	timer          *time.Timer
	unanswered     int // pings

	windowStart time.Time // only the reader uses it: when the counting of frames began
	frames      int
}

func newConn(h *Hub, ws *websocket.Conn, out *queuedConn, v Viewer, address string) *conn {
	c := &conn{hub: h, id: RandomID(), address: address, ws: ws, out: out, viewer: v}
	out.in = bufio.Reader{}            // read sets another
	c.readerState.state.Store(reading) // until it is open
	out.setOwner(c)
	out.withinFrameRate = c.withinFrameRate
	ws.SetReadLimit(int64(h.cfg.Limits.FrameBytes))
	ws.SetPingHandler(c.onPing)
	ws.SetPongHandler(c.onPong)
	return c
}

// tooSlow implements queueOwner.
func (c *conn) tooSlow() { c.close(CloseTooSlow, reasonTooSlow) }

// broken implements queueOwner. The poller does not notice that the connection failed.
func (c *conn) broken() { c.wake() }

// sendHello sends the hello frame and starts the heartbeat timer.
func (c *conn) sendHello() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing {
		return
	}
	c.sendLocked(serverFrame{Hello: &hello{c.id, c.hub.cfg.Heartbeat.Seconds()}}.encode())
	c.timer = time.AfterFunc(c.untilTick(time.Now()), c.tick)
}

// release releases the resources of a socket that has ended.
func (c *conn) release() {
	c.mu.Lock()
	c.closing = true
	if c.timer != nil {
		c.timer.Stop()
	}
	subs := c.subs
	c.subs = nil
	c.mu.Unlock()
	c.out.closeWhenSent()
	for _, s := range subs {
		s.leaveTopic()
	}
}

// countFrame counts a client frame and reports whether it must be handled.
func (c *conn) countFrame() bool {
	if !c.withinFrameRate(1) {
		c.close(CloseLimit, reasonTooMany)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unanswered = 0 // the client answers
	return !c.closing
}

// withinFrameRate counts frames, or fragments of a message, and reports whether they are within
// the rate limit.
func (c *conn) withinFrameRate(n int) bool {
	now := time.Now()
	if now.Sub(c.windowStart) >= time.Second {
		c.windowStart, c.frames = now, 0
	}
	c.frames += n
	return c.frames <= c.hub.cfg.Limits.FrameRate
}

func (c *conn) onPing(payload string) error {
	if c.countFrame() {
		_ = c.ws.WriteControl(websocket.PongMessage, []byte(payload), time.Time{})
	}
	return nil
}

func (c *conn) onPong(string) error {
	c.countFrame()
	return nil
}

// tick closes the socket when its token expires, and sends heartbeats.
func (c *conn) tick() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing {
		return
	}
	now := time.Now()
	if !c.viewer.Expires.IsZero() && !now.Before(c.viewer.Expires) {
		c.closeLocked(CloseTokenExpired, reasonExpired)
		return
	}
	if now.Sub(c.out.lastSent()) >= c.hub.cfg.Heartbeat {
		if c.unanswered >= maxUnanswered {
			c.closing = true
			c.hub.stats.drop(dropSilent)
			c.out.closeNow()
			c.wake()
			return
		}
		c.unanswered++
		c.sendLocked(beatFrames)
	}
	c.timer.Reset(c.untilTick(now))
}

// untilTick returns the time until tick must send a heartbeat or close the socket. The caller holds mu.
func (c *conn) untilTick(now time.Time) time.Duration {
	d := c.hub.cfg.Heartbeat - now.Sub(c.out.lastSent())
	if !c.viewer.Expires.IsZero() {
		d = min(d, c.viewer.Expires.Sub(now))
	}
	return max(d, 0)
}

// rearmLocked sets the timer for a new viewer. The caller holds mu.
func (c *conn) rearmLocked() {
	if c.timer != nil && !c.closing {
		c.timer.Reset(c.untilTick(time.Now()))
	}
}

// sendLocked writes a frame, and closes a socket that is too slow. The caller holds
// mu.
func (c *conn) sendLocked(frame []byte) {
	if c.closing {
		return
	}
	if err := c.out.send(frame); errors.Is(err, errTooSlow) {
		c.closeLocked(CloseTooSlow, reasonTooSlow)
	}
	// The reader gets any other error too, and ends the socket.
}

// close sends a close frame and waits, in the reader, for the answer.
func (c *conn) close(code int, reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closeLocked(code, reason)
}

func (c *conn) closeLocked(code int, reason string) {
	if c.closing {
		return
	}
	c.closing = true
	c.hub.stats.closed(code)
	wait := closeWait
	if code == CloseTooSlow {
		wait = c.hub.cfg.Limits.SlowGrace
	}
	c.out.sendClose(closeFrame(code, reason), wait)
	_ = c.ws.SetReadDeadline(time.Now().Add(wait))
	c.wake()
}

func (c *conn) isClosing() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closing
}

// closeSoon closes the socket when the hub closes. A socket that is closing already, perhaps with
// the longer time of a slow one, gets no more time than the others.
func (c *conn) closeSoon(code int, reason string) {
	c.close(code, reason)
	c.out.shortenDeadline(closeWait)
	_ = c.ws.SetReadDeadline(time.Now().Add(closeWait))
}

// endAccount closes the socket with 4403. A socket that reads its person's own topic
// gets account.removed first.
func (c *conn) endAccount() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.accountRemoved = true
	readsOwnTopic := false
	for _, s := range c.subs {
		readsOwnTopic = readsOwnTopic || s.topic.private
	}
	if c.removalSent || !readsOwnTopic {
		c.closeLocked(CloseAccountRemoved, reasonRemoved)
		return
	}
	time.AfterFunc(removalWait, func() { c.close(CloseAccountRemoved, reasonRemoved) })
}

// markRemovalSentLocked records that account.removed has been sent. The caller holds mu.
func (c *conn) markRemovalSentLocked() {
	c.removalSent = true
	if c.accountRemoved {
		c.closeLocked(CloseAccountRemoved, reasonRemoved)
	}
}
