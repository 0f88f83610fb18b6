package mongo

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"

	"secondring/market"
)

// meta keeps the settings of the store itself.
const meta = "meta"

// Meta returns a named setting of the store itself, "" when unset.
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

// SetMeta sets it once; ErrExists when it is set.
func (s *Store) SetMeta(ctx context.Context, name, value string) error {
	write := s.clock.next()
	return s.retry(ctx, "set setting", func(ctx context.Context) error {
		_, err := s.db.Collection(meta).InsertOne(ctx,
			bson.D{field("_id", name), field("value", value), field("write", write)})
		if !mongo.IsDuplicateKeyError(err) {
			return err
		}
		var there struct{ Write int64 }
		if err := s.latest(meta).FindOne(ctx, byID(name)).Decode(&there); err != nil {
			return err
		}
		if there.Write == write {
			return nil // it was this write, whose answer was lost
		}
		return market.ErrExists
	})
}
