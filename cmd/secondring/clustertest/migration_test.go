package clustertest_test

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/settings"
	"secondring/market"
	"secondring/market/markettest"
)

// A used market is moved. Every list of every user is the same afterwards, and cursors
// and sessions continue.
func TestMigrationKeepsEveryList(t *testing.T) {
	t.Parallel()
	m := newMigration(t)
	clock := markettest.NewClock(time.Now()) // it stands still, so that nothing changes by itself
	old := startAt(t, m.old, clock)
	all := everybody(old)
	today := useMarket(t, old, all)
	before := all.screens(t, today)
	answer, _ := all["buyer"].ask(http.MethodGet, "/categories/"+today.held.Brand, nil)
	position := answer.Header.Get("Live-Position")
	if err := old.stop(); err != nil {
		t.Fatal(err)
	}
	kept := filesOf(t, m.dir)
	if _, err := m.migrate(nil); err != nil {
		t.Fatal(err)
	}
	for name, content := range kept {
		now, err := os.ReadFile(filepath.Join(m.dir, name))
		if err != nil || string(now) != content {
			t.Errorf("the old store's %s has changed (%v)", name, err)
		}
	}

	next := startAt(t, m.next, clock)
	there := all.at(next) // with the cookies and access tokens of before
	sameScreens(t, before, there.screens(t, today))
	sameScreens(t, before, everybody(next).screens(t, today))
	if status := next.signUp(today.gone); status != http.StatusForbidden {
		t.Errorf("a deleted address signs up: %d", status)
	}
	if next.signIn(today.here, "secret-ring").token == "" {
		t.Error("who signed up before cannot sign in")
	}
	there["buyer"].resyncs("brand:"+today.held.Brand, position)

	paid := there["buyer"].pays(today.booking, today.held.Price, today.secret)
	if again := there["buyer"].records(today.booking, today.held.Price, today.secret); again != paid {
		t.Errorf("the payment is recorded as %s, then as %s", paid, again)
	}
	var order struct{ Status string }
	there["buyer"].call(http.MethodGet, "/booking/"+today.booking, nil, &order)
	if order.Status != "paid" {
		t.Errorf("the order is %s", order.Status)
	}
}

// signUp signs up and returns the status.
func (r *running) signUp(email string) int {
	answer, _ := r.visitor().ask(http.MethodPost, "/identity/sign-up",
		map[string]string{"email": email, "password": "secret-ring", "displayName": "New"})
	return answer.StatusCode
}

// resyncs fails the test unless a position of the old server gets a resync.
func (p member) resyncs(topic, position string) {
	p.t.Helper()
	_, at, _ := strings.Cut(position, "=")
	if at == "" {
		p.t.Fatalf("the old server sent no position: %q", position)
	}
	conn, answer, err := p.dial()
	if err != nil {
		p.t.Fatal(err)
	}
	_ = answer.Body.Close()
	defer func() { _ = conn.Close() }()
	s := &socket{t: p.t, conn: conn}
	if err := conn.WriteJSON(map[string]any{"subscribe": map[string]string{topic: at}}); err != nil {
		p.t.Fatal(err)
	}
	s.until("it has to read the list again", func(f frame) bool { return len(f.Resync) == 1 && f.Resync[0] == topic })
}

// A hold begins in the old store and ends in the new one, at its time.
func TestHoldsExpireOnTimeAfterMigration(t *testing.T) {
	t.Parallel()
	m := newMigration(t)
	old := start(t, m.old)
	rafi := member{old.login(buyer), ""}
	one := rafi.advertised()[0]
	booking := rafi.books(one.ID)
	if err := old.stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := m.migrate(nil); err != nil {
		t.Fatal(err)
	}
	clock := markettest.NewClock(time.Now())
	next := startAt(t, m.next, clock)
	status := func() string {
		var order struct{ Status string }
		next.login(buyer).call(http.MethodGet, "/booking/"+booking, nil, &order)
		return order.Status
	}
	clock.Pass(23*time.Hour + 50*time.Minute)
	if got := status(); got != "held" {
		t.Errorf("ten minutes before its end the booking is %s", got)
	}
	clock.Pass(11 * time.Minute)
	eventually(t, "the hold lapses", func() bool { return status() == "expired" })
}

// startAt starts the server at another time.
func startAt(t *testing.T, s settings.Settings, clock market.Clock) *running {
	t.Helper()
	a, err := app.New(t.Context(), s, app.Options{Version: "test", Log: slog.New(slog.DiscardHandler), Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	r := &running{App: a, t: t, stop: sync.OnceValue(func() error { cancel(); return <-done })}
	t.Cleanup(func() {
		if err := r.stop(); err != nil {
			t.Errorf("stopping: %v", err)
		}
	})
	return r
}

// The old server dies before it publishes an event; the new one publishes it with the
// same version.
func TestPendingEventsAreMigrated(t *testing.T) {
	t.Parallel()
	m := newMigration(t)
	tools, err := app.OpenAdmin(t.Context(), m.old)
	if err != nil {
		t.Fatal(err)
	}
	// No server runs, so the events of the command stay in the store.
	if err := tools.Identity.PromoteAdmin(t.Context(), "rafi@example.com", "a new one"); err != nil {
		t.Fatal(err)
	}
	if err := tools.Close(); err != nil {
		t.Fatal(err)
	}
	done, err := m.migrate(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range done.Kinds {
		if kind.Kind == market.KindEvents && kind.Count == 0 {
			t.Error("no event was moved")
		}
	}
	next := start(t, m.next)
	boss := next.login(admin)
	eventually(t, "the events are published", func() bool {
		answer, _ := boss.ask(http.MethodGet, "/users/buyers", nil)
		_, at, _ := strings.Cut(answer.Header.Get("Live-Position"), "=")
		return at != "" && at[len(at)-2:] != ":0"
	})
}

// filesOf reads the files of the old store, without SQLite's shared memory (-shm).
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, pattern := range []string{"secondring.db", "secondring.db-wal", "token-secret", "images/*"} {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files[strings.TrimPrefix(path, dir+"/")] = string(text)
		}
	}
	return files
}
