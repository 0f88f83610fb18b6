package server

import (
	"context"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"secondring/api/rest"
	"secondring/market"
)

const (
	// reservedConns is how many connections sockets may not use, if the limit is high
	// enough.
	reservedConns = 512
	// comparedConns is how many connections are compared to find the slowest one.
	comparedConns = 64
	// graceTime is how long a connection is not closed after it was opened, sent a request
	// or got a response.
	graceTime = time.Second
)

// overLimitResponse is the response to a connection above the limit.
const overLimitResponse = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

// LimitConnections returns a listener for this server with at most maxConns connections,
// sockets included; 0 for no limit. So enough file descriptors are left for the store. A
// connection above the limit replaces the one that has been idle or slow for the longest
// time. While all connections are being served, it gets 503. netutil.LimitListener would
// make it wait, so that clients who never finish their requests could block all others.
//
// Set the server's ConnContext and ConnState before.
func LimitConnections(l net.Listener, s *http.Server, maxConns int) net.Listener {
	limit := &connLimit{Listener: l, max: maxConns, callers: map[*limitedConn]struct{}{}}
	connContext, connState := s.ConnContext, s.ConnState
	s.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		if connContext != nil {
			ctx = connContext(ctx, c)
		}
		return context.WithValue(ctx, connKey{}, c)
	}
	s.ConnState = func(c net.Conn, state http.ConnState) {
		if limited, ok := c.(*limitedConn); ok {
			limit.changed(limited, state)
		}
		if connState != nil {
			connState(c, state)
		}
	}
	return limit
}

type connKey struct{}

// connOf returns the connection of a request; nil if connections are not limited.
func connOf(r *http.Request) *limitedConn {
	c, _ := r.Context().Value(connKey{}).(*limitedConn)
	return c
}

// limitedConn is a connection of LimitConnections.
type limitedConn struct {
	*net.TCPConn
	limit   *connLimit
	active  atomic.Int64 // when it was opened, sent a request or got a response, in market.Monotonic time
	serving atomic.Bool  // one of its requests is being served
	closed  atomic.Bool
}

func (c *limitedConn) touch() { c.active.Store(int64(market.Monotonic())) }

// Close implements net.Conn.
func (c *limitedConn) Close() error {
	if !c.closed.Swap(true) {
		c.limit.remove(c)
	}
	return c.TCPConn.Close()
}

// connLimit counts connections.
type connLimit struct {
	net.Listener
	max int

	mu      sync.Mutex
	open    int
	callers map[*limitedConn]struct{} // the connections that are not sockets
}

// Accept implements net.Listener.
func (l *connLimit) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		tcp, ok := accepted.(*net.TCPConn)
		if err != nil || !ok {
			return accepted, err
		}
		c := &limitedConn{TCPConn: tcp, limit: l}
		c.touch()
		if l.add(c) {
			return c, nil
		}
		refuse(tcp)
	}
}

// refuse sends 503 and does not wait until it is read.
func refuse(c net.Conn) {
	_ = c.SetWriteDeadline(time.Now().Add(time.Millisecond))
	_, _ = c.Write([]byte(overLimitResponse))
	_ = c.Close()
}

// add counts a connection. It returns false if there is no room for it.
func (l *connLimit) add(c *limitedConn) bool {
	l.mu.Lock()
	var evicted *limitedConn
	full := l.max > 0 && l.open >= l.max
	if full {
		evicted = l.slowest()
	}
	fits := !full || evicted != nil
	if fits {
		delete(l.callers, evicted)
		l.callers[c] = struct{}{}
		l.open++
	}
	l.mu.Unlock()
	if evicted != nil {
		_ = evicted.Close()
	}
	return fits
}

// slowest returns the connection that has been inactive for the longest time and is not
// being served. It compares only some, in the random order of the map. The caller holds mu.
func (l *connLimit) slowest() (found *limitedConn) {
	oldest, compared := int64(market.Monotonic()-graceTime), 0
	for c := range l.callers {
		if active := c.active.Load(); active < oldest && !c.serving.Load() {
			found, oldest = c, active
		}
		if compared++; compared == comparedConns {
			break
		}
	}
	return found
}

func (l *connLimit) remove(c *limitedConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.callers, c)
	l.open--
}

// changed handles net/http's states of a connection.
func (l *connLimit) changed(c *limitedConn, state http.ConnState) {
	switch state {
	case http.StateActive, http.StateIdle:
		c.touch()
	case http.StateHijacked:
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.callers, c)
	case http.StateNew, http.StateClosed: // add and remove count these
	}
}

// hasRoomForSocket returns whether one more socket leaves room for calls.
func (l *connLimit) hasRoomForSocket() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.max == 0 || l.open-len(l.callers) < l.max-min(l.max/4, reservedConns)
}

// live opens a socket if that leaves room for calls.
func (s *server) live(w http.ResponseWriter, r *http.Request) {
	if c := connOf(r); c != nil && !c.limit.hasRoomForSocket() {
		rest.Fail(w, r, s.Log, rest.NewError(market.CodeUnavailable, "The server is busy. Please try again in a moment."))
		return
	}
	s.Live.ServeHTTP(w, r)
}
