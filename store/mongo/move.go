package mongo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/market"
)

var _ market.Target = (*Store)(nil)

// Times and sizes of filling a store.
const (
	fillPatience = time.Minute // for a call: no user waits for it
	batchSize    = 500         // that Each passes at a time
	putTries     = 20          // without progress, before Put gives up
)

// OpenToFill is Open for a store that is not in use yet: it waits longer while the
// server is busy.
func OpenToFill(ctx context.Context, uri string) (*Store, error) { return open(ctx, uri, fillPatience) }

// mover moves everything of one kind.
type mover interface {
	collection() string
	id(item market.Item) (any, error)
	// documents are those of new items.
	documents(ctx context.Context, s *Store, items []market.Item) ([]any, error)
	// filter and fields are of the documents that items are read from.
	filter() bson.D
	fields() bson.D
	items(doc bson.Raw) ([]market.Item, error)
}

var movers = map[market.Kind]mover{
	market.KindBrands:        entities[market.Brand]{kind: brands},
	market.KindUsers:         entities[market.User]{kind: users},
	market.KindAccounts:      entities[market.Account]{kind: accounts},
	market.KindSessions:      entities[market.Session]{kind: sessions},
	market.KindProducts:      entities[market.Product]{kind: products},
	market.KindBookings:      entities[market.Booking]{bookings, giveSlots},
	market.KindPayments:      entities[market.Payment]{kind: payments},
	market.KindWatching:      entities[market.Watching]{kind: watching},
	market.KindReports:       entities[market.Report]{kind: reports},
	market.KindRecords:       entities[market.Record]{kind: records},
	market.KindAuditLog:      entities[market.AuditEntry]{kind: auditEntries},
	market.KindLedger:        entities[market.LedgerEntry]{kind: ledger},
	market.KindNotifications: entities[market.Notification]{kind: notifications},
	market.KindEvents:        eventMover{},
	market.KindSettings:      settingMover{},
}

func moverOf(kind market.Kind) (mover, error) {
	m, known := movers[kind]
	if !known {
		return nil, fmt.Errorf("mongo: nothing is kept of the kind %q", kind)
	}
	return m, nil
}

// Each gives do everything of a kind. It reads each collection from end to end.
func (s *Store) Each(ctx context.Context, kind market.Kind, do func([]market.Item) error) error {
	m, err := moverOf(kind)
	if err != nil {
		return err
	}
	how := options.Find().SetProjection(m.fields()).SetBatchSize(batchSize)
	var cursor *mongo.Cursor
	// Only the beginning may be tried again: do would see items twice.
	err = s.retry(ctx, "read "+m.collection(), func(ctx context.Context) error {
		cursor, err = s.db.Collection(m.collection()).Find(ctx, m.filter(), how)
		return err
	})
	if err != nil {
		return err
	}
	defer func() { _ = cursor.Close(context.WithoutCancel(ctx)) }() // errors were returned by cursor.Err
	var some []market.Item
	for cursor.Next(ctx) {
		items, err := m.items(cursor.Current)
		if err != nil {
			return fmt.Errorf("read %s: %w", m.collection(), err)
		}
		if some = append(some, items...); len(some) >= batchSize {
			if err := do(some); err != nil {
				return err
			}
			some = nil
		}
	}
	if err := cursor.Err(); err != nil {
		return wrapError(ctx, "read "+m.collection(), err)
	}
	if len(some) == 0 {
		return nil
	}
	return do(some)
}

// Put stores items that are not there yet.
func (s *Store) Put(ctx context.Context, kind market.Kind, these []market.Item) error {
	m, err := moverOf(kind)
	if err != nil {
		return err
	}
	for tries := 0; tries < putTries; tries++ {
		missing, err := s.missing(ctx, m, these)
		if err != nil || len(missing) == 0 {
			return err
		}
		if len(missing) < len(these) { // what is there need not be looked for again
			these, tries = missing, 0
		}
		docs, err := m.documents(ctx, s, missing)
		if err != nil {
			return err
		}
		err = s.retry(ctx, "fill "+m.collection(), func(ctx context.Context) error {
			_, err := s.db.Collection(m.collection()).InsertMany(ctx, docs, options.InsertMany().SetOrdered(false))
			return err
		})
		// The ID may exist, because another attempt has stored it, or another goroutine
		// has taken the slot. The next look tells which.
		if !errors.Is(err, market.ErrExists) {
			return err
		}
	}
	first, err := m.id(these[0])
	return errors.Join(err, fmt.Errorf("fill %s: %d of them, the first with the id %v, want what another has: %w",
		m.collection(), len(these), first, market.ErrExists))
}

// missing are the items that are not there.
func (s *Store) missing(ctx context.Context, m mover, these []market.Item) (missing []market.Item, err error) {
	ids, err := idsOf(m, these)
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	how := options.Find().SetProjection(bson.D{field("_id", 1)}).SetBatchSize(int32(len(ids)))
	err = s.retry(ctx, "look into "+m.collection(), func(ctx context.Context) error {
		cursor, err := s.latest(m.collection()).Find(ctx, byID(bson.D{field("$in", ids)}), how)
		if err != nil {
			return err
		}
		var found []struct {
			ID bson.RawValue `bson:"_id"`
		}
		if err := cursor.All(ctx, &found); err != nil {
			return err
		}
		clear(there)
		for _, one := range found {
			there[one.ID.String()] = true
		}
		return nil
	})
	if err != nil || len(there) == 0 {
		return these, err
	}
	for i, id := range ids {
		kind, value, err := bson.MarshalValue(id)
		if err != nil {
			return nil, err
		}
		if is := (bson.RawValue{Type: kind, Value: value}); !there[is.String()] {
			missing = append(missing, these[i])
		}
	}
	return missing, nil
}

func idsOf(m mover, these []market.Item) (ids bson.A, err error) {
	for _, item := range these {
		id, err := m.id(item)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// Forget removes items by their keys.
func (s *Store) Forget(ctx context.Context, kind market.Kind, these []market.Item) error {
	m, err := moverOf(kind)
	if err != nil || len(these) == 0 {
		return err
	}
	ids, err := idsOf(m, these)
	if err != nil {
		return err
	}
	return s.retry(ctx, "forget "+m.collection(), func(ctx context.Context) error {
		_, err := s.db.Collection(m.collection()).DeleteMany(ctx, byID(bson.D{field("$in", ids)}))
		return err
	})
}
