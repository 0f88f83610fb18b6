package images

import (
	"encoding/binary"
	"iter"
)

// Tags of EXIF data (EXIF 2.3), and the pointers to its further directories.
const (
	tagOrientation = 0x0112
	tagExif        = 0x8769 // pointer
	tagColorSpace  = 0xa001
	tagInterop     = 0xa005 // pointer
	tagInteropRule = 0x0001
)

// exifAdobeRGB is the value of tagColorSpace that some cameras write for Adobe RGB.
const exifAdobeRGB = 2

// tiff is EXIF data with its order of bytes. Invalid data has no entries.
type tiff struct {
	data  []byte
	order binary.ByteOrder
}

func readTIFF(data []byte) tiff {
	const header = 8
	if len(data) >= header {
		switch string(data[:4]) {
		case "II*\x00":
			return tiff{data, binary.LittleEndian}
		case "MM\x00*":
			return tiff{data, binary.BigEndian}
		}
	}
	return tiff{}
}

// orientation returns the Orientation tag of the first directory.
func (t tiff) orientation() orientation {
	for tag, value := range t.entries(t.first()) {
		if tag == tagOrientation && t.order.Uint16(value) == typeShort {
			return orientation(t.order.Uint16(value[valueAt:]))
		}
	}
	return upright
}

// isAdobeRGB returns whether the colours are Adobe RGB: by the colour space, or by the rule of
// interoperability R03 (DCF 2.0).
func (t tiff) isAdobeRGB() bool {
	at := t.pointer(t.first(), tagExif)
	for tag, value := range t.entries(at) {
		if tag == tagColorSpace && t.order.Uint16(value) == typeShort && t.order.Uint16(value[valueAt:]) == exifAdobeRGB {
			return true
		}
	}
	for tag, value := range t.entries(t.pointer(at, tagInterop)) {
		if tag == tagInteropRule && string(value[valueAt:][:3]) == "R03" {
			return true
		}
	}
	return false
}

// Of an entry after its tag (TIFF 6.0, section 2).
const (
	typeShort = 3
	valueAt   = 6 // its value or pointer; before it are its type and its count
)

// first returns where the first directory is.
func (t tiff) first() uint32 {
	if t.order == nil {
		return 0
	}
	return t.order.Uint32(t.data[4:])
}

// pointer returns where the directory is to which an entry points; 0 if there is none.
func (t tiff) pointer(directory uint32, tag uint16) uint32 {
	for found, value := range t.entries(directory) {
		if found == tag {
			return t.order.Uint32(value[valueAt:])
		}
	}
	return 0
}

// entries returns the entries of a directory: their tags, and the ten bytes after each.
func (t tiff) entries(directory uint32) iter.Seq2[uint16, []byte] {
	const entry = 12
	return func(yield func(uint16, []byte) bool) {
		at := int64(directory)
		if at == 0 || at+2 > int64(len(t.data)) {
			return
		}
		rest := t.data[at+2:]
		for range t.order.Uint16(t.data[at:]) {
			if len(rest) < entry || !yield(t.order.Uint16(rest), rest[2:entry]) {
				return
			}
			rest = rest[entry:]
		}
	}
}
