// Package marketfile reads and writes the file of an export: a tar file with market.ndjson, which
// has all documents of a market, and the images.
//
// The first line of market.ndjson is a Header. Each further line is a Line. The last line is a
// Footer, which has the count and the checksum of the lines of each kind.
package marketfile

import (
	"archive/tar"
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"strings"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"secondring/api/images"
	"secondring/store"
)

// Names in the file.
const (
	documents = "market.ndjson"
	pictures  = "images/"
)

// Header says what the file is.
type Header struct {
	Format  int       `json:"format"`  // store.Format
	Version string    `json:"version"` // of the program
	Made    time.Time `json:"time"`    // when the export began
}

// Line is one document.
type Line struct {
	Kind    string          `json:"kind"`
	ID      string          `json:"id"`
	Version int64           `json:"version"`
	Body    json.RawMessage `json:"body"`
}

// Footer has the sums of the kinds by their names.
type Footer struct {
	Kinds map[string]Sum `json:"kinds"`
}

// Sum is the number of lines of a kind and their SHA-256 in hex, each line with its line end.
type Sum struct {
	Count int    `json:"count"`
	Hash  string `json:"sha256"`
}

// sums computes a Footer.
type sums struct {
	counts map[string]int
	hashes map[string]hash.Hash
}

func newSums() *sums { return &sums{map[string]int{}, map[string]hash.Hash{}} }

func (s *sums) add(kind string, line []byte) {
	if s.hashes[kind] == nil {
		s.hashes[kind] = sha256.New()
	}
	s.counts[kind]++
	s.hashes[kind].Write(line)
}

func (s *sums) footer() Footer {
	f := Footer{map[string]Sum{}}
	for kind, h := range s.hashes {
		f.Kinds[kind] = Sum{s.counts[kind], hex.EncodeToString(h.Sum(nil))}
	}
	return f
}

// Writer writes the documents into a file of its own, because a tar file begins with the size of
// its entry.
type Writer struct {
	file *os.File
	to   *bufio.Writer
	sums *sums
}

// NewWriter begins with a header. The file is a temporary one.
func NewWriter(file *os.File, h Header) (*Writer, error) {
	w := &Writer{file, bufio.NewWriter(file), newSums()}
	_, err := w.line(h)
	return w, err
}

func (w *Writer) line(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	text = append(text, '\n')
	_, err = w.to.Write(text)
	return text, err
}

// Add writes one document.
func (w *Writer) Add(line Line) error {
	text, err := w.line(line)
	w.sums.add(line.Kind, text)
	return err
}

// Finish writes the footer, and then the tar file with the documents and the images of a bucket,
// which may be nil. It returns the number of images.
func (w *Writer) Finish(ctx context.Context, to io.Writer, made time.Time, bucket *blob.Bucket, report func(images int)) (f Footer, count int, err error) {
	f = w.sums.footer()
	if _, err = w.line(f); err != nil {
		return f, 0, err
	}
	if err = w.to.Flush(); err != nil {
		return f, 0, err
	}
	size, err := w.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return f, 0, err
	}
	if _, err = w.file.Seek(0, io.SeekStart); err != nil {
		return f, 0, err
	}
	archive := tar.NewWriter(to)
	if err := entry(archive, documents, size, made, w.file); err != nil {
		return f, 0, err
	}
	count, err = writeImages(ctx, archive, made, bucket, report)
	return f, count, errors.Join(err, archive.Close())
}

func entry(to *tar.Writer, name string, size int64, at time.Time, from io.Reader) error {
	if err := to.WriteHeader(&tar.Header{Name: name, Size: size, Mode: 0o600, ModTime: at, Typeflag: tar.TypeReg}); err != nil {
		return err
	}
	_, err := io.Copy(to, from)
	return err
}

// writeImages writes the images of a bucket. One that is deleted meanwhile is left out.
func writeImages(ctx context.Context, to *tar.Writer, at time.Time, bucket *blob.Bucket, report func(int)) (count int, err error) {
	if bucket == nil {
		return 0, nil
	}
	list := bucket.List(nil)
	for {
		object, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			return count, nil
		}
		if err != nil {
			return count, fmt.Errorf("list the images: %w", err)
		}
		if _, isImage := images.Media(object.Key); !isImage || object.IsDir {
			continue
		}
		err = writeImage(ctx, to, at, bucket, object.Key)
		if gcerrors.Code(err) == gcerrors.NotFound {
			continue
		}
		if err != nil {
			return count, fmt.Errorf("write the image %s: %w", object.Key, err)
		}
		count++
		report(count)
	}
}

