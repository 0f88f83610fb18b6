package datastore_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"secondring/cmd/secondring/datastore"
	"secondring/cmd/secondring/settings"
)

// A path that cannot be followed is not a file that exists. The errors say the cause.
func TestUnusablePaths(t *testing.T) {
	folder := t.TempDir()
	file, loop := filepath.Join(folder, "file"), filepath.Join(folder, "loop")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(loop, loop); err != nil {
		t.Fatal(err)
	}
	market := settings.Settings{DataDir: folder}
	for name, c := range map[string]struct {
		use  func() error
		want string
	}{
		"backup": {func() error {
			_, err := datastore.Backup(t.Context(), market, "test", filepath.Join(file, "b.tar"))
			return err
		}, "b.tar cannot be created (lstat"},
		"backup over one": {func() error { _, err := datastore.Backup(t.Context(), market, "test", file); return err }, "file exists already: name another file"},
		"export": {func() error {
			_, err := datastore.Export(t.Context(), market, "test", filepath.Join(file, "e.tar"), nil)
			return err
		}, "e.tar cannot be created (lstat"},
		"export over one":  {func() error { _, err := datastore.Export(t.Context(), market, "test", file, nil); return err }, "file exists already: name another file"},
		"DATA_DIR, a loop": {func() error { _, err := datastore.Open(t.Context(), settings.Settings{DataDir: loop}); return err }, "DATA_DIR cannot be used (stat"},
	} {
		err := c.use()
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "(mkdir") {
			t.Errorf("%s: got %v, want an error with %q", name, err, c.want)
		}
	}
}
