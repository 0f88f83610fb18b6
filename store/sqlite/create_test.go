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
	home := filepath.Join(t.TempDir(), "data")
	path := filepath.Join(home, "market.db")
	brand := market.Brand{ID: market.NewID(time.Now()), Name: "Nokia", Img: "/n.jpg", Version: 1}
	err := sqlite.Create(t.Context(), path, func(s *sqlite.Store) error {
		if _, err := os.Stat(path); err == nil {
			t.Error("there before it is filled")
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
		t.Error("filled a store that was there")
		return nil
	})
	if !errors.Is(again, market.ErrExists) {
		t.Errorf("made twice: %v", again)
	}
}

func TestCreateRemovesFileOnFailure(t *testing.T) {
	home := t.TempDir()
	gone := errors.New("no")
	if err := sqlite.Create(t.Context(), filepath.Join(home, "market.db"), func(*sqlite.Store) error { return gone }); !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
	left, err := os.ReadDir(home)
	if err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
}
