package images

import (
	"cmp"
	"context"
	"errors"
	"time"

	"gocloud.dev/blob"

	"secondring/api/rest"
	"secondring/market"
)

// errDeleting is the error of an upload of a picture that is being deleted, or whose
// deletion was interrupted by a crash.
var errDeleting = rest.NewError(market.CodeUnavailable, "An old copy of this image is being deleted. Please try again in a few minutes.")

// saveUnlessRemoved stores a picture unless an admin has taken it down, even during the call.
func (h *Host) saveUnlessRemoved(ctx context.Context, name string, encoded reencoded) (metadata market.Picture, err error) {
	if removed, err := h.isRemoved(ctx, name); err != nil || removed {
		return metadata, cmp.Or(err, errRemoved)
	}
	metadata, err = retryOnConflict(func() (market.Picture, error) { return h.savePicture(ctx, name, encoded) })
	if err != nil {
		return metadata, err
	}
	removed, err := h.isRemoved(ctx, name)
	if err != nil || !removed {
		return metadata, err
	}
	return metadata, cmp.Or(h.deletePicture(ctx, name), errRemoved)
}

// savePicture stores a picture with its copies. The record is written last, because it says that
// all files exist.
func (h *Host) savePicture(ctx context.Context, name string, encoded reencoded) (metadata market.Picture, err error) {
	e, err := h.entry(ctx, name)
	if err != nil && !errors.Is(err, market.ErrNotFound) {
		return metadata, err
	}
	if e.Deleting && !e.Due.IsZero() {
		return metadata, errDeleting
	}
	exists, err := h.bucket.Exists(ctx, name)
	if err != nil {
		return metadata, err
	}
	isStored := e.Version > 0 && !e.Deleting
	if isStored && exists {
		return e.Picture, h.prolong(ctx, e, uploadRetention)
	}
	if e.Picture, err = h.writeFiles(ctx, name, encoded); err != nil {
		return metadata, err
	}
	if !isStored || !e.Due.IsZero() {
		e.Due = h.clock.Now().Add(unusedRetention)
	}
	e.Deleting, e.Expires = false, time.Time{}
	e, err = h.save(ctx, e)
	return e.Picture, err
}

// writeFiles writes the files of a picture, the original last.
func (h *Host) writeFiles(ctx context.Context, name string, encoded reencoded) (market.Picture, error) {
	metadata, files, err := MakeCopies(ctx, encoded.picture, CopyQuality)
	if err != nil {
		return metadata, err
	}
	for i, file := range files {
		if err := h.writeFile(ctx, market.CopyURL(name, metadata.Widths[i]), copyType, file); err != nil {
			return metadata, err
		}
	}
	return metadata, h.writeFile(ctx, name, mediaType, encoded.file)
}

func (h *Host) writeFile(ctx context.Context, name, media string, file []byte) error {
	return h.bucket.WriteAll(ctx, name, file, &blob.WriterOptions{ContentType: media})
}
