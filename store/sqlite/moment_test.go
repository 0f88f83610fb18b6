package sqlite_test

import (
	"fmt"
	"sync"
	"testing"

	"secondring/market"
)

// A list is read while it changes: the number of items on its only page equals its
// total.
func TestPageAndTotalAreConsistent(t *testing.T) {
	s := open(t, file(t))
	if err := s.AddBrand(t.Context(), market.Brand{ID: "b", Name: "Nokia", Version: 1}); err != nil {
		t.Fatal(err)
	}
	const phones = 100
	written := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		defer close(written)
		for i := range phones {
			p := market.Product{ID: fmt.Sprintf("%024x", i), BrandID: "b", Version: 1}
			err := s.AddProduct(t.Context(), p, nil)
			if err == nil && i%3 == 0 {
				p.Version = 2
				err = s.RemoveProduct(t.Context(), p, nil)
			}
			if err != nil {
				t.Error(err)
				return
			}
		}
	})
	for range 2 {
		all.Go(func() {
			for over := false; !over; {
				select {
				case <-written:
					over = true
				default:
				}
				list, err := s.ProductsOfBrand(t.Context(), "b", market.Page{Limit: phones})
				if err != nil || list.More || len(list.Items) != list.Total {
					t.Errorf("%d items of %d, %v", len(list.Items), list.Total, err)
					return
				}
			}
		})
	}
	all.Wait()
}
