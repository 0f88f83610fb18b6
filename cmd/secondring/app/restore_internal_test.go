package app

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// A restore that was stopped after any of its steps keeps everybody out until it
// is begun again, and then all is in its place: the backup's market, and the
// whole one of before beside it.
func TestARestoreStoppedAfterAnyStepGoesOn(t *testing.T) {
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
		tools, err := OpenAdmin(t.Context(), s)
		if err == nil {
			err = tools.Close()
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

// tellsOfRestore wants one line in the trail: that the market was restored.
func tellsOfRestore(t *testing.T, s settings.Settings) {
	t.Helper()
	tools, err := OpenAdmin(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	trail, err := tools.store.AuditEntries(t.Context(), market.Page{Limit: 9})
	if err := errors.Join(err, tools.Close()); err != nil {
		t.Fatal(err)
	}
	if len(trail.Items) != 1 || trail.Items[0].Deed != market.DeedRestore || trail.Items[0].Target == "" {
		t.Errorf("the trail is %+v", trail)
	}
}

// halfway restores as far as so many steps, and dies.
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
	tools, err := OpenAdmin(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	_, err = tools.Market.AddBrand(t.Context(), name, "/x.jpg")
	if there := name[0] >= 'a'; (err != nil) != there {
		t.Errorf("brand %s: %v", name, err)
	}
	if err := tools.Close(); err != nil {
		t.Fatal(err)
	}
}
