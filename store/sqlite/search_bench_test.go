package sqlite_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/search"
	"secondring/store"
	"secondring/store/sqlite"
)

var (
	benchPhones = flag.Int("phones", 100_000, "number of phones in the benchmarks of search")
	benchMarket = flag.String("market", "", "database of the benchmarks of search, created if missing; empty for a temporary one")
)

// BenchmarkSearch reads pages of 24 of a market of 100,000 phones of twelve brands, and
// reports the median and the 99th percentile.
func BenchmarkSearch(b *testing.B) {
	s := openLargeMarket(b)
	yes := true
	byPrice := search.Query{Sort: search.SortPriceUp}
	for _, tc := range []struct {
		name string
		q    search.Query
		page market.Page
	}{
		{"all newest", search.Query{}, market.Page{}},
		{"all by price", byPrice, market.Page{}},
		{"all by price, from the middle", byPrice, market.Page{After: search.SortKey{Key: -750, ID: "5"}.String()}},
		{"all by saving, from the end", search.Query{Sort: search.SortSaving}, market.Page{After: search.SortKey{Key: 500_000_000, ID: "5"}.String()}},
		{"brand by price", search.Query{Brands: []string{"b3"}, Sort: search.SortPriceDown}, market.Page{}},
		{"brand by price, available, good, from the middle", search.Query{
			Brands: []string{"b3"}, Sort: search.SortPriceUp, Available: &yes, Conditions: []string{"Good"},
		}, market.Page{After: search.SortKey{Key: -750, ID: "5"}.String()}},
		{"three brands, available", search.Query{Brands: []string{"b3", "b4", "b5"}, Available: &yes}, market.Page{}},
		{"all available", search.Query{Sort: search.SortAvailable}, market.Page{}},
		{"all available, the held ones", search.Query{Sort: search.SortAvailable}, market.Page{After: search.SortKey{Key: 3, ID: "5"}.String()}},
		{"available, a word of nearly all", search.Query{Text: "charger", Sort: search.SortAvailable}, market.Page{}},
		{"available, a word of one in ten", search.Query{Text: "galaxy", Sort: search.SortAvailable}, market.Page{}},
		{"available, a word of one in ten, the held ones", search.Query{Text: "galaxy", Sort: search.SortAvailable}, market.Page{After: search.SortKey{Key: 3, ID: "5"}.String()}},
		{"available, three words", search.Query{Text: "galaxy good charger", Sort: search.SortAvailable}, market.Page{}},
		{"available, a rare word", search.Query{Text: "needle 777", Sort: search.SortAvailable}, market.Page{}},
		{"available, a name in a brand", search.Query{Text: "galaxy model17", Brands: []string{"b3"}, Sort: search.SortAvailable}, market.Page{}},
		{"available, 128 GB", search.Query{Text: "galaxy", Storage: []int{128}, Sort: search.SortAvailable}, market.Page{}},
		{"a word of nearly all", search.Query{Text: "charger"}, market.Page{}},
		{"a word of one in ten", search.Query{Text: "galaxy"}, market.Page{}},
		{"a word of one in ten, available, by saving", search.Query{Text: "galaxy", Available: &yes, Sort: search.SortSaving}, market.Page{}},
		{"a letter", search.Query{Text: "g*"}, market.Page{}},
		{"three letters", search.Query{Text: "gal*"}, market.Page{}},
		{"three words", search.Query{Text: "galaxy good char*"}, market.Page{}},
		{"a word of one in fifty", search.Query{Text: "model17"}, market.Page{}},
		{"a rare word", search.Query{Text: "needle777"}, market.Page{}},
		{"a rare location", search.Query{Location: "place7 "}, market.Page{}},
		{"no such word", search.Query{Text: "nothing"}, market.Page{}},
		{"a word of nearly all, a brand", search.Query{Text: "charger", Brands: []string{"b3"}}, market.Page{}},
		{"a word of nearly all, a brand, available, good", search.Query{
			Text: "charger", Brands: []string{"b3"}, Available: &yes, Conditions: []string{"Good"},
		}, market.Page{}},
		{"a word of one in ten, a brand", search.Query{Text: "galaxy", Brands: []string{"b3"}}, market.Page{}},
		{"two words of one in ten each, of no phone both", search.Query{Text: "galaxy nexus"}, market.Page{}},
		{"a prefix of five hundred words", search.Query{Text: "thread*"}, market.Page{}},
		{"a location of all", search.Query{Location: "dhaka"}, market.Page{}},
		{"no result: a common word, no such brand", search.Query{Text: "charger", Brands: []string{"none"}}, market.Page{}},
		{"few results: a common word, verified, fair, for 700 to 701", search.Query{
			Text: "charger", MinPrice: 700, MaxPrice: 701, Verified: &yes, Conditions: []string{"Fair"},
		}, market.Page{}},
		{"a location and a word", search.Query{Text: "galaxy", Location: "place7"}, market.Page{}},
		{"no result: a price of no phone", search.Query{MinPrice: 99_000}, market.Page{}},
		{"few results: verified, fair, for 700 to 701", search.Query{MinPrice: 700, MaxPrice: 701, Verified: &yes, Conditions: []string{"Fair"}}, market.Page{}},
		{"no result: a common word, dented", search.Query{Text: "charger", Conditions: []string{"Dented"}}, market.Page{}},
		{"no result: dented", search.Query{Conditions: []string{"Dented"}}, market.Page{}},
	} {
		b.Run(strings.ReplaceAll(tc.name, " ", "_"), func(b *testing.B) {
			tc.page.Limit = 24
			var durations []time.Duration
			found, before := 0, cpu(b)
			for b.Loop() {
				start := time.Now()
				list, err := s.SearchProducts(context.Background(), tc.q, tc.page, market.SearchTotal)
				if err != nil {
					b.Fatal(err)
				}
				durations, found = append(durations, time.Since(start)), list.Total
			}
			slices.Sort(durations)
			ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
			b.ReportMetric(ms(durations[len(durations)/2]), "p50-ms")
			b.ReportMetric(ms(durations[len(durations)*99/100]), "p99-ms")
			b.ReportMetric(ms(cpu(b)-before)/float64(len(durations)), "cpu-ms")
			b.ReportMetric(float64(found), "found")
		})
	}
}

