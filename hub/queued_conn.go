package hub

import (
	"errors"
	"net"
	"os"
	"sync"
	"time"
)

// errTooSlow is the error of a write whose bytes do not fit into the queue.
var errTooSlow = errors.New("hub: the socket is too slow")

// chunkBytes is about how much of the queue goes into one vectored write.
const chunkBytes = 64 << 10

// queueLimits bounds what is queued for a slow socket.
type queueLimits struct {
	bytes int           // queued at most
	age   time.Duration // of the oldest of them at most
}

// queuedConn is a socket's connection with a bounded write queue. A write never
// blocks: it tries once, and queues what the socket does not take. A goroutine
// writes the queue, and lives only while there is one. It is a net.Conn, so that
// gorilla's own control frames go through the same queue. The half that reads is in
// queued_conn_read.go.
//
// Each write must be one whole frame, or several: frames are dropped from the queue
// whole.
type queuedConn struct {
	net.Conn
	readHalf

	limits *queueLimits
	fd     int             // noDescriptor if a write without waiting is impossible: then all frames are queued
	wg     *sync.WaitGroup // counts the goroutine

	mu            sync.Mutex
	owner         queueOwner // may be nil
	response      []byte     // to the handshake; it is sent with the first frame
	upgraded      bool       // the response was written
	sent          time.Time  // of the last write
	queue         []queuedFrame
	queued        int  // bytes in queue
	draining      bool // the goroutine runs
	state         connState
	closeDeadline time.Time     // when the queue must be empty; for connClosing
	drained       chan struct{} // closed when the goroutine ends; nil unless a caller waits
}

// connState is how far a queuedConn has been closed. It only rises.
type connState int

const (
	connOpen    connState = iota
	connClosing           // a close frame is the last in the queue; nothing goes in after it
	connEnding            // the connection is closed as soon as the queue is empty
	connClosed
)

// noDescriptor is the descriptor of a connection that cannot be written to without
// waiting.
const noDescriptor = -1

// queueOwner is notified by the queue's goroutine. No lock is held when its methods are
// called.
type queueOwner interface {
	tooSlow() // the oldest byte has waited too long
	broken()  // the connection failed and was closed
}

// queuedFrame is a frame in the queue, or the unsent rest of one.
type queuedFrame struct {
	bytes      []byte
	partlySent bool // a part has been sent, so the rest must be sent too
	since      time.Time
}

func newQueuedConn(conn net.Conn, limits *queueLimits, wg *sync.WaitGroup) *queuedConn {
	return &queuedConn{Conn: conn, limits: limits, fd: descriptorOf(conn), wg: wg, sent: time.Now()}
}

// setOwner sets the owner.
func (q *queuedConn) setOwner(owner queueOwner) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.owner = owner
}

// Close implements net.Conn. It does not wait.
func (q *queuedConn) Close() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.closeLocked()
}

// closeLocked closes the connection. Only it does so, so that the descriptor is never used
// after it may belong to another connection. The caller holds mu.
func (q *queuedConn) closeLocked() error {
	q.state = connClosed
	return q.Conn.Close()
}

// Write implements net.Conn. It copies b if it queues it. The first write is the
// response to the handshake. It is sent with the frame that follows, which saves a
// system call for each socket.
func (q *queuedConn) Write(b []byte) (int, error) {
	if !q.upgraded {
		q.response, q.upgraded = append([]byte(nil), b...), true
		return len(b), nil
	}
	if isCloseFrame(b) {
		q.sendClose(append([]byte(nil), b...), closeWait)
		return len(b), nil
	}
	if err := q.write(b, true); err != nil {
		return 0, err
	}
	return len(b), nil
}

// SetWriteDeadline does nothing: the queue has its own deadlines.
func (q *queuedConn) SetWriteDeadline(time.Time) error { return nil }

// send writes a frame whose bytes are shared and never change.
func (q *queuedConn) send(frame []byte) error { return q.write(frame, false) }

func (q *queuedConn) write(b []byte, keepCopy bool) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.state != connOpen {
		return nil // nothing is sent after a close frame
	}
	q.sent = time.Now()
	b = q.withResponse(b)
	partlySent := false
	if q.fd != noDescriptor && !q.draining {
		n, err := tryWrite(q.fd, b)
		if err != nil || n == len(b) {
			return err
		}
		b, partlySent = b[n:], n > 0
	}
	full := q.queued > 0 && q.queued+len(b) > q.limits.bytes // one frame may be as long as it is
	if full && !partlySent {
		return errTooSlow
	}
	if keepCopy {
		b = append([]byte(nil), b...)
	}
	q.enqueue(b, partlySent)
	if full {
		return errTooSlow
	}
	return nil
}

// withResponse puts the response to the handshake before the first frame. The caller
// holds mu.
func (q *queuedConn) withResponse(frame []byte) []byte {
	if q.response != nil {
		frame = append(q.response, frame...)
		q.response = nil
	}
	return frame
}

// sendClose sends a close frame, which is the last frame: frames of which nothing was sent yet
// are dropped, and a slow socket has the grace period to read the rest. Only the
// first close frame counts.
func (q *queuedConn) sendClose(frame []byte, grace time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.state != connOpen {
		return
	}
	q.state = connClosing
	q.sent = time.Now()
	q.closeDeadline = q.sent.Add(grace)
	q.dropUnsent()
	frame = q.withResponse(frame)
	partlySent := false
	if q.fd != noDescriptor && !q.draining {
		n, err := tryWrite(q.fd, frame)
		if err != nil || n == len(frame) {
			return
		}
		frame, partlySent = frame[n:], n > 0
	}
	q.enqueue(frame, partlySent)
	_ = q.Conn.SetWriteDeadline(q.closeDeadline) // for the chunk in flight too
}

