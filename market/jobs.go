package market

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// Times of jobs.
const (
	jobLease      = 10 * time.Second    // a node that works renews its claim before
	jobBatch      = 200                 // jobs that are read together
	jobWrites     = 25                  // jobs that are saved at the same time
	deadRetention = 30 * 24 * time.Hour // of jobs that were given up
)

// Outcomes of a job, for metrics.
const (
	jobDone   = "done"
	jobFailed = "failed" // it is tried again
	jobDead   = "dead"   // it is given up
)

// JobOutcomes returns all outcomes of a job.
func JobOutcomes() []string { return []string{jobDone, jobFailed, jobDead} }

// ErrJobIsDead is wrapped in the error of a job that need not be tried again, because it cannot succeed.
var ErrJobIsDead = errors.New("the job cannot succeed")

// JobKind says how the jobs of a kind are done. A job is a Record that is due. A node claims it: it
// moves the record's Due to the end of a lease, which it renews while it works. Then it calls Do or DoAll.
// After an error the job is tried again later, at most Tries times. A job that is done is removed, unless
// it is due again.
type JobKind struct {
	Kind  string        // of the records
	Look  time.Duration // see Work
	Pause time.Duration // see Work
	Tries int           // 0 for any number
	// Keep keeps the records of jobs that are done, until they expire.
	Keep bool
	// Do does one job. Workers is how many are done at the same time.
	Do      func(ctx context.Context, job *Job) error
	Workers int
	// DoAll does several jobs together, instead of Do. It sets the Err of those that failed.
	DoAll func(ctx context.Context, jobs []*Job)
}

// Job is a claimed record. Its function may change Data and Expires. Due belongs to the runner.
type Job struct {
	Record

	Again time.Time // when it is due again; zero for never
	Err   error     // why it failed

	jobs *jobs
	mu   sync.Mutex // guards Record while the claim is renewed
	lost bool
}

// Save stores the record's data before the job is done. It returns ErrConflict or ErrNotFound if
// somebody else has changed the record.
func (j *Job) Save(ctx context.Context) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.save(ctx, j.jobs.clock.Now().Add(jobLease))
}

// save stores the record, which is due at this time.
func (j *Job) save(ctx context.Context, due time.Time) error {
	next := j.Record
	next.Due = due
	next.Version++
	err := j.jobs.store.SaveRecord(ctx, next)
	if err == nil {
		j.Record = next
	}
	j.lost = j.lost || IsTaken(err)
	return err
}

// IsClaimed returns whether no other node can have claimed the job in the meantime.
func (j *Job) IsClaimed() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return !j.lost && j.jobs.clock.Now().Before(j.Due)
}

// jobs runs the jobs of one kind.
type jobs struct {
	JobKind

	store DocumentStore
	clock Clock
	log   *slog.Logger
	count func(kind, outcome string)
}

// AddJobs adds the work of doing all jobs of a kind in a store.
func (r *Runner) AddJobs(store DocumentStore, kind JobKind) { r.Add(r.jobWork(store, kind)) }

func (r *Runner) jobWork(store DocumentStore, kind JobKind) Work {
	r.kinds = append(r.kinds, kind.Kind)
	j := &jobs{JobKind: kind, store: store, clock: r.clock, log: r.log, count: r.count}
	return Work{Name: kind.Kind, Queue: kind.Kind, Look: kind.Look, Pause: kind.Pause, Step: j.step}
}

// step does all jobs that are due.
func (k *jobs) step(ctx context.Context) (next time.Time, err error) {
	for {
		now := k.clock.Now()
		records, err := k.store.RecordsDue(ctx, k.Kind, now.Add(max(k.Look, lookEvery)+lookMargin), jobBatch)
		if err != nil {
			return next, err
		}
		var due []*Job
		for _, record := range records {
			if record.Due.After(now) {
				next = record.Due
				break
			}
			due = append(due, &Job{Record: record, jobs: k})
		}
		if err := k.do(ctx, due); err != nil || ctx.Err() != nil || len(due) < jobBatch {
			return next, err
		}
	}
}

// do claims jobs and does them. It returns the errors of the store.
func (k *jobs) do(ctx context.Context, due []*Job) error {
	if k.DoAll == nil {
		return concurrently(max(k.Workers, 1), due, func(job *Job) error {
			if err := k.claim(ctx, job); err != nil || !job.IsClaimed() {
				return err
			}
			return k.during(ctx, []*Job{job}, func(ctx context.Context) { job.Err = k.Do(ctx, job) })
		})
	}
	err := concurrently(jobWrites, due, func(job *Job) error { return k.claim(ctx, job) })
	claimed := slices.DeleteFunc(due, func(job *Job) bool { return !job.IsClaimed() })
	if len(claimed) == 0 {
		return err
	}
	return errors.Join(err, k.during(ctx, claimed, func(ctx context.Context) { k.DoAll(ctx, claimed) }))
}

// claim claims a job, unless another node is faster.
func (k *jobs) claim(ctx context.Context, job *Job) error {
	if err := job.Save(ctx); err != nil && !job.lost {
		return fmt.Errorf("claim %s %s: %w", k.Kind, job.ID, err)
	}
	return nil
}

