package market_test

import (
	"testing"

	"secondring/market"
)

// BenchmarkPriceAnnouncement measures the notification of 10,000 watchers of a phone whose price
// was lowered.
func BenchmarkPriceAnnouncement(b *testing.B) {
	const watchers = 10_000
	e := newEnv(b)
	p := e.phone(e.seller())
	e.addWatchers(p, watchers)
	announcer := market.NewAnnouncer(e.Market, discard)
	e.must(announcer.Step(e.ctx)) // processes the announcement of the new phone
	price := 100_000
	e.must(e.changePrice(p, price))
	e.must(announcer.Step(e.ctx))
	for b.Loop() {
		b.StopTimer()
		price--
		e.must(e.changePrice(p, price))
		b.StartTimer()
		e.must(announcer.Step(e.ctx))
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/watchers, "µs/watcher")
}
