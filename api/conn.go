package api

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"time"
)

// Listen makes connections that cost less for each call on them: a ready answer
// goes out in one write, and deadlines that net/http moves with every call are
// set only when they matter. Give ConnContext to the same server.
func Listen(l net.Listener) net.Listener { return listener{l} }

type listener struct{ net.Listener }

// Accept implements net.Listener.
func (l listener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if tcp, ok := accepted.(*net.TCPConn); ok && err == nil {
		c := &conn{TCPConn: tcp}
		c.read.arm, c.write.arm = tcp.SetReadDeadline, tcp.SetWriteDeadline
		return c, nil
	}
	return accepted, err
}

type connKey struct{}

// ConnContext has a call find the connection that it came on.
func ConnContext(ctx context.Context, c net.Conn) context.Context {
	if c, ok := c.(*conn); ok {
		return context.WithValue(ctx, connKey{}, c)
	}
	return ctx
}

// conn is a connection of Listen's. But for Close and deadlines, writing is for
// one goroutine, as net/http does it.
type conn struct {
	*net.TCPConn
	read, write deadline

	corked bool
	held   *[]byte // what was written while corked
	both   [2][]byte
}

// heldSize is that of net/http's own buffer: the header, and the body's beginning.
const heldSize = 4 << 10

var heldPool = sync.Pool{New: func() any {
	b := make([]byte, 0, heldSize)
	return &b
}}

// cork keeps the next write back until the one after it, or uncork.
func (c *conn) cork() {
	if c != nil {
		c.corked = true
	}
}

// uncork writes what is kept back.
func (c *conn) uncork() {
	if c == nil {
		return
	}
	if c.corked = false; c.held != nil {
		_, _ = c.Write(nil) // who has gone is found out by the next write, too
	}
}

// Read implements net.Conn.
func (c *conn) Read(p []byte) (int, error) {
	for {
		n, err := c.TCPConn.Read(p)
		if n > 0 || err == nil || !c.read.early(err) {
			return n, err
		}
	}
}

// Write implements net.Conn.
func (c *conn) Write(p []byte) (int, error) {
	if c.corked && c.held == nil && len(p) <= heldSize {
		c.held, _ = heldPool.Get().(*[]byte)
		*c.held = append((*c.held)[:0], p...)
		return len(p), nil
	}
	if c.held == nil {
		return c.send(p)
	}
	kept := c.held
	c.held = nil
	defer heldPool.Put(kept)
	return len(p), c.sendBoth(*kept, p)
}

func (c *conn) send(p []byte) (int, error) {
	for sent := 0; ; {
		n, err := c.TCPConn.Write(p[sent:])
		if sent += n; err == nil || !c.write.early(err) {
			return sent, err
		}
	}
}

func (c *conn) sendBoth(first, second []byte) error {
	c.both = [2][]byte{first, second}
	rest := net.Buffers(c.both[:])
	defer func() { c.both = [2][]byte{} }()
	for {
		_, err := rest.WriteTo(c.TCPConn)
		if err == nil || !c.write.early(err) {
			return err
		}
	}
}

// SetReadDeadline implements net.Conn.
func (c *conn) SetReadDeadline(t time.Time) error { return c.read.move(t) }

// SetWriteDeadline implements net.Conn.
func (c *conn) SetWriteDeadline(t time.Time) error { return c.write.move(t) }

// SetDeadline implements net.Conn. net/http calls it when it lets go of the
// connection: whoever takes it may go past Read and Write, so from then on
// deadlines are set as they are asked for.
func (c *conn) SetDeadline(t time.Time) error {
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
