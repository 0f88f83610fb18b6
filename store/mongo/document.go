package mongo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/market"
)

// document is the stored form of an entity. Empty fields are not stored.
type document[T any] struct {
	ID      any `bson:"_id"`
	Version int64
	Writes  []int64 // the timestamps of the last writes, newest last
	Keys    bson.D  // the fields of the indexes
	Slot    *int    // the slot of a held booking (bookings.go)
	Entity  T
	Events  []market.Event // not yet published, oldest first
	Waits   int64          // Seq of the first event
	// Gone is the time when the entity was removed. The document stays until its events are
	// published and tombstoneLifetime has passed, so that a retried removal finds it. It has
	// no Entity, and no Keys except those of kind.shard.
	Gone time.Time
}

// keptWrites is the maximum length of document.Writes. A repeated write is recognized only if
// fewer other writes than this came between its attempts.
const keptWrites = 8

// kind describes the entities of one type, which have their own collection.
type kind[T any] struct {
	name     string // name of the collection
	singular string // name of one entity, for errors
	id       func(T) any
	version  func(T) int64
	keys     func(T) bson.D
	// shard returns the keys that a removed entity keeps because they are the shard key of
	// its collection. If it is nil, a removed entity keeps no keys.
	shard func(T) bson.D
}

// field returns a field of a BSON document.
func field(name string, value any) bson.E { return bson.E{Key: name, Value: value} }

func byID(id any) bson.D { return bson.D{field("_id", id)} }

// assignTimestamps returns copies of the events with the next timestamps as their Seq, and
// the timestamp after them for the write.
func (s *Store) assignTimestamps(events []market.Event) (write int64, all []market.Event) {
	for _, e := range events {
		e.Seq = s.clock.next()
		all = append(all, e)
	}
	return s.clock.next(), all
}

// document returns the document of a new entity.
func (k kind[T]) document(v T, write int64, events []market.Event) document[T] {
	doc := document[T]{
		ID: k.id(v), Version: k.version(v), Writes: []int64{write}, Keys: k.keys(v), Entity: v, Events: events,
	}
	if len(events) > 0 {
		doc.Waits = events[0].Seq
	}
	return doc
}

// add stores a new entity. It returns ErrExists if its ID or another unique key is taken.
func (k kind[T]) add(ctx context.Context, s *Store, v T, events []market.Event) error {
	return k.addWithSlot(ctx, s, v, nil, events)
}

// addWithSlot stores a new entity like add, with a slot that may be nil. It returns
// errUniqueKeyTaken, which is an ErrExists, if the ID is free and another key is taken.
func (k kind[T]) addWithSlot(ctx context.Context, s *Store, v T, slot *int, events []market.Event) error {
	write, events := s.assignTimestamps(events)
	doc := k.document(v, write, events)
	doc.Slot = slot
	err := s.retry(ctx, "add "+k.singular, func(ctx context.Context) error {
		_, err := s.db.Collection(k.name).InsertOne(ctx, doc)
		if !mongo.IsDuplicateKeyError(err) {
			return err
		}
		stored, err := k.readWriteState(ctx, s, k.id(v))
		if err == nil && slices.Contains(stored.Writes, write) {
			return nil // this write had succeeded and its response was lost
		}
		if errors.Is(err, mongo.ErrNoDocuments) {
			return errUniqueKeyTaken
		}
		return cmp.Or(err, market.ErrExists)
	})
	if err != nil {
		return err
	}
	return s.addCarried(ctx, events)
}

// errUniqueKeyTaken is the ErrExists of a unique key other than the ID.
var errUniqueKeyTaken = fmt.Errorf("a unique key is taken: %w", market.ErrExists)

// save replaces the stored entity with the same ID if its version is one less than that of
// v. See write for the errors.
func (k kind[T]) save(ctx context.Context, s *Store, v T, events []market.Event) error {
	set := bson.D{field("keys", k.keys(v)), field("entity", v)}
	return k.write(ctx, s, "save "+k.singular, v, events, bson.D{field("$set", set)})
}

// remove removes the stored entity with the same ID if its version is one less than that of
// v. See write for the errors.
func (k kind[T]) remove(ctx context.Context, s *Store, v T, events []market.Event) error {
	update := tombstone(s.clock.now())
	if k.shard != nil {
		update = bson.D{
			field("$set", bson.D{field("gone", s.clock.now()), field("keys", k.shard(v))}),
			field("$unset", bson.D{field("entity", "")}),
		}
	}
	return k.write(ctx, s, "remove "+k.singular, v, events, update)
}

// tombstone returns the update that removes an entity: the document keeps the
// fields that its events and repeated writes need.
func tombstone(now time.Time) bson.D {
	return bson.D{
		field("$set", bson.D{field("gone", now)}),
		field("$unset", bson.D{field("keys", ""), field("entity", "")}),
	}
}

// write applies an update as a compare-and-set: it stores the changes, the version, the
// timestamp of the write and the events, or nothing. It returns ErrNotFound if the entity
// does not exist or was removed, and ErrConflict if its version is another.
func (k kind[T]) write(ctx context.Context, s *Store, operation string, v T, events []market.Event, update bson.D) error {
	write, events := s.assignTimestamps(events)
	id, version := k.id(v), k.version(v)
	filter := append(byID(id), field("version", version-1), field("gone", absent))
	update = withField(update, "$set", field("version", version))
	update = withField(update, "$push", field("writes", bson.D{
		field("$each", bson.A{write}), field("$slice", -keptWrites),
	}))
	if len(events) > 0 {
		update = withField(update, "$push", field("events", bson.D{field("$each", events)}))
		update = withField(update, "$min", field("waits", events[0].Seq))
	}
	err := s.retry(ctx, operation, func(ctx context.Context) error {
		result, err := s.db.Collection(k.name).UpdateOne(ctx, filter, update)
		if err != nil || result.MatchedCount > 0 {
			return err
		}
		stored, err := k.readWriteState(ctx, s, id)
		switch {
		case err != nil:
			return err
		case slices.Contains(stored.Writes, write):
			return nil // this write had succeeded and its response was lost
		case !stored.Gone.IsZero():
			return market.ErrNotFound
		default:
			return market.ErrConflict
		}
	})
	if err != nil {
		return err
	}
	return s.addCarried(ctx, events)
}

// absent is the condition of a field that is not stored.
var absent = bson.D{field("$exists", false)}

// withField adds a field to an operator of an update, such as "$set".
func withField(update bson.D, operator string, f bson.E) bson.D {
	for i, e := range update {
		if fields, ok := e.Value.(bson.D); ok && e.Key == operator {
			update[i].Value = append(slices.Clip(fields), f)
			return update
		}
	}
	return append(update, field(operator, bson.D{f}))
}

// writeState contains the fields of a stored document that show why a write was refused.
type writeState struct {
	Writes []int64
	Gone   time.Time
}

func (k kind[T]) readWriteState(ctx context.Context, s *Store, id any) (stored writeState, err error) {
	err = s.latest(k.name).FindOne(ctx, byID(id),
		options.FindOne().SetProjection(bson.D{field("writes", 1), field("gone", 1)})).Decode(&stored)
	return stored, err
}
