package main

import (
	"bytes"
	"encoding/binary"
)

// publishers is how many connections publish at the same time. The events of
// one are in order for every socket; those of different ones need not be.
const publishers = 8

// Where a socket is in its life.
const (
	greeting = iota // the answer to its HTTP request is still to come
	joining         // frames come, and none yet that says it is in
	ready
)

// socket is one reader, as cheap as it can be: it parses the heads of frames
// and looks for the marks that events carry.
type socket struct {
	fd    int
	state int
	step  int    // of the protocol's, while it joins
	said  []byte // what has come in its present step; nil once it is ready

	head    [10]byte // of the frame that begins
	headLen int
	left    uint64 // bytes of the payload to come

	mark    [markDigits]byte // digits of a mark that a read or a frame has cut
	markLen int
	cut     bool // a mark has begun, and its digits are not all here
	last    [publishers]uint32
}

// A mark is # , the publisher's digit, and eight digits that count. No other #
// is in any protocol's payload.
const (
	markSign   = '#'
	markDigits = 9
)

// Of RFC 6455, section 5.2.
const (
	opBits     = 0xf
	opClose    = 8
	lengthBits = 0x7f
	length16   = 126
	length64   = 127
)

// frames takes bytes of WebSocket frames.
func (l *loop) frames(s *socket, b []byte) {
	for len(b) > 0 {
		if s.left == 0 {
			if b = s.takeHead(b); s.headLen > 0 {
				return // more of the head is to come
			}
		}
		n := min(uint64(len(b)), s.left)
		l.payload(s, b[:n])
		b = b[n:]
		s.left -= n
	}
}

// takeHead takes what belongs to a frame's head. Once that is whole, headLen is
// 0 again and left says how long the payload is.
func (s *socket) takeHead(b []byte) []byte {
	for need := s.headSize(); s.headLen < need; need = s.headSize() {
		n := copy(s.head[s.headLen:need], b)
		s.headLen += n
		if b = b[n:]; s.headLen < need {
			return b
		}
	}
	switch size := s.head[1] & lengthBits; size {
	case length16:
		s.left = uint64(binary.BigEndian.Uint16(s.head[2:]))
	case length64:
		s.left = binary.BigEndian.Uint64(s.head[2:])
	default:
		s.left = uint64(size)
	}
	s.headLen = 0
	return b
}

// headSize is how long the head is, as far as one can tell yet.
func (s *socket) headSize() int {
	if s.headLen < 2 {
		return 2
	}
	switch s.head[1] & lengthBits {
	case length16:
		return 4
	case length64:
		return 10
	}
	return 2
}

func (l *loop) payload(s *socket, b []byte) {
	switch {
	case len(b) == 0:
	case s.head[0]&opBits == opClose:
		l.fail("closed: %q", b)
	case s.state == joining:
		l.join(s, b)
	default:
		l.marks(s, b)
	}
}

// marks finds the events in b.
func (l *loop) marks(s *socket, b []byte) {
	if s.cut {
		n := copy(s.mark[s.markLen:], b)
		b = b[n:]
		if s.markLen += n; s.markLen < markDigits {
			return
		}
		s.cut = false
		l.event(s, s.mark[:])
	}
	for {
		i := bytes.IndexByte(b, markSign)
		if i < 0 {
			return
		}
		if b = b[i+1:]; len(b) < markDigits {
			s.cut, s.markLen = true, copy(s.mark[:], b)
			return
		}
		l.event(s, b[:markDigits])
		b = b[markDigits:]
	}
}

// event counts one delivery and looks whether it is the publisher's next.
func (l *loop) event(s *socket, digits []byte) {
	publisher := digits[0] - '0'
	n := uint32(0)
	for _, d := range digits[1:] {
		n = n*10 + uint32(d-'0')
	}
	if publisher >= publishers || n != s.last[publisher]+1 {
		l.fail("publisher %d: event %d after %d", publisher, n, s.last[min(publisher, publishers-1)])
		return
	}
	s.last[publisher] = n
	l.delivered++
	l.late.add(l.now.Sub(l.sent[publisher][n%window]))
}
