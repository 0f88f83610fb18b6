package sqlite_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"secondring/market"
	"secondring/store/sqlite"
)

// openTwice returns a store with phones in one brand, and a second connection to the same
// file.
func openTwice(t *testing.T, phones int) (here, elsewhere *sqlite.Store, all []market.Product) {
	t.Helper()
	path := file(t)
	here, elsewhere = open(t, path), open(t, path)
	if err := here.AddBrand(t.Context(), market.Brand{ID: "b", Name: "Nokia", Version: 1}); err != nil {
		t.Fatal(err)
	}
	for i := range phones {
		p := market.Product{ID: fmt.Sprintf("%024x", phones-i), BrandID: "b", SellerUID: "s", Advertised: true, Version: 1}
		if err := here.AddProduct(t.Context(), p, nil); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return here, elsewhere, all
}

// shows fails the test unless every list of the store has these phones.
func shows(t *testing.T, s *sqlite.Store, want []market.Product) {
	t.Helper()
	page := market.Page{Limit: len(want)}
	ofBrand, err1 := s.ProductsOfBrand(t.Context(), "b", page)
	ofSeller, err2 := s.ProductsOfSeller(t.Context(), "s", page)
	advertised, err3 := s.Advertised(t.Context(), page)
	for name, got := range map[string]market.List[market.Product]{"brand": ofBrand, "seller": ofSeller, "advertised": advertised} {
		if diff := cmp.Diff(want, got.Items); diff != "" || err1 != nil || err2 != nil || err3 != nil {
			t.Fatalf("%s: %v %v %v %s", name, err1, err2, err3, diff)
		}
	}
	for _, p := range want {
		if got, err := s.Product(t.Context(), p.ID); err != nil || !cmp.Equal(p, got) {
			t.Fatalf("%v %s", err, cmp.Diff(p, got))
		}
	}
}

// Another process changes one phone, and then all, between reads.
func TestReadsSeeChangesOfAnotherProcess(t *testing.T) {
	here, elsewhere, all := openTwice(t, 30)
	shows(t, here, all)
	for _, changes := range []int{1, len(all)} {
		for i := range changes {
			all[i].Version++
			all[i].Name = fmt.Sprint("changed with ", changes)
			if err := elsewhere.SaveProduct(t.Context(), all[i], nil); err != nil {
				t.Fatal(err)
			}
		}
		shows(t, here, all)
	}
	gone := all[0]
	gone.Version++
	if err := elsewhere.RemoveProduct(t.Context(), gone, nil); err != nil {
		t.Fatal(err)
	}
	shows(t, here, all[1:])
}
