package sqlite_test

import (
	"database/sql"
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
	storetest.MovesFrom(t, open(t, file(t)))
}

// derived are the tables that are made of others, and goose's.
var derived = []string{
	"counts", "product_pictures", "shelf", "shelf_late", "waiters", "watched_phones", "watched_brands", "search", "search_text", "search_config", "search_data", "search_idx",
	"search_spellings", "goose_db_version",
}

// TestEveryTableIsMoved fails when a table is added and no kind of market.Kinds
// moves it.
func TestEveryTableIsMoved(t *testing.T) {
	path := file(t)
	open(t, path)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var tables []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		tables = append(tables, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	moved := sqlite.MovedTables()
	if want := slices.Sorted(slices.Values(append(moved, derived...))); !slices.Equal(tables, want) {
		t.Errorf("tables %v, moved or derived %v", tables, want)
	}
	if len(moved) != len(market.Kinds()) {
		t.Errorf("%d tables are moved, of %d kinds", len(moved), len(market.Kinds()))
	}
}

// The store's server was killed, so that its last writes are in the WAL.
func TestReadOnlyOpenChangesNothing(t *testing.T) {
	path := file(t)
	s := open(t, path)
	if err := s.SetMeta(t.Context(), "a", "b"); err != nil {
		t.Fatal(err)
	}
	dead := filepath.Join(t.TempDir(), "copy.db")
	for _, part := range []string{"", "-wal"} {
		text, err := os.ReadFile(path + part)
		if err != nil || len(text) == 0 {
			t.Fatal(part, err)
		}
		if err := os.WriteFile(dead+part, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := contents(t, dead)
	r, err := sqlite.OpenToRead(t.Context(), dead)
	if err != nil {
		t.Fatal(err)
	}
	if value, err := r.Meta(t.Context(), "a"); value != "b" || err != nil {
		t.Errorf("%q, %v", value, err)
	}
	if err := r.SetMeta(t.Context(), "c", "d"); err == nil {
		t.Error("it can be written")
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if after := contents(t, dead); after != before {
		t.Errorf("%d bytes have become %d, or others", len(before), len(after))
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
	path := file(t)
	if _, err := sqlite.OpenToRead(t.Context(), path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it was made: %v", err)
	}
	path = filepath.Join(t.TempDir(), "older.db")
	older(t, path, 2)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.OpenToRead(t.Context(), path); !errors.Is(err, sqlite.ErrOlder) {
		t.Errorf("an older schema: %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("it was brought up to date (%v)", err)
	}
	newer := file(t)
	if err := open(t, newer).Close(); err != nil {
		t.Fatal(err)
	}
	alter(t, newer, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`)
	if _, err := sqlite.OpenToRead(t.Context(), newer); err == nil || errors.Is(err, sqlite.ErrOlder) {
		t.Errorf("a newer schema: %v", err)
	}
	theirs := filepath.Join(t.TempDir(), "theirs.db")
	alter(t, theirs, `CREATE TABLE theirs (x)`)
	if _, err := sqlite.OpenToRead(t.Context(), theirs); err == nil {
		t.Error("another program's file was opened")
	}
}
