package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/market"
)

// notices holds events that belong to no entity: those of sessions, of which
// one write ends several, and of an account that is forgotten.
const notices = "notices"

// notice is a write of several documents, written down before it is done. It
// is gone from the beginning: nothing keeps it but its events.
type notice struct {
	ID       int64          `bson:"_id"` // the place of the write
	Sessions bson.A         // to end
	Account  string         // to forget
	Undone   bool           // it may not be done yet: its events do not wait
	Events   []market.Event // see document
	Waits    int64
	Gone     time.Time
}

// announce writes a notice down and does what it says.
func (s *Store) announce(ctx context.Context, n notice, events []market.Event) error {
	n.ID, n.Events = s.placed(events)
	n.Undone, n.Gone = true, s.clock.now()
	if err := s.addNotice(ctx, n); err != nil {
		return err
	}
	if err := s.fulfil(ctx, n); err != nil {
		return err
	}
	return s.record(ctx, events)
}

func (s *Store) addNotice(ctx context.Context, n notice) error {
	return s.try(ctx, "add notice", func(ctx context.Context) error {
		_, err := s.db.Collection(notices).InsertOne(ctx, n)
		if mongo.IsDuplicateKeyError(err) {
			return nil // it was this very write whose answer was lost
		}
		return err
	})
}

// fulfil does what a notice says, however often, and lets its events wait.
func (s *Store) fulfil(ctx context.Context, n notice) error {
	if err := s.deleteSessions(ctx, n.Sessions); err != nil {
		return err
	}
	if err := s.deleteAccount(ctx, n.Account); err != nil {
		return err
	}
	filter := append(byID(n.ID), field("undone", true))
	change := bson.D{
		field("$set", bson.D{field("waits", n.Events[0].Seq)}),
		field("$unset", bson.D{field("undone", ""), field("sessions", ""), field("account", "")}),
	}
	return s.try(ctx, "fulfil notice", func(ctx context.Context) error {
		_, err := s.db.Collection(notices).UpdateOne(ctx, filter, change)
		return err
	})
}

// fulfilAll does what processes that died have left undone. What a living one
// is about to do is done twice, and is the same.
func (s *Store) fulfilAll(ctx context.Context) error {
	var undone []notice
	err := s.try(ctx, "read notices", func(ctx context.Context) error {
		cursor, err := s.db.Collection(notices).Find(ctx, bson.D{field("undone", true)}, options.Find().SetLimit(100))
		if err != nil {
			return err
		}
		undone = nil
		return cursor.All(ctx, &undone)
	})
	for _, n := range undone {
		if err := s.fulfil(ctx, n); err != nil {
			return err
		}
	}
	return err
}
