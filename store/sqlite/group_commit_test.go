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
	"secondring/store/sqlite"
)

// errOwn is what a change fails with for reasons of its own.
var errOwn = errors.New("for reasons of its own")

// set is a change that stores one setting, and its event.
func set(name string) func(func(string) error) error {
	return func(set func(string) error) error { return set(name) }
}

// busy keeps the store writing until release is called; writes during that form one
// group.
func busy(t *testing.T, s *sqlite.Store) (release func()) {
	t.Helper()
	begun, end, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		ended <- s.Write(context.Background(), func(func(string) error) error {
			close(begun)
			<-end
			return nil
		})
	}()
	<-begun
	return func() {
		close(end)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// lineUp starts a change and returns when it waits; its end is in the channel.
func lineUp(ctx context.Context, s *sqlite.Store, do func(func(string) error) error) <-chan error {
	before, ended := s.Waiting(), make(chan error, 1)
	go func() {
		defer func() {
			if cry := recover(); cry != nil {
				ended <- fmt.Errorf("%v: %w", cry, errOwn)
			}
		}()
		ended <- s.Write(ctx, do)
	}()
	for s.Waiting() == before {
		runtime.Gosched()
	}
	return ended
}

// offered are the events that go out next, and what they are of.
func offered(t *testing.T, s *sqlite.Store, most int) (events []market.Event, entities []string) {
	t.Helper()
	events, err := s.PendingEvents(t.Context(), most)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		entities = append(entities, e.Entity)
	}
	return events, entities
}

// stored fails the test unless exactly these settings and their events are stored.
func stored(t *testing.T, s *sqlite.Store, names ...string) {
	t.Helper()
	_, published := offered(t, s, 1000)
	if !slices.Equal(published, names) {
		t.Errorf("events of %v, want %v", published, names)
	}
	for _, name := range append(names, "never") {
		got, err := s.Meta(t.Context(), name)
		if want := slices.Contains(names, name); err != nil || (got == "x") != want {
			t.Errorf("%s is %q (%v), stored: %v", name, got, err, want)
		}
	}
}

func TestFailedWriteDoesNotFailItsGroup(t *testing.T) {
	for name, bad := range map[string]struct {
		do   func(set func(string) error) error
		want error
	}{
		"refused at once":    {func(func(string) error) error { return errOwn }, errOwn},
		"refused by a key":   {set("a"), market.ErrExists},
		"fails half-way":     {func(set func(string) error) error { return errors.Join(set("never"), errOwn) }, errOwn},
		"a key at the end":   {func(set func(string) error) error { return errors.Join(set("never"), set("a")) }, market.ErrExists},
		"panics half-way":    {func(set func(string) error) error { panic(set("never")) }, errOwn},
		"panics with a text": {func(func(string) error) error { panic("at once") }, errOwn},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, file(t))
			release := busy(t, s)
			before := lineUp(t.Context(), s, set("a"))
			between := lineUp(t.Context(), s, bad.do)
			after := lineUp(t.Context(), s, set("b"))
			release()
			if err := errors.Join(<-before, <-after); err != nil {
				t.Errorf("the others: %v", err)
			}
			if err := <-between; !errors.Is(err, bad.want) {
				t.Errorf("the bad one: %v, want %v", err, bad.want)
			}
			stored(t, s, "a", "b")
		})
	}
}

func TestFullDiskFailsTheWholeGroup(t *testing.T) {
	s := open(t, file(t))
	if err := s.Write(t.Context(), set("a")); err != nil {
		t.Fatal(err)
	}
	if err := s.Grow(2); err != nil {
		t.Fatal(err)
	}
	release := busy(t, s)
	big := strings.Repeat("long", 10_000)
	var ends []<-chan error
	for _, name := range []string{"never", big, "c"} {
		ends = append(ends, lineUp(t.Context(), s, set(name)))
	}
	release()
	for _, end := range ends {
		if err := <-end; err == nil {
			t.Error("a change of the group was acknowledged")
		} else if !strings.Contains(err.Error(), "test: ") {
			t.Errorf("it does not say what was being done: %v", err)
		}
	}
	stored(t, s, "a")
	if err := s.Grow(-1); err != nil {
		t.Fatal(err)
	}
	if err := s.Write(t.Context(), set("d")); err != nil {
		t.Errorf("when there is room again: %v", err)
	}
	stored(t, s, "a", "d")
}

func TestCancelledWaitingWriteHasNoEffect(t *testing.T) {
	s := open(t, file(t))
	release := busy(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	first := lineUp(t.Context(), s, set("a"))
	gone := lineUp(ctx, s, set("never"))
	last := lineUp(t.Context(), s, set("b"))
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) { // while the store is still busy
		t.Errorf("it got %v", err)
	}
	release()
	if err := errors.Join(<-first, <-last); err != nil {
		t.Error(err)
	}
	stored(t, s, "a", "b")
}

func TestCancelledRunningWriteReturnsItsResult(t *testing.T) {
	s := open(t, file(t))
	ctx, cancel := context.WithCancel(t.Context())
	err := s.Write(ctx, func(set func(string) error) error {
		cancel()
		return set("a")
	})
	if err != nil {
		t.Errorf("it is stored, and was told %v", err)
	}
	stored(t, s, "a")
}

// Another process locks the file for longer than one caller wants to wait, but not the
// next.
func TestExpiredWriteDoesNotFailItsGroup(t *testing.T) {
	path := file(t)
	s := open(t, path)
	tx := lockedByAnother(t, path)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	hasty, patient := make(chan error), make(chan error)
	go func() { hasty <- s.Write(ctx, set("never")) }()
	go func() { patient <- s.Write(t.Context(), set("a")) }()
	if err := <-hasty; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the hasty one got %v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-patient; err != nil {
		t.Errorf("the patient one got %v", err)
	}
	stored(t, s, "a")
}

func TestCloseFailsWaitingWrites(t *testing.T) {
	s := open(t, file(t))
	release := busy(t, s)
	waiting := lineUp(t.Context(), s, set("never"))
	closed := make(chan error)
	go func() { closed <- s.Close() }()
	if err := <-waiting; err == nil {
		t.Error("a change was acknowledged by a store that closes")
	}
	release()
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

func TestWaitingWritesShareOneTransaction(t *testing.T) {
	s := open(t, file(t))
	var commits atomic.Int64
	if err := s.CountCommits(&commits); err != nil {
		t.Fatal(err)
	}
	release := busy(t, s)
	var ends []<-chan error
	for i := range 50 {
		ends = append(ends, lineUp(t.Context(), s, set(fmt.Sprint(i))))
	}
	release()
	for _, end := range ends {
		if err := <-end; err != nil {
			t.Error(err)
		}
	}
	if n := commits.Load(); n != 2 { // one more is that of busy
		t.Errorf("%d transactions", n)
	}
}
