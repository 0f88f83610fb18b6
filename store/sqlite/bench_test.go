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

// openWithPhones opens a store with phones of one brand, a hundred of each seller.
func openWithPhones(b *testing.B, phones int) *opened {
	b.Helper()
	s := open(b, b.TempDir()+"/bench.db")
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

func reportOpsPerSecond(b *testing.B) {
	b.Helper()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "ops/s")
}

// BenchmarkDurableInsert adds phones with an event each. Every write is synced.
func BenchmarkDurableInsert(b *testing.B) {
	s := openWithPhones(b, 0)
	var n atomic.Int64
	for b.Loop() {
		p := benchPhone(int(n.Add(1)))
		if err := s.AddProduct(context.Background(), p, []market.Effect{market.Event{Topic: "t", Entity: p.ID, Version: 1}}); err != nil {
			b.Fatal(err)
		}
	}
	reportOpsPerSecond(b)
}

// BenchmarkDurableSave saves one phone repeatedly, with an event each time.
func BenchmarkDurableSave(b *testing.B) {
	s := openWithPhones(b, 1)
	p := benchPhone(0)
	for b.Loop() {
		p.Version++
		if err := s.SaveProduct(context.Background(), p, []market.Effect{market.Event{Topic: "t", Entity: p.ID, Version: 1}}); err != nil {
			b.Fatal(err)
		}
	}
	reportOpsPerSecond(b)
}

// BenchmarkWriteBesideBusyProcess writes as a command does while a server writes to the same
// file as fast as it can.
func BenchmarkWriteBesideBusyProcess(b *testing.B) {
	path := b.TempDir() + "/bench.db"
	server, command := open(b, path), open(b, path)
	stop := make(chan struct{})
	var writers sync.WaitGroup
	for worker := range 4 {
		writers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				if err := server.SetMeta(context.Background(), fmt.Sprint("server", worker, ".", i), "x"); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	slowest := time.Duration(0)
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		if err := command.SetMeta(context.Background(), fmt.Sprint("cli", i), "x"); err != nil {
			b.Fatal(err)
		}
		slowest = max(slowest, time.Since(start))
	}
	b.ReportMetric(float64(slowest.Milliseconds()), "slowest-ms")
	close(stop)
	writers.Wait()
}

// BenchmarkPointRead reads phones by ID from one goroutine for each processor.
func BenchmarkPointRead(b *testing.B) {
	s := openWithPhones(b, 1000)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			if _, err := s.Product(context.Background(), fmt.Sprintf("%024x", i%1000)); err != nil {
				b.Error(err)
			}
		}
	})
	reportOpsPerSecond(b)
}

// BenchmarkPage reads the first twenty items of a list and its total. The duration must not
// depend on the length of the list.
func BenchmarkPage(b *testing.B) {
	for _, phones := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint("of ", phones), func(b *testing.B) {
			s := openWithPhones(b, phones)
			for b.Loop() {
				if _, err := s.Advertised(context.Background(), market.Page{Limit: 20}); err != nil {
					b.Fatal(err)
				}
			}
			reportOpsPerSecond(b)
		})
	}
}

// BenchmarkOpen opens an existing store, as each start of the program does.
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
