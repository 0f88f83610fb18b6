package mongo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"gocloud.dev/blob"
	"gocloud.dev/blob/driver"
	"gocloud.dev/gcerrors"
)

// bucketName is the name of the GridFS bucket. Its collections are images.files and
// images.chunks.
const bucketName = "images"

// Errors of a bucket, which ErrorCode translates.
var (
	errNotSupported = errors.New("mongo: images: GridFS cannot do that")
	errFileExists   = errors.New("mongo: images: a file of this name is there")
)

// Images returns a GridFS bucket in the store's database. A write to an existing name replaces
// the file atomically: readers use the newest file of a name, and the writer deletes older
// files after the new one is complete. Closing the bucket is optional; the store closes the
// connections.
func (e *Engine) Images() *blob.Bucket { return blob.NewBucket(&bucket{e}) }

type bucket struct{ store *Engine }

// fileMetadata has the attributes of a file for which GridFS has no field. It is stored in the
// metadata field of the file.
type fileMetadata struct {
	ContentType, CacheControl, ContentDisposition, ContentEncoding, ContentLanguage string

	Metadata []metadataEntry
}

// metadataEntry is one entry of a file's custom metadata. It is not stored as a field of the
// document, because the name may be any text, unlike the name of a field.
type metadataEntry struct{ Name, Value string }

// grid returns a new GridFSBucket for each use, because a GridFSBucket does not support
// concurrent writers.
func (b *bucket) grid() *mongo.GridFSBucket {
	return b.store.db.GridFSBucket(options.GridFSBucket().SetName(bucketName))
}

// ErrorCode returns the gcerrors code of an error.
func (b *bucket) ErrorCode(err error) gcerrors.ErrorCode {
	switch {
	case errors.Is(err, mongo.ErrNoDocuments), errors.Is(err, mongo.ErrFileNotFound):
		return gcerrors.NotFound
	case errors.Is(err, mongo.ErrMissingChunk), errors.Is(err, mongo.ErrWrongSize):
		return gcerrors.Internal // the file is damaged
	case errors.Is(err, errNotSupported):
		return gcerrors.Unimplemented
	case errors.Is(err, errFileExists):
		return gcerrors.FailedPrecondition
	case errors.Is(err, context.Canceled):
		return gcerrors.Canceled
	default:
		return gcerrors.Unknown
	}
}

// As returns false, because no driver types are exposed.
func (b *bucket) As(any) bool { return false }

// ErrorAs returns false, because no driver errors are exposed.
func (b *bucket) ErrorAs(error, any) bool { return false }

// Close does nothing. The store stays open.
func (b *bucket) Close() error { return nil }

