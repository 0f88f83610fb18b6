package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"secondring/market"
	"secondring/store/sqlite"
	"secondring/store/storetest"
)

func reopen(ctx context.Context, path string) (market.Store, error) { return sqlite.Open(ctx, path) }

func TestMain(m *testing.M) { storetest.Main(m, reopen) }

func TestSuite(t *testing.T) {
	storetest.Run(t, func(t *testing.T) market.Store { return open(t, newPath(t)) })
}

// Each query with words scans an index, as in a market where many phones have the words. One test
// scans the whole index, and the other one at most three phones.
func TestSearchLikeInLargeMarket(t *testing.T) {
	for name, scanned := range map[string]int{"whole index": 1000, "three phones": 3} {
		t.Run(name, func(t *testing.T) {
			storetest.Search(t, func(t *testing.T) market.Store {
				s := open(t, newPath(t))
				s.LimitSearch(0, scanned)
				return s
			})
		})
	}
}

func TestLeaving(t *testing.T) {
	storetest.Leaving(t, func(t *testing.T) market.Store { return open(t, newPath(t)) })
}

func TestAccountDeletion(t *testing.T) {
	storetest.AccountDeletion(t, func(t *testing.T) market.Store { return open(t, newPath(t)) })
}

func TestCrash(t *testing.T) {
	path := newPath(t)
	storetest.Crash(t, reopen, path, func(t *testing.T) { checkFile(t, path) })
}

// checkFile fails the test unless the file passes SQLite's checks, its counts and its search index
// are correct, and the columns of a hold are all set or all empty.
func checkFile(t *testing.T, path string) {
	t.Helper()
	s := open(t, path)
	_, err := s.SearchProducts(t.Context(), market.Query{}, market.Page{Limit: 1}, 1) // updates the search index
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for query, want := range map[string]string{
		`PRAGMA integrity_check`:                        "ok",
		`SELECT count(*) FROM pragma_foreign_key_check`: "0",
		`SELECT count(*) FROM products WHERE (hold_booking IS NULL) <> (hold_transaction IS NULL)`: "0",
		`SELECT count(*) FROM brands b WHERE available <> (
			SELECT count(*) FROM products WHERE brand_id = b.id AND hold_booking IS NULL AND sold = 0)`: "0",
		`SELECT count(*) FROM counts c WHERE n <> (SELECT count(*) FROM (
			SELECT 'users' AS list, account_type AS scope FROM users WHERE NOT admin AND NOT removed
			UNION ALL SELECT 'brands', '' FROM brands
			UNION ALL SELECT 'products', '' FROM products
			UNION ALL SELECT 'brand', brand_id FROM products
			UNION ALL SELECT 'seller', seller_uid FROM products
			UNION ALL SELECT 'advertised', '' FROM products WHERE advertised AND hold_booking IS NULL
			UNION ALL SELECT 'bookings', buyer_uid FROM bookings
			UNION ALL SELECT 'reports', '' FROM reports
			UNION ALL SELECT 'audit_log', '' FROM audit_log) l WHERE l.list = c.list AND l.scope = c.scope)`: "0",
		`SELECT count(*) FROM products p WHERE NOT EXISTS (SELECT 1 FROM search_entries s JOIN search_text t USING (seq) WHERE s.id = p.id
			AND s.brand_id = p.brand_id AND s.price = p.resale_price AND s.negative_price = -p.resale_price
			AND s.saving = search_saving(p.original_price, p.resale_price)
			AND s.facets = search_facets(p.condition, p.verified, p.hold_booking IS NOT NULL) | (p.storage << 16)
			AND t.words = search_words(CAST(p.name AS BLOB), CAST(p.brand AS BLOB),
				CAST(p.description AS BLOB), CAST(p.location AS BLOB), CAST(p.brand_id AS BLOB)))`: "0",
		`SELECT count(*) FROM search_stale`:                                                 "0",
		`SELECT (SELECT count(*) FROM search_entries) - (SELECT count(*) FROM products)`:    "0",
		`SELECT (SELECT count(*) FROM search_text) - (SELECT count(*) FROM search_entries)`: "0",
	} {
		var got string
		if err := db.QueryRow(query).Scan(&got); err != nil || got != want {
			t.Errorf("%s\nreturns %q (%v), want %q", query, got, err, want)
		}
	}
	// This checks that the full-text index has exactly the words of the phones.
	if _, err := db.Exec(`INSERT INTO search (search, rank) VALUES ('integrity-check', 1)`); err != nil {
		t.Error(err)
	}
}
