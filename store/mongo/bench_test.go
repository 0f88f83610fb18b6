package mongo_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/search"
)

// openWithPhones opens a store with phones of twelve brands, a hundred of each seller.
func openWithPhones(b *testing.B, phones int) *opened {
	b.Helper()
	s := open(b, database(b))
	for i := range 12 {
		name := fmt.Sprint("b", i)
		if err := s.AddBrand(b.Context(), market.Brand{ID: name, Name: name, Version: 1}); err != nil {
			b.Fatal(err)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for from := 0; from < phones; from += 1000 {
		var batch []market.Product
		for i := from; i < min(phones, from+1000); i++ {
			batch = append(batch, randomPhone(r, i))
		}
		if err := s.insertPhones(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	return s
}

func randomPhone(r *rand.Rand, i int) market.Product {
	series := []string{"Galaxy", "Nexus", "Lumia", "Xperia", "Desire", "Moto", "Mate", "Mi", "Find", "Bold"}[r.IntN(10)]
	original := 100 + r.IntN(1400)
	return market.Product{
		ID: fmt.Sprintf("%024x", i), BrandID: fmt.Sprint("b", r.IntN(12)), Brand: "Brand",
		Name: fmt.Sprint(series, " Model", r.IntN(50)), OriginalPrice: original, ResalePrice: 20 + r.IntN(original),
		Condition: []string{"Excellent", "Good", "Fair"}[r.IntN(3)], Verified: r.IntN(5) == 0, Advertised: i%100 == 0,
		SellerUID: fmt.Sprint(i / 100), Location: fmt.Sprint("Place", r.IntN(300), ", Dhaka"),
		Description: fmt.Sprint("In good order, hardly a scratch on its glass, the battery holds a day, with box and charger. "+
			"I bought it new and used it for work only; needle", r.IntN(5000), " and thread", r.IntN(500), "."),
		Version: 1, CreatedAt: time.UnixMilli(1),
	}
}

func reportOpsPerSecond(b *testing.B) {
	b.Helper()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "ops/s")
}

// parallel calls do from eight goroutines for each processor.
func parallel(b *testing.B, do func(i int) error) {
	b.Helper()
	var n atomic.Int64
	b.SetParallelism(8)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := do(int(n.Add(1))); err != nil {
				b.Error(err)
			}
		}
	})
	reportOpsPerSecond(b)
}

func oneEvent(id string, version int64) []market.Effect {
	return []market.Effect{market.Event{Topic: "t", Entity: id, Version: version}}
}

// BenchmarkAddProduct adds phones with an event each.
func BenchmarkAddProduct(b *testing.B) {
	s, r := openWithPhones(b, 0), rand.New(rand.NewPCG(1, 2))
	phone := randomPhone(r, 0)
	parallel(b, func(i int) error {
		p := phone
		p.ID = fmt.Sprintf("%024x", i)
		return s.AddProduct(context.Background(), p, oneEvent(p.ID, 1))
	})
}

// BenchmarkSaveProduct saves phones with an event each, as bookings do. No two goroutines save
// the same phone at once.
func BenchmarkSaveProduct(b *testing.B) {
	s, r := openWithPhones(b, 0), rand.New(rand.NewPCG(1, 2))
	phone, versions := randomPhone(r, 0), make([]atomic.Int64, 64)
	for i := range versions {
		p := phone
		p.ID = fmt.Sprint(i)
		versions[i].Store(1)
		if err := s.AddProduct(b.Context(), p, nil); err != nil {
			b.Fatal(err)
		}
	}
	free := make(chan int, len(versions))
	for i := range versions {
		free <- i
	}
	b.ResetTimer()
	parallel(b, func(int) error {
		i := <-free
		defer func() { free <- i }()
		p := phone
		p.ID, p.Version = fmt.Sprint(i), versions[i].Add(1)
		err := s.SaveProduct(context.Background(), p, oneEvent(p.ID, p.Version))
		if p.Version%50 == 0 && err == nil { // as a relay does
			err = publish(s)
		}
		return err
	})
}

