package hub

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// errTooSlow is returned to the writer whose bytes no longer fit the queue.
var errTooSlow = errors.New("hub: the socket is too slow")

// chunkBytes is about how much of the queue goes into one vectored write.
const chunkBytes = 64 << 10

// lineLimits bounds what a line holds back for a slow socket.
type lineLimits struct {
	bytes int           // waiting at most
	age   time.Duration // of the oldest of them at most
}

// line is the way out to one socket. A write never blocks: it tries once, and
// what the socket would not take waits, bounded by bytes and by age, for a
// goroutine that lives only while the socket is behind. It is a net.Conn, so
// that gorilla's own control frames take their turn in the same queue.
//
// Each write must be one whole frame, or several: the queue is cut between them.
type line struct {
	net.Conn
	limits *lineLimits
	fd     int             // noDescriptor where the connection cannot be tried: all is queued
	wg     *sync.WaitGroup // counts the goroutine

	in      bufio.Reader // the reader's own, and gorilla's; without a buffer while nobody reads
	peeking bool         // the reader's own: Read is not to wait
	parts   fragments    // the reader's own, as is what follows
	mayCome func(n int) bool
	tooMany bool // parts of a message: nothing is read any more

	mu       sync.Mutex
	owner    lineOwner // may be nil
	first    []byte    // the answer to the handshake, which waits for the first frame
	upgraded bool      // that answer has been given
	sent     time.Time // of the last write
	queue    []waiting
	queued   int           // bytes in queue
	draining bool          // the goroutine lives
	closing  bool          // a close frame is the last in the queue; nothing goes in after it
	until    time.Time     // the end of grace, once closing
	shut     bool          // the connection is closed as soon as the queue is empty
	closed   bool          // the connection is
	drained  chan struct{} // closed when the goroutine ends; nil unless somebody waits
}

// noDescriptor is that of a connection which cannot be tried.
const noDescriptor = -1

// lineOwner is told, without locks, of what a line finds out by itself.
type lineOwner interface {
	tooSlow() // the oldest byte has waited too long
	broken()  // the line has closed the connection
}

// waiting is a frame, or what is left of one, in a line's queue.
type waiting struct {
	bytes []byte
	begun bool // part of it has been sent, so the rest must be
	since time.Time
}

func newLine(conn net.Conn, limits *lineLimits, wg *sync.WaitGroup) *line {
	return &line{Conn: conn, limits: limits, fd: descriptorOf(conn), wg: wg, sent: time.Now()}
}

// watch has the owner told.
func (l *line) watch(owner lineOwner) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.owner = owner
}

// Read implements net.Conn. While the reader is peeking it does not wait, and
// returns errNothing instead.
func (l *line) Read(b []byte) (int, error) {
	if l.tooMany {
		return 0, errFragments
	}
	n, err := l.readSome(b)
	if parts := l.parts.pass(b[:n]); parts > 0 && l.mayCome != nil && !l.mayCome(parts) {
		l.tooMany = true // what has come is looked at yet
	}
	return n, err
}

func (l *line) readSome(b []byte) (int, error) {
	if !l.peeking {
		return l.Conn.Read(b)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return 0, net.ErrClosed
	}
	n, err := tryRead(l.fd, b)
	if n == 0 && err == nil {
		err = io.EOF
	}
	return n, err
}

// Close implements net.Conn; it waits for nothing.
func (l *line) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closeLocked()
}

// closeLocked closes the connection: only here, so that its descriptor is never
// used when it may be another's. The caller holds mu.
func (l *line) closeLocked() error {
	l.shut, l.closed = true, true
	return l.Conn.Close()
}

// Write implements net.Conn; b is copied where it has to wait. The first time it
// is the answer to the handshake, which goes out with the frame that follows: one
// write less for each socket.
func (l *line) Write(b []byte) (int, error) {
	if !l.upgraded {
		l.first, l.upgraded = append([]byte(nil), b...), true
		return len(b), nil
	}
	if isCloseFrame(b) {
		l.finish(append([]byte(nil), b...), closeWait)
		return len(b), nil
	}
	if err := l.write(b, true); err != nil {
		return 0, err
	}
	return len(b), nil
}

// SetWriteDeadline does nothing: the line keeps its own time.
func (l *line) SetWriteDeadline(time.Time) error { return nil }

// send writes a frame whose bytes are shared and never change.
func (l *line) send(frame []byte) error { return l.write(frame, false) }

func (l *line) write(b []byte, keepCopy bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closing || l.shut {
		return nil // what follows a close frame goes nowhere
	}
	l.sent = time.Now()
	b = l.withFirst(b)
	begun := false
	if l.fd != noDescriptor && !l.draining {
		n, err := tryWrite(l.fd, b)
		if err != nil || n == len(b) {
			return err
		}
		b, begun = b[n:], n > 0
	}
	full := l.queued > 0 && l.queued+len(b) > l.limits.bytes // one frame may be as long as it is
	if full && !begun {
		return errTooSlow
	}
	if keepCopy {
		b = append([]byte(nil), b...)
	}
	l.enqueue(b, begun)
	if full {
		return errTooSlow
	}
	return nil
}

// withFirst puts what has waited for it before a frame. The caller holds mu.
func (l *line) withFirst(frame []byte) []byte {
	if l.first != nil {
		frame = append(l.first, frame...)
		l.first = nil
	}
	return frame
}