// revisions returns all files of a name, the current one first. It returns ErrFileNotFound if
// there are none.
func (b *bucket) revisions(ctx context.Context, key string) (all []mongo.GridFSFile, err error) {
	order := bson.D{field("uploadDate", -1), field("_id", -1)}
	err = b.store.retry(ctx, "read image", func(ctx context.Context) error {
		all = nil
		cursor, err := b.grid().GetFilesCollection().Find(ctx, bson.D{field("filename", key)}, options.Find().SetSort(order))
		if err != nil {
			return err
		}
		return cursor.All(ctx, &all)
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("image %q: %w", key, mongo.ErrFileNotFound)
	}
	return all, err
}

// Attributes returns the attributes of the current file of a name.
func (b *bucket) Attributes(ctx context.Context, key string) (*driver.Attributes, error) {
	all, err := b.revisions(ctx, key)
	if err != nil {
		return nil, err
	}
	m, err := metadataOf(all[0])
	custom := map[string]string{}
	for _, entry := range m.Metadata {
		custom[entry.Name] = entry.Value
	}
	return &driver.Attributes{
		CacheControl: m.CacheControl, ContentDisposition: m.ContentDisposition, ContentEncoding: m.ContentEncoding,
		ContentLanguage: m.ContentLanguage, ContentType: m.ContentType, Metadata: custom,
		ModTime: all[0].UploadDate, Size: all[0].Length, ETag: fmt.Sprintf("%q", fmt.Sprint(all[0].ID)),
		AsFunc: func(any) bool { return false },
	}, err
}

// metadataOf returns the stored metadata of a file, or the zero value if it has none.
func metadataOf(f mongo.GridFSFile) (m fileMetadata, err error) {
	if f.Metadata != nil {
		err = bson.Unmarshal(f.Metadata, &m)
	}
	return m, err
}

// pageSize is the default number of files in a page of a list.
const pageSize = 1000

// ListPaged returns a page of the files and folders with a prefix, sorted by name.
func (b *bucket) ListPaged(ctx context.Context, o *driver.ListOptions) (*driver.ListPage, error) {
	if o.BeforeList != nil {
		if err := o.BeforeList(b.As); err != nil {
			return nil, err
		}
	}
	limit, token := o.PageSize, string(o.PageToken)
	if limit == 0 {
		limit = pageSize
	}
	filter := bson.D{field("filename", bson.D{field("$gte", max(o.Prefix, token))})}
	cursor, err := b.grid().GetFilesCollection().Find(ctx, filter,
		options.Find().SetSort(bson.D{field("filename", 1), field("uploadDate", -1), field("_id", -1)}))
	if err != nil {
		return nil, wrapError(ctx, "list images", err)
	}
	defer func() { _ = cursor.Close(ctx) }() // cursor.Err has returned any error
	page, lastKey := &driver.ListPage{}, token
	for cursor.Next(ctx) {
		var f mongo.GridFSFile
		if err := cursor.Decode(&f); err != nil {
			return nil, err
		}
		object := b.listObject(f, o)
		if object == nil {
			break
		}
		if object.Key <= lastKey { // another file in the same folder, or an older file of the same name
			continue
		}
		if len(page.Objects) == limit {
			page.NextPageToken = []byte(lastKey)
			break
		}
		lastKey = object.Key
		page.Objects = append(page.Objects, object)
	}
	return page, wrapError(ctx, "list images", cursor.Err())
}

// listObject returns the file, or its folder directly below the prefix. It returns nil if the
// file's name does not have the prefix.
func (b *bucket) listObject(f mongo.GridFSFile, o *driver.ListOptions) *driver.ListObject {
	rest, hasPrefix := strings.CutPrefix(f.Name, o.Prefix)
	if !hasPrefix {
		return nil
	}
	if name, _, inFolder := strings.Cut(rest, o.Delimiter); inFolder && o.Delimiter != "" {
		return &driver.ListObject{Key: o.Prefix + name + o.Delimiter, IsDir: true, AsFunc: b.As}
	}
	return &driver.ListObject{Key: f.Name, ModTime: f.UploadDate, Size: f.Length, AsFunc: b.As}
}

// NewRangeReader returns a reader of length bytes of a file from an offset, or of all bytes
// after the offset if length is negative.
func (b *bucket) NewRangeReader(ctx context.Context, key string, offset, length int64, o *driver.ReaderOptions) (driver.Reader, error) {
	all, err := b.revisions(ctx, key)
	if err != nil {
		return nil, err
	}
	if o.BeforeRead != nil {
		if err := o.BeforeRead(b.As); err != nil {
			return nil, err
		}
	}
	stream, err := b.grid().OpenDownloadStream(ctx, all[0].ID)
	if err != nil {
		return nil, wrapError(ctx, "read image", err)
	}
	if offset > 0 {
		if _, err := stream.Skip(offset); err != nil {
			return nil, errors.Join(wrapError(ctx, "read image", err), stream.Close())
		}
	}
	m, err := metadataOf(all[0])
	if err != nil {
		return nil, errors.Join(err, stream.Close())
	}
	r := &reader{Reader: stream, Closer: stream, attributes: driver.ReaderAttributes{
		ContentType: m.ContentType, ModTime: all[0].UploadDate, Size: all[0].Length,
	}}
	if length >= 0 {
		r.Reader = io.LimitReader(stream, length)
	}
	return r, nil
}

type reader struct {
	io.Reader
	io.Closer

	attributes driver.ReaderAttributes
}

// Attributes returns the attributes of the file.
func (r *reader) Attributes() *driver.ReaderAttributes { return &r.attributes }

// As returns false, because no driver types are exposed.
func (r *reader) As(any) bool { return false }

// NewTypedWriter returns a writer of a file. Readers see the file after the writer is closed
// without an error.
func (b *bucket) NewTypedWriter(ctx context.Context, key, contentType string, o *driver.WriterOptions) (driver.Writer, error) {
	if key == "" {
		return nil, errors.New("mongo: images: a file needs a name")
	}
	if o.BeforeWrite != nil {
		if err := o.BeforeWrite(b.As); err != nil {
			return nil, err
		}
	}
	m := fileMetadata{
		ContentType: contentType, CacheControl: o.CacheControl, ContentDisposition: o.ContentDisposition,
		ContentEncoding: o.ContentEncoding, ContentLanguage: o.ContentLanguage,
	}
	for name, value := range o.Metadata {
		m.Metadata = append(m.Metadata, metadataEntry{name, value})
	}
	w, err := b.writer(ctx, key, m)
	if err != nil {
		return nil, err
	}
	w.ifNotExist = o.IfNotExist
	return w, nil
}

func (b *bucket) writer(ctx context.Context, key string, m fileMetadata) (*writer, error) {
	stream, err := b.grid().OpenUploadStream(ctx, key, options.GridFSUpload().SetMetadata(m))
	if err != nil {
		return nil, wrapError(ctx, "write image", err)
	}
	return &writer{GridFSUploadStream: stream, ctx: ctx, bucket: b, key: key}, nil
}

type writer struct {
	*mongo.GridFSUploadStream
	ctx    context.Context //nolint:containedctx // a writer belongs to one call
	bucket *bucket
	key    string
	// ifNotExist makes Close fail with errFileExists if a file with this name exists. Of
	// several concurrent writers of one name at most one succeeds, and possibly none.
	ifNotExist bool
}

// Close makes the file the current one of its name, and deletes older ones. If the context has
// ended, it deletes what was written.
func (w *writer) Close() error {
	if w.ctx.Err() != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(w.ctx), w.bucket.store.callTimeout)
		defer cancel()
		_, err := w.bucket.grid().GetChunksCollection().DeleteMany(ctx, bson.D{field("files_id", w.FileID)})
		return errors.Join(w.ctx.Err(), err)
	}
	if err := w.GridFSUploadStream.Close(); err != nil {
		return wrapError(w.ctx, "write image", err)
	}
	all, err := w.bucket.revisions(w.ctx, w.key)
	if err != nil || len(all) < 2 {
		return err
	}
	if w.ifNotExist {
		own := slices.DeleteFunc(all, func(f mongo.GridFSFile) bool { return f.ID != w.FileID })
		return errors.Join(errFileExists, w.bucket.remove(w.ctx, own))
	}
	return w.bucket.remove(w.ctx, all[1:])
}

