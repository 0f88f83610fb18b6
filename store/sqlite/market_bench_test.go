package sqlite_test

import (
	"testing"

	"secondring/market"
	"secondring/store/sqlite"
	"secondring/store/storetest"
)

// BenchmarkMarket measures the cost of waitlists and saved searches. bench/market.sh makes a
// table of the results.
func BenchmarkMarket(b *testing.B) {
	storetest.Bench(b, func(b *testing.B) market.Store {
		b.Helper()
		s, err := sqlite.Open(b.Context(), b.TempDir()+"/bench.db")
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = s.Close() })
		return s
	})
}
