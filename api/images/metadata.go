package images

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"gocloud.dev/blob"

	"secondring/api/rest"
	"secondring/market"
)

// path is the prefix of all paths of the host.
const path = "/images/"

// errDeleting is the error of an upload of a picture that is being deleted, or whose
// deletion was interrupted by a crash.
var errDeleting = rest.NewError(market.CodeUnavailable, "An old copy of this image is being deleted. Please try again in a few minutes.")

// Metadata returns the metadata of one of the host's pictures for a phone that is about to
// show it, and keeps the picture from then on. It returns market.ErrNotFound for a picture
// of another site and for those from before there were variants, and market.ErrPictureGone
// for one that was taken down or deleted.
func (h *Host) Metadata(ctx context.Context, url string) (market.Picture, error) {
	name, ours := strings.CutPrefix(strings.TrimPrefix(url, h.origin), path)
	original, named := originalOf(name)
	if !ours || !named {
		return market.Picture{}, market.ErrNotFound
	}
	about, err := retried(func() (market.Picture, error) { return h.show(ctx, original) })
	if err == nil && name != original { // the metadata belongs to the original's URL
		return market.Picture{}, market.ErrNotFound
	}
	return about, err
}

// show keeps a picture for a phone that is about to show it.
func (h *Host) show(ctx context.Context, name string) (about market.Picture, err error) {
	if removed, err := h.isRemoved(ctx, name); err != nil || removed {
		return about, cmp.Or(err, market.ErrPictureGone)
	}
	e, err := h.entry(ctx, name)
	switch {
	case errors.Is(err, market.ErrNotFound): // deleted, or uploaded before there were records
		exists, existsErr := h.bucket.Exists(ctx, name)
		if existsErr == nil && !exists {
			err = market.ErrPictureGone
		}
		return about, cmp.Or(existsErr, err)
	case err != nil:
		return about, err
	case e.Deleting:
		return about, market.ErrPictureGone
	}
	return e.Picture, h.prolong(ctx, e, showKept)
}

// keepAllowed stores a picture unless an admin has taken it down, even during the call.
func (h *Host) keepAllowed(ctx context.Context, name string, made reencoded) (about market.Picture, err error) {
	if removed, err := h.isRemoved(ctx, name); err != nil || removed {
		return about, cmp.Or(err, errRemoved)
	}
	about, err = retried(func() (market.Picture, error) { return h.keep(ctx, name, made) })
	if err != nil {
		return about, err
	}
	removed, err := h.isRemoved(ctx, name)
	if err != nil || !removed {
		return about, err
	}
	return about, cmp.Or(h.deletePicture(ctx, name), errRemoved)
}

// keep stores a picture with its copies. The record is written last, because it says that
// all files exist.
func (h *Host) keep(ctx context.Context, name string, made reencoded) (about market.Picture, err error) {
	e, err := h.entry(ctx, name)
	if err != nil && !errors.Is(err, market.ErrNotFound) {
		return about, err
	}
	if e.Deleting && !e.Due.IsZero() {
		return about, errDeleting
	}
	exists, err := h.bucket.Exists(ctx, name)
	if err != nil {
		return about, err
	}
	known := e.Version > 0 && !e.Deleting
	if known && exists {
		return e.Picture, h.prolong(ctx, e, uploadKept)
	}
	if e.Picture, err = h.write(ctx, name, made); err != nil {
		return about, err
	}
	if !known || !e.Due.IsZero() {
		e.Due = h.clock.Now().Add(unusedFor)
	}
	e.Deleting, e.Expires = false, time.Time{}
	e, err = h.save(ctx, e)
	return e.Picture, err
}

// write writes the files of a picture, the original last.
func (h *Host) write(ctx context.Context, name string, made reencoded) (market.Picture, error) {
	about, files, err := MakeCopies(ctx, made.picture, CopyQuality)
	if err != nil {
		return about, err
	}
	for i, file := range files {
		if err := h.store(ctx, market.CopyURL(name, about.Widths[i]), copyType, file); err != nil {
			return about, err
		}
	}
	return about, h.store(ctx, name, mediaType, made.file)
}

func (h *Host) store(ctx context.Context, name, media string, file []byte) error {
	return h.bucket.WriteAll(ctx, name, file, &blob.WriterOptions{ContentType: media})
}
