package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"secondring/api/images"
)

// writer writes entries and their checksums.
type writer struct {
	tar  *tar.Writer
	time time.Time // of all entries
	sums bytes.Buffer
}

// Write writes a backup of the store in the file db and of the images; pictures is nil if
// there are none. It returns the manifest with the fields about the content filled in.
func Write(ctx context.Context, to io.Writer, m Manifest, db string, pictures *blob.Bucket) (Manifest, error) {
	w := &writer{tar: tar.NewWriter(to), time: m.Made}
	m.Format = format
	size, err := w.file(db)
	if err != nil {
		return m, fmt.Errorf("write the store into the backup: %w", err)
	}
	m.Bytes = size
	if err := w.pictures(ctx, pictures, &m); err != nil {
		return m, fmt.Errorf("write the images into the backup: %w", err)
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return m, err
	}
	text = append(text, '\n')
	if err := w.entry(manifest, int64(len(text)), bytes.NewReader(text)); err != nil {
		return m, err
	}
	return m, w.end()
}

// end writes the file of checksums, which has no checksum itself.
func (w *writer) end() error {
	text := bytes.Clone(w.sums.Bytes())
	err := w.entry(sums, int64(len(text)), bytes.NewReader(text))
	return errors.Join(err, w.tar.Close())
}

func (w *writer) file(path string) (size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), w.entry(Store, info.Size(), f)
}

// pictures writes the pictures of the image host. Every picture that the store names
// exists: it is stored before its phone, never changes, and is not deleted while anything
// shows it. A picture that is deleted during the backup is left out.
func (w *writer) pictures(ctx context.Context, from *blob.Bucket, m *Manifest) error {
	if from == nil {
		return nil
	}
	list := from.List(nil)
	for {
		object, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, isImage := images.Media(object.Key); !isImage || object.IsDir {
			continue
		}
		err = w.picture(ctx, from, object.Key)
		if gcerrors.Code(err) == gcerrors.NotFound {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", object.Key, err)
		}
		m.Images++
		m.Bytes += object.Size
	}
}

func (w *writer) picture(ctx context.Context, from *blob.Bucket, name string) (err error) {
	reader, err := from.NewReader(ctx, name, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	return w.entry(Pictures+"/"+name, reader.Size(), reader)
}

func (w *writer) entry(name string, size int64, from io.Reader) error {
	header := &tar.Header{Name: name, Size: size, Mode: 0o600, ModTime: w.time, Typeflag: tar.TypeReg}
	if err := w.tar.WriteHeader(header); err != nil {
		return err
	}
	hash := sha256.New()
	if _, err := io.Copy(io.MultiWriter(w.tar, hash), from); err != nil {
		return err
	}
	fmt.Fprintf(&w.sums, "%s  %s\n", hex.EncodeToString(hash.Sum(nil)), name)
	return nil
}
