package hub

import (
	"encoding/binary"
	"errors"
)

// errFragments ends a socket whose client sends too many frames as parts of one message.
var errFragments = errors.New("hub: too many frames in a message")

// fragmentCounter counts the continuation frames among the bytes that a client sends
// (RFC 6455 section 5.2). gorilla joins them to one message and has neither a limit nor a
// callback for them, so an endless message of empty frames would pass the limit of frames
// a second.
type fragmentCounter struct {
	header      [maxClientHeader]byte
	headerRead  int    // bytes of header read so far
	payloadLeft uint64 // bytes left of the payload
}

// maxClientHeader is the size of the longest frame header: two bytes, eight of length, four of mask.
const maxClientHeader = 14

const opcodeBits = 0x0f

// count reads the next bytes and returns how many continuation frames begin in them.
func (f *fragmentCounter) count(b []byte) (n int) {
	for len(b) > 0 {
		if f.payloadLeft > 0 {
			skip := min(f.payloadLeft, uint64(len(b)))
			b, f.payloadLeft = b[skip:], f.payloadLeft-skip
			continue
		}
		f.header[f.headerRead] = b[0]
		b = b[1:]
		if f.headerRead++; f.headerRead < 2 || f.headerRead < f.headerSize() {
			continue
		}
		if f.header[0]&opcodeBits == 0 {
			n++
		}
		f.payloadLeft, f.headerRead = f.payloadSize(), 0
	}
	return n
}

// headerSize returns the length of a header of which two bytes or more were read.
func (f *fragmentCounter) headerSize() int {
	size := 2
	switch f.header[1] &^ maskedBit {
	case length16:
		size += 2
	case length64:
		size += 8
	}
	if f.header[1]&maskedBit != 0 {
		size += 4
	}
	return size
}

func (f *fragmentCounter) payloadSize() uint64 {
	switch size := f.header[1] &^ maskedBit; size {
	case length16:
		return uint64(binary.BigEndian.Uint16(f.header[2:]))
	case length64:
		return binary.BigEndian.Uint64(f.header[2:])
	default:
		return uint64(size)
	}
}
