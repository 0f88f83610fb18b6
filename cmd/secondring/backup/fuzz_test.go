package backup_test

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"secondring/cmd/secondring/backup"
)

// FuzzRead reads any file as a backup. Read must write only to the two folders, and must
// return an error if the backup is incomplete.
func FuzzRead(f *testing.F) {
	db := filepath.Join(f.TempDir(), backup.Store)
	if err := os.WriteFile(db, []byte("a store"), 0o600); err != nil {
		f.Fatal(err)
	}
	var complete bytes.Buffer
	if _, err := backup.Write(f.Context(), &complete, backup.Manifest{}, db, nil); err != nil {
		f.Fatal(err)
	}
	f.Add(complete.Bytes())
	f.Add(complete.Bytes()[:complete.Len()/2])
	for _, header := range []tar.Header{
		{Name: "../../escaped", Mode: 0o600, Size: 1},
		{Name: "/etc/escaped", Mode: 0o600, Size: 1},
		{Name: backup.Store, Linkname: "/etc/passwd", Typeflag: tar.TypeSymlink},
		{Name: "images/../../escaped.jpg", Mode: 0o600, Size: 1},
		{Name: "", Mode: 0o600, Size: 1},
	} {
		var malformed bytes.Buffer
		w := tar.NewWriter(&malformed)
		if err := w.WriteHeader(&header); err != nil {
			f.Fatal(err)
		}
		_, _ = w.Write([]byte("x")[:header.Size])
		_ = w.Close()
		f.Add(malformed.Bytes())
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		root := t.TempDir()
		folders := backup.Folders{Store: filepath.Join(root, "store"), Pictures: filepath.Join(root, "pictures")}
		for _, folder := range []string{folders.Store, folders.Pictures} {
			if err := os.Mkdir(folder, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		_, err := backup.Read(t.Context(), bytes.NewReader(file), folders)
		entries, readErr := os.ReadDir(root)
		if readErr != nil || len(entries) != 2 {
			t.Errorf("the directory has %v, %v; want only the two folders", entries, readErr)
		}
		if _, missing := os.Stat(filepath.Join(folders.Store, backup.Store)); err == nil && missing != nil {
			t.Errorf("Read accepts %d bytes without a store", len(file))
		}
	})
}
