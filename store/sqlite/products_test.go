package sqlite_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"secondring/market"
	"secondring/store/sqlite"
)

// openTwice returns a store with phones in one brand, and a second connection to the same
// file.
func openTwice(t *testing.T, phones int) (first, second *sqlite.Store, all []market.Product) {
	t.Helper()
	path := newPath(t)
	first, second = open(t, path), open(t, path)
	if err := first.AddBrand(t.Context(), market.Brand{ID: "b", Name: "Nokia", Version: 1}); err != nil {
		t.Fatal(err)
	}
	for i := range phones {
		p := market.Product{ID: fmt.Sprintf("%024x", phones-i), BrandID: "b", SellerUID: "s", Advertised: true, Version: 1}
		if err := first.AddProduct(t.Context(), p, nil); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return first, second, all
}

// wantPhones fails the test unless every list of the store has these phones.
func wantPhones(t *testing.T, s *sqlite.Store, want []market.Product) {
	t.Helper()
	page := market.Page{Limit: len(want)}
	ofBrand, err1 := s.ProductsOfBrand(t.Context(), "b", page)
	ofSeller, err2 := s.ProductsOfSeller(t.Context(), "s", page)
	advertised, err3 := s.Advertised(t.Context(), page)
	for name, got := range map[string]market.List[market.Product]{"brand": ofBrand, "seller": ofSeller, "advertised": advertised} {
		if diff := cmp.Diff(want, got.Items); diff != "" || err1 != nil || err2 != nil || err3 != nil {
			t.Fatalf("list %s: %v, (-want +got)\n%s", name, errors.Join(err1, err2, err3), diff)
		}
	}
	for _, p := range want {
		if got, err := s.Product(t.Context(), p.ID); err != nil || !cmp.Equal(p, got) {
			t.Fatalf("phone %s: %v, (-want +got)\n%s", p.ID, err, cmp.Diff(p, got))
		}
	}
}

// Another process changes one phone, and then all, between reads.
func TestReadsSeeChangesOfAnotherProcess(t *testing.T) {
	first, second, all := openTwice(t, 30)
	wantPhones(t, first, all)
	for _, changes := range []int{1, len(all)} {
		for i := range changes {
			all[i].Version++
			all[i].Name = fmt.Sprint("changed with ", changes)
			if err := second.SaveProduct(t.Context(), all[i], nil); err != nil {
				t.Fatal(err)
			}
		}
		wantPhones(t, first, all)
	}
	removed := all[0]
	removed.Version++
	if err := second.RemoveProduct(t.Context(), removed, nil); err != nil {
		t.Fatal(err)
	}
	wantPhones(t, first, all[1:])
}
