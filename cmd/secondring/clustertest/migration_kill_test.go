package clustertest_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"secondring/api/images"
	"secondring/cmd/secondring/datastore"
	"secondring/cmd/secondring/move"
	"secondring/cmd/secondring/nodetest"
	"secondring/market"
	"secondring/store/mongo"
	"secondring/store/sqlite"
)

// With these environment variables the test binary acts as `secondring migrate`.
const (
	migrateFrom = "SECONDRING_TEST_MIGRATE_FROM"
	migrateTo   = "SECONDRING_TEST_MIGRATE_TO"
	// The process waits for SIGKILL before it exits, because a busy machine may deliver the
	// signal late.
	migrateAndWait = "SECONDRING_TEST_MIGRATE_AND_WAIT"
)

// runMigration runs the migration in this process and prints one line for each step.
func runMigration(dir, uri string) error {
	s, err := readMigration(dir, uri)
	if err != nil {
		return err
	}
	_, err = datastore.Migrate(context.Background(), s, func(s move.Step) {
		fmt.Printf("%s %s: %d of %d\n", s.Phase, s.Kind, s.Done, s.Total)
		if os.Getenv(migrateAndWait) != "" && s.Phase == move.Verifying && isCopiedLast(s.Kind) {
			<-time.After(time.Hour)
		}
	})
	return err
}

// The migration is killed with SIGKILL at random moments. After half of the kills the old
// server runs and its market changes. At the end the stores are equal, which is compared
// without the migration's own checksums.
func TestKilledMigrationIsResumed(t *testing.T) {
	t.Parallel()
	kills := nodetest.KillCount(t, 6)
	m := newMigration(t)
	m.addEntities(t, 400)
	killed := map[string]int{}
	for n, step := range randomSteps(kills) {
		if n == kills/2 {
			m.changeOldMarket(t)
		}
		lastStep, died := m.killAt(t, step)
		if !died {
			t.Fatalf("the migration was not killed at %q", step)
		}
		killed[lastStep]++
		wantSettingError(t, "a node on an incomplete store", "MONGODB_URI", startError(t, m.next))
	}
	t.Logf("killed while %v", killed)
	if len(killed) < kills/2 {
		t.Errorf("the migration was killed at %d different steps, want at least half of the kills", len(killed))
	}
	if _, err := m.migrate(nil); err != nil {
		t.Fatal(err)
	}
	m.compareStores(t)
	startNode(t, m.next).login(buyer).advertised()
}

// randomSteps returns n different steps at which the migration is killed, in random order.
func randomSteps(n int) []string {
	var all []string
	for _, phase := range []move.Phase{move.Pruning, move.Copying, move.Verifying} {
		for _, kind := range append(market.Kinds(), move.Images) {
			// The market has no reports.
			if kind != market.KindReports && (phase != move.Verifying || !isCopiedLast(kind)) {
				all = append(all, fmt.Sprintf("%s %s", phase, kind))
			}
		}
	}
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:n]
}

// isCopiedLast tells whether a kind is among the last that are copied.
func isCopiedLast(kind market.Kind) bool {
	return kind == market.KindSettings || kind == market.KindEvents
}

// killAt kills a migration shortly after it reaches a step, and returns the step at
// which it was killed. The first migration is killed while it copies.
func (m *migration) killAt(t *testing.T, step string) (lastStep string, died bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), migrateFrom+"="+m.dir, migrateTo+"="+m.uri, migrateAndWait+"=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	copyStep := strings.Replace(step, string(move.Pruning), string(move.Copying), 1)
	var timer *time.Timer
	for lines := bufio.NewScanner(out); lines.Scan(); {
		lastStep, _, _ = strings.Cut(lines.Text(), ":")
		if timer == nil && (lastStep == step || lastStep == copyStep) {
			timer = time.AfterFunc(rand.N(40*time.Millisecond), func() { _ = cmd.Process.Signal(syscall.SIGKILL) })
		}
	}
	_ = cmd.Wait() // the exit code tells whether it was killed
	return lastStep, cmd.ProcessState.ExitCode() == -1
}

