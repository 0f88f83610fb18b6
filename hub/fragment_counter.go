package hub

import (
	"encoding/binary"
	"errors"
)

// errFragments is of a client that sends more frames than it may, as parts of one
// message.
var errFragments = errors.New("hub: too many frames in a message")

// fragmentCounter counts the continuation frames among the bytes that a client sends
// (RFC 6455 section 5.2). gorilla reads them until the message is whole, and tells
// nobody: a message of empty frames without end would keep it reading for ever.
type fragmentCounter struct {
	head [maxClientHead]byte
	had  int    // bytes of the head
	body uint64 // what is left of the payload
}

// maxClientHead is of a long payload: two bytes, eight for its length, and the mask.
const maxClientHead = 14

const opcodeBits = 0x0f

// pass looks at the next bytes, and returns how many continuation frames begin
// in them.
func (f *fragmentCounter) pass(b []byte) (n int) {
	for len(b) > 0 {
		if f.body > 0 {
			skip := min(f.body, uint64(len(b)))
			b, f.body = b[skip:], f.body-skip
			continue
		}
		f.head[f.had] = b[0]
		b = b[1:]
		if f.had++; f.had < 2 || f.had < f.headSize() {
			continue
		}
		if f.head[0]&opcodeBits == 0 {
			n++
		}
		f.body, f.had = f.payload(), 0
	}
	return n
}

// headSize is how long the head is that has begun with at least two bytes.
func (f *fragmentCounter) headSize() int {
	size := 2
	switch f.head[1] &^ maskedBit {
	case length16:
		size += 2
	case length64:
		size += 8
	}
	if f.head[1]&maskedBit != 0 {
		size += 4
	}
	return size
}

func (f *fragmentCounter) payload() uint64 {
	switch size := f.head[1] &^ maskedBit; size {
	case length16:
		return uint64(binary.BigEndian.Uint16(f.head[2:]))
	case length64:
		return binary.BigEndian.Uint64(f.head[2:])
	default:
		return uint64(size)
	}
}
