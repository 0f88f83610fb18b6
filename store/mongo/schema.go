package mongo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"golang.org/x/sync/errgroup"

	"secondring/store"
)

// state is the collection of the store's own settings.
const state = "state"

// index describes a partial index: it contains only documents that have its required fields. A field
// name that begins with "-" is in descending order.
type index struct {
	collection string
	fields     []string
	required   []string
	unique     bool
}

// indexes returns all indexes except those on _id. A test explains every query and checks that it
// uses one of them.
func indexes() (all []index) {
	for _, kind := range store.Kinds() {
		add := func(keys []string, more ...string) {
			var fields []string
			for _, key := range keys {
				fields = append(fields, "keys."+key)
			}
			fields = append(fields, more...)
			all = append(all, index{kind.Name, fields, []string{strings.TrimPrefix(fields[0], "-")}, false})
		}
		for _, keys := range kind.Unique { // of those that are not removed and have all keys
			add(keys)
			one := &all[len(all)-1]
			one.unique, one.required = true, append(slices.Clone(one.fields), "keys.new")
		}
		for _, keys := range kind.Lists {
			add(keys, "-keys.new")
		}
		for _, key := range kind.Many {
			add([]string{key}, "-keys.new")
		}
		add(nil, "-keys.new")
		add([]string{"queue"}, "keys.due", "keys.new")
		add([]string{"expires"})
		add(nil, "waits")
		add(nil, "gone")
	}
	return append(all, searchIndexes()...)
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
	var condition bson.D
	for _, name := range i.required {
		condition = append(condition, field(name, bson.D{field("$exists", true)}))
	}
	return mongo.IndexModel{
		Keys: keys, Options: options.Index().SetUnique(i.unique).SetPartialFilterExpression(condition),
	}
}

// applyFormat creates the indexes of an empty database. Several processes may call it concurrently:
// each index is created once. It returns an error if the database belongs to another program or has
// another format.
func (e *Engine) applyFormat(ctx context.Context) error {
	stored, err := e.format(ctx)
	switch {
	case err != nil:
		return err
	case stored == store.Format:
		return nil
	case stored > 0:
		return fmt.Errorf("its format is %d, and this SecondRing reads %d", stored, store.Format)
	case stored == noFormat:
		if err := e.markDatabase(ctx); err != nil {
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
			return e.retry(groupCtx, "index "+name, func(ctx context.Context) error {
				_, err := e.db.Collection(name).Indexes().CreateMany(ctx, models)
				return err
			})
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return e.setFormat(ctx, store.Format)
}

// Format numbers of a new database, and of one whose indexes are not complete.
const (
	noFormat         = 0
	incompleteFormat = -1
)

// format returns the format number of the database, or noFormat.
func (e *Engine) format(ctx context.Context) (number int, err error) {
	var doc struct{ Number int }
	err = e.retry(ctx, "read format", func(ctx context.Context) error {
		err := e.db.Collection(state).FindOne(ctx, byID("format")).Decode(&doc)
		if errors.Is(err, mongo.ErrNoDocuments) {
			return nil
		}
		return err
	})
	return doc.Number, err
}

func (e *Engine) setFormat(ctx context.Context, number int) error {
	update := bson.D{field("$set", bson.D{field("number", number)})}
	return e.retry(ctx, "set format", func(ctx context.Context) error {
		_, err := e.db.Collection(state).UpdateOne(ctx, byID("format"), update, options.UpdateOne().SetUpsert(true))
		if mongo.IsDuplicateKeyError(err) { // another process has inserted it concurrently
			_, err = e.db.Collection(state).UpdateOne(ctx, byID("format"), update)
		}
		return err
	})
}

// markDatabase marks an empty database as SecondRing's and refuses databases of other programs.
func (e *Engine) markDatabase(ctx context.Context) error {
	var names []string
	err := e.retry(ctx, "list collections", func(ctx context.Context) (err error) {
		names, err = e.db.ListCollectionNames(ctx, bson.D{})
		return err
	})
	if err != nil {
		return err
	}
	others := slices.DeleteFunc(names, func(name string) bool { return name == state })
	// Another process may have marked it since.
	if number, err := e.format(ctx); err != nil || number != noFormat {
		return err
	}
	if len(others) > 0 {
		return fmt.Errorf("the database %q is another program's: name an empty one in the address", e.db.Name())
	}
	return e.setFormat(ctx, incompleteFormat)
}
