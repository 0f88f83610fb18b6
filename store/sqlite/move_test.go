package sqlite_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"secondring/market"
	"secondring/store/sqlite"
	"secondring/store/storetest"
)

func TestMigrationSource(t *testing.T) {
	storetest.MovesFrom(t, open(t, newPath(t)))
}

// derived lists the tables that are computed from others, and the table of goose.
var derived = []string{
	"counts", "product_pictures", "search_entries", "search_stale", "waiters", "watched_phones", "watched_searches", "search", "search_text", "search_config", "search_data", "search_idx",
	"search_spellings", "goose_db_version",
}

// A new table must belong to a kind of market.Kinds, or to derived.
func TestEveryTableIsMoved(t *testing.T) {
	path := newPath(t)
	open(t, path)
	tables := queryTexts(t, path, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)
	moved := sqlite.MovedTables()
	if want := slices.Sorted(slices.Values(append(moved, derived...))); !slices.Equal(tables, want) {
		t.Errorf("the tables are %v, but moved or derived are %v", tables, want)
	}
	if len(moved) != len(market.Kinds()) {
		t.Errorf("%d tables are moved, want one for each of %d kinds", len(moved), len(market.Kinds()))
	}
}

// The files are those of a killed server, whose last writes are in the WAL.
func TestReadOnlyOpenChangesNothing(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	if err := s.SetMeta(t.Context(), "a", "b"); err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	for _, part := range []string{"", "-wal"} {
		text, err := os.ReadFile(path + part)
		if err != nil || len(text) == 0 {
			t.Fatalf("reading the file %q: %d bytes, %v", part, len(text), err)
		}
		if err := os.WriteFile(copied+part, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := contents(t, copied)
	r, err := sqlite.OpenReadOnly(t.Context(), copied)
	if err != nil {
		t.Fatal(err)
	}
	if value, err := r.Meta(t.Context(), "a"); value != "b" || err != nil {
		t.Errorf("the setting is %q (%v), want b", value, err)
	}
	if err := r.SetMeta(t.Context(), "c", "d"); err == nil {
		t.Error("a write to a read-only store succeeds")
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if after := contents(t, copied); after != before {
		t.Errorf("the files changed: %d bytes before, %d bytes after", len(before), len(after))
	}
}

func contents(t *testing.T, path string) string {
	t.Helper()
	all := ""
	for _, part := range []string{"", "-wal"} {
		text, err := os.ReadFile(path + part)
		if err != nil {
			t.Fatal(err)
		}
		all += string(text)
	}
	return all
}

func TestReadOnlyOpenRefusals(t *testing.T) {
	path := newPath(t)
	if _, err := sqlite.OpenReadOnly(t.Context(), path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("opening a missing file: %v, want fs.ErrNotExist", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the missing file was created (%v)", err)
	}
	path = filepath.Join(t.TempDir(), "older.db")
	createOldSchema(t, path, 2)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.OpenReadOnly(t.Context(), path); !errors.Is(err, sqlite.ErrOlderSchema) {
		t.Errorf("opening an older schema: %v, want ErrOlderSchema", err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the older file was changed (%v)", err)
	}
	newer := newPath(t)
	if err := open(t, newer).Close(); err != nil {
		t.Fatal(err)
	}
	execSQL(t, newer, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`)
	if _, err := sqlite.OpenReadOnly(t.Context(), newer); err == nil || errors.Is(err, sqlite.ErrOlderSchema) {
		t.Errorf("opening a newer schema: %v, want an error other than ErrOlderSchema", err)
	}
	other := filepath.Join(t.TempDir(), "other.db")
	execSQL(t, other, `CREATE TABLE other (x)`)
	if _, err := sqlite.OpenReadOnly(t.Context(), other); err == nil {
		t.Error("OpenReadOnly accepts a file of another program")
	}
}
