package api

import (
	"bytes"
	"sync/atomic"
)

// stream tells where in what a connection has read one call ends and the next
// begins, without reading calls as net/http does: a head ends at its first empty
// line, and how long a body is the call's handler is told. What does not come in
// that way makes it lost, for good. But for ahead it is for the goroutine that
// reads calls.
type stream struct {
	// ahead is the byte of the next call that net/http has read while a handler
	// ran, plus one; 0 for none.
	ahead  atomic.Int32
	lost   bool
	within bool   // a call has begun, and not ended
	head   []byte // the call's, in net/http's buffer: good while its handler runs; nil where it came in two pieces
	over   int64  // bytes read behind its head
	body   int64  // bytes that belong there; unknown before its handler runs
}

const unknown = -1

// begins tells whether the bytes that are read next are the first of a call.
func (s *stream) begins() bool {
	if s.within && s.body != unknown && s.over == s.body {
		s.within, s.head = false, nil
	}
	return !s.within && !s.lost && s.ahead.Load() == 0
}

// reads takes note of bytes that net/http is given.
func (s *stream) reads(p []byte) {
	ahead := s.ahead.Swap(0)
	switch {
	case s.lost:
		return
	case s.within:
		s.over += int64(len(p))
		s.lost = ahead != 0
		return
	}
	first := p[0]
	if ahead != 0 {
		first = byte(ahead - 1)
	}
	end := endOfHead(p)
	if end < 0 || first < 'A' || first > 'Z' { // net/http skips empty lines before some calls
		s.lost = true
		return
	}
	s.within, s.body, s.over = true, unknown, int64(len(p)-end)
	if ahead == 0 {
		s.head = p[:end]
	}
}

// handled takes note of the call whose handler runs, and of its length.
func (s *stream) handled(length int64) {
	if !s.within || s.body != unknown || length < s.over {
		s.lost = true // that is another call's, or has one behind it, or has an end of its own
	}
	s.body = length
}

// whole is the call's head, where that is all of the call and came in one piece.
func (s *stream) whole() []byte {
	if s.lost || !s.within || s.over != 0 || s.body != 0 {
		return nil
	}
	return s.head
}

// endOfHead is where the first empty line ends; -1 without one. Lines may end
// with a line feed alone.
func endOfHead(p []byte) int {
	for at := 0; ; {
		i := bytes.IndexByte(p[at:], '\n')
		if i < 0 {
			return -1
		}
		at += i + 1
		switch rest := p[at:]; {
		case len(rest) > 0 && rest[0] == '\n':
			return at + 1
		case len(rest) > 1 && rest[0] == '\r' && rest[1] == '\n':
			return at + 2
		}
	}
}
