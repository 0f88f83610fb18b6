package mongo

import (
	"bytes"
	"context"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/market"
)

// entityMover is the mover of the entities of one kind. If adjust is set, it changes new
// documents so that they do not conflict with stored ones.
type entityMover[T any] struct {
	kind   kind[T]
	adjust func(ctx context.Context, s *Store, docs []document[T]) error
}

func (e entityMover[T]) collection() string { return e.kind.name }

func (e entityMover[T]) id(item market.Item) (any, error) {
	v, err := itemAs[T](item)
	return e.kind.id(v), err
}

// itemAs converts an item to the type of its kind. It returns an error if the item has
// another type.
func itemAs[T any](item market.Item) (T, error) {
	v, ok := item.(T)
	if !ok {
		return v, fmt.Errorf("mongo: the item is a %T, not a %T", item, v)
	}
	return v, nil
}

func (e entityMover[T]) documents(ctx context.Context, s *Store, items []market.Item) ([]any, error) {
	docs := make([]document[T], len(items))
	for i, item := range items {
		v, err := itemAs[T](item)
		if err != nil {
			return nil, err
		}
		docs[i] = e.kind.document(v, s.clock.next(), nil)
	}
	if e.adjust != nil {
		if err := e.adjust(ctx, s, docs); err != nil {
			return nil, err
		}
	}
	all := make([]any, len(docs))
	for i := range docs {
		all[i] = docs[i]
	}
	return all, nil
}

// filter excludes tombstones.
func (e entityMover[T]) filter() bson.D { return bson.D{field("gone", absent)} }

func (e entityMover[T]) fields() bson.D { return bson.D{field("entity", 1)} }

func (e entityMover[T]) items(doc bson.Raw) ([]market.Item, error) {
	var stored struct{ Entity T }
	err := bson.Unmarshal(doc, &stored)
	return []market.Item{stored.Entity}, err
}

// assignSlots sets the slot of each held booking to the lowest free slot of its buyer.
func assignSlots(ctx context.Context, s *Store, docs []document[market.Booking]) error {
	taken := map[string]map[int]bool{}
	var buyers bson.A
	for _, doc := range docs {
		if buyer := doc.Entity.BuyerUID; doc.Entity.Status == market.BookingHeld && taken[buyer] == nil {
			taken[buyer] = map[int]bool{}
			buyers = append(buyers, buyer)
		}
	}
	if len(buyers) == 0 {
		return nil
	}
	if err := s.takenSlots(ctx, buyers, taken); err != nil {
		return err
	}
	for i, doc := range docs {
		if doc.Entity.Status != market.BookingHeld {
			continue
		}
		slot, buyerSlots := 0, taken[doc.Entity.BuyerUID]
		for buyerSlots[slot] {
			slot++
		}
		buyerSlots[slot] = true
		docs[i].Slot = &slot
	}
	return nil
}

// takenSlots reads the slots that the buyers have taken and adds them to taken, which has
// a map for each buyer.
func (s *Store) takenSlots(ctx context.Context, buyers bson.A, taken map[string]map[int]bool) error {
	return s.retry(ctx, "read slots", func(ctx context.Context) error {
		cursor, err := s.latest(bookings.name).Find(ctx, bson.D{field("keys.buyer", bson.D{field("$in", buyers)}), field(holderKey, bson.D{field("$in", buyers)})},
			options.Find().SetProjection(bson.D{field("slot", 1), field(holderKey, 1)}))
		if err != nil {
			return err
		}
		var held []struct {
			Slot int
			Keys struct{ Holder string }
		}
		if err := cursor.All(ctx, &held); err != nil {
			return err
		}
		for _, b := range held {
			taken[b.Keys.Holder][b.Slot] = true
		}
		return nil
	})
}

// eventMover is the mover of unpublished events. They are stored in pendingOps, the outbox
// for events without an entity. They keep their Seq, which is below all timestamps of this store.
type eventMover struct{}

func (eventMover) collection() string { return pendingOps }

func (eventMover) id(item market.Item) (any, error) {
	e, err := itemAs[market.Event](item)
	return e.Seq, err
}

func (eventMover) documents(_ context.Context, s *Store, items []market.Item) (docs []any, err error) {
	for _, item := range items {
		e, err := itemAs[market.Event](item)
		if err != nil {
			return nil, err
		}
		docs = append(docs, pendingOp{ID: e.Seq, Events: []market.Event{e}, Waits: e.Seq, Gone: s.clock.now()})
	}
	return docs, nil
}

func (eventMover) filter() bson.D { return bson.D{field("waits", bson.D{field("$gt", 0)})} }

func (eventMover) fields() bson.D { return bson.D{field("events", 1)} }

func (eventMover) items(doc bson.Raw) (all []market.Item, err error) {
	var stored struct{ Events []market.Event }
	err = bson.Unmarshal(doc, &stored)
	for _, e := range stored.Events {
		all = append(all, e)
	}
	return all, err
}

// settingMover is the mover of the settings of the store itself.
type settingMover struct{}

func (settingMover) collection() string { return meta }

func (settingMover) id(item market.Item) (any, error) {
	s, err := itemAs[market.Setting](item)
	return s.Name, err
}

func (settingMover) documents(_ context.Context, s *Store, items []market.Item) (docs []any, err error) {
	for _, item := range items {
		setting, err := itemAs[market.Setting](item)
		if err != nil {
			return nil, err
		}
		docs = append(docs, bson.D{field("_id", setting.Name), field("value", setting.Value), field("write", s.clock.next())})
	}
	return docs, nil
}

func (settingMover) filter() bson.D { return bson.D{} }

func (settingMover) fields() bson.D { return bson.D{field("value", 1)} }

func (settingMover) items(doc bson.Raw) ([]market.Item, error) {
	var setting struct {
		ID    string `bson:"_id"`
		Value string
	}
	err := bson.Unmarshal(doc, &setting)
	return []market.Item{market.Setting{Name: setting.ID, Value: setting.Value}}, err
}

// PutImage writes an image in the format of the image host. It replaces an incomplete image
// that a killed process has left. The same image must not be written concurrently.
func (s *Store) PutImage(ctx context.Context, name, contentType string, data []byte) error {
	b := &bucket{s}
	return s.retry(ctx, "write image", func(ctx context.Context) error {
		grid := b.grid()
		if _, err := grid.GetFilesCollection().DeleteOne(ctx, byID(name)); err != nil {
			return err
		}
		if _, err := grid.GetChunksCollection().DeleteMany(ctx, bson.D{field("files_id", name)}); err != nil {
			return err
		}
		return grid.UploadFromStreamWithID(ctx, name, name, bytes.NewReader(data),
			options.GridFSUpload().SetMetadata(fileMetadata{ContentType: contentType}))
	})
}
