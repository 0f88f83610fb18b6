package main

import (
	"bytes"
	"fmt"
	"net"
	"strings"
	"time"
)

// publisher is a connection that publishes one event after another.
type publisher struct {
	fd       int
	n        uint32 // number of its events so far
	busy     bool   // the last one has no response yet
	received []byte // part of the response
}

// bodyBytes is the length of an event's JSON.
const bodyBytes = 250

func (l *loop) openPublishers(addr string) error {
	to, err := net.ResolveTCPAddr("tcp4", addr)
	if err != nil {
		return err
	}
	for i := range l.publishers {
		fd, err := l.dial(to)
		if err != nil {
			return err
		}
		l.publishers[i] = &publisher{fd: fd}
	}
	return nil
}

// publish sends the next event of publisher i.
func (l *loop) publish(i int) error {
	p := l.publishers[i]
	p.n++
	p.busy = true
	prefix := fmt.Sprintf(`{"mark":"#%d%08d","pad":"`, i, p.n)
	body := prefix + strings.Repeat("x", bodyBytes-len(prefix)-2) + `"}`
	l.sent[i][p.n%window] = time.Now()
	l.published++
	return send(p.fd, fmt.Appendf(nil, "POST /publish?topic=bench HTTP/1.1\r\nHost: bench\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body))
}

// handleResponse handles the bytes that a publisher's connection has read.
func (l *loop) handleResponse(fd int, b []byte) {
	for _, p := range l.publishers {
		if p == nil || p.fd != fd {
			continue
		}
		p.received = append(p.received, b...)
		if !bytes.Contains(p.received, []byte(endOfHeaders)) {
			return
		}
		if !bytes.HasPrefix(p.received, []byte("HTTP/1.1 204")) {
			l.fail("an event was not published: %.100q", p.received)
		}
		p.received, p.busy = p.received[:0], false
	}
}

// pendingEvents returns the number of events that are published and that the sockets, on
// average, have not read.
func (l *loop) pendingEvents() int64 { return l.published - l.delivered/int64(len(l.sockets)) }

// saturate publishes as fast as the server and the window permit, for the duration d.
func (l *loop) saturate(d time.Duration) error {
	for until := time.Now().Add(d); time.Now().Before(until); {
		for i, p := range l.publishers {
			if !p.busy && l.pendingEvents() < window {
				if err := l.publish(i); err != nil {
					return err
				}
			}
		}
		if err := l.poll(time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

// steady publishes one event in each interval, for the duration d.
func (l *loop) steady(d, interval time.Duration) error {
	start := time.Now()
	for n := 0; time.Since(start) < d; {
		due := start.Add(time.Duration(n) * interval)
		if wait := time.Until(due); wait > 0 {
			if err := l.poll(min(wait, 5*time.Millisecond)); err != nil {
				return err
			}
			continue
		}
		if err := l.publish(n % publisherCount); err != nil {
			return err
		}
		n++
	}
	return nil
}

// drain reads until every socket has every event.
func (l *loop) drain(patience time.Duration) error {
	deadline := time.Now().Add(patience)
	for l.delivered < l.published*int64(len(l.sockets)) {
		if err := l.poll(10 * time.Millisecond); err != nil {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("only %d of %d deliveries arrived", l.delivered, l.published*int64(len(l.sockets)))
		}
	}
	return nil
}
