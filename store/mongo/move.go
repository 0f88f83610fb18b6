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

// Limits of a migration into a store.
const (
	migrationTimeout = time.Minute // of a call: no user waits for it
	batchSize        = 500         // items that Each reads and passes on at a time
	maxPutAttempts   = 20          // consecutive attempts of Put that store nothing
)

// OpenForMigration opens a store like Open, for a store that is not in use yet. Its calls
// wait longer while the server is busy.
func OpenForMigration(ctx context.Context, uri string) (*Store, error) {
	return open(ctx, uri, migrationTimeout)
}

// mover converts the items of one kind to documents and back, for a migration.
type mover interface {
	collection() string
	id(item market.Item) (any, error)
	// documents returns the documents of new items.
	documents(ctx context.Context, s *Store, items []market.Item) ([]any, error)
	// filter and fields are the filter and the projection with which Each reads documents.
	filter() bson.D
	fields() bson.D
	items(doc bson.Raw) ([]market.Item, error)
}

var movers = map[market.Kind]mover{
	market.KindBrands:        entityMover[market.Brand]{kind: brands},
	market.KindUsers:         entityMover[market.User]{kind: users},
	market.KindAccounts:      entityMover[market.Account]{kind: accounts},
	market.KindSessions:      entityMover[market.Session]{kind: sessions},
	market.KindProducts:      entityMover[market.Product]{kind: products},
	market.KindBookings:      entityMover[market.Booking]{bookings, assignSlots},
	market.KindPayments:      entityMover[market.Payment]{kind: payments},
	market.KindWatching:      entityMover[market.Watching]{kind: watching},
	market.KindReports:       entityMover[market.Report]{kind: reports},
	market.KindRecords:       entityMover[market.Record]{kind: records},
	market.KindAuditLog:      entityMover[market.AuditEntry]{kind: auditEntries},
	market.KindLedger:        entityMover[market.LedgerEntry]{kind: ledger},
	market.KindNotifications: entityMover[market.Notification]{kind: notifications},
	market.KindEvents:        eventMover{},
	market.KindSettings:      settingMover{},
}

func moverFor(kind market.Kind) (mover, error) {
	m, known := movers[kind]
	if !known {
		return nil, fmt.Errorf("mongo: unknown kind %q", kind)
	}
	return m, nil
}

// Each calls do with all items of a kind, in batches. It reads the whole collection.
func (s *Store) Each(ctx context.Context, kind market.Kind, do func([]market.Item) error) error {
	m, err := moverFor(kind)
	if err != nil {
		return err
	}
	opts := options.Find().SetProjection(m.fields()).SetBatchSize(batchSize)
	var cursor *mongo.Cursor
	// Only the start of the query may be repeated, because do would see items twice.
	err = s.retry(ctx, "read "+m.collection(), func(ctx context.Context) error {
		cursor, err = s.db.Collection(m.collection()).Find(ctx, m.filter(), opts)
		return err
	})
	if err != nil {
		return err
	}
	defer func() { _ = cursor.Close(context.WithoutCancel(ctx)) }() // errors were returned by cursor.Err
	var batch []market.Item
	for cursor.Next(ctx) {
		items, err := m.items(cursor.Current)
		if err != nil {
			return fmt.Errorf("read %s: %w", m.collection(), err)
		}
		if batch = append(batch, items...); len(batch) >= batchSize {
			if err := do(batch); err != nil {
				return err
			}
			batch = nil
		}
	}
	if err := cursor.Err(); err != nil {
		return wrapError(ctx, "read "+m.collection(), err)
	}
	if len(batch) == 0 {
		return nil
	}
	return do(batch)
}

// Put stores the items whose IDs do not exist yet. It returns ErrExists if another item
// has the same value of a unique field.
func (s *Store) Put(ctx context.Context, kind market.Kind, items []market.Item) error {
	m, err := moverFor(kind)
	if err != nil {
		return err
	}
	for tries := 0; tries < maxPutAttempts; tries++ {
		missing, err := s.missingItems(ctx, m, items)
		if err != nil || len(missing) == 0 {
			return err
		}
		if len(missing) < len(items) { // stored items need not be checked again
			items, tries = missing, 0
		}
		docs, err := m.documents(ctx, s, missing)
		if err != nil {
			return err
		}
		err = s.retry(ctx, "fill "+m.collection(), func(ctx context.Context) error {
			_, err := s.db.Collection(m.collection()).InsertMany(ctx, docs, options.InsertMany().SetOrdered(false))
			return err
		})
		// Either the ID exists, because another attempt has stored it, or another goroutine
		// has taken the slot. The next iteration finds out which.
		if !errors.Is(err, market.ErrExists) {
			return err
		}
	}
	first, err := m.id(items[0])
	return errors.Join(err, fmt.Errorf("fill %s: %d items have a unique value of another item, the first has the id %v: %w",
		m.collection(), len(items), first, market.ErrExists))
}

// missingItems returns the items whose IDs are not stored.
func (s *Store) missingItems(ctx context.Context, m mover, items []market.Item) (missing []market.Item, err error) {
	ids, err := idsOf(m, items)
	if err != nil {
		return nil, err
	}
	stored, err := s.storedIDs(ctx, m, ids)
	if err != nil || len(stored) == 0 {
		return items, err
	}
	for i, id := range ids {
		kind, value, err := bson.MarshalValue(id)
		if err != nil {
			return nil, err
		}
		if raw := (bson.RawValue{Type: kind, Value: value}); !stored[raw.String()] {
			missing = append(missing, items[i])
		}
	}
	return missing, nil
}

// storedIDs returns those of the IDs that are stored, as the text of their BSON.
func (s *Store) storedIDs(ctx context.Context, m mover, ids bson.A) (stored map[string]bool, err error) {
	opts := options.Find().SetProjection(bson.D{field("_id", 1)}).SetBatchSize(int32(len(ids)))
	err = s.retry(ctx, "look into "+m.collection(), func(ctx context.Context) error {
		cursor, err := s.latest(m.collection()).Find(ctx, byID(bson.D{field("$in", ids)}), opts)
		if err != nil {
			return err
		}
		var docs []struct {
			ID bson.RawValue `bson:"_id"`
		}
		if err := cursor.All(ctx, &docs); err != nil {
			return err
		}
		stored = map[string]bool{}
		for _, doc := range docs {
			stored[doc.ID.String()] = true
		}
		return nil
	})
	return stored, err
}

func idsOf(m mover, items []market.Item) (ids bson.A, err error) {
	for _, item := range items {
		id, err := m.id(item)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// DeleteItems deletes items by their IDs, without events or tombstones.
func (s *Store) DeleteItems(ctx context.Context, kind market.Kind, items []market.Item) error {
	m, err := moverFor(kind)
	if err != nil || len(items) == 0 {
		return err
	}
	ids, err := idsOf(m, items)
	if err != nil {
		return err
	}
	return s.retry(ctx, "delete "+m.collection(), func(ctx context.Context) error {
		_, err := s.db.Collection(m.collection()).DeleteMany(ctx, byID(bson.D{field("$in", ids)}))
		return err
	})
}
