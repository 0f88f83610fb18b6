package mongo

import (
	"context"
	"errors"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gocloud.dev/blob/driver"

	"secondring/market"
)

// OpenWith is Open with further settings of the driver.
func OpenWith(ctx context.Context, uri string, more *options.ClientOptions) (*Store, error) {
	return open(ctx, uri, patience, more)
}

// WaitLong makes the store as patient as tests on a busy machine are.
func (s *Store) WaitLong() { s.patience = time.Minute }

// CountExactlyTo bounds how far each call counts, as if the market were a large one.
func (s *Store) CountExactlyTo(n int) { s.exactTo = n }

// Database is where the store keeps all.
func (s *Store) Database() *mongo.Database { return s.db }

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

// SetSchema says that another SecondRing has written the database.
func (s *Store) SetSchema(ctx context.Context, number int) error { return s.setSchema(ctx, number) }

// Schema is what this one writes.
const Schema = schema

// AddNotice stores the operation that ends sessions without performing it, as a process
// that is killed in between.
func (s *Store) AddNotice(ctx context.Context, sessions []string, events []market.Event) error {
	ids := bson.A{}
	for _, id := range sessions {
		ids = append(ids, id)
	}
	n := pendingOp{Sessions: ids, Undone: true, Gone: s.clock.now()}
	n.ID, n.Events = s.placed(events)
	return s.addPendingOp(ctx, n)
}

// Reap forgets at once what was removed and has no events.
func (s *Store) Reap(ctx context.Context) error {
	for _, name := range outboxes {
		_, err := s.db.Collection(name).UpdateMany(ctx, bson.D{field("gone", bson.D{field("$exists", true)})},
			bson.D{field("$set", bson.D{field("gone", s.clock.now().Add(-2*tombstoneFor))})})
		if err = errors.Join(err, s.deleteTombstones(ctx, name)); err != nil {
			return err
		}
	}
	return nil
}

// InsertPhones adds many at once, without events.
func (s *Store) InsertPhones(ctx context.Context, phones []market.Product) error {
	var docs []any
	for _, p := range phones {
		docs = append(docs, products.document(p, s.clock.next(), nil))
	}
	_, err := s.db.Collection(products.name).InsertMany(ctx, docs)
	return err
}

// ImagesDriver is what Images is over.
func (s *Store) ImagesDriver() driver.Bucket { return &bucket{s} }
