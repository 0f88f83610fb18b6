package mongo

import (
	"context"
	"errors"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gocloud.dev/blob/driver"

	"secondring/store"
)

// OpenWith is Open with additional options of the driver.
func OpenWith(ctx context.Context, uri string, opts *options.ClientOptions) (*Engine, error) {
	return open(ctx, uri, opts)
}

// CountExactlyTo sets up to which number each call counts exactly, so that a small market is
// counted like a large one.
func (e *Engine) CountExactlyTo(n int) { e.exactCountLimit = n }

// Database returns the store's database.
func (e *Engine) Database() *mongo.Database { return e.db }

// Empty deletes all documents of the store.
func (e *Engine) Empty(ctx context.Context) error {
	names, err := e.db.ListCollectionNames(ctx, bson.D{})
	for _, name := range names {
		if name != state && err == nil {
			_, err = e.db.Collection(name).DeleteMany(ctx, bson.D{})
		}
	}
	return err
}

// Drop deletes a database.
func Drop(ctx context.Context, uri string) error {
	e, err := Open(ctx, uri)
	if err != nil {
		return err
	}
	return errors.Join(e.db.Drop(ctx), e.Close())
}

// SetFormat sets the format number of the database, as another version of SecondRing does.
func (e *Engine) SetFormat(ctx context.Context, number int) error { return e.setFormat(ctx, number) }

// Pass advances the store's clock.
func (e *Engine) Pass(d time.Duration) {
	now := e.clock.now
	e.clock.now = func() time.Time { return now().Add(d) }
}

// DeleteTombstones deletes removed documents without events immediately.
func (e *Engine) DeleteTombstones(ctx context.Context) error {
	for _, kind := range store.Kinds() {
		_, err := e.db.Collection(kind.Name).UpdateMany(ctx, bson.D{field("gone", bson.D{field("$exists", true)})},
			bson.D{field("$set", bson.D{field("gone", e.clock.now().Add(-2*tombstoneLifetime))})})
		if err = errors.Join(err, e.deleteTombstones(ctx, kind.Name, e.clock.now().Add(-tombstoneLifetime))); err != nil {
			return err
		}
	}
	return nil
}

// ImagesDriver returns the driver of Images.
func (e *Engine) ImagesDriver() driver.Bucket { return &bucket{e} }

// AddUnfollowed makes an add without the documents that follow from it, as a process that is killed in
// between.
func (e *Engine) AddUnfollowed(ctx context.Context, w store.Write) error {
	doc, err := e.newDocument(w)
	if err != nil {
		return err
	}
	return e.add(ctx, w, doc)
}

// InsertDocuments adds many documents in one command.
func (e *Engine) InsertDocuments(ctx context.Context, writes []store.Write) error {
	var docs []any
	for _, w := range writes {
		doc, err := e.newDocument(w)
		if err != nil {
			return err
		}
		docs = append(docs, doc)
	}
	_, err := e.db.Collection(writes[0].Kind.Name).InsertMany(ctx, docs)
	return err
}
