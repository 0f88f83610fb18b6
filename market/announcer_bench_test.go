package market_test

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/search"
)

// BenchmarkPriceAnnouncement measures the notification of 10,000 watchers of a phone whose price
// was lowered.
func BenchmarkPriceAnnouncement(b *testing.B) {
	const watchers = 10_000
	e := newEnv(b)
	p := e.phone(e.seller())
	e.addWatchers(p, watchers)
	announcer := e.announcerOf(e.Market)
	e.must(announcer.Step(e.ctx)) // processes the announcement of the new phone
	price := 100_000
	e.must(e.changePrice(p, price))
	e.must(announcer.Step(e.ctx))
	for b.Loop() {
		b.StopTimer()
		price--
		e.must(e.changePrice(p, price))
		e.clock.Pass(time.Minute) // the seller has the whole budget again
		b.StartTimer()
		e.must(announcer.Step(e.ctx))
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/watchers, "µs/watcher")
}

// BenchmarkEditsBesideSearchesWithoutBrand measures the processor time of 84 edits of a seller,
// one a second, in a market with 10,000 saved searches that name no brand, one for each person.
func BenchmarkEditsBesideSearchesWithoutBrand(b *testing.B) {
	const edits = 84
	queries := []search.Query{
		{Text: "pixel pro"},
		{MaxPrice: 20},
		{Text: "galaxy", MaxPrice: 30},
		{Conditions: []string{"Excellent"}, MaxPrice: 25},
		{Location: "Sylhet", MinStorage: 256},
		{Verified: new(true), Text: "iphone"},
	}
	for name, phones := range map[string]int{"of one phone": 1, "of 84 phones": edits} {
		b.Run(name, func(b *testing.B) {
			e := newEnv(b)
			seller := e.seller()
			var all []market.Product
			price := 100_000
			for range phones {
				all = append(all, e.phone(seller))
				e.must(e.changePrice(all[len(all)-1], price))
			}
			for i := range 10_000 {
				e.must(e.store.AddWatching(e.ctx, market.Watching{
					ID: market.NewID(e.clock.Now()), UID: fmt.Sprint("searcher", i), Version: 1,
					Searches: []market.SavedSearch{{ID: "search", Name: "Mine", Query: queries[i%len(queries)], At: e.clock.Now()}},
				}, nil))
			}
			announcer := e.announcerOf(e.Market)
			e.must(announcer.Step(e.ctx))
			e.clock.Pass(time.Hour)
			b.ResetTimer()
			before := processorTime(b)
			for b.Loop() {
				for i := range edits {
					price--
					e.must(e.changePrice(all[i%phones], price))
					e.clock.Pass(time.Second)
					e.must(announcer.Step(e.ctx))
				}
				for e.openAnnouncements() > 0 { // they wait for the seller's budget
					e.clock.Pass(time.Second)
					e.must(announcer.Step(e.ctx))
				}
			}
			b.ReportMetric(float64((processorTime(b)-before).Milliseconds())/float64(b.N), "cpu-ms/op")
		})
	}
}

// processorTime returns the processor time of this process.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
