package sqlite_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"secondring/market"
	"secondring/store/sqlite"
	"secondring/store/storetest"
)

func reopen(ctx context.Context, path string) (market.Store, error) { return sqlite.Open(ctx, path) }

func TestMain(m *testing.M) { storetest.Main(m, reopen) }

func TestSuite(t *testing.T) {
	path := file(t)
	if err := open(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	empty, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Run(t, func(t *testing.T) market.Store {
		path := filepath.Join(t.TempDir(), "copy.db") // making the tables each time takes longer than the cases
		if err := os.WriteFile(path, empty, 0o600); err != nil {
			t.Fatal(err)
		}
		return open(t, path)
	})
}

func TestCrash(t *testing.T) {
	path := file(t)
	storetest.Crash(t, reopen, path, func(t *testing.T) { sound(t, path) })
}

// sound wants a whole file, whose counts are what counting finds, and in which
// a phone's hold is there with all its columns or none.
func sound(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for query, want := range map[string]string{
		`PRAGMA integrity_check`:                        "ok",
		`SELECT count(*) FROM pragma_foreign_key_check`: "0",
		`SELECT count(*) FROM products WHERE (hold_booking IS NULL) <> (hold_transaction IS NULL)`: "0",
		`SELECT count(*) FROM brands b WHERE free <> (
			SELECT count(*) FROM products WHERE brand_id = b.id AND hold_booking IS NULL AND sold = 0)`: "0",
		`SELECT count(*) FROM counts c WHERE n <> (SELECT count(*) FROM (
			SELECT 'users' AS list, account_type AS scope FROM users WHERE NOT admin AND NOT removed
			UNION ALL SELECT 'brands', '' FROM brands
			UNION ALL SELECT 'brand', brand_id FROM products
			UNION ALL SELECT 'seller', seller_uid FROM products
			UNION ALL SELECT 'advertised', '' FROM products WHERE advertised AND hold_booking IS NULL
			UNION ALL SELECT 'bookings', buyer_uid FROM bookings
			UNION ALL SELECT 'reports', '' FROM reports) l WHERE l.list = c.list AND l.scope = c.scope)`: "0",
	} {
		var got string
		if err := db.QueryRow(query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %q, %v", query, got, err)
		}
	}
}
