package images

import (
	"encoding/binary"
	"errors"
	"image"
	"io"
)

// Limits of the work for one picture. A file of a few hundred bytes can claim megapixels,
// and a file of megabytes can need milliseconds for each byte. So both are checked before a
// decoder reads the file.
const (
	// maxScans limits the scans of a progressive JPEG. Encoders make about ten; each scan
	// costs the same time, however few bytes it has.
	maxScans = 30
	// maxDecodeMemory is the most memory of one decoder, in bytes: that of a progressive JPEG of
	// MaxPixels in full colour.
	maxDecodeMemory = 640 << 20
	// deflateGain is the highest compression ratio of deflate (RFC 1951: 258 bytes for two
	// bits).
	deflateGain = 1032
	// coefficientBytes is the memory of a progressive JPEG for each sample until its end.
	coefficientBytes = 4
	// A lossless WebP has at most one group of Huffman trees for each tile of 4 × 4 pixels. The
	// decoder refuses more than huffmanGroups. A group has five trees with up to 2,328 symbols.
	huffmanTile       = 4
	huffmanGroups     = 2600
	huffmanGroupBytes = 56 << 10
	// scaleBytes is the memory of scaling for each pixel between its two directions.
	scaleBytes = 32
)

// jpegCost reads the frame of a JPEG and returns how many bytes its decoder needs. It
// refuses a file with fewer bytes than its blocks have bits, because it is truncated.
func jpegCost(file io.ReadSeeker, c image.Config) (int64, error) {
	f, err := jpegFrame(file)
	if err != nil {
		return 0, err
	}
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	if f.scans > maxScans || f.samples/64 > 8*size {
		return 0, errCorrupt
	}
	cost := f.samples
	if f.progressive {
		cost += coefficientBytes * f.samples
	}
	if f.components == 4 { // the decoder makes it from the samples at the end
		cost += 4 * int64(c.Width) * int64(c.Height)
	}
	return cost, nil
}

// frame is the content of a JPEG's SOF segment, and the number of scans after it.
type frame struct {
	progressive bool
	components  int
	samples     int64 // of all components, in whole blocks
	scans       int
}

func jpegFrame(file io.ReadSeeker) (f frame, err error) {
	if _, err := file.Seek(2, io.SeekStart); err != nil { // after SOI
		return f, err
	}
	in := newMarkers(file)
	for {
		marker, err := in.next()
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || marker == markerEOI {
			return f, nil
		}
		if err != nil {
			return f, err
		}
		switch {
		case marker == 0 || marker == markerTEM || marker >= markerRST0 && marker < markerEOI:
			continue // the pixels
		case marker == markerScan:
			f.scans++
		case marker >= markerSOF0 && marker <= markerSOF2:
			if err := f.read(in, marker == markerSOF2); err != nil {
				return f, err
			}
			continue
		}
		if err := in.skip(); err != nil {
			return f, nil //nolint:nilerr // truncated: the decoder returns the error
		}
	}
}

// read reads a SOF segment: precision, height, width, and of each component its ID, its
// sampling and its table.
func (f *frame) read(in *markers, progressive bool) error {
	body, err := in.body()
	if err != nil || len(body) < 6 || len(body) < 6+3*int(body[5]) {
		return errCorrupt
	}
	height, width := int64(binary.BigEndian.Uint16(body[1:])), int64(binary.BigEndian.Uint16(body[3:]))
	maxH, maxV, blocks := int64(1), int64(1), int64(0)
	for i := range int(body[5]) {
		sampling := body[6+3*i+1]
		h, v := int64(sampling>>4), int64(sampling&15)
		maxH, maxV, blocks = max(maxH, h), max(maxV, v), blocks+h*v
	}
	f.progressive, f.components = progressive, int(body[5])
	f.samples = ceil(width, 8*maxH) * ceil(height, 8*maxV) * blocks * 64
	return nil
}

func ceil(a, b int64) int64 { return (a + b - 1) / b }

// pngCost reads the header of a PNG and returns how many bytes its decoder needs. It
// refuses a file that is too short for its pixels even at the best compression.
func pngCost(file io.ReadSeeker, c image.Config) (int64, error) {
	const header = 8 + 8 + 13 // signature, the head of the chunk, IHDR
	head := make([]byte, header)
	size, err := file.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err == nil {
		_, err = io.ReadFull(file, head)
	}
	if err != nil {
		return 0, err
	}
	depth, colourType, interlaced := int64(head[24]), head[25], head[28] != 0
	channels := map[byte]int64{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colourType]
	width, height := int64(c.Width), int64(c.Height)
	if ceil(width*depth*channels, 8)*height > deflateGain*size {
		return 0, errCorrupt
	}
	cost := 4 * width * height
	if depth == 16 {
		cost *= 2
	}
	if interlaced { // each pass is decoded as a picture first
		cost += cost / 2
	}
	return cost, nil
}

// webpCost returns the highest cost of a WebP. The size of the file is no bound, because a
// picture of one colour may have no bytes for its pixels. A lossless picture, or a lossless
// alpha channel, may also have a group of Huffman trees for each of its tiles.
func webpCost(file io.ReadSeeker, c image.Config) (int64, error) {
	const header = 4 + 4 + 4 + 4 // RIFF, the size, WEBP, the kind of the first chunk
	head := make([]byte, header)
	_, err := file.Seek(0, io.SeekStart)
	if err == nil {
		_, err = io.ReadFull(file, head)
	}
	if err != nil {
		return 0, err
	}
	width, height := int64(c.Width), int64(c.Height)
	cost := 8 * width * height
	if string(head[12:]) != "VP8 " { // not only lossy
		cost += min(huffmanGroups, ceil(width, huffmanTile)*ceil(height, huffmanTile)) * huffmanGroupBytes
	}
	return cost, nil
}
