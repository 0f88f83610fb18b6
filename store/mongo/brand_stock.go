package mongo

import (
	"cmp"
	"context"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"

	"secondring/market"
)

// stock has the number and the lowest price of the available phones of one brand. Its field
// names are those of the aggregation in countAvailable.
type stock struct {
	ID   string `bson:"_id"` // of the brand
	N    int    // number of available phones
	From int    // their lowest price
}

// Brands returns a page of all brands, newest first, with their stock, and the number of all.
// If more than exactCountLimit phones are available in total, the stock comes from a cache and is a
// short time old.
func (s *Store) Brands(ctx context.Context, page market.Page) (market.List[market.BrandStock], error) {
	list, err := brands.list(ctx, s, nil, page)
	if err != nil {
		return market.List[market.BrandStock]{}, err
	}
	items, err := s.withStock(ctx, list.Items)
	return market.List[market.BrandStock]{Items: items, Total: list.Total, More: list.More}, err
}

// TopBrands returns the n brands with most available phones, and sorts ties by name without
// case. The stock is as exact as in Brands.
func (s *Store) TopBrands(ctx context.Context, n int) ([]market.BrandStock, error) {
	items, err := brands.collect(ctx, s, allEntities, nil, 0)
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

// withStock returns the brands with their stock.
func (s *Store) withStock(ctx context.Context, brands []market.Brand) ([]market.BrandStock, error) {
	available, err := s.available(ctx)
	if err != nil {
		return nil, err
	}
	var all []market.BrandStock
	for _, b := range brands {
		st := available[b.ID]
		all = append(all, market.BrandStock{Brand: b, Available: st.N, FromPrice: st.From})
	}
	return all, nil
}

// available returns the stock by brand ID. Brands without available phones are missing. Callers
// must not modify the map, because it may be cached.
func (s *Store) available(ctx context.Context) (map[string]stock, error) {
	const key = ""
	countAll := func(ctx context.Context) (map[string]stock, bool, error) {
		all, total, err := s.countAvailable(ctx, 0)
		return all, total > s.exactCountLimit, wrapError(ctx, "count available phones", err)
	}
	if all, cached := s.stocks.get(key, countAll); cached {
		return all, nil
	}
	var all map[string]stock
	total := 0
	err := s.retry(ctx, "count available phones", func(ctx context.Context) (err error) {
		all, total, err = s.countAvailable(ctx, s.exactCountLimit+1)
		return err
	})
	if err != nil || total <= s.exactCountLimit {
		return all, err
	}
	return s.stocks.load(ctx, key, countAll)
}

// countAvailable groups the available phones by brand. It reads only an index, and at most limit
// phones if limit is above 0. It returns the stock by brand ID and the number of phones counted.
func (s *Store) countAvailable(ctx context.Context, limit int) (all map[string]stock, total int, err error) {
	pipeline := mongo.Pipeline{{field("$match", bson.D{field("keys.free", true)})}}
	if limit > 0 {
		pipeline = append(pipeline, bson.D{field("$limit", limit)})
	}
	pipeline = append(pipeline, bson.D{field("$group", bson.D{
		field("_id", "$keys.brand"),
		field("n", bson.D{field("$sum", 1)}),
		field("from", bson.D{field("$min", "$keys.price")}),
	})})
	cursor, err := s.db.Collection(products.name).Aggregate(ctx, pipeline)
	if err != nil {
		return nil, 0, err
	}
	var groups []stock
	if err := cursor.All(ctx, &groups); err != nil {
		return nil, 0, err
	}
	all = map[string]stock{}
	for _, st := range groups {
		all[st.ID] = st
		total += st.N
	}
	return all, total, nil
}