// finish makes the close frame the last thing sent: what has not begun to go
// out is dropped, and a slow socket has grace to read it. Only the first close frame counts.
func (l *line) finish(frame []byte, grace time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closing || l.shut {
		return
	}
	l.closing = true
	l.sent = time.Now()
	l.until = l.sent.Add(grace)
	l.dropUnbegun()
	frame = l.withFirst(frame)
	begun := false
	if l.fd != noDescriptor && !l.draining {
		n, err := tryWrite(l.fd, frame)
		if err != nil || n == len(frame) {
			return
		}
		frame, begun = frame[n:], n > 0
	}
	l.enqueue(frame, begun)
	_ = l.Conn.SetWriteDeadline(l.until) // for the chunk in flight too
}

// dropUnbegun empties the queue but for the rest of a frame that has partly
// gone out. The caller holds mu.
func (l *line) dropUnbegun() {
	keep := 0
	l.queued = 0
	if len(l.queue) > 0 && l.queue[0].begun {
		keep, l.queued = 1, len(l.queue[0].bytes)
	}
	clear(l.queue[keep:])
	l.queue = l.queue[:keep]
}

// hurry shortens what grace there is.
func (l *line) hurry(grace time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until := time.Now().Add(grace); l.closing && until.Before(l.until) {
		l.until = until
		_ = l.Conn.SetWriteDeadline(until)
	}
}

// wait returns when nothing is held back any more, because it has gone out or
// because it never will.
func (l *line) wait() {
	l.mu.Lock()
	if !l.draining {
		l.mu.Unlock()
		return
	}
	if l.drained == nil {
		l.drained = make(chan struct{})
	}
	drained := l.drained
	l.mu.Unlock()
	<-drained
}

// end closes the connection once what waits has gone out, or its time is up.
func (l *line) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shut {
		return
	}
	l.shut = true
	if l.draining {
		_ = l.Conn.SetWriteDeadline(time.Now().Add(lingerTime))
		return
	}
	_ = l.closeLocked()
}

// cut closes the connection at once.
func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue, l.queued = nil, 0
	_ = l.closeLocked()
}

// hasClosed says whether a close frame was the last thing written.
func (l *line) hasClosed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closing
}

// lastSent is when something was last written or queued.
func (l *line) lastSent() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sent
}

// enqueue adds b and wakes the goroutine. The caller holds mu.
func (l *line) enqueue(b []byte, begun bool) {
	l.queue = append(l.queue, waiting{bytes: b, begun: begun, since: time.Now()})
	l.queued += len(b)
	if !l.draining {
		l.draining = true
		l.wg.Go(l.drain)
	}
}

// drain writes the queue, blocking, until it is empty.
func (l *line) drain() {
	for {
		chunk, deadline := l.take()
		if chunk == nil {
			return
		}
		_ = l.Conn.SetWriteDeadline(deadline)
		bufs := make(net.Buffers, len(chunk))
		for i, w := range chunk {
			bufs[i] = w.bytes
		}
		n, err := bufs.WriteTo(l.Conn)
		if err != nil && !l.putBack(chunk, n, err) {
			return
		}
	}
}

// take returns the next frames to write and until when, or nil when there are
// none: then the goroutine ends.
func (l *line) take() (chunk []waiting, deadline time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.queue) == 0 {
		_ = l.Conn.SetWriteDeadline(time.Time{})
		l.stop()
		return nil, time.Time{}
	}
	size, n := 0, 0
	for n < len(l.queue) && (n == 0 || size+len(l.queue[n].bytes) <= chunkBytes) {
		size += len(l.queue[n].bytes)
		n++
	}
	chunk = append(chunk, l.queue[:n]...)
	clear(l.queue[:n])
	l.queue = l.queue[n:]
	l.queued -= size
	deadline = chunk[0].since.Add(l.limits.age)
	switch {
	case l.shut:
		deadline = time.Now().Add(lingerTime)
	case l.closing:
		deadline = l.until
	}
	return chunk, deadline
}

// putBack settles a chunk of which only n bytes went out, and says whether to
// go on. After a first time-out there is the rest of a begun frame to send and,
// because the owner asks for it, a close frame.
func (l *line) putBack(chunk []waiting, n int64, err error) bool {
	owner, again := l.requeue(chunk, n, errors.Is(err, os.ErrDeadlineExceeded))
	switch {
	case owner == nil:
	case again:
		owner.tooSlow()
	default:
		owner.broken()
	}
	return again
}

func (l *line) requeue(chunk []waiting, n int64, late bool) (owner lineOwner, again bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !late || l.shut || l.closing && !time.Now().Before(l.until) {
		l.shut = true
		l.stop()
		return l.owner, false
	}
	for len(chunk) > 0 && n >= int64(len(chunk[0].bytes)) {
		n -= int64(len(chunk[0].bytes))
		chunk = chunk[1:]
	}
	if len(chunk) > 0 && n > 0 {
		chunk[0].bytes, chunk[0].begun = chunk[0].bytes[n:], true
	}
	for _, w := range chunk {
		l.queued += len(w.bytes)
	}
	l.queue = append(chunk, l.queue...)
	return l.owner, true
}

// stop is the goroutine's last act. The caller holds mu.
func (l *line) stop() {
	l.queue, l.queued, l.draining = nil, 0, false
	if l.shut {
		_ = l.closeLocked()
	}
	if l.drained != nil {
		close(l.drained)
		l.drained = nil
	}
}
