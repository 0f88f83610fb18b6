package images

import (
	"bytes"
	"encoding/binary"
	"io"
)

// maxExif is the maximum length of EXIF data, in bytes. It cannot be longer in a JPEG.
const maxExif = 64 << 10

// maxParts is the maximum number of segments or chunks that are searched for EXIF data.
const maxParts = 1000

var exifHead = []byte("Exif\x00\x00")

// jpegOrientation searches for EXIF data in the segments before the pixels.
func jpegOrientation(file io.ReadSeeker) orientation {
	if _, err := file.Seek(2, io.SeekStart); err != nil { // after SOI
		return upright
	}
	for range maxParts {
		var segment struct {
			Mark, Marker byte
			Length       uint16 // includes its own two bytes
		}
		if binary.Read(file, binary.BigEndian, &segment) != nil ||
			segment.Mark != 0xff || segment.Marker == markerScan || segment.Length < 2 {
			return upright
		}
		length := int64(segment.Length) - 2
		if segment.Marker != markerEXIF {
			if _, err := file.Seek(length, io.SeekCurrent); err != nil {
				return upright
			}
			continue
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(file, body); err != nil {
			return upright
		}
		if tiff, ok := bytes.CutPrefix(body, exifHead); ok {
			return tiffOrientation(tiff)
		}
	}
	return upright
}

// webpOrientation searches for the EXIF chunk, which comes after the pixels (WebP Container
// Specification, "Metadata").
func webpOrientation(file io.ReadSeeker) orientation {
	if _, err := file.Seek(headBytes, io.SeekStart); err != nil {
		return upright
	}
	for range maxParts {
		var chunk struct {
			Name   [4]byte
			Length uint32
		}
		if binary.Read(file, binary.LittleEndian, &chunk) != nil {
			return upright
		}
		if string(chunk.Name[:]) == "EXIF" {
			return chunkOrientation(file, chunk.Length)
		}
		if _, err := file.Seek(int64(chunk.Length)+int64(chunk.Length&1), io.SeekCurrent); err != nil {
			return upright
		}
	}
	return upright
}

// pngOrientation searches for the eXIf chunk (PNG, third edition, 11.3.5.2).
func pngOrientation(file io.ReadSeeker) orientation {
	const signature, checksum = 8, 4
	if _, err := file.Seek(signature, io.SeekStart); err != nil {
		return upright
	}
	for range maxParts {
		var chunk struct {
			Length uint32
			Name   [4]byte
		}
		if binary.Read(file, binary.BigEndian, &chunk) != nil {
			return upright
		}
		if string(chunk.Name[:]) == "eXIf" {
			return chunkOrientation(file, chunk.Length)
		}
		if _, err := file.Seek(int64(chunk.Length)+checksum, io.SeekCurrent); err != nil {
			return upright
		}
	}
	return upright
}

func chunkOrientation(file io.Reader, length uint32) orientation {
	if length > maxExif {
		return upright
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(file, body); err != nil {
		return upright
	}
	return tiffOrientation(bytes.TrimPrefix(body, exifHead))
}

// tiffOrientation returns the Orientation tag of the first directory (TIFF 6.0, section 2).
// Invalid data counts as upright.
func tiffOrientation(tiff []byte) orientation {
	const (
		header   = 8
		entry    = 12
		tag      = 0x0112
		isShort  = 3
		valuesAt = 8
	)
	if len(tiff) < header {
		return upright
	}
	var order binary.ByteOrder
	switch string(tiff[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return upright
	}
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return upright
	}
	entries := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(entries) < entry {
			return upright
		}
		if order.Uint16(entries) == tag && order.Uint16(entries[2:]) == isShort {
			return orientation(order.Uint16(entries[valuesAt:]))
		}
		entries = entries[entry:]
	}
	return upright
}
