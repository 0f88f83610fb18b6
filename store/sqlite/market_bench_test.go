package sqlite_test

import (
	"testing"

	"secondring/market"
	"secondring/store/storetest"
)

// BenchmarkMarket measures the cost of waitlists and saved searches. bench/market.sh makes a
// table of the results.
func BenchmarkMarket(b *testing.B) {
	storetest.Bench(b, func(b *testing.B) market.Store {
		b.Helper()
		return open(b, b.TempDir()+"/bench.db").Store
	})
}
