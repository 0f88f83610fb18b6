package mongo_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"secondring/market"
)

// A list of more phones than are counted exactly is counted once, not by each call; the
// numbers of available phones likewise.
func TestLongListIsCountedOccasionally(t *testing.T) {
	s, commands := openWatched(t)
	s.CountExactlyTo(5)
	r := rand.New(rand.NewPCG(1, 2))
	var all []market.Product
	for i := range 9 {
		p := anyPhone(r, i)
		p.BrandID = "b"
		all = append(all, p)
	}
	if err := s.AddBrand(t.Context(), market.Brand{ID: "b", Name: "B", Version: 1}); err != nil {
		t.Fatal(err)
	}
	lengthIs := func(want int) {
		t.Helper()
		list, err := s.ProductsOfBrand(t.Context(), "b", market.Page{Limit: 1})
		if err != nil || list.Total != want {
			t.Errorf("%d phones, not %d (%v)", list.Total, want, err)
		}
		if _, err := s.TopBrands(t.Context(), 6); err != nil {
			t.Error(err)
		}
	}
	for i, p := range all[:5] {
		if err := s.AddProduct(t.Context(), p, nil); err != nil {
			t.Fatal(err)
		}
		lengthIs(i + 1) // exact after each write
	}
	if err := s.InsertPhones(t.Context(), all[5:]); err != nil {
		t.Fatal(err)
	}
	lengthIs(9)
	commands.take()
	for range 3 {
		lengthIs(9)
	}
	// A refresh in the background may come in between, once for each figure.
	names := slices.DeleteFunc(commands.take(), func(name string) bool { return name != "aggregate" })
	if len(names) > 2 {
		t.Errorf("three calls counted %d times", len(names))
	}
	for _, p := range all[5:] {
		p.Version++
		if err := s.RemoveProduct(t.Context(), p, nil); err != nil {
			t.Fatal(err)
		}
	}
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for end := time.Now().Add(time.Minute); ; <-again.C {
		list, err := s.ProductsOfBrand(t.Context(), "b", market.Page{Limit: 1})
		if err != nil || time.Now().After(end) {
			t.Fatal(fmt.Errorf("the list has %d phones: %w", list.Total, err))
		}
		if list.Total == 5 {
			break
		}
	}
	p := all[4]
	p.Version++
	if err := s.RemoveProduct(t.Context(), p, nil); err != nil {
		t.Fatal(err)
	}
	lengthIs(4) // exact again: the figure was forgotten
}
