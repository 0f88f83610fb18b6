package main

import (
	"bytes"
	"encoding/binary"
)

// publisherCount is the number of connections that publish at the same time. Every socket gets
// the events of one publisher in order. Those of different publishers may be in any order.
const publisherCount = 8

// The states of a socket.
const (
	handshaking = iota // it waits for the response to the handshake
	subscribing        // it carries out the steps of the protocol
	ready              // it gets events
)

// socket is one reader. To use little processor time, it only parses the headers of frames
// and looks for the marks in the events.
type socket struct {
	fd       int
	state    int
	step     int    // index of the protocol's step, while it is subscribing
	received []byte // bytes of the present step; nil when the socket is ready

	header    [10]byte // header of the present frame
	headerLen int
	left      uint64 // bytes of the payload that it has not read

	mark    [markDigits]byte // the first digits of a mark that continues in the next read or frame
	markLen int
	partial bool // mark has only the first markLen digits
	last    [publisherCount]uint32
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
			if b = s.readHeader(b); s.headerLen > 0 {
				return // the header is not complete
			}
		}
		n := min(uint64(len(b)), s.left)
		l.payload(s, b[:n])
		b = b[n:]
		s.left -= n
	}
}

// readHeader reads bytes of a frame's header and returns the others. When the header is
// complete, headerLen is 0 again and left is the length of the payload.
func (s *socket) readHeader(b []byte) []byte {
	for need := s.headerSize(); s.headerLen < need; need = s.headerSize() {
		n := copy(s.header[s.headerLen:need], b)
		s.headerLen += n
		if b = b[n:]; s.headerLen < need {
			return b
		}
	}
	switch size := s.header[1] & lengthBits; size {
	case length16:
		s.left = uint64(binary.BigEndian.Uint16(s.header[2:]))
	case length64:
		s.left = binary.BigEndian.Uint64(s.header[2:])
	default:
		s.left = uint64(size)
	}
	s.headerLen = 0
	return b
}

// headerSize returns the length of the header, as far as it is known.
func (s *socket) headerSize() int {
	if s.headerLen < 2 {
		return 2
	}
	switch s.header[1] & lengthBits {
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
	case s.header[0]&opBits == opClose:
		l.fail("the server closed the socket: %q", b)
	case s.state == subscribing:
		l.readStep(s, b)
	default:
		l.findMarks(s, b)
	}
}

// findMarks finds the marks in b.
func (l *loop) findMarks(s *socket, b []byte) {
	if s.partial {
		n := copy(s.mark[s.markLen:], b)
		b = b[n:]
		if s.markLen += n; s.markLen < markDigits {
			return
		}
		s.partial = false
		l.countDelivery(s, s.mark[:])
	}
	for {
		i := bytes.IndexByte(b, markSign)
		if i < 0 {
			return
		}
		if b = b[i+1:]; len(b) < markDigits {
			s.partial, s.markLen = true, copy(s.mark[:], b)
			return
		}
		l.countDelivery(s, b[:markDigits])
		b = b[markDigits:]
	}
}

// countDelivery counts one delivery. It fails if this is not the next event of the publisher.
func (l *loop) countDelivery(s *socket, digits []byte) {
	publisher := digits[0] - '0'
	n := uint32(0)
	for _, d := range digits[1:] {
		n = n*10 + uint32(d-'0')
	}
	if publisher >= publisherCount || n != s.last[publisher]+1 {
		l.fail("publisher %d: event %d follows event %d", publisher, n, s.last[min(publisher, publisherCount-1)])
		return
	}
	s.last[publisher] = n
	l.delivered++
	l.delays.add(l.now.Sub(l.sent[publisher][n%window]))
}
