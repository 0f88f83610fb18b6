package images

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"gocloud.dev/blob"

	"secondring/market"
)

// recordKind is of the records that keep what is known of each picture.
const recordKind = "image"

// path is under which the host serves, and what all of its URLs begin with.
const path = "/images/"

// About returns what is known of one of the host's pictures; market.ErrNotFound
// for any other, and for those kept before there were copies;
// market.ErrPictureGone for one that was taken down.
func (h *Host) About(ctx context.Context, url string) (market.Picture, error) {
	name := strings.TrimPrefix(url, path)
	original, ours := originalOf(name)
	if !ours || name == url {
		return market.Picture{}, market.ErrNotFound
	}
	removed, err := h.isRemoved(ctx, original)
	switch {
	case err != nil:
		return market.Picture{}, err
	case removed:
		return market.Picture{}, market.ErrPictureGone
	case name != original: // what is known is of the original's address
		return market.Picture{}, market.ErrNotFound
	}
	return h.known(ctx, name)
}

func (h *Host) known(ctx context.Context, name string) (about market.Picture, err error) {
	record, err := h.records.Record(ctx, recordKind, name)
	if err != nil {
		return about, err
	}
	if err := json.Unmarshal(record.Data, &about); err != nil {
		return about, fmt.Errorf("what is known of image %s: %w", name, err)
	}
	return about, nil
}

// note remembers it. What comes of the same pixels is the same, so somebody who
// was faster has noted no less.
func (h *Host) note(ctx context.Context, name string, about market.Picture) error {
	data, err := json.Marshal(about)
	if err != nil {
		return err
	}
	err = h.records.AddRecord(ctx, market.Record{Kind: recordKind, ID: name, Data: data, Version: 1}, nil)
	if errors.Is(err, market.ErrExists) {
		return nil
	}
	return err
}

// keepAllowed keeps a picture unless an admin has taken it down, or does so
// meanwhile.
func (h *Host) keepAllowed(ctx context.Context, name string, made remade) (about market.Picture, err error) {
	if removed, err := h.isRemoved(ctx, name); err != nil || removed {
		return about, cmp.Or(err, errRemoved)
	}
	if about, err = h.keep(ctx, name, made); err != nil {
		return about, err
	}
	removed, err := h.isRemoved(ctx, name)
	if err != nil || !removed {
		return about, err
	}
	return about, cmp.Or(h.forget(ctx, name), errRemoved)
}

// keep stores a picture with its copies. The record comes last: it says that
// they are all there.
func (h *Host) keep(ctx context.Context, name string, made remade) (market.Picture, error) {
	if about, err := h.kept(ctx, name); !errors.Is(err, market.ErrNotFound) {
		return about, err
	}
	about, files, err := MakeCopies(ctx, made.picture, CopyQuality)
	if err != nil {
		return about, err
	}
	for i, file := range files {
		if err := h.store(ctx, market.CopyURL(name, about.Widths[i]), copyType, file); err != nil {
			return about, err
		}
	}
	if err := h.store(ctx, name, mediaType, made.file); err != nil {
		return about, err
	}
	return about, h.note(ctx, name, about)
}

// kept is what is known of a picture that is here with all its copies;
// market.ErrNotFound where something is missing.
func (h *Host) kept(ctx context.Context, name string) (market.Picture, error) {
	there, err := h.bucket.Exists(ctx, name)
	if err == nil && !there {
		err = market.ErrNotFound
	}
	if err != nil {
		return market.Picture{}, err
	}
	return h.known(ctx, name)
}

func (h *Host) store(ctx context.Context, name, media string, file []byte) error {
	return h.bucket.WriteAll(ctx, name, file, &blob.WriterOptions{ContentType: media})
}
