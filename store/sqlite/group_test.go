package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"secondring/market"
)

// errWrite is the error of a write that fails by itself.
var errWrite = errors.New("write failed")

// setMeta returns a write that stores a setting and its event.
func setMeta(name string) func(func(string) error) error {
	return func(set func(string) error) error { return set(name) }
}

// blockWrites runs a write that ends when release is called. Writes that are queued meanwhile
// form one group.
func blockWrites(t *testing.T, s *opened) (release func()) {
	t.Helper()
	started, finish, result := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		result <- s.engine.WriteSettings(context.Background(), func(func(string) error) error {
			close(started)
			<-finish
			return nil
		})
	}()
	<-started
	return func() {
		close(finish)
		if err := <-result; err != nil {
			t.Error(err)
		}
	}
}

// enqueue starts a write and returns when it is queued. The channel receives its result.
func enqueue(ctx context.Context, s *opened, do func(func(string) error) error) <-chan error {
	before, result := s.engine.QueuedWrites(), make(chan error, 1)
	go func() {
		result <- s.engine.WriteSettings(ctx, do)
	}()
	for s.engine.QueuedWrites() == before {
		runtime.Gosched()
	}
	return result
}

// pendingEvents returns pending events up to a limit, and their entities.
func pendingEvents(t *testing.T, s *opened, limit int) (events []market.Event, entities []string) {
	t.Helper()
	events, err := s.PendingEvents(t.Context(), limit)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		entities = append(entities, e.Entity)
	}
	return events, entities
}

// wantStored fails the test unless exactly these settings and their events are stored.
func wantStored(t *testing.T, s *opened, names ...string) {
	t.Helper()
	_, pending := pendingEvents(t, s, 1000)
	if !slices.Equal(pending, names) {
		t.Errorf("the pending events are of %v, want %v", pending, names)
	}
	for _, name := range append(names, "never") {
		got, err := s.Meta(t.Context(), name)
		if want := slices.Contains(names, name); err != nil || (got == "x") != want {
			t.Errorf("setting %s is %q (%v), want it stored: %v", name, got, err, want)
		}
	}
}

func TestFailedWriteDoesNotFailItsGroup(t *testing.T) {
	for name, tc := range map[string]struct {
		do   func(set func(string) error) error
		want error
	}{
		"fails immediately":               {func(func(string) error) error { return errWrite }, errWrite},
		"duplicate key":                   {setMeta("a"), market.ErrExists},
		"fails after a statement":         {func(set func(string) error) error { return errors.Join(set("never"), errWrite) }, errWrite},
		"duplicate key after a statement": {func(set func(string) error) error { return errors.Join(set("never"), set("a")) }, market.ErrExists},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, newPath(t))
			release := blockWrites(t, s)
			first := enqueue(t.Context(), s, setMeta("a"))
			failing := enqueue(t.Context(), s, tc.do)
			last := enqueue(t.Context(), s, setMeta("b"))
			release()
			if err := errors.Join(<-first, <-last); err != nil {
				t.Errorf("the other writes of the group: %v", err)
			}
			if err := <-failing; !errors.Is(err, tc.want) {
				t.Errorf("the failing write returns %v, want %v", err, tc.want)
			}
			wantStored(t, s, "a", "b")
		})
	}
}

func TestFullDiskFailsTheWholeGroup(t *testing.T) {
	s := open(t, newPath(t))
	if err := s.engine.WriteSettings(t.Context(), setMeta("a")); err != nil {
		t.Fatal(err)
	}
	if err := s.engine.LimitGrowth(2); err != nil {
		t.Fatal(err)
	}
	release := blockWrites(t, s)
	long := strings.Repeat("long", 10_000)
	var results []<-chan error
	for _, name := range []string{"never", long, "c"} {
		results = append(results, enqueue(t.Context(), s, setMeta(name)))
	}
	release()
	for _, result := range results {
		if err := <-result; err == nil {
			t.Error("a write of the group was acknowledged on a full disk")
		}
	}
	wantStored(t, s, "a")
	if err := s.engine.LimitGrowth(-1); err != nil {
		t.Fatal(err)
	}
	if err := s.engine.WriteSettings(t.Context(), setMeta("d")); err != nil {
		t.Errorf("a write after space was freed: %v", err)
	}
	wantStored(t, s, "a", "d")
}

func TestCancelledWaitingWriteHasNoEffect(t *testing.T) {
	s := open(t, newPath(t))
	release := blockWrites(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	first := enqueue(t.Context(), s, setMeta("a"))
	cancelled := enqueue(ctx, s, setMeta("never"))
	last := enqueue(t.Context(), s, setMeta("b"))
	cancel()
	if err := <-cancelled; !errors.Is(err, context.Canceled) { // before release
		t.Errorf("the cancelled write returns %v", err)
	}
	release()
	if err := errors.Join(<-first, <-last); err != nil {
		t.Error(err)
	}
	wantStored(t, s, "a", "b")
}

func TestCancelledRunningWriteReturnsItsResult(t *testing.T) {
	s := open(t, newPath(t))
	ctx, cancel := context.WithCancel(t.Context())
	err := s.engine.WriteSettings(ctx, func(set func(string) error) error {
		cancel()
		return set("a")
	})
	if err != nil {
		t.Errorf("the write is stored, but returns %v", err)
	}
	wantStored(t, s, "a")
}

// Another process locks the file for longer than the deadline of one of two writes.
func TestExpiredWriteDoesNotFailItsGroup(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	tx := lockForWriting(t, path)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	short, long := make(chan error), make(chan error)
	go func() { short <- s.engine.WriteSettings(ctx, setMeta("never")) }()
	go func() { long <- s.engine.WriteSettings(t.Context(), setMeta("a")) }()
	if err := <-short; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the write with a deadline returns %v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-long; err != nil {
		t.Errorf("the write without a deadline returns %v", err)
	}
	wantStored(t, s, "a")
}

func TestCloseFinishesQueuedWrites(t *testing.T) {
	s := open(t, newPath(t))
	release := blockWrites(t, s)
	queued := enqueue(t.Context(), s, setMeta("a"))
	closed := make(chan error)
	go func() { closed <- s.Close() }()
	release()
	if err := errors.Join(<-queued, <-closed); err != nil {
		t.Error(err)
	}
}

func TestQueuedWritesShareOneTransaction(t *testing.T) {
	s := open(t, newPath(t))
	var commits atomic.Int64
	if err := s.engine.CountCommits(&commits); err != nil {
		t.Fatal(err)
	}
	release := blockWrites(t, s)
	var results []<-chan error
	for i := range 50 {
		results = append(results, enqueue(t.Context(), s, setMeta(fmt.Sprint(i))))
	}
	release()
	for _, result := range results {
		if err := <-result; err != nil {
			t.Error(err)
		}
	}
	if n := commits.Load(); n != 2 { // the other is that of blockWrites
		t.Errorf("the store committed %d transactions, want 2", n)
	}
}
