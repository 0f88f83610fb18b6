package mongo

import (
	"cmp"
	"context"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"golang.org/x/sync/errgroup"

	"secondring/market"
)

// outboxes are the collections whose documents carry events.
var outboxes = []string{users.name, accounts.name, products.name, bookings.name, payments.name, watching.name, reports.name, records.name, notifications.name, pendingOps}

// Times of what was removed.
const (
	tombstoneFor    = time.Minute      // a tombstone is kept as long: no write is repeated later
	tombstonesEvery = 10 * time.Second // tombstones are deleted
)

// PendingEvents returns the oldest unpublished events in the order of Seq. An event
// follows all events that its writer had seen, and the events of one entity are in the
// order of its versions. Two independent writes may be in either order.
func (s *Store) PendingEvents(ctx context.Context, limit int) ([]market.Event, error) {
	if err := s.finishPendingOps(ctx); err != nil {
		return nil, err
	}
	waiting := make([][]market.Event, len(outboxes))
	all, inside := errgroup.WithContext(ctx)
	for i, name := range outboxes {
		all.Go(func() (err error) {
			waiting[i], err = s.waiting(inside, name, limit)
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	events := slices.Concat(waiting...)
	slices.SortStableFunc(events, func(a, b market.Event) int { return cmp.Compare(a.Seq, b.Seq) })
	events = events[:min(limit, len(events))]
	// What a killed process has not copied is copied before its event is published.
	return events, s.addCarried(ctx, events)
}

// waiting returns the events of one collection, the oldest limit among them:
// each is in one of the limit documents whose first event is oldest.
func (s *Store) waiting(ctx context.Context, name string, limit int) (events []market.Event, err error) {
	how := options.Find().SetProjection(bson.D{field("events", 1), field("_id", 0)}).
		SetSort(bson.D{field("waits", 1)}).SetLimit(int64(limit))
	err = s.retry(ctx, "read outbox", func(ctx context.Context) error {
		cursor, err := s.db.Collection(name).Find(ctx, bson.D{field("waits", bson.D{field("$gt", 0)})}, how)
		if err != nil {
			return err
		}
		var docs []struct{ Events []market.Event }
		if err := cursor.All(ctx, &docs); err != nil {
			return err
		}
		events = nil
		for _, doc := range docs {
			events = append(events, doc.Events...)
		}
		return nil
	})
	return events, err
}

// EventsPublished deletes events, by their Seq, and from time to time old tombstones.
func (s *Store) EventsPublished(ctx context.Context, events []market.Event) error {
	if len(events) == 0 {
		return nil
	}
	published, last := bson.A{}, int64(0)
	for _, e := range events {
		published, last = append(published, e.Seq), max(last, e.Seq)
	}
	filter := bson.D{
		field("waits", bson.D{field("$gt", 0), field("$lte", last)}),
		field("events.seq", bson.D{field("$in", published)}),
	}
	isTime := s.isTimeForTombstones()
	all, ctx := errgroup.WithContext(ctx)
	for _, name := range outboxes {
		all.Go(func() error {
			err := s.retry(ctx, "empty outbox", func(ctx context.Context) error {
				_, err := s.db.Collection(name).UpdateMany(ctx, filter, forget(published))
				return err
			})
			if err == nil && isTime {
				return s.deleteTombstones(ctx, name)
			}
			return err
		})
	}
	return all.Wait()
}

// forget removes events and sets again which is the first.
func forget(published bson.A) mongo.Pipeline {
	isPublished := bson.D{field("$in", bson.A{"$$this.seq", published})}
	others := bson.D{field("$filter", bson.D{
		field("input", "$events"), field("cond", bson.D{field("$not", bson.A{isPublished})}),
	})}
	first := bson.D{field("$ifNull", bson.A{bson.D{field("$min", "$events.seq")}, "$$REMOVE"})}
	return mongo.Pipeline{
		{field("$set", bson.D{field("events", others)})},
		{field("$set", bson.D{field("waits", first)})},
	}
}

func (s *Store) isTimeForTombstones() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.now()
	if now.Sub(s.tombstonesAt) < tombstonesEvery {
		return false
	}
	s.tombstonesAt = now
	return true
}

// deleteTombstones deletes the old tombstones of a collection that have no unpublished events.
func (s *Store) deleteTombstones(ctx context.Context, name string) error {
	return s.retry(ctx, "delete tombstones of "+name, func(ctx context.Context) error {
		_, err := s.db.Collection(name).DeleteMany(ctx, bson.D{
			field("gone", set("$lt", s.clock.now().Add(-tombstoneFor))),
			field("waits", absent), field("undone", absent),
		})
		return err
	})
}
