package mongo

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Empty forgets all that the store holds.
func (s *Store) Empty(ctx context.Context) error {
	names, err := s.db.ListCollectionNames(ctx, bson.D{})
	for _, name := range names {
		if name != state && err == nil {
			_, err = s.db.Collection(name).DeleteMany(ctx, bson.D{})
		}
	}
	return err
}

// Drop forgets a whole database.
func Drop(ctx context.Context, uri string) error {
	s, err := Open(ctx, uri)
	if err != nil {
		return err
	}
	return errors.Join(s.db.Drop(ctx), s.Close())
}
