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

// deleting removes a file when another is about to be written into the backup.
type deleting struct {
	*bytes.Buffer
	when, file string
}

// Write implements io.Writer.
func (d deleting) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(d.when)) {
		if err := os.Remove(d.file); err != nil && !os.IsNotExist(err) {
			return 0, err
		}
	}
	return d.Buffer.Write(p)
}

// A picture that is deleted during a backup is left out, and the backup is complete
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
	to := deleting{&file, names[0], filepath.Join(pictures, names[1])}
	m, err := backup.Write(t.Context(), to, backup.Manifest{}, db, bucket)
	if err != nil || m.Images != 2 {
		t.Fatalf("%d images: %v", m.Images, err)
	}
	into := backup.Folders{Store: t.TempDir(), Pictures: t.TempDir()}
	if _, err := backup.Read(t.Context(), &file, into); err != nil {
		t.Error(err)
	}
	for i, name := range names {
		_, err := os.Stat(filepath.Join(into.Pictures, name))
		if there := err == nil; there != (i != 1) {
			t.Errorf("%s is in the backup: %v", name, there)
		}
	}
}
