package mongo

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"

	"secondring/market"
)

// meta is the collection of the settings of the store itself.
const meta = "meta"

// Meta returns a named setting of the store itself, or "" if it is not set.
func (s *Store) Meta(ctx context.Context, name string) (string, error) {
	var setting struct{ Value string }
	err := s.retry(ctx, "read setting", func(ctx context.Context) error {
		err := s.db.Collection(meta).FindOne(ctx, byID(name)).Decode(&setting)
		if errors.Is(err, mongo.ErrNoDocuments) {
			return nil
		}
		return err
	})
	return setting.Value, err
}

// SetMeta sets a setting of the store. It returns ErrExists if the setting exists.
func (s *Store) SetMeta(ctx context.Context, name, value string) error {
	write := s.clock.next()
	return s.retry(ctx, "set setting", func(ctx context.Context) error {
		_, err := s.db.Collection(meta).InsertOne(ctx,
			bson.D{field("_id", name), field("value", value), field("write", write)})
		if !mongo.IsDuplicateKeyError(err) {
			return err
		}
		var stored struct{ Write int64 }
		if err := s.latest(meta).FindOne(ctx, byID(name)).Decode(&stored); err != nil {
			return err
		}
		if stored.Write == write {
			return nil // this write had succeeded and its response was lost
		}
		return market.ErrExists
	})
}
