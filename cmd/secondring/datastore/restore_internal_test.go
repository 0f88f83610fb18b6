package datastore

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// After a restore that stopped at any of its steps no server starts until the restore is
// run again. Then the backup's market is in place, with the old one beside it.
func TestInterruptedRestoreIsResumed(t *testing.T) {
	saved := settings.Settings{DataDir: t.TempDir()}
	brand(t, saved, "Saved")
	file := filepath.Join(t.TempDir(), "market.tar")
	if _, err := Backup(t.Context(), saved, "test", file); err != nil {
		t.Fatal(err)
	}
	steps := len(new(restoring).steps())
	for stopped := range steps {
		s := settings.Settings{DataDir: t.TempDir()}
		brand(t, s, "Before")
		halfway(t, s, file, stopped)
		store, err := Open(t.Context(), s)
		if err == nil {
			err = store.Close()
		}
		if open := stopped == 0; (err == nil) != open {
			t.Errorf("after %d steps: %v", stopped, err)
		}
		done, err := Restore(t.Context(), s, file, stopped == 0)
		if err != nil {
			t.Fatal(err)
		}
		brand(t, s, "Before") // not there
		brand(t, s, "saved")  // there
		tellsOfRestore(t, s)
		aside := filepath.Join(s.DataDir, done.Aside)
		brand(t, settings.Settings{DataDir: aside}, "before")
		if left, err := filepath.Glob(filepath.Join(s.DataDir, "*restor*")); err != nil || len(left) != 1 {
			t.Errorf("after %d steps: %v, %v", stopped, left, err)
		}
	}
}

// tellsOfRestore fails the test unless the audit log has one entry, of the restore.
func tellsOfRestore(t *testing.T, s settings.Settings) {
	t.Helper()
	store, err := Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := store.AuditEntries(t.Context(), market.Page{Limit: 9})
	if err := errors.Join(err, store.Close()); err != nil {
		t.Fatal(err)
	}
	if len(entries.Items) != 1 || entries.Items[0].Action != market.ActionRestore || entries.Items[0].Target == "" {
		t.Errorf("the audit log is %+v", entries)
	}
}

// halfway runs the first steps of a restore and stops.
func halfway(t *testing.T, s settings.Settings, file string, steps int) {
	t.Helper()
	r := restoring{settings: s, db: filepath.Join(s.DataDir, storeFile), images: filepath.Join(s.DataDir, "images")}
	err := r.open(true)
	if err == nil {
		_, err = r.unpack(t.Context(), file)
	}
	if err == nil {
		err = r.renew(t.Context(), market.SystemClock{}.Now())
	}
	for _, step := range r.steps()[:steps] {
		err = errors.Join(err, step())
	}
	for _, lock := range r.locks {
		err = errors.Join(err, lock.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// brand adds a brand; one that begins with a small letter must be there, as it is
// with a capital one, and is refused.
func brand(t *testing.T, s settings.Settings, name string) {
	t.Helper()
	if _, err := os.Stat(s.DataDir); err != nil {
		t.Fatal(err)
	}
	store, err := Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	_, err = market.New(store, market.SystemClock{}, s.Rules, market.NoPayments{}).AddBrand(t.Context(), name, "/x.jpg")
	if there := name[0] >= 'a'; (err != nil) != there {
		t.Errorf("brand %s: %v", name, err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
}
