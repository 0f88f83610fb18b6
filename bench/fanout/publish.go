package main

import (
	"bytes"
	"fmt"
	"net"
	"strings"
	"time"
)

// post is a connection that publishes, one event at a time.
type post struct {
	fd   int
	n    uint32 // events so far
	busy bool   // the last one is not answered
	said []byte
}

// bodyBytes is how long an event's JSON is.
const bodyBytes = 250

func (l *loop) openPosts(addr string) error {
	to, err := net.ResolveTCPAddr("tcp4", addr)
	if err != nil {
		return err
	}
	for i := range l.posts {
		fd, err := l.dial(to)
		if err != nil {
			return err
		}
		l.posts[i] = &post{fd: fd}
	}
	return nil
}

// publish sends the next event of a publisher.
func (l *loop) publish(i int) error {
	p := l.posts[i]
	p.n++
	p.busy = true
	head := fmt.Sprintf(`{"mark":"#%d%08d","pad":"`, i, p.n)
	body := head + strings.Repeat("x", bodyBytes-len(head)-2) + `"}`
	l.sent[i][p.n%window] = time.Now()
	l.published++
	return say(p.fd, fmt.Appendf(nil, "POST /publish?topic=bench HTTP/1.1\r\nHost: bench\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body))
}

// answered takes what came on a publisher's connection.
func (l *loop) answered(fd int, b []byte) {
	for _, p := range l.posts {
		if p == nil || p.fd != fd {
			continue
		}
		p.said = append(p.said, b...)
		if !bytes.Contains(p.said, []byte(endOfHead)) {
			return
		}
		if !bytes.HasPrefix(p.said, []byte("HTTP/1.1 204")) {
			l.fail("not published: %.100q", p.said)
		}
		p.said, p.busy = p.said[:0], false
	}
}

// waiting is how many events are published and, on average, not read.
func (l *loop) waiting() int64 { return l.published - l.delivered/int64(len(l.sockets)) }

// flood publishes as fast as it is taken, until the deadline.
func (l *loop) flood(d time.Duration) error {
	for until := time.Now().Add(d); time.Now().Before(until); {
		for i, p := range l.posts {
			if !p.busy && l.waiting() < window {
				if err := l.publish(i); err != nil {
					return err
				}
			}
		}
		if err := l.turn(time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

// steady publishes an event each time the interval has passed.
func (l *loop) steady(d, interval time.Duration) error {
	began := time.Now()
	for n := 0; time.Since(began) < d; {
		due := began.Add(time.Duration(n) * interval)
		if wait := time.Until(due); wait > 0 {
			if err := l.turn(min(wait, 5*time.Millisecond)); err != nil {
				return err
			}
			continue
		}
		if err := l.publish(n % publishers); err != nil {
			return err
		}
		n++
	}
	return nil
}

// settle reads until every event has reached every socket.
func (l *loop) settle(patience time.Duration) error {
	deadline := time.Now().Add(patience)
	for l.delivered < l.published*int64(len(l.sockets)) {
		if err := l.turn(10 * time.Millisecond); err != nil {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%d of %d deliveries came", l.delivered, l.published*int64(len(l.sockets)))
		}
	}
	return nil
}
