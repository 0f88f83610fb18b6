package mongo

import (
	"context"
	"errors"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/market"
	"secondring/store"
)

// document is the stored form of a document. Empty fields are not stored.
type document struct {
	ID      string `bson:"_id"`
	Version int64
	Body    string
	Keys    bson.D  // the fields of the indexes
	Writes  []int64 // the timestamps of the last writes, newest last
	Events  []event // not yet published, oldest first
	Waits   int64   // Seq of the first event
	// Gone is the time when the document was removed. It stays until its events are published and
	// tombstoneLifetime has passed, so that a repeated removal finds it, and a document that
	// follows from another one is not added again. It has no Body, and of the Keys only that of
	// Info.Shard.
	Gone time.Time
}

// event is a stored event. The first one of a write has the documents that follow from it, until
// it is published. A write without events has one without a topic for them.
type event struct {
	market.Event `bson:",inline"`

	Follow []follower
}

// follower is a document that is to be added to a collection.
type follower struct {
	Kind     string
	Document document
}

// keptWrites is the maximum length of document.Writes. A repeated write is recognized only if
// fewer other writes than this came between its attempts.
const keptWrites = 8

// field returns a field of a BSON document.
func field(name string, value any) bson.E { return bson.E{Key: name, Value: value} }

func byID(id string) bson.D { return bson.D{field("_id", id)} }

// absent is the condition of a field that is not stored.
var absent = bson.D{field("$exists", false)}

// newDocument returns the document of a write, with the timestamp of the write.
func (e *Engine) newDocument(w store.Write) (document, error) {
	events, err := e.eventsOf(w)
	if err != nil {
		return document{}, err
	}
	keys, err := keysOf(w)
	doc := document{ID: w.ID, Version: w.Version, Body: string(w.Body), Keys: keys, Events: events, Writes: []int64{e.clock.next()}}
	if len(events) > 0 {
		doc.Waits = events[0].Seq
	}
	return doc, err
}

// eventsOf returns the events of a write with the next timestamps as their Seq.
func (e *Engine) eventsOf(w store.Write) (all []event, err error) {
	for _, one := range w.Events {
		one.Seq = e.clock.next()
		all = append(all, event{Event: one})
	}
	if len(w.Follow) == 0 {
		return all, nil
	}
	if len(all) == 0 {
		all = []event{{Event: market.Event{Seq: e.clock.next()}}}
	}
	for _, f := range w.Follow {
		doc, err := e.newDocument(f)
		if err != nil {
			return nil, err
		}
		all[0].Follow = append(all[0].Follow, follower{f.Kind.Name, doc})
	}
	return all, nil
}

// keysOf returns the fields of the indexes. The field "new" is the ID or the key Info.Order, by which
// lists are sorted.
func keysOf(w store.Write) (bson.D, error) {
	keys := bson.D{field("new", w.ID)}
	if w.Kind.Order != "" {
		keys = bson.D{field("new", w.Keys[w.Kind.Order])}
	}
	for key, value := range w.Keys {
		if values, ok := value.([]string); ok && len(values) > 0 || !ok && value != "" {
			keys = append(keys, field(key, value))
		}
	}
	if w.Queue != "" && !w.Due.IsZero() {
		keys = append(keys, field("queue", w.Queue), field("due", w.Due))
	}
	if !w.Expires.IsZero() {
		keys = append(keys, field("expires", w.Expires))
	}
	found, err := searchKeys(w)
	return append(keys, found...), err
}

// Write makes a change of one document. Then it adds the documents that follow from it.
func (e *Engine) Write(ctx context.Context, w store.Write) error {
	if err := e.checkNeeds(ctx, w.Needs); err != nil {
		return err
	}
	doc, err := e.newDocument(w)
	if err != nil {
		return err
	}
	switch w.Op {
	case store.Add:
		err = e.add(ctx, w, doc)
	case store.Drop:
		err = e.drop(ctx, w, doc)
	default:
		err = e.swap(ctx, w, doc)
	}
	if err != nil {
		return err
	}
	return e.addFollowers(ctx, doc.Events)
}

// checkNeeds returns ErrNotFound if the document that a write needs is not there.
func (e *Engine) checkNeeds(ctx context.Context, need *store.Ref) error {
	if need == nil {
		return nil
	}
	isNotBelow := bson.D{field("$gte", need.Below)}
	filter := append(byID(need.ID), field("gone", absent), field("keys."+need.Key, bson.D{field("$not", isNotBelow)}))
	return e.retry(ctx, "look for "+need.Kind.Name, func(ctx context.Context) error {
		return e.latest(need.Kind.Name).FindOne(ctx, filter).Err()
	})
}

