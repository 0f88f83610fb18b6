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
	name: "brands", singular: "brand",
	id:      func(b market.Brand) any { return b.ID },
	version: func(b market.Brand) int64 { return b.Version },
	keys: func(b market.Brand) bson.D {
		return bson.D{field("new", b.ID), field("name", brandKey(b.Name))}
	},
}

// brandKey returns the form of a brand's name that is used to compare and to sort.
func brandKey(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// AddBrand stores a new brand. It returns ErrExists if the ID or the name is taken; case is
// ignored.
func (s *Store) AddBrand(ctx context.Context, b market.Brand) error {
	return brands.add(ctx, s, b, nil)
}

// Brand returns the brand with an ID.
func (s *Store) Brand(ctx context.Context, id string) (market.Brand, error) {
	return brands.get(ctx, s, id)
}

// BrandByName returns the brand with a name; case is ignored.
func (s *Store) BrandByName(ctx context.Context, name string) (market.Brand, error) {
	return brands.findOne(ctx, s, bson.D{field("keys.name", brandKey(name))}, nil)
}

// RemoveBrand deletes a brand. It returns ErrInUse if the brand has phones.
//
// It closes the brand to new phones for closingTimeout, checks that there are no phones, and
// deletes the brand. Then it checks again, because a concurrent AddProduct may have passed its
// check before the brand was closed; in that case it restores the brand. An AddProduct that
// writes even after the second check leaves a phone without a brand until its seller deletes it.
func (s *Store) RemoveBrand(ctx context.Context, id string) error {
	b, err := s.Brand(ctx, id)
	if err != nil {
		return err
	}
	err = s.setClosing(ctx, id, s.clock.now())
	if err == nil {
		err = s.checkBrandUnused(ctx, id)
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
	if err = s.checkBrandUnused(ctx, id); errors.Is(err, market.ErrInUse) {
		return errors.Join(err, s.AddBrand(context.WithoutCancel(ctx), b))
	}
	return err
}

// closingTimeout limits how long a brand stays closed, because the process that closed it may
// have died.
const closingTimeout = time.Minute

// setClosing closes a brand to new phones. If at is the zero time, it opens the brand again.
func (s *Store) setClosing(ctx context.Context, id string, at time.Time) error {
	update := bson.D{field("$set", bson.D{field("closing", at)})}
	return s.retry(ctx, "close brand", func(ctx context.Context) error {
		result, err := s.db.Collection(brands.name).UpdateOne(ctx, byID(id), update)
		if err == nil && result.MatchedCount == 0 {
			return market.ErrNotFound
		}
		return err
	})
}

// checkBrandUnused returns ErrInUse if the brand has phones.
func (s *Store) checkBrandUnused(ctx context.Context, id string) error {
	n, err := products.count(ctx, s, bson.D{field("keys.brand", id)}, 1)
	if err == nil && n > 0 {
		return wrapError(ctx, "remove brand", market.ErrInUse)
	}
	return err
}

// checkBrandOpen returns ErrNotFound if the brand does not exist or is being removed.
func (s *Store) checkBrandOpen(ctx context.Context, id string) error {
	isClosing := bson.D{field("$gt", s.clock.now().Add(-closingTimeout))}
	filter := append(byID(id), field("closing", bson.D{field("$not", isClosing)}))
	return s.retry(ctx, "look for brand", func(ctx context.Context) error {
		return s.latest(brands.name).FindOne(ctx, filter).Err()
	})
}
