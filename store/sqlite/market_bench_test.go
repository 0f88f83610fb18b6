package sqlite_test

import (
	"database/sql"
	"testing"

	"secondring/market"
	"secondring/store/storetest"
)

// BenchmarkMarket measures the cost of waitlists, saved searches and messages. bench/market.sh makes a
// table of the results.
func BenchmarkMarket(b *testing.B) {
	storetest.Bench(b, func(b *testing.B) market.Store {
		b.Helper()
		return open(b, b.TempDir()+"/bench.db").Store
	}, plainTable)
}

// plainTable is as durable as the store.
func plainTable(b *testing.B) storetest.PlainTable {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+b.TempDir()+"/plain.db?_txlock=immediate&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	if _, err := db.Exec(`CREATE TABLE plain (id TEXT PRIMARY KEY, thread TEXT, text TEXT); CREATE INDEX threads ON plain (thread, id)`); err != nil {
		b.Fatal(err)
	}
	return func(id, thread, text string) error {
		_, err := db.ExecContext(b.Context(), `INSERT INTO plain VALUES (?, ?, ?)`, id, thread, text)
		return err
	}
}