// add stores a new document. It replaces a removed one with the same ID.
func (e *Engine) add(ctx context.Context, w store.Write, doc document) error {
	return e.retry(ctx, "add", func(ctx context.Context) error {
		_, err := e.db.Collection(w.Kind.Name).InsertOne(ctx, doc)
		if !mongo.IsDuplicateKeyError(err) {
			return err
		}
		stored, err := e.readWriteState(ctx, w)
		switch {
		case errors.Is(err, mongo.ErrNoDocuments):
			return e.takenError(ctx, w)
		case err != nil:
			return err
		case slices.Contains(stored.Writes, doc.Writes[0]):
			return nil // this write had succeeded and its response was lost
		case stored.Gone.IsZero():
			return market.ErrExists
		}
		filter := append(byID(w.ID), field("gone", bson.D{field("$exists", true)}))
		err = e.update(ctx, w, doc, filter, bson.D{field("gone", "")})
		if errors.Is(err, mongo.ErrNoDocuments) { // another write has changed it since
			return e.add(ctx, w, doc)
		}
		return err
	})
}

// swap replaces or removes the document whose version is one below.
func (e *Engine) swap(ctx context.Context, w store.Write, doc document) error {
	filter := append(byID(w.ID), field("version", w.Version-1), field("gone", absent))
	return e.retry(ctx, "write", func(ctx context.Context) error {
		err := e.update(ctx, w, doc, filter, nil)
		if !errors.Is(err, mongo.ErrNoDocuments) {
			return err
		}
		stored, err := e.readWriteState(ctx, w)
		switch {
		case err != nil:
			return err
		case slices.Contains(stored.Writes, doc.Writes[0]):
			return nil // this write had succeeded and its response was lost
		case !stored.Gone.IsZero():
			return market.ErrNotFound
		default:
			return market.ErrConflict
		}
	})
}

// update stores the fields of a document, its timestamp and its events in the one that the filter
// matches. It returns mongo.ErrNoDocuments if there is none.
func (e *Engine) update(ctx context.Context, w store.Write, doc document, filter, unset bson.D) error {
	set := bson.D{field("version", doc.Version)}
	if w.Op == store.Remove {
		set, unset = append(set, e.tombstone(w)...), bson.D{field("body", "")}
	} else {
		set = append(set, field("body", doc.Body), field("keys", doc.Keys))
	}
	change := append(bson.D{field("$set", set)}, pushed(doc)...)
	if unset != nil {
		change = append(change, field("$unset", unset))
	}
	result, err := e.db.Collection(w.Kind.Name).UpdateOne(ctx, filter, change)
	if mongo.IsDuplicateKeyError(err) {
		return e.takenError(ctx, w)
	}
	if err == nil && result.MatchedCount == 0 {
		return mongo.ErrNoDocuments
	}
	return err
}

// tombstone returns the fields of a removed document: it keeps the key of the shard.
func (e *Engine) tombstone(w store.Write) bson.D {
	keys := bson.D{}
	if value, ok := w.Keys[w.Kind.Shard]; ok {
		keys = bson.D{field(w.Kind.Shard, value)}
	}
	return bson.D{field("gone", e.clock.now()), field("keys", keys)}
}

// pushed returns the part of an update that adds the timestamp and the events of a write.
func pushed(doc document) bson.D {
	push := bson.D{field("writes", bson.D{field("$each", doc.Writes), field("$slice", -keptWrites)})}
	if len(doc.Events) == 0 {
		return bson.D{field("$push", push)}
	}
	push = append(push, field("events", bson.D{field("$each", doc.Events)}))
	return bson.D{field("$push", push), field("$min", bson.D{field("waits", doc.Waits)})}
}

// drop removes a document, and stores the events even if there is none.
func (e *Engine) drop(ctx context.Context, w store.Write, doc document) error {
	change := append(bson.D{field("$set", bson.D{field("gone", e.clock.now())}), field("$unset", bson.D{field("keys", ""), field("body", "")})},
		pushed(doc)...)
	filter := append(byID(w.ID), field("writes", bson.D{field("$ne", doc.Writes[0])}))
	hasEvents := len(doc.Events) > 0
	if !hasEvents {
		filter = append(filter, field("gone", absent))
	}
	return e.retry(ctx, "remove", func(ctx context.Context) error {
		_, err := e.db.Collection(w.Kind.Name).UpdateOne(ctx, filter, change, options.UpdateOne().SetUpsert(hasEvents))
		if !mongo.IsDuplicateKeyError(err) {
			return err
		}
		stored, err := e.readWriteState(ctx, w)
		if err != nil || slices.Contains(stored.Writes, doc.Writes[0]) {
			return err // nil if this write had succeeded and its response was lost
		}
		return e.drop(ctx, w, doc) // another one has dropped it concurrently
	})
}

