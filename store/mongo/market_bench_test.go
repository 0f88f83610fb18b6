package mongo_test

import (
	"testing"

	"secondring/market"
	"secondring/store/storetest"
)

// BenchmarkMarket measures what waits and saved searches cost. bench/market.sh makes a table of it.
func BenchmarkMarket(b *testing.B) {
	storetest.Bench(b, func(b *testing.B) market.Store {
		b.Helper()
		return open(b, database(b))
	})
}
