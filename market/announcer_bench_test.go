package market_test

import (
	"fmt"
	"testing"

	"secondring/market"
)

// BenchmarkCheaperPhone measures the notification of 10,000 watchers of a phone whose price
// was lowered.
func BenchmarkCheaperPhone(b *testing.B) {
	const watchers = 10_000
	e := newEnv(b)
	p := e.phone(e.seller())
	for i := range watchers {
		e.must(e.store.AddWatching(e.ctx, market.Watching{
			ID: market.NewID(e.clock.Now()), UID: fmt.Sprint("watcher", i), Version: 1,
			Phones: []market.Watch{{ID: fmt.Sprint(i), ProductID: p.ID, At: e.clock.Now()}},
		}, nil))
	}
	announcer := market.NewAnnouncer(e.Market, discard)
	e.must(announcer.Step(e.ctx)) // processes the announcement of the new phone
	price := 100_000
	e.must(e.reprice(p, price))
	e.must(announcer.Step(e.ctx))
	for b.Loop() {
		b.StopTimer()
		price--
		e.must(e.reprice(p, price))
		b.StartTimer()
		e.must(announcer.Step(e.ctx))
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/watchers, "µs/watcher")
}
