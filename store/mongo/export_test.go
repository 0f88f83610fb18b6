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

// OpenWith is Open with additional options of the driver.
func OpenWith(ctx context.Context, uri string, opts *options.ClientOptions) (*Store, error) {
	return open(ctx, uri, callTimeout, opts)
}

// WaitLong raises the time limit of calls, for tests on a busy machine.
func (s *Store) WaitLong() { s.callTimeout = time.Minute }

// CountExactlyTo sets up to which number each call counts exactly, so that a small market is
// counted like a large one.
func (s *Store) CountExactlyTo(n int) { s.exactCountLimit = n }

// Database returns the store's database.
func (s *Store) Database() *mongo.Database { return s.db }

// Empty deletes all documents of the store.
func (s *Store) Empty(ctx context.Context) error {
	names, err := s.db.ListCollectionNames(ctx, bson.D{})
	for _, name := range names {
		if name != state && err == nil {
			_, err = s.db.Collection(name).DeleteMany(ctx, bson.D{})
		}
	}
	return err
}

// Drop deletes a database.
func Drop(ctx context.Context, uri string) error {
	s, err := Open(ctx, uri)
	if err != nil {
		return err
	}
	return errors.Join(s.db.Drop(ctx), s.Close())
}

// SetSchema sets the schema number of the database, as another version of SecondRing does.
func (s *Store) SetSchema(ctx context.Context, number int) error { return s.setSchema(ctx, number) }

// Schema is the schema number that this version writes.
const Schema = schema

// AddPendingOp stores the operation that ends sessions without performing it, as a process
// that is killed in between.
func (s *Store) AddPendingOp(ctx context.Context, sessions []string, events []market.Event) error {
	ids := bson.A{}
	for _, id := range sessions {
		ids = append(ids, id)
	}
	n := pendingOp{Sessions: ids, Undone: true, Gone: s.clock.now()}
	n.ID, n.Events = s.assignTimestamps(events)
	return s.addPendingOp(ctx, n)
}

// Pass advances the store's clock.
func (s *Store) Pass(d time.Duration) {
	now := s.clock.now
	s.clock.now = func() time.Time { return now().Add(d) }
}

// DeleteTombstones deletes removed documents without events immediately.
func (s *Store) DeleteTombstones(ctx context.Context) error {
	for _, name := range outboxes {
		_, err := s.db.Collection(name).UpdateMany(ctx, bson.D{field("gone", bson.D{field("$exists", true)})},
			bson.D{field("$set", bson.D{field("gone", s.clock.now().Add(-2*tombstoneLifetime))})})
		if err = errors.Join(err, s.deleteTombstones(ctx, name, s.clock.now().Add(-tombstoneLifetime))); err != nil {
			return err
		}
	}
	return nil
}

// InsertPhones adds many phones in one command, without events.
func (s *Store) InsertPhones(ctx context.Context, phones []market.Product) error {
	var docs []any
	for _, p := range phones {
		docs = append(docs, products.document(p, s.clock.next(), nil))
	}
	_, err := s.db.Collection(products.name).InsertMany(ctx, docs)
	return err
}

// ImagesDriver returns the driver of Images.
func (s *Store) ImagesDriver() driver.Bucket { return &bucket{s} }
