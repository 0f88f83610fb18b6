package api

import (
	"net"
	"net/http"
	"sync"
	"time"

	"secondring/api/rest"
	"secondring/market"
)

// crowd is who is connected. There are never more than most, so that the process
// keeps descriptors for its store: who comes then takes the place of whoever has
// kept us waiting for longest, or is sent away. So nobody is kept out by callers who
// never come to the end of what they send, or never take their answer.
type crowd struct {
	most int // 0 for any number

	mu      sync.Mutex
	here    int
	callers map[*conn]struct{} // all who are no sockets
}

// callersOwn is how many places sockets leave to callers, where there are many.
const callersOwn = 512

const (
	// lookedAt is how many callers are compared.
	lookedAt = 64
	// spared is how long nobody has to go who has just come, called, or was answered.
	spared = time.Second
)

// fullAnswer is for who finds no place.
const fullAnswer = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

func newCrowd(most int) *crowd { return &crowd{most: most, callers: map[*conn]struct{}{}} }

// enter takes a connection in; false where there is no place for it.
func (c *crowd) enter(who *conn) bool {
	who.since.Store(int64(market.Monotonic()))
	c.mu.Lock()
	var goes *conn
	full := c.most > 0 && c.here >= c.most
	if full {
		goes = c.longest()
	}
	fits := !full || goes != nil
	if fits {
		delete(c.callers, goes)
		c.callers[who] = struct{}{}
		c.here++
	}
	c.mu.Unlock()
	if goes != nil {
		_ = goes.Close() // which is when it leaves
	}
	return fits
}

// longest is who of some, as a map gives them by chance, keeps us waiting for
// longest. The caller holds mu.
func (c *crowd) longest() (found *conn) {
	oldest, looked := int64(market.Monotonic()-spared), 0
	for who := range c.callers {
		if since := who.since.Load(); since < oldest && !who.served.Load() {
			found, oldest = who, since
		}
		if looked++; looked == lookedAt {
			break
		}
	}
	return found
}

// takesSocket tells whether there is room for one more socket.
func (c *crowd) takesSocket() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.most == 0 || c.here-len(c.callers) < c.most-min(c.most/4, callersOwn)
}

// leave is called once for who was taken in.
func (c *crowd) leave(who *conn) {
	c.mu.Lock()
	delete(c.callers, who)
	c.here--
	c.mu.Unlock()
}

// note follows net/http, beside whoever does already.
func (c *crowd) note(more func(net.Conn, http.ConnState)) func(net.Conn, http.ConnState) {
	return func(connection net.Conn, state http.ConnState) {
		if who, ok := connection.(*conn); ok {
			c.moved(who, state)
		}
		if more != nil {
			more(connection, state)
		}
	}
}

func (c *crowd) moved(who *conn, state http.ConnState) {
	switch state {
	case http.StateActive, http.StateIdle:
		who.since.Store(int64(market.Monotonic()))
	case http.StateHijacked:
		c.mu.Lock()
		delete(c.callers, who)
		c.mu.Unlock()
	case http.StateNew, http.StateClosed: // told by enter and leave
	}
}

// sendAway answers who finds no place, and does not wait for it to be read.
func sendAway(connection net.Conn) {
	_ = connection.SetWriteDeadline(time.Now().Add(time.Millisecond))
	_, _ = connection.Write([]byte(fullAnswer))
	_ = connection.Close()
}

// live opens sockets while there are places for them, so that however many there
// are, everybody else is served.
func (a *api) live(w http.ResponseWriter, r *http.Request) {
	if on, ok := r.Context().Value(connKey{}).(*conn); ok && !on.of.crowd.takesSocket() {
		rest.Fail(w, r, a.Log, rest.Refuse(market.CodeUnavailable, "Too many people are here at once. Please try again in a moment."))
		return
	}
	a.Live.ServeHTTP(w, r)
}
