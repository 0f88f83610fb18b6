package mongo

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"golang.org/x/sync/errgroup"
)

// schema is the number of the indexes below, and of how entities are kept.
// Raise it with every change to either.
const schema = 15

// state is the collection of the store's own settings.
const state = "state"

// index is one index. It leaves out documents without its first field: what is
// removed is in none. A name beginning with "-" is downwards.
type index struct {
	collection string
	fields     []string
	unique     bool
}

// Two indexes go by another field than their first, so that they begin with what
// their collection is sharded by: a removed report keeps its phone, and a booking
// that holds nothing keeps its buyer and slot.
const (
	reporters = "keys.reporter"
	holders   = "keys.holder"
)

// ofBookings are the indexes of the bookings.
var ofBookings = []index{
	{bookings.name, []string{"keys.buyer", "-keys.new"}, false},
	{bookings.name, []string{"keys.buyer", "keys.phone", "-keys.new"}, false},
	{bookings.name, []string{"keys.buyer", "slot"}, true},
	{bookings.name, []string{"keys.network"}, false},
	{bookings.name, []string{"keys.due", "keys.new"}, false},
	{bookings.name, []string{"keys.intentDue", "keys.new"}, false},
	{bookings.name, []string{"entity.status", "entity.endedat"}, false},
	{bookings.name, []string{"-keys.new"}, false},
	{bookings.name, []string{"entity.status", "-keys.new"}, false},
	{bookings.name, []string{"entity.selleruid", "-keys.new"}, false},
	{bookings.name, []string{"entity.fulfilment.state", "-keys.new"}, false},
	{bookings.name, []string{"keys.payout", "-keys.new"}, false},
}

// indexes are all indexes except those on _id. A test explains every query and checks that
// it uses one of them.
func indexes() []index {
	all := []index{
		{users.name, []string{"keys.uid"}, true},
		{users.name, []string{"keys.mail"}, true},
		{users.name, []string{"keys.who", "keys.removed", "-keys.new"}, false},
		{users.name, []string{"keys.list", "-keys.new"}, false},
		{users.name, []string{"keys.sweep", "keys.new"}, false},
		{users.name, []string{"entity.admin"}, false},

		{accounts.name, []string{"keys.mail"}, true},
		{accounts.name, []string{"keys.google"}, true},

		{sessions.name, []string{"keys.uid"}, false},
		{sessions.name, []string{"keys.expires"}, false},

		{brands.name, []string{"keys.name"}, true},
		{brands.name, []string{"-keys.new"}, false},

		{products.name, []string{"keys.seller", "-keys.new"}, false},
		{products.name, []string{"keys.advertised", "-keys.new"}, false},
		{products.name, []string{"keys.held", "keys.new"}, false},
		{products.name, []string{"keys.waiters"}, false},
		{products.name, []string{"keys.free", "keys.brand", "keys.price"}, false},
		{products.name, []string{"keys.words", "-keys.new"}, false},

		{payments.name, []string{"keys.transaction"}, true},
		{payments.name, []string{"entity.buyeruid", "-_id"}, false},

		{watching.name, []string{"keys.uid"}, true},
		{watching.name, []string{"keys.phones", "-keys.new"}, false},
		{watching.name, []string{"keys.brands", "-keys.new"}, false},

		{reports.name, []string{"keys.phone", reporters}, true},
		{reports.name, []string{"-keys.new"}, false},
		{reports.name, []string{reporters, "-keys.new"}, false},

		{records.name, []string{"keys.kind", "keys.due"}, false},
		{records.name, []string{"keys.expires"}, false},

		{auditEntries.name, []string{"-keys.new"}, false},
		{auditEntries.name, []string{"keys.expires"}, false},
		{auditEntries.name, []string{"keys.concern", "-keys.new"}, false},
		{auditEntries.name, []string{"entity.actorid"}, false},
		{auditEntries.name, []string{"entity.targetid"}, false},

		{ledger.name, []string{"-keys.new"}, false},
		{ledger.name, []string{"keys.booking", "keys.new"}, false},
		{ledger.name, []string{"keys.seller", "keys.new"}, false},

		{notifications.name, []string{"keys.uid", "keys.cause"}, true},
		{notifications.name, []string{"keys.uid", "-keys.new"}, false},
		{notifications.name, []string{"keys.unread", "-keys.new"}, false},
		{notifications.name, []string{"keys.emailDue", "keys.new"}, false},
		{notifications.name, []string{"keys.expires"}, false},

		{pendingOps, []string{"undone"}, false},
	}
	for _, place := range pictureFields {
		all = append(all, index{place.collection, []string{place.field}, false})
	}
	for _, order := range sortFields {
		walk := append([]string{"-" + order}, facets...)
		all = append(all, index{products.name, walk, false},
			index{products.name, append([]string{"keys.brand"}, walk...), false})
	}
	all = append(all, ofBookings...)
	for _, name := range outboxes {
		all = append(all, index{name, []string{"waits"}, false}, index{name, []string{"gone"}, false})
	}
	return all
}

