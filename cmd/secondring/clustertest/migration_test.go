package clustertest_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"secondring/cmd/secondring/app"
	"secondring/market"
	"secondring/market/markettest"
)

// After the migration of a used market every list of every user is the same, and sessions,
// tokens and payments continue.
func TestMigrationKeepsEveryList(t *testing.T) {
	t.Parallel()
	m := newMigration(t)
	clock := markettest.NewClock(time.Now()) // stopped, so that nothing changes by itself
	oldNode := startNodeWithClock(t, m.old, clock)
	all := signInAll(oldNode)
	data := useMarket(t, oldNode, all)
	before := all.lists(t, data)
	answer, _ := all["buyer"].send(http.MethodGet, "/categories/"+data.held.Brand, nil)
	position := answer.Header.Get("Live-Position")
	if err := oldNode.stop(); err != nil {
		t.Fatal(err)
	}
	files := readFiles(t, m.dir)
	if _, err := m.migrate(nil); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		current, err := os.ReadFile(filepath.Join(m.dir, name))
		if err != nil || string(current) != content {
			t.Errorf("the migration changed %s of the old store (%v)", name, err)
		}
	}

	newNode := startNodeWithClock(t, m.next, clock)
	moved := all.at(newNode) // with the same cookies and access tokens
	compareLists(t, before, moved.lists(t, data))
	compareLists(t, before, signInAll(newNode).lists(t, data))
	if status := newNode.signUp(data.deletedEmail); status != http.StatusForbidden {
		t.Errorf("signing up with the address of a deleted user: %d, want 403", status)
	}
	if newNode.signIn(data.keptEmail, "secret-ring").token == "" {
		t.Error("a user who signed up before the migration cannot sign in")
	}
	moved["buyer"].expectResync("brand:"+data.held.Brand, position)

	first := moved["buyer"].pay(data.booking, data.held.Price, data.secret)
	if second := moved["buyer"].recordPayment(data.booking, data.held.Price, data.secret); second != first {
		t.Errorf("the payment has the id %s, and when recorded again %s", first, second)
	}
	var order struct{ Status string }
	moved["buyer"].call(http.MethodGet, "/booking/"+data.booking, nil, &order)
	if order.Status != "paid" {
		t.Errorf("the order is %s, want paid", order.Status)
	}
}

// signUp signs up a user and returns the status.
func (n *appNode) signUp(email string) int {
	answer, _ := n.visitor().send(http.MethodPost, "/identity/sign-up",
		map[string]string{"email": email, "password": "secret-ring", "displayName": "New"})
	return answer.StatusCode
}

// expectResync fails the test unless a position of the old server gets a resync.
func (u user) expectResync(topic, position string) {
	u.t.Helper()
	_, at, _ := strings.Cut(position, "=")
	if at == "" {
		u.t.Fatalf("the old server sent the position %q, want topic=position", position)
	}
	conn, answer, err := u.dial()
	if err != nil {
		u.t.Fatal(err)
	}
	_ = answer.Body.Close()
	defer func() { _ = conn.Close() }()
	s := &socket{t: u.t, conn: conn}
	if err := conn.WriteJSON(map[string]any{"subscribe": map[string]string{topic: at}}); err != nil {
		u.t.Fatal(err)
	}
	s.readUntil("the topic is resynced", func(f frame) bool { return len(f.Resync) == 1 && f.Resync[0] == topic })
}

// A hold that began before the migration expires at its time.
func TestHoldsExpireOnTimeAfterMigration(t *testing.T) {
	t.Parallel()
	m := newMigration(t)
	old := startNode(t, m.old)
	rafi := user{old.login(buyer), ""}
	phone := rafi.advertised()[0]
	booking := rafi.book(phone.ID)
	if err := old.stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := m.migrate(nil); err != nil {
		t.Fatal(err)
	}
	clock := markettest.NewClock(time.Now())
	next := startNodeWithClock(t, m.next, clock)
	status := func() string {
		var order struct{ Status string }
		next.login(buyer).call(http.MethodGet, "/booking/"+booking, nil, &order)
		return order.Status
	}
	clock.Pass(23*time.Hour + 50*time.Minute)
	if got := status(); got != "held" {
		t.Errorf("ten minutes before its end the booking is %s, want held", got)
	}
	clock.Pass(11 * time.Minute)
	eventually(t, "the hold expires", func() bool { return status() == "expired" })
}

// The new server publishes events that the old one has not published.
func TestPendingEventsAreMigrated(t *testing.T) {
	t.Parallel()
	m := newMigration(t)
	tools, err := app.OpenAdmin(t.Context(), m.old)
	if err != nil {
		t.Fatal(err)
	}
	// No server runs, so the events of the command remain unpublished.
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
			t.Error("no event was migrated")
		}
	}
	next := startNode(t, m.next)
	adminBrowser := next.login(admin)
	eventually(t, "the events are published", func() bool {
		answer, _ := adminBrowser.send(http.MethodGet, "/users/buyers", nil)
		_, at, _ := strings.Cut(answer.Header.Get("Live-Position"), "=")
		return at != "" && at[len(at)-2:] != ":0"
	})
}

// readFiles reads the files of the old store, without SQLite's shared memory (-shm).
func readFiles(t *testing.T, dir string) map[string]string {
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
