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

// Gallery is the images of a move: those that the image host serves. Others in
// the source's folder stay where they are.
type Gallery struct {
	From *blob.Bucket // nil if there was never an image
	To   *blob.Bucket
	// Put writes one into To and replaces a partial one.
	Put func(ctx context.Context, name, contentType string, data []byte) error
}

func (g *Gallery) part(ctx context.Context) (part, error) {
	count := 0
	err := names(ctx, g.From, func(string) error { count++; return nil })
	return part{
		kind: Images, count: count, prune: g.prune, fill: g.fill,
		from: func(ctx context.Context, done func(int)) (Sum, error) { return sumOf(ctx, g.From, done) },
		to:   func(ctx context.Context, done func(int)) (Sum, error) { return sumOf(ctx, g.To, done) },
	}, err
}

// names gives do the name of each image in a bucket.
func names(ctx context.Context, in *blob.Bucket, do func(name string) error) error {
	if in == nil {
		return nil
	}
	list := in.List(nil)
	for {
		object, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("list the images: %w", err)
		}
		if _, ours := images.Media(object.Key); !ours || object.IsDir {
			continue
		}
		if err := do(object.Key); err != nil {
			return err
		}
	}
}

func (g *Gallery) prune(ctx context.Context, done func(int)) error {
	return names(ctx, g.To, func(name string) error {
		wanted, err := content(ctx, g.From, name)
		if err != nil {
			return err
		}
		is, err := content(ctx, g.To, name)
		if err != nil {
			return err
		}
		done(1)
		if wanted != nil && bytes.Equal(is, wanted) {
			return nil
		}
		return g.To.Delete(ctx, name)
	})
}

// content is an image, or nil where there is none of that name, or one that is
// damaged.
func content(ctx context.Context, in *blob.Bucket, name string) ([]byte, error) {
	if in == nil {
		return nil, nil
	}
	data, err := in.ReadAll(ctx, name)
	switch gcerrors.Code(err) {
	case gcerrors.NotFound, gcerrors.Internal:
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the image %s: %w", name, err)
	}
	return data, nil
}

func (g *Gallery) fill(ctx context.Context, done func(int)) error {
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(workers)
	err := names(ctx, g.From, func(name string) error {
		all.Go(func() error {
			if err := g.copy(ctx, name); err != nil {
				return fmt.Errorf("copy the image %s: %w", name, err)
			}
			done(1)
			return nil
		})
		return ctx.Err()
	})
	if failed := all.Wait(); failed != nil {
		return failed
	}
	return err
}

func (g *Gallery) copy(ctx context.Context, name string) error {
	if there, err := g.To.Exists(ctx, name); err != nil || there {
		return err
	}
	data, err := g.From.ReadAll(ctx, name)
	if err != nil {
		return err
	}
	media, _ := images.Media(name)
	return g.Put(ctx, name, media, data)
}

// image is what is compared of one.
type image struct {
	Name    string
	Content []byte
}

func sumOf(ctx context.Context, in *blob.Bucket, done func(int)) (sum Sum, err error) {
	err = names(ctx, in, func(name string) error {
		data, err := content(ctx, in, name)
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

func (g *Gallery) isEmpty(ctx context.Context) (bool, error) {
	err := names(ctx, g.To, func(string) error { return errThere })
	return err == nil, ignore(err, errThere)
}
