package mongo_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"secondring/market"
)

// A list that is too long to be counted exactly is counted once, and not by each call. The
// same is true for the numbers of available phones.
func TestLongListIsCountedOccasionally(t *testing.T) {
	s, commands := openLogged(t)
	s.engine.CountExactlyTo(5)
	r := rand.New(rand.NewPCG(1, 2))
	var all []market.Product
	for i := range 9 {
		p := randomPhone(r, i)
		p.BrandID = "b"
		all = append(all, p)
	}
	if err := s.AddBrand(t.Context(), market.Brand{ID: "b", Name: "B", Version: 1}); err != nil {
		t.Fatal(err)
	}
	wantTotal := func(want int) {
		t.Helper()
		list, err := s.ProductsOfBrand(t.Context(), "b", market.Page{Limit: 1})
		if err != nil || list.Total != want {
			t.Errorf("the total is %d (%v), want %d", list.Total, err, want)
		}
		if _, err := s.TopBrands(t.Context(), 6); err != nil {
			t.Error(err)
		}
	}
	for i, p := range all[:5] {
		if err := s.AddProduct(t.Context(), p, nil); err != nil {
			t.Fatal(err)
		}
		wantTotal(i + 1) // exact after each write
	}
	if err := s.insertPhones(t.Context(), all[5:]); err != nil {
		t.Fatal(err)
	}
	wantTotal(9)
	commands.take()
	for range 3 {
		wantTotal(9)
	}
	// One refresh in the background may run meanwhile for each of the two figures.
	names := slices.DeleteFunc(commands.take(), func(name string) bool { return name != "aggregate" })
	if len(names) > 2 {
		t.Errorf("three calls sent %d aggregate commands, want at most 2", len(names))
	}
	for _, p := range all[5:] {
		p.Version++
		if err := s.RemoveProduct(t.Context(), p, nil); err != nil {
			t.Fatal(err)
		}
	}
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for end := time.Now().Add(10 * time.Minute); ; <-ticker.C {
		list, err := s.ProductsOfBrand(t.Context(), "b", market.Page{Limit: 1})
		if err != nil || time.Now().After(end) {
			t.Fatalf("the total is still %d (%v), want 5", list.Total, err)
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
	wantTotal(4) // exact again, because the stored figure was deleted
}