// dropUnsent empties the queue except for the rest of a frame that was partly
// sent. The caller holds mu.
func (q *queuedConn) dropUnsent() {
	keep := 0
	q.queued = 0
	if len(q.queue) > 0 && q.queue[0].partlySent {
		keep, q.queued = 1, len(q.queue[0].bytes)
	}
	clear(q.queue[keep:])
	q.queue = q.queue[:keep]
}

// shortenDeadline shortens the time that a slow socket has.
func (q *queuedConn) shortenDeadline(grace time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if until := time.Now().Add(grace); q.state == connClosing && until.Before(q.closeDeadline) {
		q.closeDeadline = until
		_ = q.Conn.SetWriteDeadline(until)
	}
}

// wait returns when the queue is empty: all was sent, or the connection was closed.
func (q *queuedConn) wait() {
	q.mu.Lock()
	if !q.draining {
		q.mu.Unlock()
		return
	}
	if q.drained == nil {
		q.drained = make(chan struct{})
	}
	drained := q.drained
	q.mu.Unlock()
	<-drained
}

// closeWhenSent closes the connection when the queue is empty, or after lingerTime.
func (q *queuedConn) closeWhenSent() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.state >= connEnding {
		return
	}
	q.state = connEnding
	if q.draining {
		_ = q.Conn.SetWriteDeadline(time.Now().Add(lingerTime))
		return
	}
	_ = q.closeLocked()
}

// closeNow closes the connection at once.
func (q *queuedConn) closeNow() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue, q.queued = nil, 0
	_ = q.closeLocked()
}

// isClosing reports whether a close frame was written to a connection that is still open.
func (q *queuedConn) isClosing() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.state == connClosing
}

// lastSent returns the time when bytes were last written or queued.
func (q *queuedConn) lastSent() time.Time {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.sent
}

// enqueue adds b and starts the goroutine if it does not run. The caller holds mu.
func (q *queuedConn) enqueue(b []byte, partlySent bool) {
	q.queue = append(q.queue, queuedFrame{bytes: b, partlySent: partlySent, since: time.Now()})
	q.queued += len(b)
	if !q.draining {
		q.draining = true
		q.wg.Go(q.drain)
	}
}

// drain writes the queue, blocking, until it is empty.
func (q *queuedConn) drain() {
	for {
		chunk, deadline := q.nextChunk()
		if chunk == nil {
			return
		}
		_ = q.Conn.SetWriteDeadline(deadline)
		bufs := make(net.Buffers, len(chunk))
		for i, w := range chunk {
			bufs[i] = w.bytes
		}
		n, err := bufs.WriteTo(q.Conn)
		if err != nil && !q.putBack(chunk, n, err) {
			return
		}
	}
}

// nextChunk returns the next frames to write and their deadline. It returns nil when
// there are none, and the goroutine ends.
func (q *queuedConn) nextChunk() (chunk []queuedFrame, deadline time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 {
		_ = q.Conn.SetWriteDeadline(time.Time{})
		q.stop()
		return nil, time.Time{}
	}
	size, n := 0, 0
	for n < len(q.queue) && (n == 0 || size+len(q.queue[n].bytes) <= chunkBytes) {
		size += len(q.queue[n].bytes)
		n++
	}
	chunk = append(chunk, q.queue[:n]...)
	clear(q.queue[:n])
	q.queue = q.queue[n:]
	q.queued -= size
	deadline = chunk[0].since.Add(q.limits.age)
	switch q.state {
	case connOpen:
	case connClosing:
		deadline = q.closeDeadline
	default:
		deadline = time.Now().Add(lingerTime)
	}
	return chunk, deadline
}

// putBack queues the part of a chunk after its first n bytes, which were sent, and reports
// whether drain must continue. After a timeout, the rest of a partly sent frame is sent, and
// then the close frame that the owner sends.
func (q *queuedConn) putBack(chunk []queuedFrame, n int64, err error) bool {
	owner, retry := q.requeue(chunk, n, errors.Is(err, os.ErrDeadlineExceeded))
	switch {
	case owner == nil:
	case retry:
		owner.tooSlow()
	default:
		owner.broken()
	}
	return retry
}

func (q *queuedConn) requeue(chunk []queuedFrame, n int64, late bool) (owner queueOwner, retry bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !late || q.state >= connEnding || q.state == connClosing && !time.Now().Before(q.closeDeadline) {
		q.state = max(q.state, connEnding)
		q.stop()
		return q.owner, false
	}
	for len(chunk) > 0 && n >= int64(len(chunk[0].bytes)) {
		n -= int64(len(chunk[0].bytes))
		chunk = chunk[1:]
	}
	if len(chunk) > 0 && n > 0 {
		chunk[0].bytes, chunk[0].partlySent = chunk[0].bytes[n:], true
	}
	for _, w := range chunk {
		q.queued += len(w.bytes)
	}
	q.queue = append(chunk, q.queue...)
	return q.owner, true
}

// stop resets the queue when the goroutine ends. The caller holds mu.
func (q *queuedConn) stop() {
	q.queue, q.queued, q.draining = nil, 0, false
	if q.state >= connEnding {
		_ = q.closeLocked()
	}
	if q.drained != nil {
		close(q.drained)
		q.drained = nil
	}
}
