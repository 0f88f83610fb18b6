package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/market"
)

// pendingOps is the collection of operations on several documents, with their events:
// ending a person's sessions, and deleting an account. Its name is that of an earlier version.
const pendingOps = "notices"

// pendingOp is an operation on several documents. It is stored before it is
// executed, so that another process can finish it. Gone is set from the start: the
// document is deleted when its events are published.
type pendingOp struct {
	ID       int64          `bson:"_id"` // timestamp of the hybrid clock
	Sessions bson.A         // to end
	Account  string         // to delete
	Undone   bool           // not finished; its events are not published yet
	Events   []market.Event // see document
	Waits    int64
	Gone     time.Time
}

// runOp stores an operation, executes it, and copies the entries and records of its events.
func (s *Store) runOp(ctx context.Context, op pendingOp, events []market.Event) error {
	op.ID, op.Events = s.assignTimestamps(events)
	op.Undone, op.Gone = true, s.clock.now()
	if err := s.addPendingOp(ctx, op); err != nil {
		return err
	}
	if err := s.finishOp(ctx, op); err != nil {
		return err
	}
	return s.addCarried(ctx, events)
}

func (s *Store) addPendingOp(ctx context.Context, op pendingOp) error {
	return s.retry(ctx, "add pending operation", func(ctx context.Context) error {
		_, err := s.db.Collection(pendingOps).InsertOne(ctx, op)
		if mongo.IsDuplicateKeyError(err) {
			return nil // the first attempt had succeeded and its response was lost
		}
		return err
	})
}

// finishOp executes an operation and adds its events to the outbox. It is idempotent.
func (s *Store) finishOp(ctx context.Context, op pendingOp) error {
	if err := s.deleteSessions(ctx, op.Sessions); err != nil {
		return err
	}
	if err := s.deleteAccount(ctx, op.Account); err != nil {
		return err
	}
	filter := append(byID(op.ID), field("undone", true))
	update := bson.D{
		field("$set", bson.D{field("waits", op.Events[0].Seq)}),
		field("$unset", bson.D{field("undone", ""), field("sessions", ""), field("account", "")}),
	}
	return s.retry(ctx, "finish pending operation", func(ctx context.Context) error {
		_, err := s.db.Collection(pendingOps).UpdateOne(ctx, filter, update)
		return err
	})
}

// finishPendingOps finishes the operations of processes that were killed. Operations of
// a running process may be executed twice, which has no effect.
func (s *Store) finishPendingOps(ctx context.Context) error {
	var undone []pendingOp
	err := s.retry(ctx, "read pending operations", func(ctx context.Context) error {
		cursor, err := s.db.Collection(pendingOps).Find(ctx, bson.D{field("undone", true)}, options.Find().SetLimit(100))
		if err != nil {
			return err
		}
		undone = nil
		return cursor.All(ctx, &undone)
	})
	for _, op := range undone {
		if err := s.finishOp(ctx, op); err != nil {
			return err
		}
	}
	return err
}
