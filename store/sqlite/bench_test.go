package sqlite_test

import (
	"context"
	"fmt"
	"sync"
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

// BenchmarkDurableSave changes one phone over and over, with an event each.
func BenchmarkDurableSave(b *testing.B) {
	s := stocked(b, 1)
	p := benchPhone(0)
	for b.Loop() {
		p.Version++
		if err := s.SaveProduct(context.Background(), p, []market.Event{{Topic: "t", Entity: p.ID, Version: 1}}); err != nil {
			b.Fatal(err)
		}
	}
	perSecond(b)
}

// BenchmarkWriteBesideABusyProcess is the command line's write while a server
// writes as fast as it can to the same file.
func BenchmarkWriteBesideABusyProcess(b *testing.B) {
	path := b.TempDir() + "/bench.db"
	var stores [2]*sqlite.Store
	for i := range stores {
		s, err := sqlite.Open(b.Context(), path)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = s.Close() })
		stores[i] = s
	}
	over := make(chan struct{})
	var server sync.WaitGroup
	for worker := range 4 {
		server.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-over:
					return
				default:
				}
				if err := stores[0].SetMeta(context.Background(), fmt.Sprint("server", worker, ".", i), "x"); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	slowest := time.Duration(0)
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		if err := stores[1].SetMeta(context.Background(), fmt.Sprint("cli", i), "x"); err != nil {
			b.Fatal(err)
		}
		slowest = max(slowest, time.Since(began))
	}
	b.ReportMetric(float64(slowest.Milliseconds()), "slowest-ms")
	close(over)
	server.Wait()
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

// BenchmarkPage reads the first twenty of a list, with its total: the length of
// the list must not show.
func BenchmarkPage(b *testing.B) {
	for _, phones := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint("of ", phones), func(b *testing.B) {
			s := stocked(b, phones)
			for b.Loop() {
				if _, err := s.Advertised(context.Background(), market.Page{Limit: 20}); err != nil {
					b.Fatal(err)
				}
			}
			perSecond(b)
		})
	}
}

// BenchmarkOpen opens a store that is there: what a start waits for.
func BenchmarkOpen(b *testing.B) {
	path := b.TempDir() + "/bench.db"
	for b.Loop() {
		s, err := sqlite.Open(b.Context(), path)
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
