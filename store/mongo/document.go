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

// document is one entity as it is stored. A field that is empty is not stored.
type document[T any] struct {
	ID      any `bson:"_id"`
	Version int64
	Writes  []int64 // the timestamps of the last writes, newest last
	Keys    bson.D  // what it is found by: the fields of the indexes
	Slot    *int    // of a held booking (bookings.go)
	Entity  T
	Events  []market.Event // not yet published, oldest first
	Waits   int64          // the first event's Seq
	// Gone is when the entity was removed. The document is kept until its events are
	// published and a while longer, so that a retried removal finds it. It has no Keys
	// and no Entity.
	Gone time.Time
}

// remembered is the number of writes that a document has in Writes. As many may come between
// a write and its repetition.
const remembered = 8

// kind is one kind of entity, in a collection of its own.
type kind[T any] struct {
	name    string // of the collection
	what    string // of one, for errors
	id      func(T) any
	version func(T) int64
	keys    func(T) bson.D
	// shard is what a removed one keeps of its keys, where its collection is
	// sharded by them; nil for nothing.
	shard func(T) bson.D
}

// field is one field of a document of the protocol.
func field(name string, value any) bson.E { return bson.E{Key: name, Value: value} }

func byID(id any) bson.D { return bson.D{field("_id", id)} }

// placed gives the next timestamps to the events and then to the write itself.
func (s *Store) placed(events []market.Event) (write int64, all []market.Event) {
	for _, e := range events {
		e.Seq = s.clock.next()
		all = append(all, e)
	}
	return s.clock.next(), all
}

// document is that of a new entity.
func (k kind[T]) document(v T, write int64, events []market.Event) document[T] {
	doc := document[T]{
		ID: k.id(v), Version: k.version(v), Writes: []int64{write}, Keys: k.keys(v), Entity: v, Events: events,
	}
	if len(events) > 0 {
		doc.Waits = events[0].Seq
	}
	return doc
}

// add stores a new entity; ErrExists where one of its unique keys is taken.
func (k kind[T]) add(ctx context.Context, s *Store, v T, events []market.Event) error {
	return k.addIn(ctx, s, v, nil, events)
}

// addIn is add into a slot.
func (k kind[T]) addIn(ctx context.Context, s *Store, v T, slot *int, events []market.Event) error {
	write, events := s.placed(events)
	doc := k.document(v, write, events)
	doc.Slot = slot
	err := s.retry(ctx, "add "+k.what, func(ctx context.Context) error {
		_, err := s.db.Collection(k.name).InsertOne(ctx, doc)
		if !mongo.IsDuplicateKeyError(err) {
			return err
		}
		stored, err := k.refusal(ctx, s, k.id(v))
		if err == nil && slices.Contains(stored.Writes, write) {
			return nil // it was this write, whose answer was lost
		}
		if errors.Is(err, mongo.ErrNoDocuments) {
			return errOtherKey
		}
		return cmp.Or(err, market.ErrExists)
	})
	if err != nil {
		return err
	}
	return s.addCarried(ctx, events)
}

// errOtherKey is an ErrExists that is not about the ID.
var errOtherKey = fmt.Errorf("a unique key is taken: %w", market.ErrExists)

// save replaces the entity of that ID, with its version raised by one.
func (k kind[T]) save(ctx context.Context, s *Store, v T, events []market.Event) error {
	set := bson.D{field("keys", k.keys(v)), field("entity", v)}
	return k.write(ctx, s, "save "+k.what, v, events, bson.D{field("$set", set)})
}

// drop removes the entity of that ID, with its version raised by one.
func (k kind[T]) drop(ctx context.Context, s *Store, v T, events []market.Event) error {
	change := tombstone(s.clock.now())
	if k.shard != nil {
		change = bson.D{
			field("$set", bson.D{field("gone", s.clock.now()), field("keys", k.shard(v))}),
			field("$unset", bson.D{field("entity", "")}),
		}
	}
	return k.write(ctx, s, "remove "+k.what, v, events, change)
}

// tombstone returns the update that removes an entity: it keeps only the fields that its events need.
func tombstone(now time.Time) bson.D {
	return bson.D{
		field("$set", bson.D{field("gone", now)}),
		field("$unset", bson.D{field("keys", ""), field("entity", "")}),
	}
}

// write is the compare-and-set: it stores the change, the version, the write's own
// timestamp and the events, or nothing.
func (k kind[T]) write(ctx context.Context, s *Store, what string, v T, events []market.Event, change bson.D) error {
	write, events := s.placed(events)
	id, version := k.id(v), k.version(v)
	filter := append(byID(id), field("version", version-1), field("gone", absent))
	change = with(change, "$set", field("version", version))
	change = with(change, "$push", field("writes", bson.D{
		field("$each", bson.A{write}), field("$slice", -remembered),
	}))
	if len(events) > 0 {
		change = with(change, "$push", field("events", bson.D{field("$each", events)}))
		change = with(change, "$min", field("waits", events[0].Seq))
	}
	err := s.retry(ctx, what, func(ctx context.Context) error {
		done, err := s.db.Collection(k.name).UpdateOne(ctx, filter, change)
		if err != nil || done.MatchedCount > 0 {
			return err
		}
		stored, err := k.refusal(ctx, s, id)
		switch {
		case err != nil:
			return err
		case slices.Contains(stored.Writes, write):
			return nil // it was this write, whose answer was lost
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

// absent matches a field that is not stored.
var absent = bson.D{field("$exists", false)}

// with adds a field to one operator of a change.
func with(change bson.D, operator string, f bson.E) bson.D {
	for i, e := range change {
		if of, ok := e.Value.(bson.D); ok && e.Key == operator {
			change[i].Value = append(slices.Clip(of), f)
			return change
		}
	}
	return append(change, field(operator, bson.D{f}))
}

// refusedBy has the fields of a stored document that show why a write was refused.
type refusedBy struct {
	Writes []int64
	Gone   time.Time
}

func (k kind[T]) refusal(ctx context.Context, s *Store, id any) (stored refusedBy, err error) {
	err = s.latest(k.name).FindOne(ctx, byID(id),
		options.FindOne().SetProjection(bson.D{field("writes", 1), field("gone", 1)})).Decode(&stored)
	return stored, err
}
