package hub

import (
	"bytes"
	"errors"
	"net"
	"os"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// slowConn is a connection that accepts a number of bytes, then none until its deadline, and all
// bytes after that.
type slowConn struct {
	net.Conn
	mu       sync.Mutex
	budget   int
	open     chan struct{} // writes wait until it is closed
	deadline time.Time
	got      bytes.Buffer
	closed   bool
}

func (s *slowConn) Write(b []byte) (int, error) {
	<-s.open
	s.mu.Lock()
	n := min(len(b), s.budget)
	s.budget -= n
	s.got.Write(b[:n])
	untilDeadline := time.Until(s.deadline)
	s.mu.Unlock()
	if n == len(b) {
		return n, nil
	}
	<-time.After(untilDeadline)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.budget = 1 << 30
	return n, os.ErrDeadlineExceeded
}

func (s *slowConn) SetWriteDeadline(t time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deadline = t
	return nil
}

func (s *slowConn) Close() error {
	s.closed = true
	return nil
}

// onTooSlow is a watcher that calls do when the connection is too slow.
type onTooSlow struct{ do func() }

func (w onTooSlow) tooSlow() { w.do() }

func (onTooSlow) broken() {}

// frames returns text frames of a little more than a hundred bytes.
func frames(n int) [][]byte {
	all := make([][]byte, n)
	for i := range all {
		all[i] = textFrame(bytes.Repeat([]byte{'a' + byte(i)}, 100))
	}
	return all
}

func TestSlowQueueEndsBetweenFrames(t *testing.T) {
	closing := closeFrame(CloseTooSlow, reasonTooSlow)
	all := frames(6)
	size := len(all[0])
	for name, tc := range map[string]struct {
		budget   int
		complete int // frames before the close frame
	}{
		"before the first byte":           {0, 0},
		"within the first frame":          {1, 1},
		"between two frames":              {2 * size, 2},
		"within a write":                  {2*size + size/2, 3},
		"before the last byte of a frame": {4*size - 1, 4},
		"not slow":                        {1 << 30, 6},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				conn := &slowConn{budget: tc.budget, open: make(chan struct{})}
				var wg sync.WaitGroup
				l := newQueuedConn(conn, &queueLimits{bytes: 1 << 20, age: time.Second}, &wg)
				l.setOwner(onTooSlow{func() { l.sendClose(closing, time.Minute) }})
				for _, f := range all {
					if err := l.send(f); err != nil {
						t.Fatal(err)
					}
				}
				close(conn.open)
				synctest.Wait()
				<-time.After(2 * time.Second)
				l.sendClose(closing, time.Minute) // a repeated call has no effect
				l.wait()
				want := slices.Concat(slices.Concat(all[:tc.complete]...), closing)
				if !bytes.Equal(conn.got.Bytes(), want) {
					t.Errorf("got  %q\nwant %q", conn.got.Bytes(), want)
				}
				if err := l.send(all[0]); err != nil || conn.got.Len() != len(want) {
					t.Errorf("%d bytes were sent, want nothing after the close frame (%v)", conn.got.Len(), err)
				}
				l.closeWhenSent()
				wg.Wait()
				if !conn.closed {
					t.Error("the connection is still open")
				}
			})
		})
	}
}

func TestQueueIsBoundedByBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := frames(4)
		conn := &slowConn{budget: 1 << 30, open: make(chan struct{})}
		var wg sync.WaitGroup
		l := newQueuedConn(conn, &queueLimits{bytes: 2 * len(all[0]), age: time.Hour}, &wg)
		if err := l.send(all[0]); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // the first frame is being written and no longer queued
		for i, want := range []error{nil, nil, errTooSlow} {
			if err := l.send(all[i+1]); !errors.Is(err, want) {
				t.Errorf("sending frame %d: %v, want %v", i+1, err, want)
			}
		}
		close(conn.open)
		l.wait()
		if err := l.send(all[3]); err != nil {
			t.Errorf("sending after the queue was written: %v", err)
		}
		l.wait()
		if want := slices.Concat(all...); !bytes.Equal(conn.got.Bytes(), want) {
			t.Errorf("got %q", conn.got.Bytes())
		}
		l.closeWhenSent()
		wg.Wait()
	})
}

func TestEndFlushesTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := frames(3)
		conn := &slowConn{budget: 1 << 30, open: make(chan struct{})}
		var wg sync.WaitGroup
		l := newQueuedConn(conn, &queueLimits{bytes: 1 << 20, age: time.Hour}, &wg)
		for _, f := range all { // each of them is queued
			if _, err := l.Write(f); err != nil {
				t.Fatal(err)
			}
		}
		l.closeWhenSent()
		if conn.closed {
			t.Error("the connection was closed with frames in the queue")
		}
		close(conn.open)
		wg.Wait()
		if !conn.closed || !bytes.Equal(conn.got.Bytes(), slices.Concat(all...)) {
			t.Errorf("closed: %v, and got %q, want all frames and then a close", conn.closed, conn.got.Bytes())
		}
	})
}
