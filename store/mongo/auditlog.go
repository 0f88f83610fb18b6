package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"secondring/market"
)

var auditEntries = kind[market.AuditEntry]{
	name: "lines", singular: "audit entry",
	id:      func(entry market.AuditEntry) any { return entry.ID },
	version: func(market.AuditEntry) int64 { return 1 },
	keys: func(entry market.AuditEntry) bson.D {
		return bson.D{field("new", entry.ID), field("expires", entry.At.Add(market.AuditLogRetention)), field("concern", entry.ConcernID)}
	},
}

// AuditEntries returns a page of the audit log, newest first, and the number of all entries.
func (s *Store) AuditEntries(ctx context.Context, page market.Page) (market.List[market.AuditEntry], error) {
	return auditEntries.list(ctx, s, nil, page)
}

// PurgeAuditEntries deletes up to limit entries from before that time, oldest first, and
// returns how many it deleted.
func (s *Store) PurgeAuditEntries(ctx context.Context, before time.Time, limit int) (int, error) {
	return s.purge(ctx, auditEntries.name, timeRange("$lt", before.Add(market.AuditLogRetention)), limit)
}

// AuditEntriesAbout returns a page of the entries about a person, newest first.
func (s *Store) AuditEntriesAbout(ctx context.Context, personID string, page market.Page) ([]market.AuditEntry, error) {
	return auditEntries.collectBy(ctx, s, "keys.concern", personID, "keys.new", page)
}

// EraseFromAuditLog removes a person's name from all entries, as the actor and as the target.
func (s *Store) EraseFromAuditLog(ctx context.Context, personID string) error {
	for _, name := range []string{"actor", "target"} {
		filter := bson.D{field("entity."+name+"id", personID)}
		update := bson.D{field("$unset", bson.D{field("entity."+name, "")})}
		err := s.retry(ctx, "erase from audit log", func(ctx context.Context) error {
			_, err := s.db.Collection(auditEntries.name).UpdateMany(ctx, filter, update)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
