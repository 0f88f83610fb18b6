package mongo

import (
	"bytes"
	"context"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/market"
)

// entities is the mover of entities of one kind. adjust, if it is set, changes new
// documents so that they fit those that are stored.
type entities[T any] struct {
	kind   kind[T]
	adjust func(ctx context.Context, s *Store, docs []document[T]) error
}

func (e entities[T]) collection() string { return e.kind.name }

func (e entities[T]) id(item market.Item) (any, error) {
	v, err := as[T](item)
	return e.kind.id(v), err
}

// as converts an item to the type of its kind.
func as[T any](item market.Item) (T, error) {
	v, ok := item.(T)
	if !ok {
		return v, fmt.Errorf("mongo: a %T is no %T", item, v)
	}
	return v, nil
}

func (e entities[T]) documents(ctx context.Context, s *Store, items []market.Item) ([]any, error) {
	docs := make([]document[T], len(items))
	for i, item := range items {
		v, err := as[T](item)
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

// filter leaves out tombstones.
func (e entities[T]) filter() bson.D { return bson.D{field("gone", absent)} }

func (e entities[T]) fields() bson.D { return bson.D{field("entity", 1)} }

func (e entities[T]) items(doc bson.Raw) ([]market.Item, error) {
	var is struct{ Entity T }
	err := bson.Unmarshal(doc, &is)
	return []market.Item{is.Entity}, err
}

// giveSlots gives each held booking a slot that its buyer has not taken yet.
func giveSlots(ctx context.Context, s *Store, docs []document[market.Booking]) error {
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
		slot, of := 0, taken[doc.Entity.BuyerUID]
		for of[slot] {
			slot++
		}
		of[slot] = true
		docs[i].Slot = &slot
	}
	return nil
}

// takenSlots adds the slots that buyers have taken.
func (s *Store) takenSlots(ctx context.Context, buyers bson.A, taken map[string]map[int]bool) error {
	return s.retry(ctx, "read slots", func(ctx context.Context) error {
		cursor, err := s.latest(bookings.name).Find(ctx, bson.D{field("keys.buyer", bson.D{field("$in", buyers)}), field(holders, bson.D{field("$in", buyers)})},
			options.Find().SetProjection(bson.D{field("slot", 1), field(holders, 1)}))
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
// for events of no entity. They keep their Seq, which is below all timestamps of this store.
type eventMover struct{}

func (eventMover) collection() string { return pendingOps }

func (eventMover) id(item market.Item) (any, error) {
	e, err := as[market.Event](item)
	return e.Seq, err
}

func (eventMover) documents(_ context.Context, s *Store, items []market.Item) (docs []any, err error) {
	for _, item := range items {
		e, err := as[market.Event](item)
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
	var is struct{ Events []market.Event }
	err = bson.Unmarshal(doc, &is)
	for _, e := range is.Events {
		all = append(all, e)
	}
	return all, err
}

// settingMover is the mover of the settings of the store itself.
type settingMover struct{}

func (settingMover) collection() string { return meta }

func (settingMover) id(item market.Item) (any, error) {
	s, err := as[market.Setting](item)
	return s.Name, err
}

func (settingMover) documents(_ context.Context, s *Store, items []market.Item) (docs []any, err error) {
	for _, item := range items {
		is, err := as[market.Setting](item)
		if err != nil {
			return nil, err
		}
		docs = append(docs, bson.D{field("_id", is.Name), field("value", is.Value), field("write", s.clock.next())})
	}
	return docs, nil
}

func (settingMover) filter() bson.D { return bson.D{} }

func (settingMover) fields() bson.D { return bson.D{field("value", 1)} }

func (settingMover) items(doc bson.Raw) ([]market.Item, error) {
	var is struct {
		ID    string `bson:"_id"`
		Value string
	}
	err := bson.Unmarshal(doc, &is)
	return []market.Item{market.Setting{Name: is.ID, Value: is.Value}}, err
}

// PutImage writes an image as the image host writes it, over what a process that
// died may have left of it. No two may write the same one at once.
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
