package images_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime/metrics"
	"strings"
	"testing"
	"time"
)

// allocated returns how many bytes the process has allocated on the heap while f ran.
func allocated(f func()) uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	before := sample[0].Value.Uint64()
	f()
	metrics.Read(sample)
	return sample[0].Value.Uint64() - before
}

// wantCheap fails the test if f takes more memory or time than the refusal of an ordinary
// upload.
func wantCheap(t *testing.T, f func()) {
	t.Helper()
	start := time.Now()
	if got := allocated(f); got > 16<<20 {
		t.Errorf("%d MB were allocated, want at most 16", got>>20)
	}
	if took := time.Since(start); took > 5*time.Second { // about one second on an idle machine
		t.Errorf("it took %v, want at most 5s", took)
	}
}

const (
	damaged = "The image is damaged and cannot be read"
	tooMany = "The image has more than 40 megapixels"
)

// A file that claims to be large gets no memory for it.
func TestImagesOfHugeDimensionsAreRefused(t *testing.T) {
	e := newEnv(t)
	for name, c := range map[string]struct {
		file    []byte
		message string
	}{
		"PNG of 65535 by 65535":  {pngClaiming(65535, 65535), tooMany},
		"PNG of 8000 by 5000":    {append(pngClaiming(8000, 5000), chunk("IDAT", []byte{0x78, 0x9c, 1, 0, 0})...), damaged},
		"JPEG of 65535 by 65535": {jpegClaiming(65535, 65535, 0xc0), tooMany},
		"JPEG of 8000 by 5000":   {jpegClaiming(8000, 5000, 0xc0), damaged},
		"progressive JPEG":       {jpegClaiming(8000, 5000, 0xc2), damaged},
		"WebP of 16384 by 16384": {losslessClaiming(16384, 16384), tooMany},
		"WebP of 8000 by 6000":   {losslessClaiming(8000, 6000), tooMany},
	} {
		t.Run(name, func(t *testing.T) {
			wantCheap(t, func() { e.upload(c.file).wantError(422, c.message) })
		})
	}
}

// Compressed data beside the pixels of a PNG is neither decompressed nor kept.
func TestPNGMetadataIsNotDecompressed(t *testing.T) {
	e := newEnv(t)
	bomb := compressedZeros(t, 1024)
	picture := pngOf(t, quarters(64, 48))
	plain := e.get(e.upload(picture).url()).Body
	for name, body := range map[string][]byte{
		"zTXt": append([]byte("Comment\x00\x00"), bomb...),
		"iCCP": append([]byte("profile\x00\x00"), bomb...),
		"iTXt": append([]byte("Comment\x00\x01\x00\x00\x00"), bomb...),
	} {
		t.Run(name, func(t *testing.T) {
			file := withChunk(picture, name, body)
			wantCheap(t, func() {
				if stored := e.get(e.upload(file).url()).Body; !bytes.Equal(stored, plain) {
					t.Errorf("%d bytes are stored, without the chunk %d", len(stored), len(plain))
				}
			})
		})
	}
	t.Run("IDAT", func(t *testing.T) {
		file := append(pngClaiming(64, 48), chunk("IDAT", bomb)...)
		wantCheap(t, func() { e.upload(append(file, chunk("IEND", nil)...)).wantError(422, damaged) })
	})
}

// Each scan has a dozen bytes and covers half a million blocks.
func TestJPEGScansAreLimited(t *testing.T) {
	e := newEnv(t)
	file := scanBomb(6000, 2000)
	if len(file) > 1<<20 {
		t.Fatalf("the bomb has %d bytes", len(file))
	}
	wantCheap(t, func() { e.upload(file).wantError(422, damaged) })
}

func TestFormSizeIsLimited(t *testing.T) {
	e := newEnv(t)
	const boundary = "b"
	small := "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n\r\n"
	for name, c := range map[string]struct {
		body    io.Reader
		message string
	}{
		"200,000 parts":              {strings.NewReader(strings.Repeat(small, 200_000) + "--b--\r\n"), "The form has more parts than an image needs"},
		"a header of 9 MB":           {strings.NewReader("--b\r\nX: " + strings.Repeat("x", 9<<20)), "The head of a part of the form is too long"},
		"400,000 header lines":       {strings.NewReader("--b\r\n" + strings.Repeat("X: x\r\n", 400_000)), "The head of a part of the form is too long"},
		"9 MB before the first part": {strings.NewReader(strings.Repeat("x\r\n", 3<<20)), "The head of a part of the form is too long"},
		"a name of 9 MB": {strings.NewReader("--b\r\nContent-Disposition: form-data; name=\"image\"; filename=\"" +
			strings.Repeat("../", 3<<20)), "The head of a part of the form is too long"},
	} {
		t.Run(name, func(t *testing.T) {
			wantCheap(t, func() { e.post(c.body, "multipart/form-data; boundary="+boundary).wantError(400, c.message) })
		})
	}
}

// Four gigabytes are streamed. The server stops reading at its limit and responds to a
// caller who is still sending.
func TestUploadStopsReadingAtLimit(t *testing.T) {
	e := newEnv(t)
	part := "--b\r\nContent-Disposition: form-data; name=\"image\"\r\n\r\n\xff\xd8\xff"
	for name, header := range map[string]string{
		"with a length": "Content-Length: 4294967296\r\n",
		"chunked":       "Transfer-Encoding: chunked\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			wantCheap(t, func() {
				c, err := net.Dial("tcp", strings.TrimPrefix(e.server.URL, "http://"))
				must(t, err)
				defer c.Close()
				status, sent := flood(t, c, header, part)
				if status != http.StatusRequestEntityTooLarge || sent > 64<<20 {
					t.Errorf("status %d after %d MB, want 413 after at most 64", status, sent>>20)
				}
			})
		})
	}
}

