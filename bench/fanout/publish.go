package main

import (
	"bytes"
	"fmt"
	"net"
	"strings"
	"time"
)

// post is a connection that publishes one event after another.
type post struct {
	fd   int
	n    uint32 // number of its events so far
	busy bool   // the last one has no response yet
	said []byte
}

// bodyBytes is the length of an event's JSON.
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

// publish sends the next event of publisher i.
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

// answered handles the bytes that a publisher's connection has read.
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

// waiting returns the number of events that are published and that the sockets, on
// average, have not read.
func (l *loop) waiting() int64 { return l.published - l.delivered/int64(len(l.sockets)) }

// flood publishes as fast as the server and the window permit, for the duration d.
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

// steady publishes one event in each interval, for the duration d.
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

// settle reads until every socket has every event.
func (l *loop) settle(patience time.Duration) error {
	deadline := time.Now().Add(patience)
	for l.delivered < l.published*int64(len(l.sockets)) {
		if err := l.turn(10 * time.Millisecond); err != nil {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("only %d of %d deliveries arrived", l.delivered, l.published*int64(len(l.sockets)))
		}
	}
	return nil
}
