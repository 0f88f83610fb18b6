package backup_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"secondring/api/images"
	"secondring/cmd/secondring/backup"
)

// deletingWriter deletes a file when it gets the name of another file, which is about to be
// written to the backup.
type deletingWriter struct {
	*bytes.Buffer
	trigger string // the name
	file    string
}

// Write implements io.Writer.
func (d deletingWriter) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(d.trigger)) {
		if err := os.Remove(d.file); err != nil && !os.IsNotExist(err) {
			return 0, err
		}
	}
	return d.Buffer.Write(p)
}

// A picture that is deleted during a backup is not in the backup. The backup is complete
// otherwise.
func TestPictureDeletedDuringBackup(t *testing.T) {
	dir := t.TempDir()
	pictures := filepath.Join(dir, "images")
	bucket, err := images.OpenFolder(pictures)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = bucket.Close() }()
	var names []string
	for _, digit := range []string{"0", "1", "2"} {
		name := strings.Repeat(digit, 64) + ".jpg"
		if err := bucket.WriteAll(t.Context(), name, []byte(digit), nil); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	db := filepath.Join(dir, "store.db")
	if err := os.WriteFile(db, []byte("store"), 0o600); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w := deletingWriter{&file, names[0], filepath.Join(pictures, names[1])}
	m, err := backup.Write(t.Context(), w, backup.Manifest{}, db, bucket)
	if err != nil || m.Images != 2 {
		t.Fatalf("Write returned %d images and %v, want 2", m.Images, err)
	}
	folders := backup.Folders{Store: t.TempDir(), Pictures: t.TempDir()}
	if _, err := backup.Read(t.Context(), &file, folders); err != nil {
		t.Error(err)
	}
	for i, name := range names {
		_, err := os.Stat(filepath.Join(folders.Pictures, name))
		if exists, want := err == nil, i != 1; exists != want {
			t.Errorf("%s is in the backup: %v, want %v", name, exists, want)
		}
	}
}

// The photographs of orders are in backups, beside the pictures that everybody sees.
func TestPhotographsOfOrdersAreInBackups(t *testing.T) {
	pictures := t.TempDir()
	bucket, err := images.OpenFolder(pictures)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = bucket.Close() }()
	name := "evidence-" + strings.Repeat("a", 32) + ".jpg"
	for _, file := range []string{name, "evidence-note.txt"} {
		if err := bucket.WriteAll(t.Context(), file, []byte("photograph"), nil); err != nil {
			t.Fatal(err)
		}
	}
	db := filepath.Join(t.TempDir(), "store.db")
	if err := os.WriteFile(db, []byte("store"), 0o600); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if m, err := backup.Write(t.Context(), &file, backup.Manifest{}, db, bucket); err != nil || m.Images != 1 {
		t.Fatalf("Write returned %d images and %v, want 1", m.Images, err)
	}
	folders := backup.Folders{Store: t.TempDir(), Pictures: t.TempDir()}
	if _, err := backup.Read(t.Context(), &file, folders); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(folders.Pictures, name)); err != nil || string(got) != "photograph" {
		t.Errorf("the photograph is restored as %q, %v", got, err)
	}
}
