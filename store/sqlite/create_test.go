package sqlite_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"secondring/market"
	"secondring/store"
	"secondring/store/sqlite"
)

func TestCreateFillsFileBeforeItAppears(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	path := filepath.Join(dir, "market.db")
	brand := market.Brand{ID: market.NewID(time.Now()), Name: "Nokia", Img: "/n.jpg", Version: 1}
	err := sqlite.Create(t.Context(), path, func(e *sqlite.Engine) error {
		if _, err := os.Stat(path); err == nil {
			t.Error("the file exists before it is filled")
		}
		return store.New(e).AddBrand(t.Context(), brand)
	})
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, path)
	if _, err := s.Brand(t.Context(), brand.ID); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again := sqlite.Create(t.Context(), path, func(*sqlite.Engine) error {
		t.Error("Create fills an existing store")
		return nil
	})
	if !errors.Is(again, market.ErrExists) {
		t.Errorf("creating an existing store: %v, want ErrExists", again)
	}
}

func TestCreateRemovesFileOnFailure(t *testing.T) {
	dir := t.TempDir()
	errFill := errors.New("fill failed")
	if err := sqlite.Create(t.Context(), filepath.Join(dir, "market.db"), func(*sqlite.Engine) error { return errFill }); !errors.Is(err, errFill) {
		t.Errorf("Create returns %v, want %v", err, errFill)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Errorf("after the failure the directory has %v (%v), want no files", left, err)
	}
}

// A file whose folder cannot be read is not an existing store.
func TestCreateReturnsErrorOfItsFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := sqlite.Create(t.Context(), filepath.Join(file, "market.db"), func(*sqlite.Engine) error { return nil })
	if err == nil || errors.Is(err, market.ErrExists) {
		t.Errorf("Create returns %v, want an error other than ErrExists", err)
	}
}

// Another connection keeps Close from writing the write-ahead log into the file, as a full disk
// does. The file alone is then incomplete.
func TestCreateRefusesFileWithoutItsWrites(t *testing.T) {
	dir := t.TempDir()
	var other *sql.DB
	err := sqlite.Create(t.Context(), filepath.Join(dir, "market.db"), func(e *sqlite.Engine) error {
		files, err := filepath.Glob(filepath.Join(dir, ".making-*", "market.db"))
		if err != nil || len(files) != 1 {
			t.Fatalf("the temporary files are %v (%v)", files, err)
		}
		other, err = sql.Open("sqlite", files[0])
		if err != nil {
			return err
		}
		if err := other.QueryRowContext(t.Context(), "SELECT count(*) FROM brands").Err(); err != nil {
			return err
		}
		return store.New(e).SetMeta(t.Context(), "a", "x")
	})
	if err == nil {
		t.Error("Create returns no error")
	}
	if err := other.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("after the failure the folder has %v (%v), want no files", left, err)
	}
}
