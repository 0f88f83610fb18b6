package images

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"secondring/market"
)

// path is the prefix of all paths of the host.
const path = "/images/"

// Metadata returns the metadata of one of the host's pictures for a phone that is about to
// show it, and keeps the picture from then on. It returns market.ErrNotFound for a picture
// of another site and for those from before there were variants, and market.ErrPictureGone
// for one that was taken down or deleted.
func (h *Host) Metadata(ctx context.Context, url string) (market.Picture, error) {
	name, isLocal := strings.CutPrefix(strings.TrimPrefix(url, h.origin), path)
	original, valid := originalOf(name)
	if !isLocal || !valid {
		return market.Picture{}, market.ErrNotFound
	}
	metadata, err := retryOnConflict(func() (market.Picture, error) { return h.retain(ctx, original) })
	if err == nil && name != original { // the metadata belongs to the original's URL
		return market.Picture{}, market.ErrNotFound
	}
	return metadata, err
}

// retain keeps a picture for a phone that is about to show it, and returns its metadata.
func (h *Host) retain(ctx context.Context, name string) (metadata market.Picture, err error) {
	if removed, err := h.isRemoved(ctx, name); err != nil || removed {
		return metadata, cmp.Or(err, market.ErrPictureGone)
	}
	e, err := h.entry(ctx, name)
	switch {
	case errors.Is(err, market.ErrNotFound): // deleted, or uploaded before there were records
		exists, existsErr := h.bucket.Exists(ctx, name)
		if existsErr == nil && !exists {
			err = market.ErrPictureGone
		}
		return metadata, cmp.Or(existsErr, err)
	case err != nil:
		return metadata, err
	case e.Deleting:
		return metadata, market.ErrPictureGone
	}
	return e.Picture, h.prolong(ctx, e, phoneRetention)
}
