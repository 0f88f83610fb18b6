package market_test

import (
	"fmt"
	"testing"
	"time"

	"secondring/market"
)

// BenchmarkNewPhone adds phones to a market without saved searches and with 10,000: of other
// brands, and of the phone's own, none of which matches. It reports the time of the call that
// adds the phone, and of telling afterwards.
func BenchmarkNewPhone(b *testing.B) {
	const searches = 10_000
	for name, brandOf := range map[string]func(*env) string{
		"no searches":                nil,
		"10000 searches of others":   func(*env) string { return "other" },
		"10000 searches of its own":  func(e *env) string { return e.brand.ID },
		"10000 searches of no brand": func(*env) string { return "" },
	} {
		b.Run(name, func(b *testing.B) {
			e := newEnv(b)
			for i := range searches {
				if brandOf == nil {
					break
				}
				q := market.Query{Text: "pixel", MaxPrice: 300}
				if brand := brandOf(e); brand != "" {
					q.Brands = []string{brand}
				}
				e.must(e.store.AddWatching(e.ctx, market.Watching{
					ID: market.NewID(e.clock.Now()), UID: fmt.Sprint("searcher", i), Version: 1,
					Searches: []market.SavedSearch{{ID: fmt.Sprint(i), Name: "Mine", Query: q, At: e.clock.Now()}},
				}, nil))
			}
			seller, announcer := e.seller(), market.NewAnnouncer(e.Market, discard)
			var call, told time.Duration
			for b.Loop() {
				began := time.Now()
				e.phone(seller)
				added := time.Now()
				e.must(announcer.Step(e.ctx))
				call, told = call+added.Sub(began), told+time.Since(added)
			}
			b.ReportMetric(float64(call.Microseconds())/float64(b.N), "call-µs")
			b.ReportMetric(float64(told.Microseconds())/float64(b.N), "told-µs")
		})
	}
}

// BenchmarkCheaperPhone makes a phone cheaper that 10,000 people watch, and measures telling them.
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
	e.must(announcer.Step(e.ctx)) // of the new phone
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
