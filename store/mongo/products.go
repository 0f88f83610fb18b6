package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"secondring/market"
)

var products = kind[market.Product]{
	name: "products", singular: "product",
	id:      func(p market.Product) any { return p.ID },
	version: func(p market.Product) int64 { return p.Version },
	keys: func(p market.Product) bson.D {
		keys := append(searchKeys(p), field("seller", p.SellerUID))
		if p.Hold == nil && !p.Sold {
			keys = append(keys, field("free", true)) // available; stored documents have the old word
		}
		if p.Advertised && p.Hold == nil {
			keys = append(keys, field("advertised", true))
		}
		if p.Hold != nil && !p.Sold {
			keys = append(keys, field("held", p.Hold.At))
		}
		if len(p.Waitlist) > 0 {
			var uids bson.A
			for _, w := range p.Waitlist {
				uids = append(uids, w.UID)
			}
			keys = append(keys, field("waiters", uids))
		}
		return keys
	},
}

// AddProduct stores a new phone. It returns ErrExists if the ID exists, and ErrNotFound if the
// brand does not exist or is being removed.
func (s *Store) AddProduct(ctx context.Context, p market.Product, events []market.Event) error {
	if err := s.checkBrandOpen(ctx, p.BrandID); err != nil {
		return err
	}
	return products.add(ctx, s, p, events)
}

// SaveProduct replaces the phone with the ID of p. The version of p must be one above the
// stored version.
func (s *Store) SaveProduct(ctx context.Context, p market.Product, events []market.Event) error {
	return products.save(ctx, s, p, events)
}

// RemoveProduct deletes the phone with the ID of p. The version of p must be one above the
// stored version.
func (s *Store) RemoveProduct(ctx context.Context, p market.Product, events []market.Event) error {
	return products.remove(ctx, s, p, events)
}

// Product returns the phone with an ID.
func (s *Store) Product(ctx context.Context, id string) (market.Product, error) {
	return products.get(ctx, s, id)
}

// ProductsByID returns the phones with these IDs that exist, in any order.
func (s *Store) ProductsByID(ctx context.Context, ids []string) ([]market.Product, error) {
	idArray := bson.A{}
	for _, id := range ids {
		idArray = append(idArray, id)
	}
	return products.collect(ctx, s, append(byID(bson.D{field("$in", idArray)}), field("gone", absent)), nil, 0)
}

// ProductsOfBrand returns a page of a brand's phones, newest first, and the number of all.
func (s *Store) ProductsOfBrand(ctx context.Context, brandID string, page market.Page) (market.List[market.Product], error) {
	return products.list(ctx, s, bson.D{field("keys.brand", brandID)}, page)
}

// ProductsOfSeller returns a page of a seller's phones, newest first, and the number of all.
func (s *Store) ProductsOfSeller(ctx context.Context, sellerUID string, page market.Page) (market.List[market.Product], error) {
	return products.list(ctx, s, bson.D{field("keys.seller", sellerUID)}, page)
}

// Advertised returns a page of the advertised phones that are not booked, newest first, and the
// number of all.
func (s *Store) Advertised(ctx context.Context, page market.Page) (market.List[market.Product], error) {
	return products.list(ctx, s, bson.D{field("keys.advertised", true)}, page)
}

// ProductsWaitedFor returns the phones with a person on their waitlist, in any order.
func (s *Store) ProductsWaitedFor(ctx context.Context, uid string) ([]market.Product, error) {
	return products.collect(ctx, s, bson.D{field("keys.waiters", uid)}, nil, 0)
}

// ProductsHeld returns up to limit unsold phones whose Hold.At is in [from, to], oldest first.
func (s *Store) ProductsHeld(ctx context.Context, from, to time.Time, limit int) ([]market.Product, error) {
	held := bson.D{field("$gte", from), field("$lte", to)}
	return products.collect(ctx, s, bson.D{field("keys.held", held)},
		bson.D{field("keys.held", 1), field("keys.new", 1)}, limit)
}
