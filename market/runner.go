package market

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

// Times of the runner.
const (
	lookEvery  = 5 * time.Second        // finds what other nodes have stored
	lookMargin = time.Second            // how much further a look reads than to the next look
	retryEvery = time.Second            // after a step that failed
	shortPause = 100 * time.Millisecond // between two steps, so that one step does what is due soon after one another
)

// Work is one kind of background work.
type Work struct {
	Name string // for logs
	// Queue is the queue of the store whose writes on this node wake the work; "" for none.
	Queue string
	// Ahead is how long before the time that is stored in the queue the work begins.
	Ahead time.Duration
	// Look is the longest time between two steps; zero for lookEvery.
	Look time.Duration
	// Pause is the least time between two steps.
	Pause time.Duration
	// Step does all that is due, and returns when more is due as far as it knows; zero if it knows
	// of nothing. An error of one item does not stop the others.
	Step func(ctx context.Context) (next time.Time, err error)
}

// Runner runs the background work of a node, each work as soon as something of it is due. One runs on
// every node. There are two kinds of work:
//
//   - A transition is one compare-and-set, such as the end of a hold (see DueItems). Every node tries it,
//     and one succeeds. So it happens in time also if a node was killed.
//   - A job calls another system or takes long, such as an email (see JobKind). One node claims it for
//     some seconds. If that node is killed, another continues after them.
//
// Between two steps a work sleeps until the earliest time that it knows. It knows the times that this
// node stores, because the runner is a hook of the store, and what it has seen in the last step. What
// other nodes store it finds at the next look.
type Runner struct {
	clock Clock
	log   *slog.Logger
	count func(kind, outcome string)
	loops []*loop
	kinds []string // of jobs
}

// NewRunner returns a runner without work. count counts the outcomes of jobs by their kind; nil for
// nothing.
func NewRunner(clock Clock, log *slog.Logger, count func(kind, outcome string)) *Runner {
	if count == nil {
		count = func(string, string) {}
	}
	return &Runner{clock: clock, log: log, count: count}
}

// Add adds work. Call it before Run and before the store is used.
func (r *Runner) Add(work ...Work) {
	for _, w := range work {
		if w.Look == 0 {
			w.Look = lookEvery
		}
		r.loops = append(r.loops, &loop{Work: w, clock: r.clock, log: r.log, wake: make(chan struct{}, 1)})
	}
}

// JobKinds returns the kinds of the jobs that were added.
func (r *Runner) JobKinds() []string { return r.kinds }

// Run works until the context ends.
func (r *Runner) Run(ctx context.Context) {
	var all sync.WaitGroup
	for _, l := range r.loops {
		all.Go(func() { l.run(ctx) })
	}
	all.Wait()
}

