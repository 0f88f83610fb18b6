package sqlite_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"secondring/market"
	"secondring/store/sqlite"
)

// stocked is a store with so many phones of one brand, a hundred of each seller.
func stocked(b *testing.B, phones int) *sqlite.Store {
	b.Helper()
	s, err := sqlite.Open(b.Context(), b.TempDir()+"/bench.db")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	if err := s.AddBrand(b.Context(), market.Brand{ID: "b", Name: "Nokia", Version: 1}); err != nil {
		b.Fatal(err)
	}
	for i := range phones {
		if err := s.AddProduct(b.Context(), benchPhone(i), nil); err != nil {
			b.Fatal(err)
		}
	}
	return s
}

func benchPhone(i int) market.Product {
	return market.Product{
		ID: fmt.Sprintf("%024x", i), BrandID: "b", Brand: "Nokia", Name: "One", Advertised: i%2 == 0,
		SellerUID: fmt.Sprint(i / 100), Description: "In good order, hardly a scratch, with charger.",
		Version: 1, CreatedAt: time.UnixMilli(1),
	}
}

func perSecond(b *testing.B) {
	b.Helper()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "ops/s")
}

// BenchmarkDurableInsert adds phones with an event each; every one is synced.
func BenchmarkDurableInsert(b *testing.B) {
	s := stocked(b, 0)
	var n atomic.Int64
	for b.Loop() {
		p := benchPhone(int(n.Add(1)))
		if err := s.AddProduct(context.Background(), p, []market.Event{{Topic: "t", Entity: p.ID, Version: 1}}); err != nil {
			b.Fatal(err)
		}
	}
	perSecond(b)
}

// BenchmarkPointRead reads phones by ID from every processor.
func BenchmarkPointRead(b *testing.B) {
	s := stocked(b, 1000)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			if _, err := s.Product(context.Background(), fmt.Sprintf("%024x", i%1000)); err != nil {
				b.Error(err)
			}
		}
	})
	perSecond(b)
}

// BenchmarkPage reads the first twenty of a long list, with its total.
func BenchmarkPage(b *testing.B) {
	s := stocked(b, 2000)
	for b.Loop() {
		if _, err := s.Advertised(context.Background(), market.Page{Limit: 20}); err != nil {
			b.Fatal(err)
		}
	}
	perSecond(b)
}
