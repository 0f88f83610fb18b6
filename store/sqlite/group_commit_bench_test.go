package sqlite_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/search"
)

// callers is the number of concurrent writers.
const callers = 32

var descriptionWords = strings.Fields(`perfect order little scratch glass battery charger box black white used twice careful
	owner smoke free home light upgrade gift never opened genuine parts replaced receipt warranty months`)

// describedPhone returns a phone of one of twelve brands with a random description, and its two
// events.
func describedPhone(i int) (market.Product, []market.Effect) {
	r := rand.New(rand.NewPCG(uint64(i), 1))
	var words []string
	for range 12 {
		words = append(words, descriptionWords[r.IntN(len(descriptionWords))])
	}
	p := benchPhone(1<<32 + i)
	p.Advertised, p.Description, p.BrandID = false, strings.Join(words, " "), fmt.Sprint("brand", i%12)
	p.ResalePrice, p.OriginalPrice = 20+r.IntN(300), 320+r.IntN(900)
	data := []byte(`{"description":"` + strings.Repeat(p.Description, 5) + `"}`) // as long as a product's view
	e := market.Event{
		Topic: market.TopicBrand(p.BrandID), Type: market.TypeProductAdded, At: time.UnixMilli(1), Entity: p.ID, Version: 1, Data: data,
	}
	sellerEvent := e
	sellerEvent.Topic = market.TopicMe(p.SellerUID)
	return p, []market.Effect{e, sellerEvent}
}

func openWithBrands(b *testing.B) *opened {
	b.Helper()
	s := openWithPhones(b, 0)
	for i := range 12 {
		if err := s.AddBrand(b.Context(), market.Brand{ID: fmt.Sprint("brand", i), Name: fmt.Sprint("Brand ", i), Version: 1}); err != nil {
			b.Fatal(err)
		}
	}
	return s
}

// BenchmarkConcurrentAdd adds phones from 32 callers. Every write is synced. It also reports how
// many writes share a transaction.
func BenchmarkConcurrentAdd(b *testing.B) {
	s := openWithBrands(b)
	var n, commits atomic.Int64
	if err := s.engine.CountCommits(&commits); err != nil {
		b.Fatal(err)
	}
	b.SetParallelism(callers / runtime.GOMAXPROCS(0))
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			p, events := describedPhone(int(n.Add(1)))
			if err := s.AddProduct(context.Background(), p, events); err != nil {
				b.Error(err)
			}
		}
	})
	b.StopTimer()
	reportOpsPerSecond(b)
	b.ReportMetric(float64(b.N)/float64(commits.Load()), "writes/commit")
}

// BenchmarkSearchAfterAdd searches after phones were added, which the search must index first.
func BenchmarkSearchAfterAdd(b *testing.B) {
	for _, phones := range []int{1, 100} {
		b.Run(fmt.Sprint(phones, " not indexed"), func(b *testing.B) {
			s := openWithBrands(b)
			next := 0
			for b.Loop() {
				b.StopTimer()
				for range phones {
					p, _ := describedPhone(next)
					next++
					if err := s.AddProduct(context.Background(), p, nil); err != nil {
						b.Fatal(err)
					}
				}
				b.StartTimer()
				if _, err := s.SearchProducts(context.Background(), search.Query{Text: "charger"}, market.Page{Limit: 24}, 100); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkOutbox reads 64 events from the outbox and deletes them, as the relay does.
func BenchmarkOutbox(b *testing.B) {
	s := openWithBrands(b)
	next := 0
	for b.Loop() {
		b.StopTimer()
		for range 32 {
			p, events := describedPhone(next)
			next++
			if err := s.AddProduct(context.Background(), p, events); err != nil {
				b.Fatal(err)
			}
		}
		b.StartTimer()
		events, err := s.PendingEvents(context.Background(), 256)
		if err == nil {
			err = s.EventsPublished(context.Background(), events)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
