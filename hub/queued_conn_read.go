package hub

import (
	"bufio"
	"io"
	"net"
)

// readHalf is the state of a queuedConn for reading. Only the socket's reader uses it.
type readHalf struct {
	in      bufio.Reader // gorilla has a pointer to it; it has no buffer between reads
	peeking bool         // Read must not wait

	fragments        fragmentCounter
	withinFrameRate  func(n int) bool // counts n frames or fragments; false above the limit
	tooManyFragments bool             // of a message: reading has ended
}

// Read implements net.Conn. While the reader is peeking it does not wait, and
// returns errWouldBlock instead.
func (q *queuedConn) Read(b []byte) (int, error) {
	if q.tooManyFragments {
		return 0, errFragments
	}
	n, err := q.readSome(b)
	if continuations := q.fragments.count(b[:n]); continuations > 0 && q.withinFrameRate != nil && !q.withinFrameRate(continuations) {
		q.tooManyFragments = true // the bytes read so far are still handled
	}
	return n, err
}

func (q *queuedConn) readSome(b []byte) (int, error) {
	if !q.peeking {
		return q.Conn.Read(b)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.state == connClosed {
		return 0, net.ErrClosed
	}
	n, err := tryRead(q.fd, b)
	if n == 0 && err == nil {
		err = io.EOF
	}
	return n, err
}
