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

// Reopen opens the store at an address, which is a path or a URI. Several processes may
// have it open.
type Reopen func(ctx context.Context, address string) (market.Store, error)

// writerArgument makes a test binary run as a writer that Crash kills.
const writerArgument = "storetest-writer"

// randomHistories is the number of random histories of each model test. make soak uses rapid's
// default of 100. The flag -rapid.checks replaces it.
const randomHistories = "25"

// Main is the TestMain of an engine's tests. It makes the test binary usable as a process
// that Crash kills, and fails when goroutines are left after the tests.
func Main(m goleak.TestingM, reopen Reopen) {
	if len(os.Args) == 3 && os.Args[1] == writerArgument {
		err := runWriter(reopen, os.Args[2])
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

// Crash kills processes that write to the store at the address, and then tests that every
// acknowledged write is stored, and that no write is stored partially. checkFile checks the
// closed store with the engine's own tools. The package of the test must call Main.
func Crash(t *testing.T, reopen Reopen, address string, checkFile func(t *testing.T)) {
	acknowledged := map[string]int64{}
	for i, round := range []struct{ writers, writes int }{{1, 1}, {1, 60}, {2, 400}, {3, 600}} {
		t.Logf("round %d: %d writers, each killed after %d writes", i, round.writers, round.writes)
		killWriters(t, address, round.writers, round.writes, acknowledged)
		store, err := reopen(t.Context(), address)
		if err != nil {
			t.Fatalf("opening the store after the crash: %v", err)
		}
		s := env{t, store}
		checkAfterCrash(s, acknowledged)
		b, err := store.Brand(t.Context(), crashBrand)
		s.ok(err)
		s.addPhone(b, "after the crash")
		s.ok(store.Close())
		checkFile(t)
	}
}

const (
	crashBrand   = "b"
	crashWorkers = 24 // concurrent goroutines of each writer
)

// runWriter writes until the process is killed, and prints each write that was acknowledged.
func runWriter(reopen Reopen, address string) error {
	ctx := context.Background()
	s, err := reopen(ctx, address)
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
				if err := writeEntities(ctx, s, b, fmt.Sprint("worker", worker)); err != nil {
					failed <- err
				}
			}
		}()
	}
	return <-failed
}

// crashKind is the kind of the writers' records. Each booking has one, with the same id.
const crashKind = "crash"

// writeEntities writes a phone, a booking, its payment and its record, in all their states.
func writeEntities(ctx context.Context, s market.Store, b market.Brand, uid string) error {
	p := phone(b, uid)
	p.ID, p.Advertised = market.NewID(time.Now()), true
	o := booking(uid, p.ID)
	o.ID = market.NewID(time.Now())
	m, r := payment(o.ID), record(crashKind, o.ID)
	m.ID = market.NewID(time.Now())
	entry := market.NewAuditEntry(time.Now().UTC().Truncate(time.Millisecond), nil, market.ActionRemovePhone)
	steps := []struct {
		id      string
		version int64
		write   func(e []market.Effect) error
	}{
		{p.ID, 1, func(e []market.Effect) error { return s.AddProduct(ctx, p, e) }},
		{"", 0, func(e []market.Effect) error { return expectExists(s.AddProduct(ctx, p, e)) }},
		{o.ID, 1, func(e []market.Effect) error { return s.AddBooking(ctx, o, 1<<30, e) }},
		{p.ID, 2, func(e []market.Effect) error { return s.SaveProduct(ctx, held(p, noon), e) }},
		{m.ID, 1, func(e []market.Effect) error { return s.AddPayment(ctx, m, e) }},
		{recordName(r), 1, func(e []market.Effect) error { return s.AddRecord(ctx, r, e) }},
		{m.ID, 2, func(e []market.Effect) error { m.Version = 2; return s.SavePayment(ctx, m, e) }},
		{recordName(r), 2, func([]market.Effect) error { r.Version = 2; return s.SaveRecord(ctx, r) }},
		{p.ID, 3, func(e []market.Effect) error {
			return s.RemoveProduct(ctx, nextVersion(nextVersion(p)), append(e, entry))
		}},
	}
	if time.Now().UnixNano()%2 == 0 {
		steps = steps[:len(steps)-1]
	}
	for _, step := range steps {
		written := event(cmp.Or(step.id, p.ID), max(step.version, 1))
		if err := step.write(effects(written)); err != nil {
			return err
		}
		if step.id == "" {
			continue // the write was refused as expected
		}
		fmt.Printf("%s %d\n", step.id, step.version) // one line, one system call
	}
	return nil
}

// expectExists returns an error unless err is ErrExists.
func expectExists(err error) error {
	if errors.Is(err, market.ErrExists) {
		return nil
	}
	return fmt.Errorf("a phone was added twice: %w", err)
}

// killWriters starts writers, kills each after a number of acknowledged writes, and adds
// these writes to acknowledged.
func killWriters(t *testing.T, address string, writers, writes int, acknowledged map[string]int64) {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			acknowledge := func(id string, version int64) {
				mu.Lock()
				defer mu.Unlock()
				acknowledged[id] = max(acknowledged[id], version)
			}
			if err := killWriter(address, writes, acknowledge); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

func killWriter(address string, writes int, acknowledge func(id string, version int64)) error {
	var stderr strings.Builder
	cmd := exec.Command(os.Args[0], writerArgument, address)
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewReader(stdout)
	for n := 1; ; n++ {
		line, err := lines.ReadString('\n')
		if err != nil {
			break // the process has ended
		}
		var id string
		var version int64
		if _, err := fmt.Sscanf(line, "%s %d\n", &id, &version); err != nil {
			return fmt.Errorf("invalid line %q of the writer: %w", line, err)
		}
		acknowledge(id, version)
		if n == writes {
			if err := cmd.Process.Kill(); err != nil {
				return err
			}
		}
	}
	if err := cmd.Wait(); cmd.ProcessState.Exited() {
		return fmt.Errorf("the writer exited before it was killed (%w): %s", err, stderr.String())
	}
	return nil
}
