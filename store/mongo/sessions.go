package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/market"
)

var sessions = kind[market.Session]{
	name: "sessions", what: "session",
	id:      func(v market.Session) any { return v.ID },
	version: func(market.Session) int64 { return 1 },
	keys: func(v market.Session) bson.D {
		return bson.D{field("uid", v.UID), field("expires", v.ExpiresAt)}
	},
}

// AddSession stores a session; ErrExists where the ID is taken.
func (s *Store) AddSession(ctx context.Context, session market.Session) error {
	return sessions.add(ctx, s, session, nil)
}

// Session finds a session that has not ended, expired or not.
func (s *Store) Session(ctx context.Context, id string) (market.Session, error) {
	return sessions.get(ctx, s, id)
}

// SessionsOf returns a person's sessions that have not ended.
func (s *Store) SessionsOf(ctx context.Context, uid string) ([]market.Session, error) {
	return sessions.collect(ctx, s, bson.D{field("keys.uid", uid)}, nil, 0)
}

// ExtendSession sets SeenAt and ExpiresAt of a session; ErrNotFound when it has ended.
func (s *Store) ExtendSession(ctx context.Context, id string, seen, until time.Time) error {
	change := bson.D{field("$set", bson.D{field("keys.expires", until), field("entity.seenat", seen), field("entity.expiresat", until)})}
	return s.retry(ctx, "extend session", func(ctx context.Context) error {
		done, err := s.db.Collection(sessions.name).UpdateOne(ctx, byID(id), change)
		if err == nil && done.MatchedCount == 0 {
			return market.ErrNotFound
		}
		return err
	})
}

// EndSession ends one session. The events are stored even if it has ended: its
// access tokens may outlive it.
func (s *Store) EndSession(ctx context.Context, id string, events []market.Event) error {
	return s.endSessions(ctx, bson.A{id}, events)
}

// EndSessions ends all sessions of a person but one ("" for all). The events
// are stored even if there were none.
func (s *Store) EndSessions(ctx context.Context, uid, except string, events []market.Event) error {
	ids := bson.A{}
	err := s.retry(ctx, "read sessions", func(ctx context.Context) error {
		cursor, err := s.latest(sessions.name).Find(ctx, bson.D{field("keys.uid", uid)},
			options.Find().SetProjection(bson.D{field("_id", 1)}))
		if err != nil {
			return err
		}
		var all []struct {
			ID string `bson:"_id"`
		}
		if err := cursor.All(ctx, &all); err != nil {
			return err
		}
		ids = bson.A{}
		for _, v := range all {
			if v.ID != except {
				ids = append(ids, v.ID)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.endSessions(ctx, ids, events)
}

// endSessions is a write of several documents. The operation is stored
// first, with its events, as a pending operation (pending_ops.go). Any node that finds it
// unfinished finishes it, and only then its events are published.
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

// PurgeSessions forgets up to limit sessions that expired before then, and
// returns how many.
func (s *Store) PurgeSessions(ctx context.Context, before time.Time, limit int) (int, error) {
	return s.purge(ctx, sessions.name, set("$lt", before), limit)
}

// purge deletes up to limit documents of a collection whose keys.expires is as
// said, and returns how many.
func (s *Store) purge(ctx context.Context, name string, expires bson.D, limit int) (int, error) {
	return s.purgeFound(ctx, name, bson.D{field("keys.expires", expires)}, "keys.expires", limit)
}

// purgeFound deletes up to limit documents that a filter finds, in an order, and
// counts those that it deleted itself. One that has been moved on between finding
// and deleting stays.
func (s *Store) purgeFound(ctx context.Context, name string, expired bson.D, order string, limit int) (purged int, err error) {
	how := options.Find().SetProjection(bson.D{field("_id", 1)}).
		SetSort(bson.D{field(order, 1)}).SetLimit(int64(limit))
	err = s.retry(ctx, "purge "+name, func(ctx context.Context) error {
		cursor, err := s.db.Collection(name).Find(ctx, expired, how)
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
		for _, one := range found {
			ids = append(ids, one.ID)
		}
		done, err := s.db.Collection(name).DeleteMany(ctx, append(byID(bson.D{field("$in", ids)}), expired...))
		if err == nil {
			purged = int(done.DeletedCount)
		}
		return err
	})
	return purged, err
}