// flood sends an endless upload until the server responds. It returns how much it has sent.
func flood(t *testing.T, c net.Conn, header, begin string) (status int, sent int64) {
	t.Helper()
	_, err := fmt.Fprintf(c, "POST /images HTTP/1.1\r\nHost: x\r\nTest-Bearer: %s\r\nContent-Type: multipart/form-data; boundary=b\r\n%s\r\n", seller.UID, header)
	must(t, err)
	total := make(chan int64)
	go func() {
		var sent int64
		piece := bytes.Repeat([]byte("x"), 64<<10)
		if strings.HasPrefix(header, "Transfer") {
			piece = fmt.Appendf(nil, "%x\r\n%s\r\n", len(piece), piece)
			begin = fmt.Sprintf("%x\r\n%s\r\n", len(begin), begin)
		}
		n, err := io.WriteString(c, begin)
		for ; err == nil && sent < 4<<30; n, err = c.Write(piece) {
			sent += int64(n)
		}
		total <- sent
	}()
	status = statusFrom(t, c)
	must(t, c.Close())
	return status, <-total
}

// statusFrom reads only the status line: the rest may be lost if the server closes the
// connection during an upload.
func statusFrom(t *testing.T, c net.Conn) (status int) {
	t.Helper()
	must(t, c.SetReadDeadline(time.Now().Add(3*time.Minute)))
	if _, err := fmt.Fscanf(c, "HTTP/1.1 %d ", &status); err != nil {
		t.Fatal(err)
	}
	return status
}

// Only one frame of an animation is kept, or it is refused.
func TestAnimatedImages(t *testing.T) {
	e := newEnv(t)
	animatedPNG := withChunk(pngOf(t, quarters(64, 48)), "acTL", []byte{0, 0, 0, 9, 0, 0, 0, 0})
	_, got := e.picture(animatedPNG)
	wantQuarters(t, got, red, green, blue, white)
	animatedWebP := append([]byte("VP8X\x0a\x00\x00\x00\x02\x00\x00\x00"), 63, 0, 0, 47, 0, 0)
	animatedWebP = append(animatedWebP, "ANIM\x06\x00\x00\x00\x00\x00\x00\x00\x00\x00"...)
	e.upload(riff(animatedWebP)).wantError(422, "The image is animated. Please choose a still photo, or save one picture of it as a JPEG.")
}

// compressedZeros returns this number of megabytes of zeros, compressed by zlib without the checksum
// at the end. It repeats one compressed megabyte.
func compressedZeros(t *testing.T, megabytes int) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	writeMegabyte := func() {
		_, err := z.Write(make([]byte, 1<<20))
		must(t, err)
		must(t, z.Flush())
	}
	writeMegabyte()
	begin := b.Len()
	writeMegabyte()
	return append(b.Bytes(), bytes.Repeat(b.Bytes()[begin:], max(0, megabytes-2))...)
}

func riff(chunks []byte) []byte {
	out := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(chunks)+4))
	return append(append(out, "WEBP"...), chunks...)
}

// losslessClaiming returns a lossless WebP with this size in its header and without pixels.
func losslessClaiming(width, height uint32) []byte {
	size := (width - 1) | (height-1)<<14
	body := binary.LittleEndian.AppendUint32([]byte{0x2f}, size)
	return riff(append(binary.LittleEndian.AppendUint32([]byte("VP8L"), uint32(len(body))), append(body, 0)...))
}

// jpegHead returns a grey JPEG up to its first scan. Its Huffman table has one code of one
// bit.
func jpegHead(width, height uint16, sof, ac byte) []byte {
	out := append([]byte{0xff, 0xd8}, segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)...)
	size := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16([]byte{8}, height), width)
	out = append(out, segment(sof, append(size, 1, 1, 0x11, 0)...)...)
	lengths := append([]byte{1}, make([]byte, 15)...)
	out = append(out, segment(0xc4, append(append([]byte{0}, lengths...), 0)...)...)
	return append(out, segment(0xc4, append(append([]byte{0x10}, lengths...), ac)...)...)
}

// jpegClaiming returns a JPEG with this size in its header and without pixels.
func jpegClaiming(width, height uint16, sof byte) []byte {
	out := append(jpegHead(width, height, sof, 0), segment(0xda, 1, 1, 0, 0, 63, 0)...)
	return append(out, 0, 0, 0xff, 0xd9)
}

// scanBomb returns a progressive JPEG with this number of scans. Each declares the next 32767
// blocks to be empty.
func scanBomb(side uint16, scans int) []byte {
	out := jpegHead(side, side, 0xc2, 0xe0)
	blocks := (int(side) + 7) / 8 * ((int(side) + 7) / 8)
	out = append(append(out, segment(0xda, 1, 1, 0, 0, 0, 0)...), make([]byte, (blocks+7)/8)...)
	scan := append(segment(0xda, 1, 1, 0, 1, 1, 0), make([]byte, (blocks/16384+1)*15/8+1)...)
	return append(append(out, bytes.Repeat(scan, scans)...), 0xff, 0xd9)
}