// Step does all that is due once, in the order of Add.
func (r *Runner) Step(ctx context.Context) error {
	var errs []error
	for _, l := range r.loops {
		_, err := l.Step(ctx)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// StoreHook wakes the work of each queue in which a write of this node is due. It is a hook of the store.
func (r *Runner) StoreHook(_ context.Context, call StoreCall, do func() error) error {
	err := do()
	for _, due := range call.Due { // also after an error: the write may have been made
		for _, l := range r.loops {
			if l.Queue == due.Queue {
				l.plan(due.At.Add(-l.Ahead))
			}
		}
	}
	return err
}

// Wake makes all work look at once, because another process has written to the store.
func (r *Runner) Wake() {
	for _, l := range r.loops {
		l.plan(time.Time{})
	}
}

// loop runs one work.
type loop struct {
	Work

	clock Clock
	log   *slog.Logger
	wake  chan struct{} // receives a value when next becomes earlier

	mu   sync.Mutex
	next time.Time // of the next step
}

// plan makes the next step happen at this time, unless it happens earlier. It never blocks.
func (l *loop) plan(at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !at.Before(l.next) {
		return
	}
	l.next = at
	select {
	case l.wake <- struct{}{}:
	default: // the loop reads next anyway
	}
}

func (l *loop) run(ctx context.Context) {
	var failures FailureLog
	for ctx.Err() == nil {
		began := time.Now()
		l.mu.Lock()
		l.next = l.clock.Now().Add(l.Look) // before the step: plans during the step are kept
		l.mu.Unlock()
		next, err := l.Step(ctx)
		if ctx.Err() != nil {
			return
		}
		failures.Record(ctx, l.log, l.Name, err)
		if err != nil {
			l.plan(l.clock.Now().Add(retryEvery))
		}
		if !next.IsZero() {
			l.plan(next)
		}
		l.sleep(ctx, began.Add(l.Pause))
	}
}

// sleep returns at the time of the next step, but not before the pause has ended, or with the
// context.
func (l *loop) sleep(ctx context.Context, pauseEnd time.Time) {
	for {
		l.mu.Lock()
		wait := max(l.next.Sub(l.clock.Now()), time.Until(pauseEnd))
		l.mu.Unlock()
		if wait <= 0 {
			return
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C: // also if the clock was set back meanwhile
			return
		case <-l.wake:
			timer.Stop()
		}
	}
}

// dueBatch is how many items one read of a queue returns at most.
const dueBatch = 200

// DueItems is a queue whose items need no claim.
type DueItems[T any] struct {
	Clock   Clock
	Read    func(ctx context.Context, until time.Time, limit int) ([]T, error) // the oldest first
	ID      func(T) string
	Due     func(T) time.Time
	Workers int // items that are done at the same time
	Do      func(context.Context, T) error
}

// DueRecords is the queue of the records of a kind. do changes when a record is due, or removes it.
func DueRecords(clock Clock, records DocumentStore, kind string, workers int, do func(context.Context, Record) error) DueItems[Record] {
	return DueItems[Record]{
		Clock: clock, ID: func(r Record) string { return r.ID }, Due: func(r Record) time.Time { return r.Due }, Workers: workers, Do: do,
		Read: func(ctx context.Context, until time.Time, limit int) ([]Record, error) {
			return records.RecordsDue(ctx, kind, until, limit)
		},
	}
}

// Step does all that is due, and returns when the next item is due; see Work.Step.
func (q DueItems[T]) Step(ctx context.Context) (next time.Time, err error) {
	failed := map[string]error{} // which stay due, and are skipped
	for {
		now := q.Clock.Now()
		limit := dueBatch + len(failed)
		items, err := q.Read(ctx, now.Add(lookEvery+lookMargin), limit)
		if err != nil {
			return next, err
		}
		var due []T
		for _, item := range items {
			if at := q.Due(item); at.After(now) {
				next = at
				break
			}
			if failed[q.ID(item)] == nil {
				due = append(due, item)
			}
		}
		var mu sync.Mutex
		_ = concurrently(q.Workers, due, func(item T) error {
			if err := q.Do(ctx, item); err != nil {
				mu.Lock()
				defer mu.Unlock()
				failed[q.ID(item)] = err
			}
			return nil
		})
		if len(due) == 0 || len(items) < limit {
			return next, errors.Join(slices.Collect(maps.Values(failed))...)
		}
	}
}

// remindEvery is how often an operation that still fails is logged again.
const remindEvery = time.Minute

// FailureLog logs the failures of an operation that is retried all the time: the first
// one, then one each minute, and the first success after them. The zero value is ready.
// It is not safe for concurrent use.
type FailureLog struct{ since, logged time.Time }

// Record logs the result of a try if that is due. operation is its name in the log.
func (l *FailureLog) Record(ctx context.Context, log *slog.Logger, operation string, err error) {
	now := time.Now()
	switch {
	case err != nil && l.since.IsZero():
		l.since, l.logged = now, now
		log.ErrorContext(ctx, "operation failed and will be retried", "what", operation, "error", err)
	case err != nil && now.Sub(l.logged) >= remindEvery:
		l.logged = now
		log.ErrorContext(ctx, "operation still fails", "what", operation, "for", now.Sub(l.since), "error", err)
	case err == nil && !l.since.IsZero():
		log.InfoContext(ctx, "operation works again", "what", operation, "after", now.Sub(l.since))
		*l = FailureLog{}
	}
}
