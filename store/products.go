package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"secondring/market"
	"secondring/market/search"
)

// AddProduct stores a new phone. It returns ErrNotFound if its brand does not exist or is being
// removed.
func (s *Store) AddProduct(ctx context.Context, p market.Product, effects []market.Effect) error {
	w, err := products.write(Add, p, p.Version, effects)
	w.Needs = &Ref{Kind: &brands.Info, ID: p.BrandID, Key: closing, Below: time.Now().Add(-closingTimeout).UnixMilli()}
	return s.write(ctx, "add product", w, err)
}

// SaveProduct replaces a phone.
func (s *Store) SaveProduct(ctx context.Context, p market.Product, effects []market.Effect) error {
	return products.save(ctx, s, p, effects)
}

// RemoveProduct removes a phone.
func (s *Store) RemoveProduct(ctx context.Context, p market.Product, effects []market.Effect) error {
	return products.remove(ctx, s, p, effects)
}

// Product returns the phone with an ID.
func (s *Store) Product(ctx context.Context, id string) (market.Product, error) {
	return products.get(ctx, s, id)
}

// ProductsByID returns the phones that exist of these IDs, in any order.
func (s *Store) ProductsByID(ctx context.Context, ids []string) ([]market.Product, error) {
	return products.several(ctx, s, ids...)
}

// ProductsOfBrand lists the phones of a brand.
func (s *Store) ProductsOfBrand(ctx context.Context, brandID string, page market.Page) (market.List[market.Product], error) {
	return products.list(ctx, s, Keys{"brand": brandID}, page, CountAll)
}

// ProductsOfSeller lists the phones of a seller.
func (s *Store) ProductsOfSeller(ctx context.Context, sellerUID string, page market.Page) (market.List[market.Product], error) {
	return products.list(ctx, s, Keys{"seller": sellerUID}, page, CountAll)
}

// Advertised lists the advertised phones that are not booked.
func (s *Store) Advertised(ctx context.Context, page market.Page) (market.List[market.Product], error) {
	return products.list(ctx, s, Keys{"advertised": "yes"}, page, CountAll)
}

// SearchProducts lists the phones that a query finds, in its order.
func (s *Store) SearchProducts(ctx context.Context, q search.Query, page market.Page, countTo int) (market.List[market.Product], error) {
	found, err := s.engine.Search(ctx, q, page, countTo)
	items, err := products.decodeAll(found.Docs, err)
	return market.List[market.Product]{Items: items, Total: found.Total, More: found.More}, err
}

// ProductsWaitedFor returns the phones with a person on their waitlist.
func (s *Store) ProductsWaitedFor(ctx context.Context, uid string) ([]market.Product, error) {
	return products.all(ctx, s, Keys{"waiters": uid})
}

// ProductsHeld returns up to limit unsold phones whose Hold.At is in [from, to], the oldest first.
func (s *Store) ProductsHeld(ctx context.Context, from, to time.Time, limit int) ([]market.Product, error) {
	return products.between(ctx, s, "held", from, to, limit)
}

// AddBrand stores a new brand.
func (s *Store) AddBrand(ctx context.Context, b market.Brand) error {
	return brands.add(ctx, s, b, nil)
}

// Brand returns the brand with an ID.
func (s *Store) Brand(ctx context.Context, id string) (market.Brand, error) {
	return brands.get(ctx, s, id)
}

// BrandByName returns the brand with a name; case is ignored.
func (s *Store) BrandByName(ctx context.Context, name string) (market.Brand, error) {
	return brands.newest(ctx, s, Keys{"name": brandKey(name)})
}

// Brands lists the brands with their available phones.
func (s *Store) Brands(ctx context.Context, page market.Page) (market.List[market.BrandStock], error) {
	list, err := brands.list(ctx, s, nil, page, CountAll)
	if err != nil {
		return market.List[market.BrandStock]{}, err
	}
	items, err := s.withStock(ctx, list.Items)
	return market.List[market.BrandStock]{Items: items, Total: list.Total, More: list.More}, err
}

// TopBrands returns the n brands with most available phones, ties by name.
func (s *Store) TopBrands(ctx context.Context, n int) ([]market.BrandStock, error) {
	items, err := brands.all(ctx, s, nil)
	if err != nil {
		return nil, err
	}
	all, err := s.withStock(ctx, items)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b market.BrandStock) int {
		return cmp.Or(cmp.Compare(b.Available, a.Available), cmp.Compare(brandKey(a.Name), brandKey(b.Name)))
	})
	return all[:min(n, len(all))], nil
}

// withStock returns the brands with their available phones.
func (s *Store) withStock(ctx context.Context, brands []market.Brand) ([]market.BrandStock, error) {
	sums, err := s.engine.Sums(ctx, &products.Info)
	if err != nil {
		return nil, fmt.Errorf("count available phones: %w", err)
	}
	available := map[string]Sum{}
	for _, sum := range sums {
		available[sum.Value] = sum
	}
	var all []market.BrandStock
	for _, b := range brands {
		sum := available[b.ID]
		all = append(all, market.BrandStock{Brand: b, Available: sum.Count, FromPrice: int(sum.Least)})
	}
	return all, nil
}

// closing is the key of a brand that is being removed: the time since when, in milliseconds since
// 1970. After closingTimeout the brand counts as open, because the process that closed it may have
// died.
const (
	closing        = "closing"
	closingTimeout = time.Minute
)

// RemoveBrand removes a brand. It returns ErrInUse if the brand has phones.
//
// It closes the brand to new phones, and removes it if there are none. It checks again after
// that, because an engine may have checked the brand of a new phone before it was closed; then it
// restores the brand.
func (s *Store) RemoveBrand(ctx context.Context, id string) error {
	if err := s.setClosing(ctx, id, true); err != nil {
		return err
	}
	b, err := s.Brand(ctx, id)
	if err == nil {
		err = s.checkBrandUnused(ctx, id)
	}
	if err != nil {
		return errors.Join(err, s.setClosing(context.WithoutCancel(ctx), id, false))
	}
	if err := brands.drop(ctx, s, b, nil); err != nil {
		return err
	}
	if err = s.checkBrandUnused(ctx, id); errors.Is(err, market.ErrInUse) {
		return errors.Join(err, s.AddBrand(context.WithoutCancel(ctx), b))
	}
	return err
}

// setClosing closes a brand to new phones, or opens it again.
func (s *Store) setClosing(ctx context.Context, id string, close bool) error {
	all, err := brands.docs(ctx, s, id)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("brand: %w", market.ErrNotFound)
	}
	w, err := brands.write(Replace, all[0].value, all[0].version+1, nil)
	if close {
		w.Keys[closing] = time.Now().UnixMilli()
	}
	return s.write(ctx, "close brand", w, err)
}

func (s *Store) checkBrandUnused(ctx context.Context, id string) error {
	for _, kind := range []*Info{&products.Info, &hiddenPhones.Info} {
		found, err := s.engine.Find(ctx, kind, Find{Where: Keys{"brand": id}, CountTo: 1})
		if err == nil && found.Total > 0 {
			err = market.ErrInUse
		}
		if err != nil {
			return fmt.Errorf("remove brand: %w", err)
		}
	}
	return nil
}
