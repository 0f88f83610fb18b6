package images

import (
	"context"
	"errors"
	"time"

	"secondring/market"
)

const (
	janitorEvery = time.Minute
	janitorBatch = 100
)

// Run deletes pictures that nothing shows, and remaining files of those that were taken
// down, until the context ends. Any number of nodes may run it at once.
func (h *Host) Run(ctx context.Context) {
	tick := time.NewTicker(janitorEvery)
	defer tick.Stop()
	var failures market.FailureLog
	for {
		if err := h.Step(ctx); ctx.Err() == nil {
			failures.Record(ctx, h.log, "deleting unused pictures", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Step does everything that is due, once.
func (h *Host) Step(ctx context.Context) error {
	return errors.Join(h.eachDue(ctx, recordKind, h.deleteIfUnused), h.eachDue(ctx, RemovedKind, h.finishTakedown))
}

// eachDue calls do for the due records of a kind. An error for one record does not stop the
// others of its batch.
func (h *Host) eachDue(ctx context.Context, kind string, do func(context.Context, market.Record) error) error {
	for {
		due, err := h.records.RecordsDue(ctx, kind, h.clock.Now(), janitorBatch)
		if err != nil {
			return err
		}
		var errs []error
		for _, record := range due {
			if err := do(ctx, record); !errors.Is(err, errConflict) {
				errs = append(errs, err)
			}
		}
		if err := errors.Join(errs...); err != nil || len(due) < janitorBatch {
			return err
		}
	}
}

// deleteIfUnused deletes a picture that nothing shows, or schedules the next check.
func (h *Host) deleteIfUnused(ctx context.Context, record market.Record) error {
	e, err := entryOf(record)
	if err != nil {
		return err
	}
	shown := false
	if !e.Deleting {
		if shown, err = h.shows(ctx, h.addresses(e)); err != nil {
			return err
		}
	}
	now := h.clock.Now()
	if shown {
		e.Due = now.Add(usedCheckInterval)
		_, err := h.save(ctx, e)
		return err
	}
	// From here on nothing may show the picture. If a change has just begun to show it, it
	// has saved the record, and this save fails.
	e.Deleting, e.Due = true, now.Add(deletionLease)
	if e, err = h.save(ctx, e); err != nil {
		return err
	}
	// A process that stalls here must not delete later: another may have finished the
	// deletion, and the picture may have been uploaded again.
	if err := h.deleteFiles(ctx, e.ID, e.Widths, now.Add(deletionLease/2)); err != nil {
		return err
	}
	h.log.InfoContext(ctx, "unused picture deleted", "picture", e.ID)
	return h.markDeleted(ctx, e)
}

// addresses returns all URLs at which a picture may be shown.
func (h *Host) addresses(e entry) (all []string) {
	for _, origin := range []string{"", h.origin} {
		url := origin + path + e.ID
		all = append(all, url)
		for _, width := range e.Widths {
			all = append(all, market.CopyURL(url, width))
		}
	}
	return all
}

// finishTakedown deletes the remaining files of a picture that was taken down.
func (h *Host) finishTakedown(ctx context.Context, removed market.Record) error {
	if err := h.deletePicture(ctx, removed.ID); err != nil {
		return err
	}
	removed.Due = time.Time{}
	removed.Version++
	err := h.records.SaveRecord(ctx, removed)
	if errors.Is(err, market.ErrConflict) { // another node was faster
		return nil
	}
	return err
}
