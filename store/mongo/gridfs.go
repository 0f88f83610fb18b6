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

// gridFS is the name of the bucket: its collections are images.files and
// images.chunks.
const gridFS = "images"

// The errors of a bucket.
var (
	errCannot = errors.New("mongo: images: GridFS cannot do that")
	errThere  = errors.New("mongo: images: a file of this name is there")
)

// Images is a bucket in GridFS, in the same database. A file that is written
// again is replaced whole: the newest one of a name counts, and the ones before
// are deleted after it is there. Close it, or only the store.
func (s *Store) Images() *blob.Bucket { return blob.NewBucket(&bucket{s}) }

type bucket struct{ store *Store }

// about is the metadata of a file that GridFS does not have itself.
type about struct {
	ContentType, CacheControl, ContentDisposition, ContentEncoding, ContentLanguage string

	Metadata []pair
}

// pair is a name and a value of a file's metadata. The name may be any text, unlike the name
// of a field.
type pair struct{ Name, Value string }

// grid is GridFS, one for each use: it is not safe for several writers at once.
func (b *bucket) grid() *mongo.GridFSBucket {
	return b.store.db.GridFSBucket(options.GridFSBucket().SetName(gridFS))
}

// ErrorCode sorts errors into those that blob knows.
func (b *bucket) ErrorCode(err error) gcerrors.ErrorCode {
	switch {
	case errors.Is(err, mongo.ErrNoDocuments), errors.Is(err, mongo.ErrFileNotFound):
		return gcerrors.NotFound
	case errors.Is(err, mongo.ErrMissingChunk), errors.Is(err, mongo.ErrWrongSize):
		return gcerrors.Internal // the file is damaged
	case errors.Is(err, errCannot):
		return gcerrors.Unimplemented
	case errors.Is(err, errThere):
		return gcerrors.FailedPrecondition
	case errors.Is(err, context.Canceled):
		return gcerrors.Canceled
	default:
		return gcerrors.Unknown
	}
}

// As returns false: no type is available.
func (b *bucket) As(any) bool { return false }

// ErrorAs finds nothing.
func (b *bucket) ErrorAs(error, any) bool { return false }

// Close leaves the store open.
func (b *bucket) Close() error { return nil }

// revisions are the files of a name, the one that counts first.
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

// Attributes tells about a file.
func (b *bucket) Attributes(ctx context.Context, key string) (*driver.Attributes, error) {
	all, err := b.revisions(ctx, key)
	if err != nil {
		return nil, err
	}
	is, err := aboutOf(all[0])
	metadata := map[string]string{}
	for _, one := range is.Metadata {
		metadata[one.Name] = one.Value
	}
	return &driver.Attributes{
		CacheControl: is.CacheControl, ContentDisposition: is.ContentDisposition, ContentEncoding: is.ContentEncoding,
		ContentLanguage: is.ContentLanguage, ContentType: is.ContentType, Metadata: metadata,
		ModTime: all[0].UploadDate, Size: all[0].Length, ETag: fmt.Sprintf("%q", fmt.Sprint(all[0].ID)),
		AsFunc: func(any) bool { return false },
	}, err
}

func aboutOf(f mongo.GridFSFile) (is about, err error) {
	if f.Metadata != nil {
		err = bson.Unmarshal(f.Metadata, &is)
	}
	return is, err
}

// pageSize is the default number of files in a page of a list.
const pageSize = 1000

// ListPaged lists files by name.
func (b *bucket) ListPaged(ctx context.Context, o *driver.ListOptions) (*driver.ListPage, error) {
	if o.BeforeList != nil {
		if err := o.BeforeList(b.As); err != nil {
			return nil, err
		}
	}
	most, token := o.PageSize, string(o.PageToken)
	if most == 0 {
		most = pageSize
	}
	from := bson.D{field("filename", bson.D{field("$gte", max(o.Prefix, token))})}
	cursor, err := b.grid().GetFilesCollection().Find(ctx, from,
		options.Find().SetSort(bson.D{field("filename", 1), field("uploadDate", -1), field("_id", -1)}))
	if err != nil {
		return nil, wrapError(ctx, "list images", err)
	}
	defer func() { _ = cursor.Close(ctx) }() // errors were returned by cursor.Err
	page, last := &driver.ListPage{}, token
	for cursor.Next(ctx) {
		var f mongo.GridFSFile
		if err := cursor.Decode(&f); err != nil {
			return nil, err
		}
		rest, within := strings.CutPrefix(f.Name, o.Prefix)
		if !within {
			break
		}
		object := &driver.ListObject{Key: f.Name, ModTime: f.UploadDate, Size: f.Length, AsFunc: b.As}
		if name, _, deeper := strings.Cut(rest, o.Delimiter); deeper && o.Delimiter != "" {
			object = &driver.ListObject{Key: o.Prefix + name + o.Delimiter, IsDir: true, AsFunc: b.As}
		}
		if object.Key <= last { // another file of the same folder, or of the same name
			continue
		}
		if len(page.Objects) == most {
			page.NextPageToken = []byte(last)
			break
		}
		last = object.Key
		page.Objects = append(page.Objects, object)
	}
	return page, wrapError(ctx, "list images", cursor.Err())
}

