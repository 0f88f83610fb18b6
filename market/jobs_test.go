package market_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"secondring/market"
	"secondring/market/markettest"
	"secondring/store/sqlite/sqlitetest"
)

const testJob = "test-job"

func (e *env) addJobs(n int) {
	e.t.Helper()
	for i := range n {
		e.must(e.store.AddRecord(e.ctx, market.Record{Kind: testJob, ID: fmt.Sprintf("%03d", i), Due: e.clock.Now(), Version: 1}, nil))
	}
}

// jobEnv counts how often each job was done, and the outcomes.
type jobEnv struct {
	*env
	mu       sync.Mutex
	done     map[string]int
	outcomes map[string]int
}

func newJobEnv(t *testing.T) *jobEnv {
	t.Helper()
	return &jobEnv{env: newEnv(t), done: map[string]int{}, outcomes: map[string]int{}}
}

// node returns the runner of a node that does the jobs with do; nil to count them only.
func (e *jobEnv) node(store market.Store, kind market.JobKind, do func(job *market.Job) error) *market.Runner {
	kind.Kind, kind.Workers = testJob, 4
	kind.Do = func(_ context.Context, job *market.Job) error {
		e.mu.Lock()
		e.done[job.ID]++
		e.mu.Unlock()
		if do == nil {
			return nil
		}
		return do(job)
	}
	r := market.NewRunner(e.clock, discard, func(kind, outcome string) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.outcomes[kind+" "+outcome]++
	})
	r.AddJobs(store, kind)
	return r
}

// wantDone fails the test unless n jobs were done, each as often.
func (e *jobEnv) wantDone(n, often int) {
	e.t.Helper()
	if len(e.done) != n {
		e.t.Errorf("%d jobs were done, want %d", len(e.done), n)
	}
	for id, got := range e.done {
		if got != often {
			e.t.Errorf("the job %s was done %d times, want %d", id, got, often)
		}
	}
}

// record returns a job's record; Version is 0 if there is none.
func (e *jobEnv) record(id string) market.Record {
	e.t.Helper()
	r, err := e.store.Record(e.ctx, testJob, id)
	if !errors.Is(err, market.ErrNotFound) {
		e.must(err)
	}
	return r
}

func TestSeveralNodesDoEachJobOnce(t *testing.T) {
	e := newJobEnv(t)
	e.addJobs(450)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() { e.must(e.node(e.store, market.JobKind{}, nil).Step(e.ctx)) })
	}
	all.Wait()
	e.wantDone(450, 1)
	if left, err := e.store.RecordsOf(e.ctx, testJob, market.Page{Limit: 9}); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
	if e.outcomes[testJob+" done"] != 450 {
		t.Errorf("counted %v", e.outcomes)
	}
}

func TestJobOfKilledNodeIsDoneAfterTheLease(t *testing.T) {
	e := newJobEnv(t)
	e.addJobs(1)
	killed := e.node(crashAfter(e.store, 1), market.JobKind{}, nil) // after the claim
	if err := killed.Step(e.ctx); !errors.Is(err, errCrash) {
		t.Fatalf("the killed node returned %v", err)
	}
	clear(e.done)
	e.clock.Pass(9 * time.Second)
	e.must(e.node(e.store, market.JobKind{}, nil).Step(e.ctx))
	e.wantDone(0, 1)
	e.clock.Pass(2 * time.Second)
	e.must(e.node(e.store, market.JobKind{}, nil).Step(e.ctx))
	e.wantDone(1, 1)
}

// A job that takes longer than the lease is not done by another node meanwhile.
func TestClaimIsRenewedDuringLongJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, err := sqlitetest.Open(t.Context(), filepath.Join(t.TempDir(), "market.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = store.Close() }()
		job := market.Record{Kind: testJob, ID: "long", Due: time.Now(), Version: 1}
		if err := store.AddRecord(t.Context(), job, nil); err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		done := 0
		run := func() error {
			r := market.NewRunner(market.SystemClock{}, discard, nil)
			r.AddJobs(store, market.JobKind{Kind: testJob, Do: func(context.Context, *market.Job) error {
				<-time.After(35 * time.Second)
				mu.Lock()
				defer mu.Unlock()
				done++
				return nil
			}})
			return r.Step(t.Context())
		}
		first := make(chan error)
		go func() { first <- run() }()
		for range 6 {
			<-time.After(5 * time.Second)
			if err := run(); err != nil {
				t.Error(err)
			}
		}
		if err := <-first; err != nil || done != 1 {
			t.Errorf("the job was done %d times, want once; error %v", done, err)
		}
	})
}

