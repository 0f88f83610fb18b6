package images

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"secondring/market"
)

// lookEvery is how often pictures are looked for that are to be deleted.
const lookEvery = time.Minute

// AddJobs adds the jobs that delete pictures which nothing shows, and remaining files of those that
// were taken down, and the deletion of the photographs of orders.
func (h *Host) AddJobs(r *market.Runner) {
	r.AddJobs(h.records, market.JobKind{Kind: recordKind, Look: lookEvery, Keep: true, Do: h.deleteIfUnused})
	r.AddJobs(h.records, market.JobKind{Kind: RemovedKind, Look: lookEvery, Keep: true, Do: func(ctx context.Context, removed *market.Job) error {
		return h.deletePicture(ctx, removed.ID)
	}})
	h.market.AddEvidenceDeletion(r, h.deleteEvidenceFile)
}

// deleteIfUnused deletes a picture that nothing shows, or schedules the next check.
func (h *Host) deleteIfUnused(ctx context.Context, job *market.Job) error {
	e, err := entryOf(job.Record)
	if err != nil {
		return fmt.Errorf("%w: %w", market.ErrJobIsDead, err)
	}
	if !e.Deleting {
		shown, err := h.shows(ctx, h.addresses(e))
		if err != nil {
			return err
		}
		if shown {
			job.Again = h.clock.Now().Add(usedCheckInterval)
			return nil
		}
		// From here on nothing may show the picture. If a change has just begun to show it, it
		// has saved the record, and this save fails.
		e.Deleting = true
		if job.Data, err = json.Marshal(e.entryData); err != nil {
			return err
		}
		if err := job.Save(ctx); err != nil {
			return err
		}
	}
	// A process that stalls here must not delete later: another may have finished the
	// deletion, and the picture may have been uploaded again.
	if err := h.deleteFiles(ctx, e.ID, e.Widths, job.IsClaimed); err != nil {
		return err
	}
	h.log.InfoContext(ctx, "unused picture deleted", "picture", e.ID)
	job.Expires = h.clock.Now().Add(recordRetention)
	return nil
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