// NewRangeReader reads a part of a file, or with a length below 0 to its end.
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
	is, err := aboutOf(all[0])
	if err != nil {
		return nil, errors.Join(err, stream.Close())
	}
	r := &reader{Reader: stream, Closer: stream, is: driver.ReaderAttributes{
		ContentType: is.ContentType, ModTime: all[0].UploadDate, Size: all[0].Length,
	}}
	if length >= 0 {
		r.Reader = io.LimitReader(stream, length)
	}
	return r, nil
}

type reader struct {
	io.Reader
	io.Closer
	is driver.ReaderAttributes
}

// Attributes tells about the file.
func (r *reader) Attributes() *driver.ReaderAttributes { return &r.is }

// As finds nothing.
func (r *reader) As(any) bool { return false }

// NewTypedWriter writes a file, which is there when the writer is closed.
func (b *bucket) NewTypedWriter(ctx context.Context, key, contentType string, o *driver.WriterOptions) (driver.Writer, error) {
	if key == "" {
		return nil, errors.New("mongo: images: a file needs a name")
	}
	if o.BeforeWrite != nil {
		if err := o.BeforeWrite(b.As); err != nil {
			return nil, err
		}
	}
	is := about{
		ContentType: contentType, CacheControl: o.CacheControl, ContentDisposition: o.ContentDisposition,
		ContentEncoding: o.ContentEncoding, ContentLanguage: o.ContentLanguage,
	}
	for name, value := range o.Metadata {
		is.Metadata = append(is.Metadata, pair{name, value})
	}
	w, err := b.writer(ctx, key, is)
	if err != nil {
		return nil, err
	}
	w.onlyNew = o.IfNotExist
	return w, nil
}

func (b *bucket) writer(ctx context.Context, key string, is about) (*writer, error) {
	stream, err := b.grid().OpenUploadStream(ctx, key, options.GridFSUpload().SetMetadata(is))
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
	// onlyNew wants to be the first file of its name. Of several that write one
	// at once at most one succeeds, and perhaps none.
	onlyNew bool
}

// Close makes the file the current one of its name. A cancelled write leaves nothing.
func (w *writer) Close() error {
	if w.ctx.Err() != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(w.ctx), w.bucket.store.patience)
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
	if w.onlyNew {
		mine := slices.DeleteFunc(all, func(f mongo.GridFSFile) bool { return f.ID != w.FileID })
		return errors.Join(errThere, w.bucket.remove(w.ctx, mine))
	}
	return w.bucket.remove(w.ctx, all[1:])
}

// Copy writes a file once more under another name.
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
	is, err := aboutOf(all[0])
	if err != nil {
		return err
	}
	w, err := b.writer(ctx, to, is)
	if err != nil {
		return err
	}
	_, err = b.grid().DownloadToStream(ctx, all[0].ID, w)
	return errors.Join(wrapError(ctx, "copy image", err), w.Close()) //nolint:contextcheck // it has this very context
}

// Delete forgets a file.
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

func (b *bucket) remove(ctx context.Context, all []mongo.GridFSFile) error {
	for _, f := range all {
		err := b.store.retry(ctx, "delete image", func(ctx context.Context) error {
			err := b.grid().Delete(ctx, f.ID)
			if errors.Is(err, mongo.ErrFileNotFound) {
				return nil // another was faster
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// SignedURL is not supported: the image host serves the images.
func (b *bucket) SignedURL(context.Context, string, *driver.SignedURLOptions) (string, error) {
	return "", errCannot
}