func writeImage(ctx context.Context, to *tar.Writer, at time.Time, bucket *blob.Bucket, name string) (err error) {
	reader, err := bucket.NewReader(ctx, name, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	return entry(to, pictures+name, reader.Size(), at, reader)
}

// Handler gets what Read finds, in the order of the file.
type Handler struct {
	Header func(Header) error
	Line   func(Line) error
	End    func(Footer) error // after the last line
	Image  func(name string, content []byte) error
}

// maxImage is the largest image that Read accepts, in bytes.
const maxImage = 64 << 20

// Read reads a file to its end. It returns an error if the file is not complete, or differs from
// what was written.
func Read(from io.ReadSeeker, h Handler) error {
	if err := checkEnd(from); err != nil {
		return err
	}
	entries := tar.NewReader(from)
	first, err := entries.Next()
	if err != nil || first.Name != documents {
		return errors.Join(errors.New("it is no export of SecondRing"), err)
	}
	if err := readDocuments(entries, h); err != nil {
		return err
	}
	for {
		header, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("it is damaged: %w", err)
		}
		name, isImage := strings.CutPrefix(header.Name, pictures)
		if _, known := images.Media(name); !isImage || !known || header.Size > maxImage {
			return fmt.Errorf("it is damaged: %q does not belong there", header.Name)
		}
		content, err := io.ReadAll(io.LimitReader(entries, maxImage))
		if err == nil {
			err = h.Image(name, content)
		}
		if err != nil {
			return err
		}
	}
}

// checkEnd returns an error unless the file ends with the two empty blocks that end a tar file. A
// reader of tar files accepts one that was cut off between two entries.
func checkEnd(file io.ReadSeeker) error {
	end := make([]byte, 2*512)
	if _, err := file.Seek(-int64(len(end)), io.SeekEnd); err != nil {
		return errors.New("it is no export of SecondRing")
	}
	if _, err := io.ReadFull(file, end); err != nil {
		return err
	}
	if len(bytes.Trim(end, "\x00")) > 0 {
		return errors.New("it has no end: it was cut off, or it is no export of SecondRing")
	}
	_, err := file.Seek(0, io.SeekStart)
	return err
}

// maxLine is the longest line that Read accepts, in bytes.
const maxLine = 16 << 20

func readDocuments(from io.Reader, h Handler) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxLine)
	if !lines.Scan() {
		return errors.Join(errors.New("it has no header"), lines.Err())
	}
	var header Header
	if err := json.Unmarshal(lines.Bytes(), &header); err != nil {
		return fmt.Errorf("it has no header: %w", err)
	}
	if header.Format != store.Format {
		return fmt.Errorf("its format is %d, and this SecondRing reads %d", header.Format, store.Format)
	}
	if err := h.Header(header); err != nil {
		return err
	}
	all := newSums()
	for lines.Scan() {
		var line struct {
			Line
			Footer
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return fmt.Errorf("it is damaged: %w", err)
		}
		if line.Kinds != nil {
			if err := compare(line.Footer, all.footer()); err != nil {
				return err
			}
			return h.End(line.Footer)
		}
		all.add(line.Kind, append(lines.Bytes(), '\n'))
		line.Body = append(json.RawMessage(nil), line.Body...)
		if err := h.Line(line.Line); err != nil {
			return err
		}
	}
	return errors.Join(errors.New("it has no end: it was cut off"), lines.Err())
}

// compare returns an error unless the two have the same sums.
func compare(want, got Footer) error {
	for kind, sum := range want.Kinds {
		if got.Kinds[kind] != sum {
			return fmt.Errorf("it is damaged: the %s are not those that were written", kind)
		}
	}
	if len(want.Kinds) != len(got.Kinds) {
		return errors.New("it is damaged: it has kinds without a sum")
	}
	return nil
}
