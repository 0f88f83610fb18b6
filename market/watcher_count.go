package market

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// How many people watch a phone is a part of the phone, for its seller, as its waitlist is. But what a
// person watches is another entity. So the write that changes it stores a job for each phone that has
// a watcher more or less, and the job counts the watchers. A job that runs twice, or beside another of
// the same phone, changes nothing.

const (
	watcherCountKind    = "watcher-count" // of the records of the jobs
	watcherCountPause   = 500 * time.Millisecond
	watcherCountWorkers = 10
)

// recount returns the jobs that count the watchers of the phones that only one of two lists has.
func recount(before, after Watching, at time.Time) []Effect {
	var effects []Effect
	for _, lists := range [][2]Watching{{before, after}, {after, before}} {
		for _, id := range lists[0].ProductIDs() {
			if !lists[1].watches(id) {
				effects = append(effects, Record{Kind: watcherCountKind, ID: NewID(at), Data: encode(id), Due: at, Version: 1})
			}
		}
	}
	return effects
}

// AddWatcherCounts adds the jobs that count the watchers of phones.
func (m *Market) AddWatcherCounts(r *Runner) {
	r.AddJobs(m.store, JobKind{
		Kind: watcherCountKind, Pause: watcherCountPause, Workers: watcherCountWorkers,
		Do: func(ctx context.Context, job *Job) error {
			var id string
			if err := json.Unmarshal(job.Data, &id); err != nil {
				return errors.Join(ErrJobIsDead, err)
			}
			return ignoreNotFound(m.countWatchers(ctx, id))
		},
	})
}

// countWatchers stores how many people watch a phone. Only its seller gets an event, because nobody
// else sees the number. The watchers are counted after the phone was read: so of two calls the one
// that counted first gets a conflict, and counts again.
func (m *Market) countWatchers(ctx context.Context, id string) error {
	for {
		p, err := m.store.Product(ctx, id)
		if err != nil {
			return err
		}
		n, err := m.store.CountWatchers(ctx, id)
		if err != nil || n == p.Watchers {
			return err
		}
		p.Watchers = n
		p.Version++
		err = m.store.SaveProduct(ctx, p, []Effect{m.sellerEvent(TypeProductChanged, p, m.clock.Now())})
		if !errors.Is(err, ErrConflict) {
			return err
		}
	}
}