func publish(s *opened) error {
	pending, err := s.PendingEvents(context.Background(), 256)
	if err != nil {
		return err
	}
	return s.EventsPublished(context.Background(), pending)
}

// BenchmarkAddBooking adds held bookings, one of each buyer.
func BenchmarkAddBooking(b *testing.B) {
	s := openWithPhones(b, 0)
	parallel(b, func(i int) error {
		o := market.Booking{ID: fmt.Sprint(i), BuyerUID: fmt.Sprint(i), Status: market.BookingHeld, Version: 1}
		return s.AddBooking(context.Background(), o, 20, oneEvent(o.ID, 1))
	})
}

// BenchmarkProduct reads phones by ID.
func BenchmarkProduct(b *testing.B) {
	s := openWithPhones(b, 1000)
	parallel(b, func(i int) error {
		_, err := s.Product(context.Background(), fmt.Sprintf("%024x", i%1000))
		return err
	})
}

// BenchmarkIdleRelay reads an empty outbox.
func BenchmarkIdleRelay(b *testing.B) {
	s := openWithPhones(b, 1000)
	for b.Loop() {
		if err := publish(s); err != nil {
			b.Fatal(err)
		}
	}
	reportOpsPerSecond(b)
}

// BenchmarkLists reads first pages of twenty in a market of 20,000 phones.
func BenchmarkLists(b *testing.B) {
	s := openWithPhones(b, 20_000)
	yes, page, ctx := true, market.Page{Limit: 20}, context.Background()
	found := func(q search.Query) func() error {
		return func() error {
			_, err := s.SearchProducts(ctx, q, page, market.SearchTotal)
			return err
		}
	}
	for _, tc := range []struct {
		name string
		do   func() error
	}{
		{"advertised, of 200", func() error { _, err := s.Advertised(ctx, page); return err }},
		{"a seller's, of 100", func() error { _, err := s.ProductsOfSeller(ctx, "7", page); return err }},
		{"a brand's, of 1,700", func() error { _, err := s.ProductsOfBrand(ctx, "b3", page); return err }},
		{"all brands", func() error { _, err := s.Brands(ctx, page); return err }},
		{"top brands", func() error { _, err := s.TopBrands(ctx, 6); return err }},
		{"all newest", found(search.Query{})},
		{"all by price", found(search.Query{Sort: search.SortPriceUp})},
		{"a brand by price, free, good", found(search.Query{
			Brands: []string{"b3"}, Sort: search.SortPriceUp, Available: &yes, Conditions: []string{"Good"},
		})},
		{"a word of all", found(search.Query{Text: "charger "})},
		{"a word of one in ten", found(search.Query{Text: "galaxy"})},
		{"a rare word", found(search.Query{Text: "needle777"})},
		{"a location and a word", found(search.Query{Text: "galaxy", Location: "place7"})},
	} {
		b.Run(strings.ReplaceAll(tc.name, " ", "_"), func(b *testing.B) {
			for b.Loop() {
				if err := tc.do(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkLongLists reads lists with totals in a large market, and reports the median.
func BenchmarkLongLists(b *testing.B) {
	s := openWithPhones(b, 60_000)
	page := market.Page{Limit: 24}
	for name, read := range map[string]func() error{
		"top":   func() error { _, err := s.TopBrands(b.Context(), 6); return err },
		"brand": func() error { _, err := s.ProductsOfBrand(b.Context(), "b3", page); return err },
		"market": func() error {
			_, err := s.SearchProducts(b.Context(), search.Query{}, page, market.SearchTotal)
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			var durations []time.Duration
			for b.Loop() {
				start := time.Now()
				if err := read(); err != nil {
					b.Fatal(err)
				}
				durations = append(durations, time.Since(start))
			}
			slices.Sort(durations)
			b.ReportMetric(float64(durations[len(durations)/2].Microseconds())/1000, "p50-ms")
		})
	}
}
