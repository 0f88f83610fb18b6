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

// schema is the version of the indexes below and of the format of stored entities.
// Increase it with every change of either.
const schema = 15

// state is the collection of the store's own settings.
const state = "state"

// index describes a partial index: it contains only documents that have its first field, so
// no index contains removed entities. A field name that begins with "-" is in descending
// order.
type index struct {
	collection string
	fields     []string
	unique     bool
}

// reporterKey and holderKey select the documents of two indexes, instead of the first field.
// These indexes begin with the shard key of their collection, which some documents keep that
// must not be in the index: a removed report keeps its phone, and a booking that holds
// nothing keeps its buyer and slot.
const (
	reporterKey = "keys.reporter"
	holderKey   = "keys.holder"
)

// bookingIndexes are the indexes of the collection of bookings.
var bookingIndexes = []index{
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

// indexes returns all indexes except those on _id. A test explains every query and checks that
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
		{watching.name, []string{"keys.searches", "-keys.new"}, false},

		{reports.name, []string{"keys.phone", reporterKey}, true},
		{reports.name, []string{"-keys.new"}, false},
		{reports.name, []string{reporterKey, "-keys.new"}, false},

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
	for _, picture := range pictureFields {
		all = append(all, index{picture.collection, []string{picture.field}, false})
	}
	for _, order := range sortFields {
		fields := append([]string{"-" + order}, facets...)
		all = append(all, index{products.name, fields, false},
			index{products.name, append([]string{"keys.brand"}, fields...), false})
	}
	all = append(all, bookingIndexes...)
	for _, name := range outboxes {
		all = append(all, index{name, []string{"waits"}, false}, index{name, []string{"gone"}, false})
	}
	return all
}

// model returns the index as an argument of the driver.
func (i index) model() mongo.IndexModel {
	var keys bson.D
	for _, name := range i.fields {
		if name[0] == '-' {
			keys = append(keys, field(name[1:], -1))
		} else {
			keys = append(keys, field(name, 1))
		}
	}
	required := keys[0].Key
	switch {
	case slices.Contains(i.fields, reporterKey):
		required = reporterKey
	case slices.Contains(i.fields, "slot"):
		required = holderKey
	}
	condition := bson.D{field(required, bson.D{field("$exists", true)})}
	return mongo.IndexModel{
		Keys: keys, Options: options.Index().SetUnique(i.unique).SetPartialFilterExpression(condition),
	}
}

// applySchema updates the database to this program's schema. Several processes may call it
// concurrently: each index is created once. It returns an error if the database belongs to
// another program or was written by a newer SecondRing.
func (s *Store) applySchema(ctx context.Context) error {
	stored, err := s.schema(ctx)
	switch {
	case err != nil:
		return err
	case stored == schema:
		return nil
	case stored > schema:
		return fmt.Errorf("written by a newer SecondRing (schema %d, this one knows %d): start that one", stored, schema)
	case stored == noSchema:
		if err := s.markDatabase(ctx); err != nil {
			return err
		}
	}
	models := map[string][]mongo.IndexModel{}
	for _, i := range indexes() {
		models[i.collection] = append(models[i.collection], i.model())
	}
	group, groupCtx := errgroup.WithContext(ctx)
	for name, models := range models {
		group.Go(func() error {
			return s.retry(groupCtx, "index "+name, func(ctx context.Context) error {
				_, err := s.db.Collection(name).Indexes().CreateMany(ctx, models)
				return err
			})
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return s.setSchema(ctx, schema)
}

// Schema numbers of a database without a schema, and of one whose indexes are not complete.
const (
	noSchema         = 0
	incompleteSchema = -1
)

// schema returns the schema number of the database, or noSchema.
func (s *Store) schema(ctx context.Context) (number int, err error) {
	var doc struct{ Number int }
	err = s.retry(ctx, "read schema", func(ctx context.Context) error {
		err := s.db.Collection(state).FindOne(ctx, byID("schema")).Decode(&doc)
		if errors.Is(err, mongo.ErrNoDocuments) {
			return nil
		}
		return err
	})
	return doc.Number, err
}

func (s *Store) setSchema(ctx context.Context, number int) error {
	update := bson.D{field("$set", bson.D{field("number", number)})}
	return s.retry(ctx, "set schema", func(ctx context.Context) error {
		_, err := s.db.Collection(state).UpdateOne(ctx, byID("schema"), update, options.UpdateOne().SetUpsert(true))
		if mongo.IsDuplicateKeyError(err) { // another process has inserted it concurrently
			_, err = s.db.Collection(state).UpdateOne(ctx, byID("schema"), update)
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
	// Another process may have marked it since.
	if number, err := s.schema(ctx); err != nil || number != noSchema {
		return err
	}
	if len(others) > 0 {
		return fmt.Errorf("the database %q is another program's: name an empty one in the address", s.db.Name())
	}
	return s.setSchema(ctx, incompleteSchema)
}
