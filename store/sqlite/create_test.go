package sqlite_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"secondring/market"
	"secondring/store/sqlite"
)

func TestCreateFillsFileBeforeItAppears(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	path := filepath.Join(dir, "market.db")
	brand := market.Brand{ID: market.NewID(time.Now()), Name: "Nokia", Img: "/n.jpg", Version: 1}
	err := sqlite.Create(t.Context(), path, func(s *sqlite.Store) error {
		if _, err := os.Stat(path); err == nil {
			t.Error("the file exists before it is filled")
		}
		return s.AddBrand(t.Context(), brand)
	})
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Brand(t.Context(), brand.ID); err != nil {
		t.Error(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	again := sqlite.Create(t.Context(), path, func(*sqlite.Store) error {
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
	if err := sqlite.Create(t.Context(), filepath.Join(dir, "market.db"), func(*sqlite.Store) error { return errFill }); !errors.Is(err, errFill) {
		t.Errorf("Create returns %v, want %v", err, errFill)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Errorf("after the failure the directory has %v (%v), want no files", left, err)
	}
}
