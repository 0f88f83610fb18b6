package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"secondring/market"
)

var records = kind[market.Record]{
	name: "records", singular: "record",
	id:      func(r market.Record) any { return recordID(r.Kind, r.ID) },
	version: func(r market.Record) int64 { return r.Version },
	keys: func(r market.Record) bson.D {
		var keys bson.D
		if !r.Due.IsZero() {
			keys = append(keys, field("kind", r.Kind), field("due", r.Due))
		}
		if !r.Expires.IsZero() {
			keys = append(keys, field("expires", r.Expires))
		}
		return keys
	},
}

// recordID returns the ID of a record's document. It is a document of both fields, because
// two records could have the same ID if kind and id were concatenated.
func recordID(kind, id string) bson.D { return bson.D{field("kind", kind), field("id", id)} }

// AddRecord stores a record; it returns ErrExists if one with its Kind and ID exists.
func (s *Store) AddRecord(ctx context.Context, r market.Record, events []market.Event) error {
	return records.add(ctx, s, r, events)
}

// SaveRecord replaces the record with the same Kind and ID if its version is one less than
// that of r.
func (s *Store) SaveRecord(ctx context.Context, r market.Record) error {
	return records.save(ctx, s, r, nil)
}

// Record returns the record with the Kind and ID; it returns ErrNotFound if none exists.
func (s *Store) Record(ctx context.Context, kind, id string) (market.Record, error) {
	return records.get(ctx, s, recordID(kind, id))
}

// RecordsOf returns a page of the records of a kind, by ID, descending.
func (s *Store) RecordsOf(ctx context.Context, kind string, page market.Page) ([]market.Record, error) {
	// IDs are compared as documents: by the kind first. A document is above every text.
	to := bson.D{field("kind", kind), field("id", bson.D{})}
	if page.After != "" {
		to = recordID(kind, page.After)
	}
	filter := bson.D{field("_id", bson.D{field("$gte", recordID(kind, "")), field("$lt", to)})}
	return records.collect(ctx, s, filter, bson.D{field("_id", -1)}, max(page.Limit, 1))
}

// RecordsDue returns records of a kind whose Due is set and not after now,
// oldest Due first.
func (s *Store) RecordsDue(ctx context.Context, kind string, now time.Time, limit int) ([]market.Record, error) {
	filter := bson.D{field("keys.kind", kind), field("keys.due", timeRange("$lte", now))}
	return records.collect(ctx, s, filter, bson.D{field("keys.due", 1)}, limit)
}

// FinishRecords deletes the Data of several records, makes them no longer due, sets their
// expiry, and increases their versions by one.
func (s *Store) FinishRecords(ctx context.Context, kind string, ids []string, expires time.Time) error {
	documentIDs := bson.A{}
	for _, id := range ids {
		documentIDs = append(documentIDs, recordID(kind, id))
	}
	update := bson.D{
		field("$set", bson.D{field("entity.data", []byte{}), field("entity.expires", expires), field("keys.expires", expires)}),
		field("$unset", bson.D{field("entity.due", ""), field("keys.kind", ""), field("keys.due", "")}),
		field("$inc", bson.D{field("version", 1), field("entity.version", 1)}),
	}
	return s.retry(ctx, "finish records", func(ctx context.Context) error {
		_, err := s.db.Collection(records.name).UpdateMany(ctx, byID(bson.D{field("$in", documentIDs)}), update)
		return err
	})
}

// PurgeRecords deletes up to limit records that expired before the time, and returns their
// number. A record that an unpublished event carries is kept until a later purge, because
// PendingEvents would store it again.
func (s *Store) PurgeRecords(ctx context.Context, before time.Time, limit int) (int, error) {
	expired := bson.D{field("keys.expires", timeRange("$lt", before))}
	all, err := records.collect(ctx, s, expired, bson.D{field("keys.expires", 1)}, limit)
	if err != nil || len(all) == 0 {
		return 0, err
	}
	isCarried, err := s.carriedRecords(ctx, all)
	if err != nil {
		return 0, err
	}
	purgeable := bson.A{}
	for _, r := range all {
		if !isCarried[[2]string{r.Kind, r.ID}] {
			purgeable = append(purgeable, recordID(r.Kind, r.ID))
		}
	}
	filter := append(byID(bson.D{field("$in", purgeable)}), expired...)
	return s.purgeMatching(ctx, records.name, filter, "keys.expires", limit)
}

// carriedRecords returns the kinds and IDs of the records that unpublished events carry. It
// returns at least those of the given records.
func (s *Store) carriedRecords(ctx context.Context, of []market.Record) (map[[2]string]bool, error) {
	ids := bson.A{}
	for _, r := range of {
		ids = append(ids, r.ID)
	}
	events, err := s.unpublishedEvents(ctx, bson.D{field("events.entity", bson.D{field("$in", ids)})}, 0)
	if err != nil {
		return nil, err
	}
	carried, err := market.RecordsIn(events)
	found := map[[2]string]bool{}
	for _, r := range carried {
		found[[2]string{r.Kind, r.ID}] = true
	}
	return found, err
}
