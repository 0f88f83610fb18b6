package backup_test

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"secondring/cmd/secondring/backup"
)

// FuzzRead takes any file for a backup: nothing is written but into the two
// folders, and what is no whole backup is said to be none.
func FuzzRead(f *testing.F) {
	db := filepath.Join(f.TempDir(), backup.Store)
	if err := os.WriteFile(db, []byte("a store"), 0o600); err != nil {
		f.Fatal(err)
	}
	var whole bytes.Buffer
	if _, err := backup.Write(f.Context(), &whole, backup.Manifest{}, db, nil); err != nil {
		f.Fatal(err)
	}
	f.Add(whole.Bytes())
	f.Add(whole.Bytes()[:whole.Len()/2])
	for _, header := range []tar.Header{
		{Name: "../../escaped", Mode: 0o600, Size: 1},
		{Name: "/etc/escaped", Mode: 0o600, Size: 1},
		{Name: backup.Store, Linkname: "/etc/passwd", Typeflag: tar.TypeSymlink},
		{Name: "images/../../escaped.jpg", Mode: 0o600, Size: 1},
		{Name: "", Mode: 0o600, Size: 1},
	} {
		var odd bytes.Buffer
		w := tar.NewWriter(&odd)
		if err := w.WriteHeader(&header); err != nil {
			f.Fatal(err)
		}
		_, _ = w.Write([]byte("x")[:header.Size])
		_ = w.Close()
		f.Add(odd.Bytes())
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		root := t.TempDir()
		into := backup.Folders{Store: filepath.Join(root, "store"), Pictures: filepath.Join(root, "pictures")}
		for _, folder := range []string{into.Store, into.Pictures} {
			if err := os.Mkdir(folder, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		_, err := backup.Read(t.Context(), bytes.NewReader(file), into)
		there, readErr := os.ReadDir(root)
		if readErr != nil || len(there) != 2 {
			t.Errorf("beside the folders there is %v, %v", there, readErr)
		}
		if _, missing := os.Stat(filepath.Join(into.Store, backup.Store)); err == nil && missing != nil {
			t.Errorf("%d bytes pass for a backup without a store", len(file))
		}
	})
}
