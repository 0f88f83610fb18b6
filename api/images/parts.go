package images

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
)

// Limits of what is read of a file's metadata.
const (
	maxExif    = 64 << 10 // bytes of EXIF data; it cannot be longer in a JPEG
	maxProfile = 1 << 20  // bytes of a colour profile
	maxParts   = 1000     // segments or chunks that are searched
)

var (
	exifHead    = []byte("Exif\x00\x00")
	profileHead = []byte("ICC_PROFILE\x00")
)

// fileMetadata is what a file says about its pixels. Both are nil if there is none, and as the
// file has them: they may be invalid.
type fileMetadata struct {
	exif    []byte // a TIFF structure (EXIF 2.3)
	profile []byte // a colour profile (ICC.1)
}

// jpegMetadata reads the segments before the pixels. A long profile is in several of them. Of two
// pieces with the same number, the first counts.
func jpegMetadata(file io.ReadSeeker) (m fileMetadata) {
	if _, err := file.Seek(2, io.SeekStart); err != nil { // after SOI
		return m
	}
	pieces := map[byte][]byte{}
	in := newMarkers(file)
	for range maxParts {
		marker, err := in.next()
		if err != nil || marker == 0 || marker == markerScan || marker == markerEOI {
			break
		}
		if marker != markerEXIF && marker != markerICC {
			if in.skip() != nil {
				break
			}
			continue
		}
		body, err := in.body()
		if err != nil {
			break
		}
		if tiff, ok := bytes.CutPrefix(body, exifHead); ok && m.exif == nil {
			m.exif = tiff
		}
		if piece, ok := bytes.CutPrefix(body, profileHead); ok && len(piece) > 2 && pieces[piece[0]] == nil { // its number, and their count
			pieces[piece[0]] = piece[2:]
		}
	}
	m.profile = joined(pieces)
	return m
}

// joined returns the pieces of a profile in their order, from number 1.
func joined(pieces map[byte][]byte) (profile []byte) {
	for number := byte(1); len(pieces[number]) > 0 && len(profile) < maxProfile; number++ {
		profile = append(profile, pieces[number]...)
	}
	return profile
}

// webpMetadata reads the chunks: the profile comes before the pixels, EXIF data after them (WebP
// Container Specification).
func webpMetadata(file io.ReadSeeker) (m fileMetadata) {
	if _, err := file.Seek(headBytes, io.SeekStart); err != nil {
		return m
	}
	for range maxParts {
		var chunk struct {
			Name   [4]byte
			Length uint32
		}
		if binary.Read(file, binary.LittleEndian, &chunk) != nil {
			break
		}
		read, next := chunkReader(file, int64(chunk.Length), int64(chunk.Length&1))
		switch string(chunk.Name[:]) {
		case "EXIF":
			m.exif = bytes.TrimPrefix(read(maxExif), exifHead)
		case "ICCP":
			m.profile = read(maxProfile)
		}
		if !next() {
			break
		}
	}
	return m
}

// pngMetadata reads the chunks eXIf and iCCP (PNG, third edition, 11.3).
func pngMetadata(file io.ReadSeeker) (m fileMetadata) {
	const signature, checksum = 8, 4
	if _, err := file.Seek(signature, io.SeekStart); err != nil {
		return m
	}
	for range maxParts {
		var chunk struct {
			Length uint32
			Name   [4]byte
		}
		if binary.Read(file, binary.BigEndian, &chunk) != nil {
			break
		}
		read, next := chunkReader(file, int64(chunk.Length), checksum)
		switch string(chunk.Name[:]) {
		case "eXIf":
			m.exif = bytes.TrimPrefix(read(maxExif), exifHead)
		case "iCCP":
			m.profile = inflated(read(maxProfile))
		}
		if !next() {
			break
		}
	}
	return m
}

// chunkReader returns a function that reads the chunk at which the file is, unless it is longer than
// a limit, and one that seeks to the next chunk, after so many bytes that belong to no chunk.
func chunkReader(file io.ReadSeeker, length, gap int64) (read func(limit int64) []byte, next func() bool) {
	left := length
	read = func(limit int64) []byte {
		if length > limit {
			return nil
		}
		body := make([]byte, length)
		n, err := io.ReadFull(file, body)
		left -= int64(n)
		if err != nil {
			return nil
		}
		return body
	}
	return read, func() bool {
		_, err := file.Seek(left+gap, io.SeekCurrent)
		return err == nil
	}
}

// inflated returns the profile of a chunk iCCP, which has a name, a zero and the method 0 before it.
func inflated(chunk []byte) []byte {
	_, compressed, ok := bytes.Cut(chunk, []byte{0})
	if !ok || len(compressed) < 1 || compressed[0] != 0 {
		return nil
	}
	from, err := zlib.NewReader(bytes.NewReader(compressed[1:]))
	if err != nil {
		return nil
	}
	profile, err := io.ReadAll(io.LimitReader(from, maxProfile))
	if err != nil {
		return nil
	}
	return profile
}