// during calls do, and renews the claims of the jobs meanwhile. Then it stores the results. It ends the
// context of do when all claims are lost.
func (k *jobs) during(ctx context.Context, claimed []*Job, do func(ctx context.Context)) error {
	working, stop := context.WithCancel(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() {
		defer stop()
		k.renew(working, claimed)
	})
	do(working)
	stop()
	renewing.Wait()
	return k.finish(ctx, claimed)
}

// renew renews the claims of jobs until the context ends or all are lost.
func (k *jobs) renew(ctx context.Context, claimed []*Job) {
	tick := time.NewTicker(jobLease / 3)
	defer tick.Stop()
	for areClaimed := true; areClaimed; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		areClaimed = false
		for _, job := range claimed {
			if job.IsClaimed() {
				_ = job.Save(ctx) // if the store fails, the claim ends with its lease
			}
			areClaimed = areClaimed || job.IsClaimed()
		}
	}
}

// finish stores the results of jobs. It first saves those that stay, and then removes the others,
// because those that stay may have the content of others.
func (k *jobs) finish(ctx context.Context, all []*Job) error {
	isStopping := ctx.Err() != nil
	ctx = context.WithoutCancel(ctx)
	var done []string
	for _, job := range all {
		if job.Err == nil && job.Again.IsZero() && !k.Keep && !job.lost {
			done = append(done, job.ID)
		}
	}
	err := concurrently(jobWrites, all, func(job *Job) error {
		switch {
		case job.lost:
			return nil
		case job.Err != nil && isStopping: // another node continues at once
			return k.save(ctx, job, k.clock.Now())
		case job.Err != nil:
			return k.fail(ctx, job)
		}
		k.count(k.Kind, jobDone)
		if job.Again.IsZero() && !k.Keep {
			return nil
		}
		job.Tries = 0
		return k.save(ctx, job, job.Again)
	})
	isLost := slices.ContainsFunc(all, func(job *Job) bool { return job.lost })
	if err != nil || isLost || len(done) == 0 { // what is not removed is done once more
		return err
	}
	return k.store.RemoveRecords(ctx, k.Kind, done)
}

// fail stores that a job has failed. It is due again after a pause, or given up.
func (k *jobs) fail(ctx context.Context, job *Job) error {
	job.Tries++
	log := k.log.With("kind", k.Kind, "job", job.ID, "tries", job.Tries, "error", job.Err)
	if errors.Is(job.Err, ErrJobIsDead) || k.Tries > 0 && job.Tries >= k.Tries {
		log.ErrorContext(ctx, "job given up")
		k.count(k.Kind, jobDead)
		if job.Expires.IsZero() {
			job.Expires = k.clock.Now().Add(deadRetention)
		}
		return k.save(ctx, job, time.Time{})
	}
	log.WarnContext(ctx, "job failed and is tried again")
	k.count(k.Kind, jobFailed)
	return k.save(ctx, job, k.clock.Now().Add(RetryPause(job.Tries)))
}

// save stores a job that is not claimed any more, unless somebody else has changed it.
func (k *jobs) save(ctx context.Context, job *Job, due time.Time) error {
	if err := job.save(ctx, due); err != nil && !job.lost {
		return fmt.Errorf("store %s %s: %w", k.Kind, job.ID, err)
	}
	return nil
}

// AddTask adds a task that one node does once in each interval. Its job keeps the Data that the last
// run has stored.
func (r *Runner) AddTask(store DocumentStore, name string, interval time.Duration, do func(ctx context.Context, job *Job) error) {
	task := Record{Kind: TaskKind(name), ID: name, Version: 1}
	w := r.jobWork(store, JobKind{Kind: task.Kind, Look: min(interval, time.Minute), Do: func(ctx context.Context, job *Job) error {
		job.Again = r.clock.Now().Add(interval)
		return do(ctx, job)
	}})
	step := w.Step
	w.Step = func(ctx context.Context) (time.Time, error) {
		if err := scheduleTask(ctx, store, task, r.clock.Now(), interval); err != nil {
			return time.Time{}, err
		}
		return step(ctx)
	}
	r.Add(w)
}

// scheduleTask adds the job of a task the first time. It makes it due now if the clock was set back, or if
// the job is given up.
func scheduleTask(ctx context.Context, store DocumentStore, task Record, now time.Time, interval time.Duration) error {
	task.Due = now
	stored, err := store.Record(ctx, task.Kind, task.ID)
	if errors.Is(err, ErrNotFound) {
		return ignoreTaken(store.AddRecord(ctx, task, nil))
	}
	if err != nil || !stored.Due.IsZero() && !stored.Due.After(now.Add(interval+jobLease)) {
		return err
	}
	stored.Due = now
	stored.Version++
	return ignoreTaken(store.SaveRecord(ctx, stored))
}

// TaskKind returns the kind of the record of a task. The record has the name as its ID.
func TaskKind(name string) string { return "task." + name }

// Pauses between the tries of a job.
const (
	firstRetryPause   = 2 * time.Second // each pause is twice the one before
	longestRetryPause = 15 * time.Minute
)

// RetryPause returns the pause after a number of failed tries, at least 1. It is random
// within a range, so that operations that failed together are not retried together.
func RetryPause(tries int) time.Duration {
	d := min(firstRetryPause<<min(tries-1, 20), longestRetryPause)
	return d/2 + rand.N(d/2)
}