// Copy writes a copy of a file under another name.
func (b *bucket) Copy(ctx context.Context, to, from string, o *driver.CopyOptions) error {
	all, err := b.revisions(ctx, from)
	if err != nil {
		return err
	}
	if o.BeforeCopy != nil {
		if err := o.BeforeCopy(b.As); err != nil {
			return err
		}
	}
	m, err := metadataOf(all[0])
	if err != nil {
		return err
	}
	w, err := b.writer(ctx, to, m)
	if err != nil {
		return err
	}
	_, err = b.grid().DownloadToStream(ctx, all[0].ID, w)
	return errors.Join(wrapError(ctx, "copy image", err), w.Close()) //nolint:contextcheck // Close uses the context of the writer, which is ctx
}

// Delete deletes all files of a name. It returns ErrFileNotFound if there are none.
func (b *bucket) Delete(ctx context.Context, key string, o *driver.DeleteOptions) error {
	all, err := b.revisions(ctx, key)
	if err != nil {
		return err
	}
	if o != nil && o.BeforeDelete != nil {
		if err := o.BeforeDelete(b.As); err != nil {
			return err
		}
	}
	return b.remove(ctx, all)
}

// remove deletes files; it ignores files that do not exist.
func (b *bucket) remove(ctx context.Context, all []mongo.GridFSFile) error {
	for _, f := range all {
		err := b.store.retry(ctx, "delete image", func(ctx context.Context) error {
			err := b.grid().Delete(ctx, f.ID)
			if errors.Is(err, mongo.ErrFileNotFound) {
				return nil // deleted by a concurrent call
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// SignedURL is not supported, because the image host serves the images.
func (b *bucket) SignedURL(context.Context, string, *driver.SignedURLOptions) (string, error) {
	return "", errNotSupported
}
