package datastore

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// After a restore that stopped after any of its steps no server starts until the restore is
// run again. Then the store is that of the backup, and the old one is in a folder beside it.
func TestInterruptedRestoreIsResumed(t *testing.T) {
	backedUp := settings.Settings{DataDir: t.TempDir()}
	addBrand(t, backedUp, "Saved")
	file := filepath.Join(t.TempDir(), "market.tar")
	if _, err := Backup(t.Context(), backedUp, "test", file); err != nil {
		t.Fatal(err)
	}
	steps := len(new(restorer).steps())
	for completed := range steps {
		s := settings.Settings{DataDir: t.TempDir()}
		addBrand(t, s, "Before")
		runSteps(t, s, file, completed)
		store, err := Open(t.Context(), s)
		if err == nil {
			err = store.Close()
		}
		if opens := completed == 0; (err == nil) != opens {
			t.Errorf("after %d steps Open returned %v, want success: %v", completed, err, opens)
		}
		done, err := Restore(t.Context(), s, file, completed == 0)
		if err != nil {
			t.Fatal(err)
		}
		wantBrand(t, s, "Saved", "Before")
		checkAuditLog(t, s)
		wantBrand(t, settings.Settings{DataDir: filepath.Join(s.DataDir, done.Aside)}, "Before", "Saved")
		if left, err := filepath.Glob(filepath.Join(s.DataDir, "*restor*")); err != nil || len(left) != 1 {
			t.Errorf("after %d steps DATA_DIR has %v, %v; want only the old store", completed, left, err)
		}
	}
}

// checkAuditLog fails the test unless the audit log has one entry, of the restore.
func checkAuditLog(t *testing.T, s settings.Settings) {
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
		t.Errorf("the audit log is %+v, want one entry of the restore", entries)
	}
}

// SQLite keeps the write-ahead log if it could not write the log into the file. The log has the
// end of the sessions, and would not be moved with the file.
func TestRestoreRefusesStoreWithWriteAheadLog(t *testing.T) {
	backedUp, s := settings.Settings{DataDir: t.TempDir()}, settings.Settings{DataDir: t.TempDir()}
	addBrand(t, backedUp, "Saved")
	addBrand(t, s, "Before")
	file := filepath.Join(t.TempDir(), "market.tar")
	if _, err := Backup(t.Context(), backedUp, "test", file); err != nil {
		t.Fatal(err)
	}
	r := prepareRestore(t, s, file)
	if err := os.WriteFile(r.staged()+"-wal", []byte("log"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.install(); err == nil {
		t.Error("the store is installed without its write-ahead log")
	}
	if err := r.close(); err != nil {
		t.Fatal(err)
	}
	wantBrand(t, s, "Before", "Saved")
}

// prepareRestore runs a restore until its backup can be installed.
func prepareRestore(t *testing.T, s settings.Settings, file string) *restorer {
	t.Helper()
	r := &restorer{settings: s, db: filepath.Join(s.DataDir, storeFile), images: filepath.Join(s.DataDir, "images")}
	err := r.open(true)
	if err == nil {
		_, err = r.unpack(t.Context(), file)
	}
	if err == nil {
		err = r.supersede(t.Context(), market.SystemClock{}.Now())
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// runSteps runs the first steps of a restore and stops.
func runSteps(t *testing.T, s settings.Settings, file string, steps int) {
	t.Helper()
	r := prepareRestore(t, s, file)
	var err error
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

func addBrand(t *testing.T, s settings.Settings, name string) {
	t.Helper()
	store, err := Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	_, err = market.New(store, market.SystemClock{}, s.Rules, market.NoPayments{}).AddBrand(t.Context(), name, "/x.jpg")
	if err := errors.Join(err, store.Close()); err != nil {
		t.Fatal(err)
	}
}

// wantBrand fails the test unless the store exists and has the one brand but not the other.
func wantBrand(t *testing.T, s settings.Settings, present, absent string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(s.DataDir, storeFile)); err != nil {
		t.Fatal(err)
	}
	store, err := Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	brands, err := store.Brands(t.Context(), market.Page{Limit: 100})
	if err := errors.Join(err, store.Close()); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, b := range brands.Items {
		names[b.Name] = true
	}
	if !names[present] || names[absent] {
		t.Errorf("the brands are %v, want %s and not %s", names, present, absent)
	}
}
