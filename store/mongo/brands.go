package mongo

import (
	"context"
	"errors"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

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
		return wrapError(ctx, "remove brand", market.ErrInUse)
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
