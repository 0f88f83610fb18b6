package move

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
	"golang.org/x/sync/errgroup"

	"secondring/api/images"
)

// ImageBuckets are the source and the target of the images. Only images that the image host
// serves are moved; other files in the source are not.
type ImageBuckets struct {
	From *blob.Bucket // nil if no image was ever stored
	To   *blob.Bucket
	// Put writes an image into To. It replaces a partial one of the same name.
	Put func(ctx context.Context, name, contentType string, data []byte) error
}

func (g *ImageBuckets) part(ctx context.Context) (part, error) {
	count := 0
	err := eachImage(ctx, g.From, func(string) error { count++; return nil })
	return part{
		kind: Images, count: count, prune: g.prune, copyMissing: g.copyMissing,
		from: func(ctx context.Context, done func(int)) (Sum, error) { return sumImages(ctx, g.From, done) },
		to:   func(ctx context.Context, done func(int)) (Sum, error) { return sumImages(ctx, g.To, done) },
	}, err
}

// eachImage calls do with the name of each image in a bucket. It stops at the first error.
func eachImage(ctx context.Context, bucket *blob.Bucket, do func(name string) error) error {
	if bucket == nil {
		return nil
	}
	list := bucket.List(nil)
	for {
		object, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("list the images: %w", err)
		}
		if _, isImage := images.Media(object.Key); !isImage || object.IsDir {
			continue
		}
		if err := do(object.Key); err != nil {
			return err
		}
	}
}

// prune deletes the images in the target that the source does not have, or that differ from
// the source's.
func (g *ImageBuckets) prune(ctx context.Context, done func(int)) error {
	return eachImage(ctx, g.To, func(name string) error {
		expected, err := readImage(ctx, g.From, name)
		if err != nil {
			return err
		}
		actual, err := readImage(ctx, g.To, name)
		if err != nil {
			return err
		}
		done(1)
		if expected != nil && bytes.Equal(actual, expected) {
			return nil
		}
		return g.To.Delete(ctx, name)
	})
}

// readImage returns the content of an image. It returns nil if the bucket is nil, or if the
// image is missing or damaged.
func readImage(ctx context.Context, bucket *blob.Bucket, name string) ([]byte, error) {
	if bucket == nil {
		return nil, nil
	}
	data, err := bucket.ReadAll(ctx, name)
	switch gcerrors.Code(err) {
	case gcerrors.NotFound, gcerrors.Internal:
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the image %s: %w", name, err)
	}
	return data, nil
}

// copyMissing copies the images that the target does not have.
func (g *ImageBuckets) copyMissing(ctx context.Context, done func(int)) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	err := eachImage(ctx, g.From, func(name string) error {
		group.Go(func() error {
			if err := g.copy(ctx, name); err != nil {
				return fmt.Errorf("copy the image %s: %w", name, err)
			}
			done(1)
			return nil
		})
		return ctx.Err()
	})
	if groupErr := group.Wait(); groupErr != nil {
		return groupErr
	}
	return err
}

func (g *ImageBuckets) copy(ctx context.Context, name string) error {
	if exists, err := g.To.Exists(ctx, name); err != nil || exists {
		return err
	}
	data, err := g.From.ReadAll(ctx, name)
	if err != nil {
		return err
	}
	media, _ := images.Media(name)
	return g.Put(ctx, name, media, data)
}

// image has the properties of an image that are compared.
type image struct {
	Name    string
	Content []byte
}

func sumImages(ctx context.Context, bucket *blob.Bucket, done func(int)) (sum Sum, err error) {
	err = eachImage(ctx, bucket, func(name string) error {
		data, err := readImage(ctx, bucket, name)
		if err != nil {
			return err
		}
		d, err := digestOf(image{name, data})
		sum.add(d)
		done(1)
		return err
	})
	return sum, err
}

func (g *ImageBuckets) isEmpty(ctx context.Context) (bool, error) {
	err := eachImage(ctx, g.To, func(string) error { return errNotEmpty })
	return err == nil, ignore(err, errNotEmpty)
}
