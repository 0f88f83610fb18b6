package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"secondring/market"
	"secondring/store"
	"secondring/store/sqlite"
	"secondring/store/sqlite/sqlitetest"
)

// opened is a store with its engine.
type opened struct {
	*store.Store

	engine *sqlite.Engine
}

func open(tb testing.TB, path string) *opened {
	tb.Helper()
	if err := sqlitetest.Make(path); err != nil {
		tb.Fatal(err)
	}
	e, err := sqlite.Open(tb.Context(), path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = e.Close() })
	return &opened{store.New(e), e}
}

// newPath returns a path in a new directory. Neither the file nor its folder exists.
func newPath(t *testing.T) string { return filepath.Join(t.TempDir(), "data", "secondring.db") }

// execSQL changes a file without the store.
func execSQL(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFilesArePrivate(t *testing.T) {
	path := newPath(t)
	e, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	if err := store.New(e).SetMeta(t.Context(), "a", "b"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{
		filepath.Dir(path): 0o700, path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600,
	} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", name, got, want)
		}
	}
}

func TestSecondProcessOpensSameFile(t *testing.T) {
	path := newPath(t)
	first, second := open(t, path), open(t, path)
	if err := first.SetMeta(t.Context(), "kind", "demo"); err != nil {
		t.Fatal(err)
	}
	if got, err := second.Meta(t.Context(), "kind"); err != nil || got != "demo" {
		t.Errorf("the second store reads %q (%v), want demo", got, err)
	}
	if err := second.SetMeta(t.Context(), "kind", "real"); !errors.Is(err, market.ErrExists) {
		t.Errorf("setting it in the second store: %v, want ErrExists", err)
	}
}

func TestOtherFormatIsRefused(t *testing.T) {
	path := newPath(t)
	if err := open(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	execSQL(t, path, `PRAGMA user_version = 999`)
	if _, err := sqlite.Open(t.Context(), path); err == nil {
		t.Fatal("Open accepts a file of another format")
	}
}

func TestFileOfAnotherProgramIsRefused(t *testing.T) {
	for name, change := range map[string]string{
		"tables": `CREATE TABLE other (x)`,
		"id":     `PRAGMA application_id = 7`,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "other.db")
			execSQL(t, path, change)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := sqlite.Open(t.Context(), path); err == nil {
				t.Fatal("Open accepts a file of another program")
			}
			after, err := os.ReadFile(path)
			if err != nil || string(after) != string(before) {
				t.Errorf("Open changed the file of another program (%v)", err)
			}
		})
	}
}

func TestFileThatIsNoDatabaseIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(path, []byte(fmt.Sprintf("%4096s", "notes")), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(t.Context(), path); err == nil {
		t.Fatal("Open accepts a file that is no database")
	}
}

// lockForWriting locks a store's file for writing, as another process does, until the
// transaction ends.
func lockForWriting(t *testing.T, path string) *sql.Tx {
	t.Helper()
	other, err := sql.Open("sqlite", "file:"+path+"?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close() })
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	return tx
}

func TestWriteToLockedFileEndsWithItsContext(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	tx := lockForWriting(t, path)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := s.SetMeta(ctx, "a", "b"); err == nil {
		t.Error("a write succeeds while another process has the lock")
	}
	if _, err := s.Meta(t.Context(), "a"); err != nil {
		t.Errorf("a read during the lock: %v", err)
	}
	written := make(chan error)
	go func() { written <- s.SetMeta(t.Context(), "a", "b") }()
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-written; err != nil {
		t.Errorf("a write after the lock was released: %v", err)
	}
}

// The test checks the settings of connections, because it cannot cut the power.
func TestConnectionsAreDurable(t *testing.T) {
	s := open(t, newPath(t))
	for pragma, want := range map[string][2]string{
		"journal_mode":   {"wal", "wal"},
		"synchronous":    {"2", "2"}, // FULL
		"query_only":     {"0", "1"},
		"application_id": {"844263015", "844263015"}, // "2Rng"
	} {
		if got, err := s.engine.Pragmas(t.Context(), pragma); err != nil || got != want {
			t.Errorf("%s: writer and reader have %v (%v), want %v", pragma, got, err, want)
		}
	}
}

// The whole file is locked, as during recovery.
func TestOpenWaitsForLockedFile(t *testing.T) {
	path := newPath(t)
	if err := open(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	locker, err := sql.Open("sqlite", "file:"+path+"?_pragma=locking_mode(EXCLUSIVE)")
	if err != nil {
		t.Fatal(err)
	}
	defer locker.Close()
	if _, err := locker.Exec(`INSERT INTO settings (id, version, body) VALUES ('locked', 1, '')`); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := sqlite.Open(ctx, path); err == nil {
		t.Fatal("Open accepts a locked file")
	}
	opened := make(chan error)
	go func() {
		s, err := sqlite.Open(t.Context(), path)
		if err == nil {
			err = s.Close()
		}
		opened <- err
	}()
	if err := locker.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-opened; err != nil {
		t.Errorf("Open after the lock was released: %v", err)
	}
}

func TestConcurrentOpenOfNewFile(t *testing.T) {
	path := newPath(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			s, err := sqlite.Open(t.Context(), path)
			if err == nil {
				err = errors.Join(store.New(s).SetMeta(t.Context(), fmt.Sprint(i), "x"), s.Close())
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