// addEntities adds n entities of most kinds to the old store.
func (m *migration) addEntities(t *testing.T, n int) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(m.dir, "secondring.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	at := time.Now().UTC().Truncate(time.Millisecond)
	var failed []error
	for i := range n {
		id := market.NewID(at)
		failed = append(failed,
			s.AddRecord(t.Context(), market.Record{Kind: "stripe.event", ID: "evt_" + id, Data: []byte(id), Version: 1, Expires: at.Add(time.Hour)}, nil),
			s.AddBooking(t.Context(), market.Booking{
				ID: id, BuyerUID: fmt.Sprint("buyer", i%7), ProductID: "gone", Status: market.BookingHeld, Version: 1,
				Due: at.Add(24 * time.Hour), HoldUntil: at.Add(24 * time.Hour), CreatedAt: at,
			}, 1000, []market.Event{{Topic: "me:x", Type: market.TypeBookingChanged, At: at, Entity: id, Version: 1, Data: []byte(`{}`)}}),
			s.AddSession(t.Context(), market.Session{ID: id, UID: "u", CreatedAt: at, ExpiresAt: at.Add(time.Hour)}),
			s.AddWatching(t.Context(), market.Watching{ID: id, UID: "uid" + id, Phones: []market.Watch{{ID: id, ProductID: "gone", At: at}}, Version: 1, CreatedAt: at}, nil),
			s.AddNotification(t.Context(), market.Notification{ID: id, UID: "uid" + id, Cause: id, At: at, Version: 1}, nil),
			s.AddPayment(t.Context(), market.Payment{ID: id, Transaction: "pi_" + id, Version: 1, CreatedAt: at}, nil),
		)
	}
	if err := errors.Join(failed...); err != nil {
		t.Fatal(err)
	}
	for range n / 10 {
		name := strings.Repeat(market.NewID(at), 3)[:64] + ".jpg"
		if err := os.WriteFile(filepath.Join(m.dir, "images", name), []byte(strings.Repeat(name, 5000)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// changeOldMarket runs the old server. Entities that were already copied are changed,
// deleted and added, and unique keys pass to other entities.
func (m *migration) changeOldMarket(t *testing.T) {
	t.Helper()
	old := startNode(t, m.old)
	rafi := old.login(buyer)
	for i, one := range rafi.advertised()[:6] {
		if booking := rafi.book(one.ID); i%2 == 0 {
			rafi.call("DELETE", "/bookings/"+booking, nil, nil)
		}
	}
	if err := old.stop(); err != nil {
		t.Fatal(err)
	}
	m.addEntities(t, 20) // with new events, because the server has published the old ones
}

// compareStores compares all entities and images of both stores.
func (m *migration) compareStores(t *testing.T) {
	t.Helper()
	from, err := sqlite.OpenReadOnly(t.Context(), filepath.Join(m.dir, "secondring.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = from.Close() }()
	to, err := mongo.Open(t.Context(), m.uri)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = to.Close() }()
	for _, kind := range market.Kinds() {
		want, got := allEntities(t, kind, from.Each), allEntities(t, kind, to.Each)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || len(want) == 0 && kind != market.KindReports {
			t.Errorf("%d %s in the old store, %d in the new one (-old +new)\n%.2000s", len(want), kind, len(got), diff)
		}
	}
	old, err := images.OpenFolder(filepath.Join(m.dir, "images"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = old.Close() }()
	pictures, err := filepath.Glob(filepath.Join(m.dir, "images", "*.jpg"))
	if err != nil || len(pictures) < 40 {
		t.Fatal(len(pictures), err)
	}
	for _, path := range pictures {
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := to.Images().ReadAll(t.Context(), filepath.Base(path))
		if err != nil || string(got) != string(want) {
			t.Errorf("image %s has %d bytes, want the %d of the old store (%v)", filepath.Base(path), len(got), len(want), err)
		}
	}
	if n := m.orphanChunks(t, to); n > 0 {
		t.Errorf("%d chunks belong to no image, want 0", n)
	}
}

// allEntities returns all entities of a kind in JSON, without the fields that the new
// store adds for the migration.
func allEntities(t *testing.T, kind market.Kind,
	each func(context.Context, market.Kind, func([]market.Item) error) error,
) []market.Item {
	t.Helper()
	var all []market.Item
	err := each(t.Context(), kind, func(some []market.Item) error {
		for _, item := range some {
			if s, ok := item.(market.Setting); !ok || !strings.HasPrefix(s.Name, "migrate.") {
				all = append(all, item)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(all, func(a, b market.Item) int { return strings.Compare(sortKey(a), sortKey(b)) })
	return all
}

func sortKey(item market.Item) string {
	switch v := item.(type) {
	case market.Record:
		return v.Kind + " " + v.ID
	case market.Event:
		return fmt.Sprintf("%020d", v.Seq)
	case market.Account:
		return v.UID
	default:
		return fmt.Sprintf("%+v", v)
	}
}
