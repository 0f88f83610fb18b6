package api

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"secondring/market"
)

// Listen makes connections that cost less for each call on them: a ready answer
// goes out as it is, in one write, and deadlines that net/http moves with every call are
// set only when they matter; a call that comes with the same bytes as one before
// is answered where it was read. There are at most so many of them, 0 for any
// number, sockets among them. It is for this server alone, whose times,
// ConnContext and ConnState are to be set before.
func Listen(l net.Listener, s *http.Server, most int) *Listener {
	of := &Listener{Listener: l, server: s, crowd: newCrowd(most)}
	s.ConnState = of.crowd.note(s.ConnState)
	more := s.ConnContext
	s.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		if more != nil {
			ctx = more(ctx, c)
		}
		if c, ok := c.(*conn); ok {
			c.ctx = ctx
			return context.WithValue(ctx, connKey{}, c)
		}
		return ctx
	}
	return of
}

// Listener is a listener of Listen's.
type Listener struct {
	net.Listener
	server  *http.Server
	crowd   *crowd
	running atomic.Int64 // answers that net/http does not know of
}

// Finish waits until answers are out that net/http's Shutdown does not wait for.
// Call it after that. Its error is the context's.
func (l *Listener) Finish(ctx context.Context) error {
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for l.running.Load() > 0 {
		select {
		case <-look.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// Accept implements net.Listener.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		tcp, ok := accepted.(*net.TCPConn)
		if err != nil || !ok {
			return accepted, err
		}
		c := &conn{TCPConn: tcp, of: l, peer: peerOf(tcp.RemoteAddr().String())}
		c.address = c.peer.String()
		c.read.arm, c.write.arm = tcp.SetReadDeadline, tcp.SetWriteDeadline
		if l.crowd.enter(c) {
			return c, nil
		}
		sendAway(tcp)
	}
}

type connKey struct{}

// conn is a connection of Listen's. But for Close and deadlines, writing is for
// one goroutine, as net/http does it.
type conn struct {
	*net.TCPConn
	of          *Listener
	ctx         context.Context // of its calls
	since       atomic.Int64    // when it came, called, or was answered; of market.Uptime
	served      atomic.Bool     // its call has its turn
	peer        netip.Addr
	address     string // peer's
	read, write deadline

	stream stream
	// again answers a call that begins with these bytes and is known; nil before
	// there was one. It tells whether it has.
	again func(on *conn, head []byte) bool
	state atomic.Int32

	ready *readyAnswer // what goes out in place of the next write; nil for that write itself
}

// readyAnswer is an answer in its bytes.
type readyAnswer struct {
	head []byte // status line and headers, each with its end
	own  []byte // headers of this call alone, likewise
	body []byte
}

// emptyAnswer begins what net/http writes for a call that its handler has not
// answered.
var emptyAnswer = []byte("HTTP/1.1 200 OK\r\n")

var emptyLength = []byte("Content-Length: 0\r\n")

// joinedBody is how long a body may be that is copied behind its header rather
// than written beside it.
const joinedBody = 2 << 10

// States of a connection, for who closes it while it answers by itself.
const (
	quiet = iota
	answering
	closing // once it has answered
	closed
)

// Read implements net.Conn. net/http reads a single byte to see whether a caller
// is still there while a handler runs: that is of the next call.
func (c *conn) Read(p []byte) (int, error) {
	if len(p) == 1 {
		n, err := c.receive(p)
		if n == 1 {
			c.stream.ahead.Store(int32(p[0]) + 1)
		}
		return n, err
	}
	for {
		n, err := c.receive(p)
		if n == 0 {
			return n, err
		}
		if !c.stream.begins() || c.again == nil || !c.again(c, p[:n]) {
			c.stream.reads(p[:n])
			return n, err
		}
	}
}

func (c *conn) receive(p []byte) (int, error) {
	for {
		n, err := c.TCPConn.Read(p)
		if n > 0 || err == nil || !c.read.early(err) {
			return n, err
		}
	}
}

// answers tells whether the connection may answer by itself now: it is not
// closed before it has answered.
func (c *conn) answers() bool {
	if !c.state.CompareAndSwap(quiet, answering) {
		return false
	}
	c.of.running.Add(1)
	return true
}

func (c *conn) answered() {
	c.since.Store(int64(market.Monotonic()))
	if !c.state.CompareAndSwap(answering, quiet) {
		_ = c.Close() // who wanted that has gone on
	}
	c.of.running.Add(-1)
}

// Close implements net.Conn. net/http takes a connection for idle that answers
// by itself: it is closed when it has.
func (c *conn) Close() error {
	if c.state.CompareAndSwap(answering, closing) {
		return nil
	}
	if c.state.Swap(closed) != closed {
		c.of.crowd.leave(c)
	}
	return c.TCPConn.Close()
}

// tell writes an answer of this connection's own, with the times that net/http
// gives to one.
func (c *conn) tell(body []byte, now time.Time, head func(to []byte) []byte) {
	if d := c.of.server.WriteTimeout; d > 0 {
		_ = c.write.move(now.Add(d))
	}
	buffer, _ := headPool.Get().(*[]byte)
	defer headPool.Put(buffer)
	*buffer = head((*buffer)[:0])
	_ = c.join(buffer, body) // the next reading tells that nobody is there
	if d := cmp.Or(c.of.server.IdleTimeout, c.of.server.ReadTimeout); d > 0 {
		_ = c.read.move(now.Add(d))
	}
}

// join writes what the buffer holds, and a body behind it.
func (c *conn) join(buffer *[]byte, body []byte) error {
	if len(body) > joinedBody {
		return c.sendBoth(*buffer, body)
	}
	*buffer = append(*buffer, body...)
	_, err := c.send(*buffer)
	return err
}

// Write implements net.Conn. Where an answer is ready, it takes the place of the
// empty one that net/http writes, whose Date and Connection it keeps.
func (c *conn) Write(p []byte) (int, error) {
	answer := c.ready
	if answer == nil {
		return c.send(p)
	}
	c.ready = nil
	fields, empty := bytes.CutPrefix(p, emptyAnswer)
	if !empty {
		return c.send(p)
	}
	buffer, _ := headPool.Get().(*[]byte)
	defer headPool.Put(buffer)
	head := append(append((*buffer)[:0], answer.head...), answer.own...)
	for line := range bytes.Lines(fields) {
		if !bytes.Equal(line, emptyLength) {
			head = append(head, line...)
		}
	}
	*buffer = head
	return len(p), c.join(buffer, answer.body)
}

var headPool = sync.Pool{New: func() any {
	b := make([]byte, 0, joinedBody)
	return &b
}}

func (c *conn) send(p []byte) (int, error) {
	for sent := 0; ; {
		n, err := c.TCPConn.Write(p[sent:])
		if sent += n; err == nil || !c.write.early(err) {
			return sent, err
		}
	}
}

func (c *conn) sendBoth(first, second []byte) error {
	rest := net.Buffers{first, second}
	for {
		_, err := rest.WriteTo(c.TCPConn)
		if err == nil || !c.write.early(err) {
			return err
		}
	}
}

// ReadFrom implements io.ReaderFrom, past Write.
func (c *conn) ReadFrom(r io.Reader) (int64, error) {
	if err := c.write.exact(); err != nil {
		return 0, err
	}
	return c.TCPConn.ReadFrom(r)
}

// SetReadDeadline implements net.Conn.
func (c *conn) SetReadDeadline(t time.Time) error { return c.read.move(t) }

// SetWriteDeadline implements net.Conn.
func (c *conn) SetWriteDeadline(t time.Time) error { return c.write.move(t) }

// SetDeadline implements net.Conn. net/http calls it when it lets go of the
// connection: whoever takes it may go past Read and Write, so from then on
// deadlines are set as they are asked for.
func (c *conn) SetDeadline(t time.Time) error {
	c.stream.lost = true
	return errors.Join(c.read.now(t), c.write.now(t))
}

// deadline is set late: one that is moved further away stays where it was, and
// is looked at again when it has come.
type deadline struct {
	arm func(time.Time) error

	mu     sync.Mutex
	wanted time.Time // zero for none
	armed  time.Time // never after wanted
	past   bool      // armed was gone by when it was armed
	eager  bool
}

// move wants the deadline at t.
func (d *deadline) move(t time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wanted = t
	if !d.eager && !d.past && !d.armed.IsZero() && (t.IsZero() || t.After(d.armed)) {
		return nil
	}
	return d.set()
}

// now sets the deadline, and every later one, at once.
func (d *deadline) now(t time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.eager, d.wanted = true, t
	return d.set()
}

// longAgo is before any deadline that is a time to wait until: net/http breaks
// off a read with such a one.
var longAgo = time.Unix(1000, 0)

// exact arms what is wanted, for what does not look at it again.
func (d *deadline) exact() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.set()
}

// set arms what is wanted. The caller holds mu.
func (d *deadline) set() error {
	d.armed, d.past = d.wanted, !d.wanted.IsZero() && d.wanted.Before(longAgo)
	return d.arm(d.wanted)
}

// early tells whether an error only says that the armed deadline has come, while
// the wanted one has not. That one is armed then.
func (d *deadline) early(err error) bool {
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.eager || d.wanted.Equal(d.armed) || (!d.wanted.IsZero() && !d.wanted.After(time.Now())) {
		return false
	}
	return d.set() == nil
}
