package clustertest_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"secondring/cmd/secondring/datastore"
	"secondring/cmd/secondring/nodetest"
	"secondring/cmd/secondring/settings"
	"secondring/market/markettest"
)

// After a used market was exported and imported into the other engine every list of every user is the
// same, and sessions, tokens and payments continue. It comes back into a folder in the same way. A
// server without snapshots, such as FerretDB, is exported only while no node runs.
func TestMoveThereAndBack(t *testing.T) {
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
	m.move()
	for name, content := range files {
		current, err := os.ReadFile(filepath.Join(m.dir, name))
		if err != nil || string(current) != content {
			t.Errorf("the export changed %s of the old store (%v)", name, err)
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
		t.Error("a user who signed up before the export cannot sign in")
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

	before = moved.lists(t, data)
	_, err := datastore.Export(t.Context(), m.newSettings(), "test", filepath.Join(t.TempDir(), "market.tar"), noProgress)
	if err != nil || os.Getenv("MONGODB_URI") == "" { // the server of MONGODB_URI may have snapshots
		wantError(t, err, "stop all nodes")
	}
	if err := newNode.stop(); err != nil {
		t.Fatal(err)
	}
	folder := map[string]string{"DATA_DIR": t.TempDir(), "DEMO": "1"}
	if _, err := datastore.Import(t.Context(), transferSettings(t, folder), m.export(m.newSettings()), noProgress); err != nil {
		t.Fatal(err)
	}
	compareLists(t, before, signInAll(startNodeWithClock(t, nodetest.Settings(t, folder), clock)).lists(t, data))
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

// An import needs an empty store. After an interruption the store is refused until it is emptied.
func TestImportRefusals(t *testing.T) {
	t.Parallel()
	m := newMigration(t)
	file := m.export(m.oldSettings())
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	into := func(s settings.Settings, file string) error {
		_, err := datastore.Import(t.Context(), s, file, noProgress)
		return err
	}
	wantError(t, into(m.oldSettings(), file), "holds a market already")
	for _, c := range []struct {
		name, want string
		content    []byte
		isBegun    bool
	}{
		{"another file", "is no export", []byte("anything"), false},
		{"cut off in the documents", "was cut off", whole[:len(whole)/3/512*512], false},
		{"cut off after an entry", "was cut off", whole[:len(whole)-1024], false},
		{"changed", "is damaged", bytes.Replace(whole, []byte(`Samsung`), []byte(`Samsunk`), 1), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			changed := filepath.Join(t.TempDir(), "changed.tar")
			if err := os.WriteFile(changed, c.content, 0o600); err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			target := transferSettings(t, map[string]string{"DATA_DIR": dir})
			wantError(t, into(target, changed), c.want)
			if !c.isBegun {
				if err := into(target, file); err != nil {
					t.Errorf("nothing was imported, but the store is not empty: %v", err)
				}
				return
			}
			wantError(t, into(target, file), "was interrupted")
			wantError(t, startError(t, nodetest.Settings(t, map[string]string{"DATA_DIR": dir, "DEMO": "1"})), "was interrupted")
		})
	}
}

func wantError(t *testing.T, err error, part string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), part) {
		t.Errorf("got error %v, want one with %q", err, part)
	}
}
