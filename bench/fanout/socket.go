package main

import (
	"bytes"
	"encoding/binary"
)

// publishers is the number of connections that publish at the same time. Every socket gets
// the events of one publisher in order. Those of different publishers may be in any order.
const publishers = 8

// The states of a socket.
const (
	greeting = iota // it waits for the response to the handshake
	joining         // it carries out the steps of the protocol
	ready           // it gets events
)

// socket is one reader. To use little processor time, it only parses the headers of frames
// and looks for the marks in the events.
type socket struct {
	fd    int
	state int
	step  int    // index of the protocol's step, while it is joining
	said  []byte // bytes that it has read in the present step; nil when it is ready

	head    [10]byte // header of the present frame
	headLen int
	left    uint64 // bytes of the payload that it has not read

	mark    [markDigits]byte // the first digits of a mark that continues in the next read or frame
	markLen int
	cut     bool // a mark has begun, and some of its digits are missing
	last    [publishers]uint32
}

// A mark is the sign #, the digit of the publisher, and the number of its event with eight
// digits. The payloads contain no other #.
const (
	markSign   = '#'
	markDigits = 9
)

// These constants are from RFC 6455, section 5.2.
const (
	opBits     = 0xf
	opClose    = 8
	lengthBits = 0x7f
	length16   = 126
	length64   = 127
)

// frames handles bytes of WebSocket frames.
func (l *loop) frames(s *socket, b []byte) {
	for len(b) > 0 {
		if s.left == 0 {
			if b = s.takeHead(b); s.headLen > 0 {
				return // the header is not complete
			}
		}
		n := min(uint64(len(b)), s.left)
		l.payload(s, b[:n])
		b = b[n:]
		s.left -= n
	}
}

// takeHead reads bytes of a frame's header and returns the others. When the header is
// complete, headLen is 0 again and left is the length of the payload.
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

// headSize returns the length of the header, as far as it is known.
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

// marks finds the marks in b.
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

// event counts one delivery. It fails if this is not the next event of the publisher.
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
