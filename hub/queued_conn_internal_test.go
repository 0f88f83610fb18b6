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

// stubborn is a connection that takes so many bytes, then none until its
// deadline, and after that all.
type stubborn struct {
	net.Conn
	mu       sync.Mutex
	budget   int
	open     chan struct{} // writes wait for it
	deadline time.Time
	got      bytes.Buffer
	closed   bool
}

func (s *stubborn) Write(b []byte) (int, error) {
	<-s.open
	s.mu.Lock()
	n := min(len(b), s.budget)
	s.budget -= n
	s.got.Write(b[:n])
	late := time.Until(s.deadline)
	s.mu.Unlock()
	if n == len(b) {
		return n, nil
	}
	<-time.After(late)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.budget = 1 << 30
	return n, os.ErrDeadlineExceeded
}

func (s *stubborn) SetWriteDeadline(t time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deadline = t
	return nil
}

func (s *stubborn) Close() error {
	s.closed = true
	return nil
}

// leaver does something with a line that is too slow.
type leaver struct{ leave func() }

func (l leaver) tooSlow() { l.leave() }

func (leaver) broken() {}

// frames makes text frames of a hundred bytes and more.
func frames(n int) [][]byte {
	all := make([][]byte, n)
	for i := range all {
		all[i] = textFrame(bytes.Repeat([]byte{'a' + byte(i)}, 100))
	}
	return all
}

func TestSlowQueueIsCutBetweenFrames(t *testing.T) {
	bye := closeFrame(CloseTooSlow, reasonTooSlow)
	all := frames(6)
	size := len(all[0])
	for name, tc := range map[string]struct {
		budget int
		whole  int // frames that arrive before the close frame
	}{
		"at the first byte": {0, 0},
		"within the first":  {1, 1},
		"between two":       {2 * size, 2},
		"within a chunk":    {2*size + size/2, 3},
		"at a frame's last": {4*size - 1, 4},
		"not at all":        {1 << 30, 6},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				conn := &stubborn{budget: tc.budget, open: make(chan struct{})}
				var wg sync.WaitGroup
				l := newQueuedConn(conn, &queueLimits{bytes: 1 << 20, age: time.Second}, &wg)
				l.watch(leaver{func() { l.finish(bye, time.Minute) }})
				for _, f := range all {
					if err := l.send(f); err != nil {
						t.Fatal(err)
					}
				}
				close(conn.open)
				synctest.Wait()
				<-time.After(2 * time.Second)
				l.finish(bye, time.Minute) // once is enough
				l.wait()
				want := slices.Concat(slices.Concat(all[:tc.whole]...), bye)
				if !bytes.Equal(conn.got.Bytes(), want) {
					t.Errorf("got  %q\nwant %q", conn.got.Bytes(), want)
				}
				if err := l.send(all[0]); err != nil || conn.got.Len() != len(want) {
					t.Errorf("something followed the close frame, %v", err)
				}
				l.end()
				wg.Wait()
				if !conn.closed {
					t.Error("still open")
				}
			})
		})
	}
}

func TestQueueIsBoundedByBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := frames(4)
		conn := &stubborn{budget: 1 << 30, open: make(chan struct{})}
		var wg sync.WaitGroup
		l := newQueuedConn(conn, &queueLimits{bytes: 2 * len(all[0]), age: time.Hour}, &wg)
		if err := l.send(all[0]); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // the first is in flight, no longer in the queue
		for i, want := range []error{nil, nil, errTooSlow} {
			if err := l.send(all[i+1]); !errors.Is(err, want) {
				t.Errorf("frame %d: %v, want %v", i+1, err, want)
			}
		}
		close(conn.open)
		l.wait()
		if err := l.send(all[3]); err != nil {
			t.Errorf("after it caught up: %v", err)
		}
		l.wait()
		if want := slices.Concat(all...); !bytes.Equal(conn.got.Bytes(), want) {
			t.Errorf("got %q", conn.got.Bytes())
		}
		l.end()
		wg.Wait()
	})
}

func TestEndFlushesTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := frames(3)
		conn := &stubborn{budget: 1 << 30, open: make(chan struct{})}
		var wg sync.WaitGroup
		l := newQueuedConn(conn, &queueLimits{bytes: 1 << 20, age: time.Hour}, &wg)
		for _, f := range all { // the first one waits for the second
			if _, err := l.Write(f); err != nil {
				t.Fatal(err)
			}
		}
		l.end()
		if conn.closed {
			t.Error("closed with frames waiting")
		}
		close(conn.open)
		wg.Wait()
		if !conn.closed || !bytes.Equal(conn.got.Bytes(), slices.Concat(all...)) {
			t.Errorf("closed %v, got %q", conn.closed, conn.got.Bytes())
		}
	})
}