// model is the index as the driver takes it.
func (i index) model() mongo.IndexModel {
	var keys bson.D
	for _, name := range i.fields {
		if name[0] == '-' {
			keys = append(keys, field(name[1:], -1))
		} else {
			keys = append(keys, field(name, 1))
		}
	}
	decides := keys[0].Key
	switch {
	case slices.Contains(i.fields, reporters):
		decides = reporters
	case slices.Contains(i.fields, "slot"):
		decides = holders
	}
	there := bson.D{field(decides, bson.D{field("$exists", true)})}
	return mongo.IndexModel{
		Keys: keys, Options: options.Index().SetUnique(i.unique).SetPartialFilterExpression(there),
	}
}

// applySchema brings the database to this program's schema. Several processes may do
// so at once: each index is made once. It refuses another program's database,
// and one that a newer SecondRing has written.
func (s *Store) applySchema(ctx context.Context) error {
	have, err := s.schema(ctx)
	switch {
	case err != nil:
		return err
	case have == schema:
		return nil
	case have > schema:
		return fmt.Errorf("written by a newer SecondRing (schema %d, this one knows %d): start that one", have, schema)
	case have == noSchema:
		if err := s.markDatabase(ctx); err != nil {
			return err
		}
	}
	models := map[string][]mongo.IndexModel{}
	for _, i := range indexes() {
		models[i.collection] = append(models[i.collection], i.model())
	}
	all, inside := errgroup.WithContext(ctx)
	for name, models := range models {
		all.Go(func() error {
			return s.retry(inside, "index "+name, func(ctx context.Context) error {
				_, err := s.db.Collection(name).Indexes().CreateMany(ctx, models)
				return err
			})
		})
	}
	if err := all.Wait(); err != nil {
		return err
	}
	return s.setSchema(ctx, schema)
}

// Schemas: none yet, and one that is not complete.
const (
	noSchema = 0
	begun    = -1
)

func (s *Store) schema(ctx context.Context) (number int, err error) {
	var is struct{ Number int }
	err = s.retry(ctx, "read schema", func(ctx context.Context) error {
		err := s.db.Collection(state).FindOne(ctx, byID("schema")).Decode(&is)
		if errors.Is(err, mongo.ErrNoDocuments) {
			return nil
		}
		return err
	})
	return is.Number, err
}

func (s *Store) setSchema(ctx context.Context, number int) error {
	change := bson.D{field("$set", bson.D{field("number", number)})}
	return s.retry(ctx, "set schema", func(ctx context.Context) error {
		_, err := s.db.Collection(state).UpdateOne(ctx, byID("schema"), change, options.UpdateOne().SetUpsert(true))
		if mongo.IsDuplicateKeyError(err) { // another process made it at this moment
			_, err = s.db.Collection(state).UpdateOne(ctx, byID("schema"), change)
		}
		return err
	})
}

// markDatabase marks an empty database as SecondRing's and refuses databases of other programs.
func (s *Store) markDatabase(ctx context.Context) error {
	var names []string
	err := s.retry(ctx, "list collections", func(ctx context.Context) (err error) {
		names, err = s.db.ListCollectionNames(ctx, bson.D{})
		return err
	})
	if err != nil {
		return err
	}
	others := slices.DeleteFunc(names, func(name string) bool { return name == state })
	// Another process may have claimed it since.
	if number, err := s.schema(ctx); err != nil || number != noSchema {
		return err
	}
	if len(others) > 0 {
		return fmt.Errorf("the database %q is another program's: name an empty one in the address", s.db.Name())
	}
	return s.setSchema(ctx, begun)
}
