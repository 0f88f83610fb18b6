package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"secondring/market"
)

var products = kind[market.Product]{
	name: "products", what: "product",
	id:      func(p market.Product) any { return p.ID },
	version: func(p market.Product) int64 { return p.Version },
	keys: func(p market.Product) bson.D {
		keys := append(searchKeys(p), field("seller", p.SellerUID))
		if p.Hold == nil && !p.Sold {
			keys = append(keys, field("free", true))
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

// AddProduct stores a new phone; ErrExists where the ID is taken, ErrNotFound
// where the brand was removed or is being removed.
func (s *Store) AddProduct(ctx context.Context, p market.Product, events []market.Event) error {
	if err := s.brandIsOpen(ctx, p.BrandID); err != nil {
		return err
	}
	return products.add(ctx, s, p, events)
}

// SaveProduct replaces the phone of that ID, with its version raised by one.
func (s *Store) SaveProduct(ctx context.Context, p market.Product, events []market.Event) error {
	return products.save(ctx, s, p, events)
}

// RemoveProduct forgets the phone of that ID, with its version raised by one.
func (s *Store) RemoveProduct(ctx context.Context, p market.Product, events []market.Event) error {
	return products.drop(ctx, s, p, events)
}

// Product finds by ID.
func (s *Store) Product(ctx context.Context, id string) (market.Product, error) {
	return products.get(ctx, s, id)
}

// ProductsByID returns those of the phones that exist, in any order.
func (s *Store) ProductsByID(ctx context.Context, ids []string) ([]market.Product, error) {
	wanted := bson.A{}
	for _, id := range ids {
		wanted = append(wanted, id)
	}
	return products.collect(ctx, s, append(byID(bson.D{field("$in", wanted)}), field("gone", absent)), nil, 0)
}

// ProductsOfBrand lists a brand's phones.
func (s *Store) ProductsOfBrand(ctx context.Context, brandID string, page market.Page) (market.List[market.Product], error) {
	return products.list(ctx, s, bson.D{field("keys.brand", brandID)}, page)
}

// ProductsOfSeller lists a seller's phones.
func (s *Store) ProductsOfSeller(ctx context.Context, sellerUID string, page market.Page) (market.List[market.Product], error) {
	return products.list(ctx, s, bson.D{field("keys.seller", sellerUID)}, page)
}

// Advertised lists advertised phones that are not booked.
func (s *Store) Advertised(ctx context.Context, page market.Page) (market.List[market.Product], error) {
	return products.list(ctx, s, bson.D{field("keys.advertised", true)}, page)
}

// ProductsWaitedFor returns the phones whose waitlist has this person.
func (s *Store) ProductsWaitedFor(ctx context.Context, uid string) ([]market.Product, error) {
	return products.collect(ctx, s, bson.D{field("keys.waiters", uid)}, nil, 0)
}

// ProductsHeld returns unsold phones whose Hold.At is in [from, to], oldest
// first.
func (s *Store) ProductsHeld(ctx context.Context, from, to time.Time, limit int) ([]market.Product, error) {
	held := bson.D{field("$gte", from), field("$lte", to)}
	return products.collect(ctx, s, bson.D{field("keys.held", held)},
		bson.D{field("keys.held", 1), field("keys.new", 1)}, limit)
}