// A job that somebody else has changed meanwhile stays as that one has stored it.
func TestJobThatIsRequestedAgainIsKept(t *testing.T) {
	e := newJobEnv(t)
	e.addJobs(1)
	again := e.clock.Now().Add(time.Hour)
	e.must(e.node(e.store, market.JobKind{Keep: true}, func(job *market.Job) error {
		r := e.record(job.ID)
		r.Due, r.Data = again, []byte("newer")
		r.Version++
		return e.store.SaveRecord(e.ctx, r)
	}).Step(e.ctx))
	if r := e.record("000"); !r.Due.Equal(again) || string(r.Data) != "newer" {
		t.Errorf("the job is %+v", r)
	}
}

func TestFailedJobIsTriedAgainAndGivenUp(t *testing.T) {
	for name, c := range map[string]struct {
		tries int
		err   error
		want  int // runs
	}{
		"after its tries":      {4, errors.New("unavailable"), 4},
		"that cannot succeed":  {0, fmt.Errorf("%w: no address", market.ErrJobIsDead), 1},
		"without a limit, not": {0, errors.New("unavailable"), 30},
	} {
		t.Run(name, func(t *testing.T) {
			e := newJobEnv(t)
			e.addJobs(2)
			r := e.node(e.store, market.JobKind{Tries: c.tries}, func(job *market.Job) error {
				if job.ID == "000" {
					return c.err
				}
				return nil
			})
			for range 30 {
				e.must(r.Step(e.ctx))
				e.clock.Pass(15 * time.Minute)
			}
			if e.done["000"] != c.want || e.done["001"] != 1 {
				t.Errorf("the runs are %v, want %d of 000 and one of 001", e.done, c.want)
			}
			isDead := c.want < 30
			if got := e.record("000"); got.Due.IsZero() != isDead || isDead && got.Expires.IsZero() {
				t.Errorf("the failed job is %+v", got)
			}
			if dead := e.outcomes[testJob+" dead"]; (dead == 1) != isDead {
				t.Errorf("counted %v", e.outcomes)
			}
		})
	}
}

// A node that stops gives its jobs to the others at once, and does not count a failure.
func TestStoppingNodeReturnsItsJobs(t *testing.T) {
	e := newJobEnv(t)
	e.addJobs(1)
	ctx, stop := context.WithCancel(e.ctx)
	_ = e.node(e.store, market.JobKind{}, func(*market.Job) error {
		stop()
		return ctx.Err()
	}).Step(ctx)
	if r := e.record("000"); r.Due.After(e.clock.Now()) || r.Tries != 0 {
		t.Errorf("the job is %+v", r)
	}
}

func TestTaskRunsOnOneNodeInEachInterval(t *testing.T) {
	e := newEnv(t)
	runs := 0
	node := func() *market.Runner {
		return markettest.Runner(e.clock, func(r *market.Runner) {
			r.AddTask(e.store, "count", time.Hour, func(_ context.Context, job *market.Job) error {
				runs++
				job.Data = append(job.Data, 'x')
				return nil
			})
		})
	}
	step := func(after time.Duration, want int) {
		t.Helper()
		e.clock.Pass(after)
		for range 3 {
			e.must(node().Step(e.ctx))
		}
		if runs != want {
			t.Fatalf("%d runs, want %d", runs, want)
		}
	}
	step(0, 1)
	step(59*time.Minute, 1)
	step(time.Minute, 2)
	step(-30*24*time.Hour, 3) // the clock was set back
	step(time.Hour, 4)
	task, err := e.store.Record(e.ctx, market.TaskKind("count"), "count")
	e.must(err)
	if string(task.Data) != "xxxx" {
		t.Errorf("the task has the data %q", task.Data)
	}
}
