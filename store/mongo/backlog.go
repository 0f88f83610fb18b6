package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"

	"secondring/market"
	"secondring/store"
)

// Backlog counts the events that are not published, up to limit. The server
// reads no more than limit documents of all collections together, and returns
// one small document for each collection.
func (e *Engine) Backlog(ctx context.Context, limit int) (all market.Backlog, err error) {
	for _, kind := range store.Kinds() {
		if all.Events >= limit {
			break
		}
		backlog, err := e.backlogOf(ctx, kind.Name, limit-all.Events)
		if err != nil {
			return market.Backlog{}, err
		}
		if all.Events == 0 || backlog.Events > 0 && backlog.Oldest.Before(all.Oldest) {
			all.Oldest = backlog.Oldest
		}
		all.Events += backlog.Events
	}
	all.Events = min(all.Events, limit)
	return all, nil
}

// backlogOf counts the events in up to limit documents of one collection. It
// reads the documents whose first event is oldest.
func (e *Engine) backlogOf(ctx context.Context, name string, limit int) (market.Backlog, error) {
	var found []struct {
		N  int
		At time.Time
	}
	err := e.retry(ctx, "count outbox", func(ctx context.Context) error {
		cursor, err := e.db.Collection(name).Aggregate(ctx, mongo.Pipeline{
			{field("$match", bson.D{field("waits", bson.D{field("$gt", 0)})})},
			{field("$sort", bson.D{field("waits", 1)})},
			{field("$limit", limit)},
			{field("$group", bson.D{
				field("_id", nil),
				field("n", bson.D{field("$sum", bson.D{field("$size", "$events")})}),
				field("at", bson.D{field("$min", bson.D{field("$min", "$events.at")})}),
			})},
		})
		if err != nil {
			return err
		}
		found = nil
		return cursor.All(ctx, &found)
	})
	if err != nil || len(found) == 0 {
		return market.Backlog{}, err
	}
	return market.Backlog{Events: found[0].N, Oldest: found[0].At.UTC()}, nil
}
