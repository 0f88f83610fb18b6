package sqlite_test

import (
	"fmt"
	"sync"
	"testing"

	"secondring/market"
)

// While a list changes, the number of items on its only page equals its total.
func TestPageAndTotalAreConsistent(t *testing.T) {
	s := open(t, newPath(t))
	if err := s.AddBrand(t.Context(), market.Brand{ID: "b", Name: "Nokia", Version: 1}); err != nil {
		t.Fatal(err)
	}
	const phones = 100
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(done)
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
		wg.Go(func() {
			for stop := false; !stop; {
				select {
				case <-done:
					stop = true
				default:
				}
				list, err := s.ProductsOfBrand(t.Context(), "b", market.Page{Limit: phones})
				if err != nil || list.More || len(list.Items) != list.Total {
					t.Errorf("the page has %d items and the total %d (%v)", len(list.Items), list.Total, err)
					return
				}
			}
		})
	}
	wg.Wait()
}
