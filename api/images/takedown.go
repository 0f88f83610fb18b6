package images

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"gocloud.dev/gcerrors"

	"secondring/api/rest"
	"secondring/market"
)

// RemovedKind is the kind of the market.Records of pictures that an admin took down. The ID
// is the original's name. They are kept forever. While Due is set, files may remain.
const RemovedKind = "image-removed"

// removedCheck is how long after a removal the files are deleted again: an upload of the
// same picture may have been in progress, and takes less than this.
const removedCheck = 10 * time.Minute

var (
	errAdmin   = rest.NewError(market.CodeForbidden, "Only an admin can remove a photo")
	errRemoved = rest.NewError(market.CodeInvalid, "This photo was removed by an admin and cannot be uploaded again. Please choose another one.")
)

// originalOf returns the name of the original of a picture or a copy. It returns false for
// a name that the host does not use.
func originalOf(name string) (original string, ok bool) {
	switch {
	case originals.MatchString(name):
		return name, true
	case copies.MatchString(name):
		return name[:hashLength] + extension, true
	}
	return "", false
}

// remove handles the call that takes a picture down for good, for admins.
func (h *Host) remove(w http.ResponseWriter, r *http.Request) error {
	reason, err := rest.ReadRemovalReason(w, r)
	if err != nil {
		return err
	}
	name, ok := originalOf(rest.PathValue(r, "name"))
	if !ok {
		return noImage()
	}
	known, err := h.isKnown(r.Context(), name)
	if err != nil {
		return err
	}
	if !known {
		return noImage()
	}
	who, _ := rest.Actor(r.Context())
	if !who.User.Admin {
		return errAdmin
	}
	wasRemoved, err := h.isRemoved(r.Context(), name)
	n := 0
	switch {
	case err == nil && wasRemoved:
		err = h.TakeDown(r.Context(), name) // files may be left
	case err == nil:
		n, err = h.market.RemovePicture(r.Context(), who, name, reason)
	}
	if err == nil {
		rest.JSON(w, http.StatusOK, rest.Deleted{Acknowledged: true, DeletedCount: n})
	}
	return err
}

// Original implements market.Takedowns.
func (h *Host) Original(ctx context.Context, name string) (string, error) {
	original, ok := originalOf(name)
	if !ok {
		return "", market.ErrNotFound
	}
	exists, err := h.bucket.Exists(ctx, original)
	if err == nil && exists {
		exists, err = h.isRemoved(ctx, original)
		exists = !exists
	}
	if err == nil && !exists {
		err = market.ErrNotFound
	}
	return original, err
}

// isKnown returns whether a picture exists or was taken down.
func (h *Host) isKnown(ctx context.Context, name string) (bool, error) {
	if exists, err := h.bucket.Exists(ctx, name); exists || err != nil {
		return exists, err
	}
	return h.isRemoved(ctx, name)
}

// isRemoved returns whether an admin took the picture down.
func (h *Host) isRemoved(ctx context.Context, name string) (bool, error) {
	_, err := h.records.Record(ctx, RemovedKind, name)
	if errors.Is(err, market.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// TakeDown implements market.Takedowns. The record is written first: from then on no file of the picture is
// served, even if a crash leaves files.
func (h *Host) TakeDown(ctx context.Context, name string) error {
	removed := market.Record{Kind: RemovedKind, ID: name, Due: h.clock.Now().Add(removedCheck), Version: 1}
	if err := h.records.AddRecord(ctx, removed, nil); err != nil && !errors.Is(err, market.ErrExists) {
		return err
	}
	return h.deletePicture(ctx, name)
}

// deletePicture deletes a picture's files and makes its record expire.
func (h *Host) deletePicture(ctx context.Context, name string) error {
	_, err := retryOnConflict(func() (entry, error) {
		e, err := h.entry(ctx, name)
		missing := errors.Is(err, market.ErrNotFound)
		if err != nil && !missing {
			return e, err
		}
		if err := h.deleteFiles(ctx, name, e.Widths, func() bool { return true }); err != nil || missing || !e.Expires.IsZero() {
			return e, err
		}
		return e, h.markDeleted(ctx, e)
	})
	return err
}

// errDeletionTimeout is the error of a process that stalled while it deleted files.
var errDeletionTimeout = errors.New("images: deleting took too long")

// deleteFiles deletes the original and its copies of all widths. It stops when it may not continue.
func (h *Host) deleteFiles(ctx context.Context, name string, widths []int, mayContinue func() bool) error {
	files := []string{name}
	for _, width := range slices.Concat(widths, copyWidths) {
		files = append(files, market.CopyURL(name, width))
	}
	for _, file := range files {
		if !mayContinue() {
			return errDeletionTimeout
		}
		if err := h.bucket.Delete(ctx, file); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
			return err
		}
	}
	return nil
}