// takenError returns which unique key of a document another one has.
func (e *Engine) takenError(ctx context.Context, w store.Write) error {
	for _, keys := range w.Kind.Unique {
		filter := bson.D{field("_id", bson.D{field("$ne", w.ID)}), field("keys.new", bson.D{field("$gt", "")})}
		for _, key := range keys {
			filter = append(filter, field("keys."+key, w.Keys[key]))
		}
		err := e.latest(w.Kind.Name).FindOne(ctx, filter).Err()
		if err == nil {
			return &store.TakenError{Unique: keys}
		}
		if !errors.Is(err, mongo.ErrNoDocuments) {
			return err
		}
	}
	if len(w.Kind.Unique) == 0 {
		return market.ErrExists
	}
	return &store.TakenError{Unique: w.Kind.Unique[0]} // the other document has changed since
}

// addFollowers adds the documents that follow from a write, each once. If the process is killed
// before it has done so, addMissingFollowers does it.
func (e *Engine) addFollowers(ctx context.Context, events []event) error {
	for _, one := range events {
		for _, f := range one.Follow {
			err := e.retry(ctx, "add to "+f.Kind, func(ctx context.Context) error {
				_, err := e.db.Collection(f.Kind).InsertOne(ctx, f.Document)
				if !mongo.IsDuplicateKeyError(err) {
					return err
				}
				// If another document has its unique key, it must not be added when that is gone.
				gone := bson.D{field("$setOnInsert", bson.D{field("gone", e.clock.now())})}
				_, err = e.db.Collection(f.Kind).UpdateOne(ctx, byID(f.Document.ID), gone, options.UpdateOne().SetUpsert(true))
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// addMissingFollowers adds the documents that follow from the writes of these events and that a killed
// process has not added. It sends one command for each kind, because nearly always none is missing.
func (e *Engine) addMissingFollowers(ctx context.Context, events []event) error {
	byKind := map[string][]document{}
	for _, one := range events {
		for _, f := range one.Follow {
			byKind[f.Kind] = append(byKind[f.Kind], f.Document)
		}
	}
	for kind, docs := range byKind {
		err := e.retry(ctx, "add to "+kind, func(ctx context.Context) error {
			_, err := e.db.Collection(kind).InsertMany(ctx, docs, options.InsertMany().SetOrdered(false))
			if areAllDuplicates(err) {
				return nil
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// areAllDuplicates returns whether documents were refused only because they, or their unique keys, exist.
func areAllDuplicates(err error) bool {
	var failed mongo.BulkWriteException
	return errors.As(err, &failed) && failed.WriteConcernError == nil &&
		!slices.ContainsFunc(failed.WriteErrors, func(one mongo.BulkWriteError) bool { return !mongo.IsDuplicateKeyError(one) })
}

// Purge removes up to limit documents that expired before that time, the oldest first. They stay
// as tombstones: see document.Gone.
func (e *Engine) Purge(ctx context.Context, kind *store.Info, before time.Time, limit int) (purged int, err error) {
	expired := bson.D{field("keys.expires", timeRange(time.Time{}, "$lt", before))}
	docs, err := e.find(ctx, kind, expired, bson.D{field("keys.expires", 1)}, limit)
	if err != nil || len(docs) == 0 {
		return 0, err
	}
	ids := bson.A{}
	for _, doc := range docs {
		ids = append(ids, doc.ID)
	}
	unset := bson.D{field("body", ""), field("keys.new", ""), field("keys.expires", ""), field("keys.queue", ""), field("keys.due", "")}
	keys := slices.Concat(kind.Fields(), kind.Many)
	if kind.Searched {
		keys = append(keys, searchFields...)
	}
	for _, key := range keys {
		if key != kind.Shard {
			unset = append(unset, field("keys."+key, ""))
		}
	}
	gone := bson.D{field("$set", bson.D{field("gone", e.clock.now())}), field("$unset", unset)}
	filter := append(expired, field("_id", bson.D{field("$in", ids)}))
	err = e.retry(ctx, "purge "+kind.Name, func(ctx context.Context) error {
		result, err := e.db.Collection(kind.Name).UpdateMany(ctx, filter, gone)
		if err == nil {
			purged = int(result.ModifiedCount)
		}
		return err
	})
	return purged, err
}

// writeState has the fields of a stored document that show why a write was refused.
type writeState struct {
	Writes []int64
	Gone   time.Time
}

func (e *Engine) readWriteState(ctx context.Context, w store.Write) (stored writeState, err error) {
	err = e.latest(w.Kind.Name).FindOne(ctx, byID(w.ID),
		options.FindOne().SetProjection(bson.D{field("writes", 1), field("gone", 1)})).Decode(&stored)
	return stored, err
}
