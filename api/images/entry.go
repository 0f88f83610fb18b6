package images

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"secondring/market"
)

// recordKind is the kind of the records with each picture's metadata. Their ID is the
// picture's name.
//
// A record is checked when it is due: a day after the upload, and then once a week while
// something shows the picture. If nothing shows it, the record is first marked as being
// deleted; then the files are deleted; then the record is no longer due, and is purged a
// day later. A change that shows the picture, and a new upload of it, save the record too,
// so that either they or the deletion succeed. A record that was never due is from an
// earlier version, and its picture is kept for good.
const recordKind = "image"

// How long pictures are kept.
const (
	unusedRetention   = 24 * time.Hour     // after the upload, if nothing shows it
	usedCheckInterval = 7 * 24 * time.Hour // interval between checks of a picture that is shown
	uploadRetention   = 23 * time.Hour     // at least, after a repeated upload
	// phoneRetention is how long a picture is kept at least after a request named it for a phone.
	// That is longer than such a request lasts and than the clocks of nodes differ.
	phoneRetention  = time.Hour
	recordRetention = 24 * time.Hour // how long the record is kept after the files were deleted
)

// errConflict is returned if another process has changed the record.
var errConflict = errors.New("images: another process has changed the record")

// entry is a picture's record. Its Version is 0 if there is none.
type entry struct {
	market.Record
	entryData
}

// entryData is the record's Data.
type entryData struct {
	market.Picture
	Deleting bool `json:"deleting,omitempty"` // being deleted; deleted if Due is not set
}

// entry reads a picture's record. It returns market.ErrNotFound and an empty entry if there
// is none.
func (h *Host) entry(ctx context.Context, name string) (entry, error) {
	record, err := h.records.Record(ctx, recordKind, name)
	if err != nil {
		return entry{Record: market.Record{Kind: recordKind, ID: name}}, err
	}
	return entryOf(record)
}

func entryOf(record market.Record) (entry, error) {
	e := entry{Record: record}
	if err := json.Unmarshal(record.Data, &e.entryData); err != nil {
		return e, fmt.Errorf("read the metadata of image %s: %w", record.ID, err)
	}
	return e, nil
}

// save stores the entry's next version and returns it. It returns errConflict if the stored
// version is another.
func (h *Host) save(ctx context.Context, e entry) (entry, error) {
	data, err := json.Marshal(e.entryData)
	if err != nil {
		return e, err
	}
	e.Data = data
	e.Version++
	if e.Version == 1 {
		err = h.records.AddRecord(ctx, e.Record, nil)
	} else {
		err = h.records.SaveRecord(ctx, e.Record)
	}
	if market.IsTaken(err) {
		return e, errConflict
	}
	return e, err
}

// prolong keeps the picture for at least this time.
func (h *Host) prolong(ctx context.Context, e entry, atLeast time.Duration) error {
	now := h.clock.Now()
	if e.Due.IsZero() || e.Due.After(now.Add(atLeast)) {
		return nil
	}
	e.Due = now.Add(unusedRetention)
	_, err := h.save(ctx, e)
	return err
}

// markDeleted stores that a picture's files are deleted, and makes the record expire.
func (h *Host) markDeleted(ctx context.Context, e entry) error {
	e.Deleting, e.Due, e.Expires = true, time.Time{}, h.clock.Now().Add(recordRetention)
	_, err := h.save(ctx, e)
	return err
}

// retryOnConflict calls do until it does not return errConflict.
func retryOnConflict[T any](do func() (T, error)) (T, error) {
	for {
		if v, err := do(); !errors.Is(err, errConflict) {
			return v, err
		}
	}
}
