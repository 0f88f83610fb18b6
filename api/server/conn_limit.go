package server

import (
	"container/list"
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"secondring/api/rest"
	"secondring/market"
)

const (
	// reservedConns is how many connections sockets may not use, if the limit is high
	// enough.
	reservedConns = 512
	// graceTime is how long a connection is not closed after it was opened, sent a request
	// or got a response.
	graceTime = time.Second
)

// overLimitResponse is the response to a connection above the limit.
const overLimitResponse = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

// LimitConnections returns a TCP listener for this server with at most maxConns connections,
// sockets included; 0 for no limit. So enough file descriptors are left for the store. A
// connection above the limit replaces the one that has been idle or slow for the longest
// time. While all connections are being served, it gets 503. netutil.LimitListener would
// make it wait, so that clients who never finish their requests could block all others, and
// sockets all calls.
func LimitConnections(l net.Listener, s *http.Server, maxConns int) net.Listener {
	if maxConns == 0 {
		return l
	}
	s.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, c)
	}
	states := map[http.ConnState]connState{http.StateActive: waiting, http.StateIdle: waiting, http.StateHijacked: socket}
	s.ConnState = func(c net.Conn, changed http.ConnState) {
		if state, ok := states[changed]; ok { // Accept and Close set the others
			c.(*limitedConn).set(state)
		}
	}
	return &connLimit{Listener: l, max: maxConns, grace: graceTime, waiting: list.New()}
}

type connKey struct{}

// connOf returns the connection of a request; nil if connections are not limited.
func connOf(r *http.Request) *limitedConn {
	c, _ := r.Context().Value(connKey{}).(*limitedConn)
	return c
}

// connLimit counts connections.
type connLimit struct {
	net.Listener
	max   int
	grace time.Duration // graceTime, except in tests

	mu     sync.Mutex
	counts [closed]int // of the connections in each state
	// waiting has the connections in this state, the one that has waited for the longest time first.
	waiting *list.List
}

// connState is a state of a connection.
type connState int

const (
	waiting connState = iota // for its client, to send a request or to receive a response
	served                   // its request is complete, its response has not begun
	socket
	closed
)

// limitedConn is a connection of LimitConnections. The mutex of its limit protects it.
type limitedConn struct {
	*net.TCPConn
	limit *connLimit
	state connState
	since time.Duration // market.Monotonic time
	place *list.Element // in limit.waiting
}

// set changes the state. A closed connection stays closed. c is nil if connections are not limited.
func (c *limitedConn) set(state connState) {
	if c == nil {
		return
	}
	l := c.limit
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.state == closed {
		return
	}
	l.counts[c.state]--
	if c.state == waiting {
		l.waiting.Remove(c.place)
	}
	l.enter(c, state)
}

// enter counts a connection in its new state. The caller holds mu.
func (l *connLimit) enter(c *limitedConn, state connState) {
	c.state, c.since = state, market.Monotonic()
	if state != closed {
		l.counts[state]++
	}
	if state == waiting {
		c.place = l.waiting.PushBack(c)
	}
}

// Close implements net.Conn.
func (c *limitedConn) Close() error {
	c.set(closed)
	return c.TCPConn.Close()
}

// Accept implements net.Listener.
func (l *connLimit) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &limitedConn{TCPConn: accepted.(*net.TCPConn), limit: l}
		if l.add(c) {
			return c, nil
		}
		refuse(c.TCPConn)
	}
}

// refuse sends 503 and does not wait until it is read.
func refuse(c net.Conn) {
	_ = c.SetWriteDeadline(time.Now().Add(time.Millisecond))
	_, _ = c.Write([]byte(overLimitResponse))
	_ = c.Close()
}

// add counts a new connection, and closes the slowest one if there are too many. It returns false
// if there is no room for it.
func (l *connLimit) add(c *limitedConn) bool {
	l.mu.Lock()
	var slowest *limitedConn
	full := l.counts[waiting]+l.counts[served]+l.counts[socket] >= l.max
	if first := l.waiting.Front(); full && first != nil {
		slowest = first.Value.(*limitedConn)
	}
	fits := !full || slowest != nil && market.Monotonic()-slowest.since >= l.grace
	if fits {
		l.enter(c, waiting)
	}
	l.mu.Unlock()
	if fits && slowest != nil {
		_ = slowest.Close()
	}
	return fits
}

// hasRoomForSocket returns whether one more socket leaves room for calls.
func (l *connLimit) hasRoomForSocket() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.counts[socket] < l.max-min(l.max/4, reservedConns)
}

// upload is the body of an upload, whose handler reads it itself. The connection is being served
// from the first read, because before that the handler waits until it may receive another upload.
type upload struct {
	io.ReadCloser
	conn *limitedConn
}

// Read implements io.Reader.
func (u upload) Read(p []byte) (int, error) {
	u.conn.set(served)
	return u.ReadCloser.Read(p)
}

// live opens a socket if that leaves room for calls.
func (s *server) live(w http.ResponseWriter, r *http.Request) {
	if c := connOf(r); c != nil && !c.limit.hasRoomForSocket() {
		rest.Fail(w, r, s.Log, rest.NewError(market.CodeUnavailable, "The server is busy. Please try again in a moment."))
		return
	}
	s.Live.ServeHTTP(w, r)
}