// BenchmarkCorrectedSearch searches the same market for words that must be corrected. Each
// "first" search is that of a process that has not learned the words of phones yet.
func BenchmarkCorrectedSearch(b *testing.B) {
	s := openLargeMarket(b)
	for _, tc := range []struct{ name, text string }{
		{"a word of one in ten", "galaxy"},
		{"a misspelled word", "galxy"},
		{"three words, two misspelled", "galxy good chargre"},
		{"no such word", "nothingnothing"},
		{"one word of three is let go", "galaxy model17 5g"},
		{"eight words, no phone has any two", "galaxy nexus lumia xperia desire mate find bold"},
	} {
		for _, first := range []bool{false, true} {
			name := tc.name
			if first {
				name += ", first"
			}
			m := market.New(s, market.SystemClock{}, market.Rules{}, nil)
			b.Run(strings.ReplaceAll(name, " ", "_"), func(b *testing.B) {
				for b.Loop() {
					if first {
						m = market.New(s, market.SystemClock{}, market.Rules{}, nil)
					}
					in := market.Search{Query: search.Query{Text: tc.text}, Page: market.Page{Limit: 24}}
					if _, err := m.Search(context.Background(), true, in); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// cpu returns the processor time of this process. Unlike elapsed time, it does not depend
// on other work of the machine.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// openLargeMarket opens the database of benchMarket, and creates it if it does not exist.
func openLargeMarket(b *testing.B) *opened {
	b.Helper()
	path := *benchMarket
	if path == "" {
		path = filepath.Join(b.TempDir(), "large.db")
	}
	if _, err := os.Stat(path); err != nil {
		createMarket(b, path)
	}
	return open(b, path)
}

func createMarket(b *testing.B, path string) {
	b.Helper()
	err := sqlite.Create(b.Context(), path, func(e *sqlite.Engine) error {
		s := store.New(e)
		for i := range 12 {
			name := fmt.Sprint("b", i)
			if err := s.AddBrand(b.Context(), market.Brand{ID: name, Name: "Brand " + name, Version: 1}); err != nil {
				return err
			}
		}
		r := rand.New(rand.NewPCG(1, 2))
		for i := range *benchPhones {
			if err := s.AddProduct(b.Context(), randomPhone(r, i), nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

func randomPhone(r *rand.Rand, i int) market.Product {
	series := []string{"Galaxy", "Nexus", "Lumia", "Xperia", "Desire", "Moto", "Mate", "Mi", "Find", "Bold"}[r.IntN(10)]
	original := 100 + r.IntN(1400)
	p := market.Product{
		ID: fmt.Sprintf("%024x", i), BrandID: fmt.Sprint("b", r.IntN(12)), Brand: "Brand",
		Name: fmt.Sprint(series, " Model", r.IntN(50)), OriginalPrice: original, ResalePrice: 20 + r.IntN(original),
		Condition: []string{"Excellent", "Good", "Fair"}[r.IntN(3)], Verified: r.IntN(5) == 0,
		SellerUID: fmt.Sprint(i / 100), Location: fmt.Sprint("Place", r.IntN(300), ", Dhaka"),
		Description: fmt.Sprint("In good order, hardly a scratch on its glass, the battery holds a day, with box and charger. "+
			"I bought it new and used it for work only; needle", r.IntN(5000), " and thread", r.IntN(500), "."),
		Version: 1, CreatedAt: time.UnixMilli(1),
	}
	if r.IntN(8) == 0 {
		p.Hold = &market.Hold{BookingID: "x", At: time.UnixMilli(1), Until: time.UnixMilli(2)}
	}
	return p
}
