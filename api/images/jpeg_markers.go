package images

import (
	"bufio"
	"encoding/binary"
	"io"
)

// JPEG markers (ITU T.81, table B.1).
const (
	markerTEM  = 0x01
	markerSOF0 = 0xc0 // up to SOF2, the ones that are decoded
	markerSOF2 = 0xc2
	markerRST0 = 0xd0 // up to EOI: markers without a length
	markerEOI  = 0xd9
	markerScan = 0xda // SOS: the pixels begin
	markerEXIF = 0xe1 // APP1
	markerICC  = 0xe2 // APP2
)

// markers reads a JPEG from marker to marker. It skips the pixels.
type markers struct{ in *bufio.Reader }

func newMarkers(file io.Reader) *markers { return &markers{bufio.NewReaderSize(file, 64<<10)} }

// next returns the marker after the next 0xff; 0 for an escaped value of the pixels.
func (m *markers) next() (byte, error) {
	for {
		_, err := m.in.ReadSlice(0xff)
		if err == bufio.ErrBufferFull { //nolint:errorlint // bufio returns it unwrapped
			continue
		}
		if err != nil {
			return 0, err
		}
		break
	}
	marker := byte(0xff)
	for marker == 0xff { // fill bytes
		var err error
		if marker, err = m.in.ReadByte(); err != nil {
			return 0, err
		}
	}
	return marker, nil
}

// length returns the number of remaining bytes of a segment, from its first two.
func (m *markers) length() (int, error) {
	var length [2]byte
	if _, err := io.ReadFull(m.in, length[:]); err != nil {
		return 0, err
	}
	n := int(binary.BigEndian.Uint16(length[:])) - len(length)
	if n < 0 {
		return 0, io.ErrUnexpectedEOF
	}
	return n, nil
}

func (m *markers) skip() error {
	n, err := m.length()
	if err == nil {
		_, err = m.in.Discard(n)
	}
	return err
}

func (m *markers) body() ([]byte, error) {
	n, err := m.length()
	if err != nil {
		return nil, err
	}
	body := make([]byte, n)
	_, err = io.ReadFull(m.in, body)
	return body, err
}
