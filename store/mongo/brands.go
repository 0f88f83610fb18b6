package mongo

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"

	"secondring/market"
)

var brands = kind[market.Brand]{
	name: "brands", what: "brand",
	id:      func(b market.Brand) any { return b.ID },
	version: func(b market.Brand) int64 { return b.Version },
	keys: func(b market.Brand) bson.D {
		return bson.D{field("new", b.ID), field("name", brandKey(b.Name))}
	},
}

// brandKey is the form of a brand's name that is compared and sorted.
func brandKey(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// AddBrand stores a brand; ErrExists where the ID, or the name without case, is
// taken.
func (s *Store) AddBrand(ctx context.Context, b market.Brand) error {
	return brands.add(ctx, s, b, nil)
}

// Brand finds by ID.
func (s *Store) Brand(ctx context.Context, id string) (market.Brand, error) {
	return brands.get(ctx, s, id)
}

// BrandByName finds by name, without case.
func (s *Store) BrandByName(ctx context.Context, name string) (market.Brand, error) {
	return brands.find(ctx, s, bson.D{field("keys.name", brandKey(name))}, nil)
}

// Brands lists all brands.
func (s *Store) Brands(ctx context.Context, page market.Page) (market.List[market.Brand], error) {
	return brands.list(ctx, s, nil, page)
}

// RemoveBrand forgets a brand; ErrInUse while it has phones.
//
// It closes the brand to new phones for a while, looks for phones, deletes the
// brand, and looks again: a phone that was being added at that moment brings it
// back. One that takes longer than all of this stays, without a brand, until its
// seller deletes it.
func (s *Store) RemoveBrand(ctx context.Context, id string) error {
	b, err := s.Brand(ctx, id)
	if err != nil {
		return err
	}
	err = s.setClosing(ctx, id, s.clock.now())
	if err == nil {
		err = s.brandIsFree(ctx, id)
	}
	if err != nil {
		return errors.Join(err, s.setClosing(context.WithoutCancel(ctx), id, time.Time{}))
	}
	err = s.retry(ctx, "remove brand", func(ctx context.Context) error {
		_, err := s.db.Collection(brands.name).DeleteOne(ctx, byID(id))
		return err
	})
	if err != nil {
		return err
	}
	if err = s.brandIsFree(ctx, id); errors.Is(err, market.ErrInUse) {
		return errors.Join(err, s.AddBrand(context.WithoutCancel(ctx), b))
	}
	return err
}

// closingFor is how long a brand is closed: the process that closed it may have
// died.
const closingFor = time.Minute

// setClosing closes a brand to new phones, or with the zero time opens it again.
func (s *Store) setClosing(ctx context.Context, id string, at time.Time) error {
	change := bson.D{field("$set", bson.D{field("closing", at)})}
	return s.retry(ctx, "close brand", func(ctx context.Context) error {
		done, err := s.db.Collection(brands.name).UpdateOne(ctx, byID(id), change)
		if err == nil && done.MatchedCount == 0 {
			return market.ErrNotFound
		}
		return err
	})
}

// brandIsFree returns ErrInUse where the brand has phones.
func (s *Store) brandIsFree(ctx context.Context, id string) error {
	n, err := products.count(ctx, s, bson.D{field("keys.brand", id)}, 1)
	if err == nil && n > 0 {
		return named(ctx, "remove brand", market.ErrInUse)
	}
	return err
}

// brandIsOpen returns ErrNotFound where the brand was removed or is being removed.
func (s *Store) brandIsOpen(ctx context.Context, id string) error {
	isClosing := bson.D{field("$gt", s.clock.now().Add(-closingFor))}
	filter := append(byID(id), field("closing", bson.D{field("$not", isClosing)}))
	return s.retry(ctx, "look for brand", func(ctx context.Context) error {
		return s.latest(brands.name).FindOne(ctx, filter).Err()
	})
}

// TopBrands returns the n with most free phones, ties by name without case. The
// numbers of free phones are exact up to exactTo of all brands together, and else
// remembered for a short time.
func (s *Store) TopBrands(ctx context.Context, n int) ([]market.Brand, error) {
	all, err := brands.collect(ctx, s, everything, nil, 0)
	if err != nil {
		return nil, err
	}
	free, err := s.freePhones(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b market.Brand) int {
		return cmp.Or(cmp.Compare(free[b.ID], free[a.ID]), cmp.Compare(brandKey(a.Name), brandKey(b.Name)))
	})
	return all[:min(n, len(all))], nil
}

// freePhones returns the number of available phones of each brand. Callers must not
// change the map.
func (s *Store) freePhones(ctx context.Context) (map[string]int, error) {
	const key = ""
	whole := func(ctx context.Context) (map[string]int, bool, error) {
		free, total, err := s.countFree(ctx, 0)
		return free, total > s.exactTo, named(ctx, "count free phones", err)
	}
	if free, known := s.free.recall(key, whole); known {
		return free, nil
	}
	var free map[string]int
	total := 0
	err := s.retry(ctx, "count free phones", func(ctx context.Context) (err error) {
		free, total, err = s.countFree(ctx, s.exactTo+1)
		return err
	})
	if err != nil || total <= s.exactTo {
		return free, err
	}
	return s.free.learn(ctx, key, whole)
}

// countFree counts along an index, up to most phones if that is above 0.
func (s *Store) countFree(ctx context.Context, most int) (free map[string]int, total int, err error) {
	steps := mongo.Pipeline{{field("$match", bson.D{field("keys.free", true)})}}
	if most > 0 {
		steps = append(steps, bson.D{field("$limit", most)})
	}
	steps = append(steps, bson.D{field("$group", bson.D{field("_id", "$keys.brand"), field("n", bson.D{field("$sum", 1)})})})
	cursor, err := s.db.Collection(products.name).Aggregate(ctx, steps)
	if err != nil {
		return nil, 0, err
	}
	var counts []struct {
		ID string `bson:"_id"`
		N  int
	}
	if err := cursor.All(ctx, &counts); err != nil {
		return nil, 0, err
	}
	free = map[string]int{}
	for _, c := range counts {
		free[c.ID] = c.N
		total += c.N
	}
	return free, total, nil
}
