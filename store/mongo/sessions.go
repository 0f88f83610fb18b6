package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/market"
)

var sessions = kind[market.Session]{
	name: "sessions", singular: "session",
	id:      func(v market.Session) any { return v.ID },
	version: func(market.Session) int64 { return 1 },
	keys: func(v market.Session) bson.D {
		return bson.D{field("uid", v.UID), field("expires", v.ExpiresAt)}
	},
}

// AddSession stores a new session. It returns ErrExists if the ID exists.
func (s *Store) AddSession(ctx context.Context, session market.Session) error {
	return sessions.add(ctx, s, session, nil)
}

// Session returns the session with an ID, even if it has expired. Sessions that have ended do
// not exist.
func (s *Store) Session(ctx context.Context, id string) (market.Session, error) {
	return sessions.get(ctx, s, id)
}

// SessionsOf returns a person's sessions that have not ended.
func (s *Store) SessionsOf(ctx context.Context, uid string) ([]market.Session, error) {
	return sessions.collect(ctx, s, bson.D{field("keys.uid", uid)}, nil, 0)
}

// ExtendSession sets SeenAt and ExpiresAt of a session. It returns ErrNotFound if the session has
// ended.
func (s *Store) ExtendSession(ctx context.Context, id string, seen, until time.Time) error {
	update := bson.D{field("$set", bson.D{field("keys.expires", until), field("entity.seenat", seen), field("entity.expiresat", until)})}
	return s.retry(ctx, "extend session", func(ctx context.Context) error {
		result, err := s.db.Collection(sessions.name).UpdateOne(ctx, byID(id), update)
		if err == nil && result.MatchedCount == 0 {
			return market.ErrNotFound
		}
		return err
	})
}

// EndSession ends one session. It stores the events even if the session has already ended,
// because its access tokens may still be valid.
func (s *Store) EndSession(ctx context.Context, id string, events []market.Event) error {
	return s.endSessions(ctx, bson.A{id}, events)
}

// EndSessions ends all sessions of a person. It stores the events even if there was no session to
// end.
func (s *Store) EndSessions(ctx context.Context, uid string, events []market.Event) error {
	all, err := s.SessionsOf(ctx, uid)
	if err != nil {
		return err
	}
	ids := bson.A{}
	for _, v := range all {
		ids = append(ids, v.ID)
	}
	return s.endSessions(ctx, ids, events)
}

// endSessions deletes several documents. First it stores a pending operation with the events
// (pending_ops.go). If the process dies, another node finishes the operation. The events are
// published only after that.
func (s *Store) endSessions(ctx context.Context, ids bson.A, events []market.Event) error {
	if len(events) == 0 {
		return s.deleteSessions(ctx, ids)
	}
	return s.runOp(ctx, pendingOp{Sessions: ids}, events)
}

func (s *Store) deleteSessions(ctx context.Context, ids bson.A) error {
	if len(ids) == 0 {
		return nil
	}
	return s.retry(ctx, "end sessions", func(ctx context.Context) error {
		_, err := s.db.Collection(sessions.name).DeleteMany(ctx, byID(bson.D{field("$in", ids)}))
		return err
	})
}

// PurgeSessions deletes up to limit sessions that expired before that time, and returns how many
// it deleted.
func (s *Store) PurgeSessions(ctx context.Context, before time.Time, limit int) (int, error) {
	return s.purge(ctx, sessions.name, timeRange("$lt", before), limit)
}

// purge deletes up to limit documents of a collection whose keys.expires matches the condition,
// oldest first, and returns how many it deleted.
func (s *Store) purge(ctx context.Context, name string, expires bson.D, limit int) (int, error) {
	return s.purgeMatching(ctx, name, bson.D{field("keys.expires", expires)}, "keys.expires", limit)
}

// purgeMatching deletes up to limit documents that match a filter, in ascending order of a
// field, and returns how many this call deleted. A document that no longer matches when it is
// deleted, because of a concurrent update, is kept.
func (s *Store) purgeMatching(ctx context.Context, name string, filter bson.D, sortField string, limit int) (purged int, err error) {
	opts := options.Find().SetProjection(bson.D{field("_id", 1)}).
		SetSort(bson.D{field(sortField, 1)}).SetLimit(int64(limit))
	err = s.retry(ctx, "purge "+name, func(ctx context.Context) error {
		cursor, err := s.db.Collection(name).Find(ctx, filter, opts)
		if err != nil {
			return err
		}
		var found []struct {
			ID bson.RawValue `bson:"_id"`
		}
		if err := cursor.All(ctx, &found); err != nil || len(found) == 0 {
			return err
		}
		ids := bson.A{}
		for _, doc := range found {
			ids = append(ids, doc.ID)
		}
		result, err := s.db.Collection(name).DeleteMany(ctx, append(byID(bson.D{field("$in", ids)}), filter...))
		if err == nil {
			purged = int(result.DeletedCount)
		}
		return err
	})
	return purged, err
}
