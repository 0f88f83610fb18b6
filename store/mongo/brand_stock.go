package mongo

import (
	"cmp"
	"context"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"

	"secondring/market"
)

// stock is what is available of one brand.
type stock struct {
	ID   string `bson:"_id"` // the brand's
	N    int    // phones
	From int    // the lowest price of them
}

// Brands lists all brands. What is available of them is exact up to exactTo phones of all
// brands together, and else remembered for a short time.
func (s *Store) Brands(ctx context.Context, page market.Page) (market.List[market.BrandStock], error) {
	list, err := brands.list(ctx, s, nil, page)
	if err != nil {
		return market.List[market.BrandStock]{}, err
	}
	items, err := s.withStock(ctx, list.Items)
	return market.List[market.BrandStock]{Items: items, Total: list.Total, More: list.More}, err
}

// TopBrands returns the n with most available phones, ties by name without case. What is
// available is as exact as that of Brands.
func (s *Store) TopBrands(ctx context.Context, n int) ([]market.BrandStock, error) {
	names, err := brands.collect(ctx, s, everything, nil, 0)
	if err != nil {
		return nil, err
	}
	all, err := s.withStock(ctx, names)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b market.BrandStock) int {
		return cmp.Or(cmp.Compare(b.Available, a.Available), cmp.Compare(brandKey(a.Name), brandKey(b.Name)))
	})
	return all[:min(n, len(all))], nil
}

// withStock adds to brands what is available of them.
func (s *Store) withStock(ctx context.Context, brands []market.Brand) ([]market.BrandStock, error) {
	available, err := s.available(ctx)
	if err != nil {
		return nil, err
	}
	var all []market.BrandStock
	for _, b := range brands {
		has := available[b.ID]
		all = append(all, market.BrandStock{Brand: b, Available: has.N, FromPrice: has.From})
	}
	return all, nil
}

// available returns what is available of each brand that has any. Callers must not change
// the map.
func (s *Store) available(ctx context.Context) (map[string]stock, error) {
	const key = ""
	whole := func(ctx context.Context) (map[string]stock, bool, error) {
		all, total, err := s.countAvailable(ctx, 0)
		return all, total > s.exactTo, wrapError(ctx, "count available phones", err)
	}
	if all, known := s.stocks.recall(key, whole); known {
		return all, nil
	}
	var all map[string]stock
	total := 0
	err := s.retry(ctx, "count available phones", func(ctx context.Context) (err error) {
		all, total, err = s.countAvailable(ctx, s.exactTo+1)
		return err
	})
	if err != nil || total <= s.exactTo {
		return all, err
	}
	return s.stocks.learn(ctx, key, whole)
}

// countAvailable counts along an index, up to most phones if that is above 0.
func (s *Store) countAvailable(ctx context.Context, most int) (all map[string]stock, total int, err error) {
	steps := mongo.Pipeline{{field("$match", bson.D{field("keys.free", true)})}}
	if most > 0 {
		steps = append(steps, bson.D{field("$limit", most)})
	}
	steps = append(steps, bson.D{field("$group", bson.D{
		field("_id", "$keys.brand"),
		field("n", bson.D{field("$sum", 1)}),
		field("from", bson.D{field("$min", "$keys.price")}),
	})})
	cursor, err := s.db.Collection(products.name).Aggregate(ctx, steps)
	if err != nil {
		return nil, 0, err
	}
	var each []stock
	if err := cursor.All(ctx, &each); err != nil {
		return nil, 0, err
	}
	all = map[string]stock{}
	for _, of := range each {
		all[of.ID] = of
		total += of.N
	}
	return all, total, nil
}
