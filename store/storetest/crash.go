package storetest

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"secondring/market"
)

// Reopen opens the data at where, the engine's own kind of address. Several processes may
// have it open.
type Reopen func(ctx context.Context, where string) (market.Store, error)

// childArgument tells a test binary to be a process that Crash kills.
const childArgument = "storetest-child"

// randomHistories is how many random histories each model test makes; make soak makes
// rapid's usual 100. The flag -rapid.checks replaces it.
const randomHistories = "25"

// Main is the TestMain of an engine's tests. It makes the test binary usable as a process
// that Crash kills, and fails when goroutines are left after the tests.
func Main(m goleak.TestingM, reopen Reopen) {
	if len(os.Args) == 3 && os.Args[1] == childArgument {
		err := child(reopen, os.Args[2])
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if os.Getenv("SOAK") == "" {
		if err := flag.Set("rapid.checks", randomHistories); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(m)
}

// Crash kills processes in the middle of their writes to the data at where, and checks
// what is left: every acknowledged write, and no partial one. Sound checks the closed data
// by the engine's own means. Needs Main.
func Crash(t *testing.T, reopen Reopen, where string, sound func(t *testing.T)) {
	acknowledged := map[string]int64{}
	for round, kill := range []struct{ children, after int }{{1, 1}, {1, 60}, {2, 400}, {3, 600}} {
		t.Logf("round %d: %d writers, killed after %d writes", round, kill.children, kill.after)
		crash(t, where, kill.children, kill.after, acknowledged)
		store, err := reopen(t.Context(), where)
		if err != nil {
			t.Fatalf("opening again: %v", err)
		}
		s := env{t, store}
		left(s, acknowledged)
		b, err := store.Brand(t.Context(), crashBrand)
		s.ok(err)
		s.listed(b, "after the crash")
		s.ok(store.Close())
		sound(t)
	}
}

const (
	crashBrand   = "b"
	crashWorkers = 24 // so that many writes are under way at once
)

// child writes until it is killed, and reports each write that returned.
func child(reopen Reopen, where string) error {
	ctx := context.Background()
	s, err := reopen(ctx, where)
	if err != nil {
		return err
	}
	b := market.Brand{ID: crashBrand, Name: "Nokia", Version: 1}
	if err := s.AddBrand(ctx, b); err != nil && !errors.Is(err, market.ErrExists) {
		return err
	}
	failed := make(chan error)
	for worker := range crashWorkers {
		go func() {
			for {
				if err := lives(ctx, s, b, fmt.Sprint("worker", worker)); err != nil {
					failed <- err
				}
			}
		}()
	}
	return <-failed
}

// crashKind is the kind of the records of the writers, one for each booking under its
// id.
const crashKind = "crash"

// lives writes a phone, a booking, its payment and its record, in all their states.
func lives(ctx context.Context, s market.Store, b market.Brand, who string) error {
	p := phone(b, who)
	p.ID, p.Advertised = market.NewID(time.Now()), true
	o := booking(who, p.ID)
	o.ID = market.NewID(time.Now())
	m, r := payment(o.ID), record(crashKind, o.ID)
	m.ID = market.NewID(time.Now())
	entry := market.NewAuditEntry(time.Now().UTC().Truncate(time.Millisecond), nil, market.ActionRemovePhone)
	steps := []struct {
		id      string
		version int64
		write   func(e []market.Event) error
	}{
		{p.ID, 1, func(e []market.Event) error { return s.AddProduct(ctx, p, e) }},
		{"", 0, func(e []market.Event) error { return mustExist(s.AddProduct(ctx, p, e)) }},
		{o.ID, 1, func(e []market.Event) error { return s.AddBooking(ctx, o, 1<<30, e) }},
		{p.ID, 2, func(e []market.Event) error { return s.SaveProduct(ctx, held(p, noon), e) }},
		{m.ID, 1, func(e []market.Event) error { return s.AddPayment(ctx, m, e) }},
		{recordName(r), 1, func(e []market.Event) error { return s.AddRecord(ctx, r, e) }},
		{m.ID, 2, func(e []market.Event) error { m.Version = 2; return s.SavePayment(ctx, m, e) }},
		{recordName(r), 2, func([]market.Event) error { r.Version = 2; return s.SaveRecord(ctx, r) }},
		{p.ID, 3, func(e []market.Event) error { return s.RemoveProduct(ctx, raised(raised(p)), append(e, entry.Event())) }},
	}
	if time.Now().UnixNano()%2 == 0 {
		steps = steps[:len(steps)-1]
	}
	for _, step := range steps {
		written := event(cmp.Or(step.id, p.ID), max(step.version, 1))
		if err := step.write(events(written)); err != nil {
			return err
		}
		if step.id == "" {
			continue // refused, as it should be: there is nothing to say of it
		}
		fmt.Printf("%s %d\n", step.id, step.version) // one line, one system call
	}
	return nil
}

// mustExist returns an error unless err is ErrExists.
func mustExist(err error) error {
	if errors.Is(err, market.ErrExists) {
		return nil
	}
	return fmt.Errorf("a phone was added twice: %w", err)
}

// crash starts writers and kills each after so many writes.
func crash(t *testing.T, where string, children, after int, acknowledged map[string]int64) {
	t.Helper()
	var mu sync.Mutex
	var all sync.WaitGroup
	for range children {
		all.Go(func() {
			note := func(id string, version int64) {
				mu.Lock()
				defer mu.Unlock()
				acknowledged[id] = max(acknowledged[id], version)
			}
			if err := killAfter(where, after, note); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

func killAfter(where string, after int, note func(id string, version int64)) error {
	var complaint strings.Builder
	cmd := exec.Command(os.Args[0], childArgument, where)
	cmd.Stderr = &complaint
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	said := bufio.NewReader(out)
	for n := 1; ; n++ {
		line, err := said.ReadString('\n')
		if err != nil {
			break // the end: what it said before it died is in note
		}
		var id string
		var version int64
		if _, err := fmt.Sscanf(line, "%s %d\n", &id, &version); err != nil {
			return fmt.Errorf("the writer said %q: %w", line, err)
		}
		note(id, version)
		if n == after {
			if err := cmd.Process.Kill(); err != nil {
				return err
			}
		}
	}
	if err := cmd.Wait(); cmd.ProcessState.Exited() {
		return fmt.Errorf("the writer gave up (%w): %s", err, complaint.String())
	}
	return nil
}
