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

// Times of tombstones, the documents of removed entities.
const (
	tombstoneLifetime        = time.Minute      // after it, no write is repeated
	tombstoneCleanupInterval = 10 * time.Second // between deletions of old tombstones
)

// PendingEvents returns the oldest unpublished events in the order of Seq. The events of one
// document are in the order of its versions. Those of different documents may be returned in
// another order than their commits, because a lower Seq may be committed later, and the
// collections are not read at one moment. No reader sees anything wrong: the brokers drop, and
// clients ignore, an event whose version is not above the last one of its entity, and an event
// is published after its commit, so a list that is read again contains it.
func (s *Store) PendingEvents(ctx context.Context, limit int) ([]market.Event, error) {
	if err := s.finishPendingOps(ctx); err != nil {
		return nil, err
	}
	events, err := s.unpublishedEvents(ctx, nil, limit)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(events, func(a, b market.Event) int { return cmp.Compare(a.Seq, b.Seq) })
	events = events[:min(limit, len(events))]
	// A killed process may not have copied what its events carry, so it is copied here before
	// they are published.
	return events, s.addCarried(ctx, events)
}

// unpublishedEvents returns the events of all documents that have unpublished ones and match a
// filter. From each collection it reads the limit documents whose first event is oldest, which
// have the oldest limit events. A limit of 0 means all.
func (s *Store) unpublishedEvents(ctx context.Context, filter bson.D, limit int) ([]market.Event, error) {
	found := make([][]market.Event, len(outboxes))
	group, ctx := errgroup.WithContext(ctx)
	for i, name := range outboxes {
		group.Go(func() (err error) {
			found[i], err = s.unpublishedEventsIn(ctx, name, filter, limit)
			return err
		})
	}
	err := group.Wait()
	return slices.Concat(found...), err
}

func (s *Store) unpublishedEventsIn(ctx context.Context, name string, filter bson.D, limit int) (events []market.Event, err error) {
	filter = append(bson.D{field("waits", bson.D{field("$gt", 0)})}, filter...)
	opts := options.Find().SetProjection(bson.D{field("events", 1), field("_id", 0)}).
		SetSort(bson.D{field("waits", 1)}).SetLimit(int64(limit))
	err = s.retry(ctx, "read outbox", func(ctx context.Context) error {
		cursor, err := s.db.Collection(name).Find(ctx, filter, opts)
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

// EventsPublished deletes published events by their Seq. Once per tombstoneCleanupInterval it
// also deletes old tombstones.
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
	group, groupCtx := errgroup.WithContext(ctx)
	for _, name := range outboxes {
		group.Go(func() error {
			return s.retry(groupCtx, "empty outbox", func(ctx context.Context) error {
				_, err := s.db.Collection(name).UpdateMany(ctx, filter, withoutEvents(published))
				return err
			})
		})
	}
	if err := group.Wait(); err != nil || !s.isTombstoneCleanupDue() {
		return err
	}
	return s.deleteOldTombstones(ctx)
}

// withoutEvents returns the update that deletes published events and sets the Seq of the
// first one that stays.
func withoutEvents(published bson.A) mongo.Pipeline {
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

// isTombstoneCleanupDue reports whether the interval since the last cleanup has passed, and
// starts a new interval if it has.
func (s *Store) isTombstoneCleanupDue() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.now()
	if now.Sub(s.tombstonesAt) < tombstoneCleanupInterval {
		return false
	}
	s.tombstonesAt = now
	return true
}

// deleteOldTombstones deletes the tombstones that are older than tombstoneLifetime and were
// removed before the oldest unpublished event was stored. A later one may be of a notification
// that an unpublished event carries, and PendingEvents would store that notification again.
func (s *Store) deleteOldTombstones(ctx context.Context) error {
	oldest, err := s.unpublishedEvents(ctx, nil, 1)
	if err != nil {
		return err
	}
	before := s.clock.now()
	for _, e := range oldest {
		if at := timeOf(e.Seq); at.Before(before) {
			before = at
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	for _, name := range outboxes {
		group.Go(func() error { return s.deleteTombstones(ctx, name, before.Add(-tombstoneLifetime)) })
	}
	return group.Wait()
}

// deleteTombstones deletes the tombstones of a collection that were removed before a time and
// have no unpublished events.
func (s *Store) deleteTombstones(ctx context.Context, name string, before time.Time) error {
	return s.retry(ctx, "delete tombstones of "+name, func(ctx context.Context) error {
		_, err := s.db.Collection(name).DeleteMany(ctx, bson.D{
			field("gone", timeRange("$lt", before)),
			field("waits", absent), field("undone", absent),
		})
		return err
	})
}
