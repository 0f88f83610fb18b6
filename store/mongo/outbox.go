package mongo

import (
	"cmp"
	"context"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"golang.org/x/sync/errgroup"

	"secondring/market"
	"secondring/store"
)

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
func (e *Engine) PendingEvents(ctx context.Context, limit int) ([]market.Event, error) {
	stored, err := e.unpublishedEvents(ctx, limit, "events")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(stored, func(a, b event) int { return cmp.Compare(a.Seq, b.Seq) })
	stored = stored[:min(limit, len(stored))]
	// A killed process may not have added the documents that follow from its writes, so they are
	// added here before the events are published.
	if err := e.addMissingFollowers(ctx, stored); err != nil {
		return nil, err
	}
	var events, done []market.Event
	for _, one := range stored {
		if one.Topic == "" {
			done = append(done, one.Event)
		} else {
			events = append(events, one.Event)
		}
	}
	return events, e.EventsPublished(ctx, done)
}

// Backlog counts the events that are not published, up to limit, and changes nothing.
func (e *Engine) Backlog(ctx context.Context, limit int) (market.Backlog, error) {
	stored, err := e.unpublishedEvents(ctx, limit, "events.seq", "events.at")
	if err != nil || len(stored) == 0 {
		return market.Backlog{}, err
	}
	oldest := slices.MinFunc(stored, func(a, b event) int { return a.At.Compare(b.At) })
	return market.Backlog{Events: min(limit, len(stored)), Oldest: oldest.At.UTC()}, nil
}

// unpublishedEvents returns these fields of the events of all documents that have unpublished ones.
// From each collection it reads the limit documents whose first event is oldest, which have the oldest
// limit events. It is one command, because every node sends it all the time.
func (e *Engine) unpublishedEvents(ctx context.Context, limit int, fields ...string) (events []event, err error) {
	shown := bson.D{field("_id", 0)}
	for _, name := range fields {
		shown = append(shown, field(name, 1))
	}
	read := mongo.Pipeline{
		{field("$match", bson.D{field("waits", bson.D{field("$gt", 0)})})},
		{field("$sort", bson.D{field("waits", 1)})},
		{field("$limit", limit)},
		{field("$project", shown)},
	}
	kinds := store.Kinds()
	all := slices.Clone(read)
	for _, kind := range kinds[1:] {
		all = append(all, bson.D{field("$unionWith", bson.D{field("coll", kind.Name), field("pipeline", read)})})
	}
	err = e.retry(ctx, "read outbox", func(ctx context.Context) error {
		var docs []document
		if err := e.aggregate(ctx, kinds[0], all, &docs); err != nil {
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
func (e *Engine) EventsPublished(ctx context.Context, events []market.Event) error {
	if len(events) == 0 {
		return nil
	}
	published, last := bson.A{}, int64(0)
	for _, one := range events {
		published, last = append(published, one.Seq), max(last, one.Seq)
	}
	filter := bson.D{
		field("waits", bson.D{field("$gt", 0), field("$lte", last)}),
		field("events.seq", bson.D{field("$in", published)}),
	}
	group, groupCtx := errgroup.WithContext(ctx)
	for _, kind := range store.Kinds() {
		group.Go(func() error {
			return e.retry(groupCtx, "empty outbox", func(ctx context.Context) error {
				_, err := e.db.Collection(kind.Name).UpdateMany(ctx, filter, withoutEvents(published))
				return err
			})
		})
	}
	if err := group.Wait(); err != nil || !e.isTombstoneCleanupDue() {
		return err
	}
	return e.deleteOldTombstones(ctx)
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
func (e *Engine) isTombstoneCleanupDue() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.clock.now()
	if now.Sub(e.tombstonesAt) < tombstoneCleanupInterval {
		return false
	}
	e.tombstonesAt = now
	return true
}

// deleteOldTombstones deletes the tombstones that are older than tombstoneLifetime and were
// removed before the oldest unpublished event was stored. A later one may be of a notification
// that an unpublished event carries, and PendingEvents would store that notification again.
func (e *Engine) deleteOldTombstones(ctx context.Context) error {
	oldest, err := e.unpublishedEvents(ctx, 1, "events.seq")
	if err != nil {
		return err
	}
	before := e.clock.now()
	for _, one := range oldest {
		if at := timeOf(one.Seq); at.Before(before) {
			before = at
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	for _, kind := range store.Kinds() {
		group.Go(func() error { return e.deleteTombstones(ctx, kind.Name, before.Add(-tombstoneLifetime)) })
	}
	return group.Wait()
}

// deleteTombstones deletes the tombstones of a collection that were removed before a time and
// have no unpublished events.
func (e *Engine) deleteTombstones(ctx context.Context, name string, before time.Time) error {
	return e.retry(ctx, "delete tombstones of "+name, func(ctx context.Context) error {
		_, err := e.db.Collection(name).DeleteMany(ctx, bson.D{
			field("gone", timeRange(time.Time{}, "$lt", before)),
			field("waits", absent),
		})
		return err
	})
}
