package mongo

import (
	"context"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/market"
)

// "new" is the ID among the keys, where a list is newest first: IDs begin with
// the time they were made. What is removed has none.
var (
	newest     = bson.D{field("keys.new", -1)}
	everything = bson.D{field("keys.new", bson.D{field("$gt", "")})}
)

// set matches a time that is set, up to a bound with "$lt" or "$lte". The lower bound
// lets every server see that unset times cannot match, so that it can use an index
// without them.
func set(operator string, at time.Time) bson.D {
	return bson.D{field("$gt", time.Time{}), field(operator, at)}
}

// read is what is read of a document: not its events, which may be many.
type read[T any] struct {
	Writes []int64
	Entity T
}

var readFields = bson.D{field("writes", 1), field("entity", 1)}

// find reads one entity, the first in order if there are several.
func (k kind[T]) find(ctx context.Context, s *Store, filter, order bson.D) (T, error) {
	all, err := k.collect(ctx, s, filter, order, 1)
	if err == nil && len(all) == 0 {
		err = wrapError(ctx, k.what, market.ErrNotFound)
	}
	if err != nil {
		var none T
		return none, err
	}
	return all[0], nil
}

// get reads the entity of an ID.
func (k kind[T]) get(ctx context.Context, s *Store, id any) (T, error) {
	return k.find(ctx, s, append(byID(id), field("gone", absent)), nil)
}

// collect reads up to limit entities.
func (k kind[T]) collect(ctx context.Context, s *Store, filter, order bson.D, limit int) (all []T, err error) {
	how := options.Find().SetProjection(readFields).SetLimit(int64(limit))
	if order != nil {
		how.SetSort(order)
	}
	err = s.retry(ctx, "read "+k.name, func(ctx context.Context) error {
		all = nil
		cursor, err := s.db.Collection(k.name).Find(ctx, filter, how)
		if err != nil {
			return err
		}
		var docs []read[T]
		if err := cursor.All(ctx, &docs); err != nil {
			return err
		}
		for _, doc := range docs {
			if n := len(doc.Writes); n > 0 {
				s.clock.observe(doc.Writes[n-1])
			}
			all = append(all, doc.Entity)
		}
		return nil
	})
	return all, err
}

// list reads a page, newest first, and the length of the whole list. The filter
// is equality; none for the list of all.
func (k kind[T]) list(ctx context.Context, s *Store, filter bson.D, page market.Page) (market.List[T], error) {
	from := bson.D{field("$gt", "")}
	if page.After != "" {
		from = append(from, field("$lt", page.After))
	}
	from = append(slices.Clip(filter), field("keys.new", from))
	if filter == nil {
		filter = everything
	}
	return k.page(ctx, s, part{filter: filter, from: from, order: newest, first: page.After == "", limit: page.Limit})
}

// part is a page of what a filter finds.
type part struct {
	filter bson.D // of the whole list
	from   bson.D // of the page and what follows
	order  bson.D
	first  bool // it is the first page
	limit  int
	most   int // to count, 0 for all
}

// page reads one more than the page holds. The list is counted only where it
// does not end on its first page.
func (k kind[T]) page(ctx context.Context, s *Store, p part) (list market.List[T], err error) {
	limit := max(p.limit, 1)
	if list.Items, err = k.collect(ctx, s, p.from, p.order, limit+1); err != nil {
		return market.List[T]{}, err
	}
	if len(list.Items) > limit {
		list.Items, list.More = list.Items[:limit], true
	}
	if p.first && !list.More {
		list.Total = len(list.Items)
		if p.most > 0 {
			list.Total = min(list.Total, p.most)
		}
		return list, nil
	}
	if p.most > 0 {
		list.Total, err = k.count(ctx, s, p.filter, p.most)
	} else {
		list.Total, err = k.length(ctx, s, p.filter)
	}
	return list, err
}

// length is that of a whole list: exact up to exactTo, and else remembered for a
// short time.
func (k kind[T]) length(ctx context.Context, s *Store, filter bson.D) (int, error) {
	text, err := bson.MarshalExtJSON(filter, true, false)
	if err != nil {
		return 0, err
	}
	key := k.name + string(text)
	whole := func(ctx context.Context) (int, bool, error) {
		n, err := s.db.Collection(k.name).CountDocuments(ctx, filter)
		return int(n), int(n) > s.exactTo, wrapError(ctx, "count "+k.name, err)
	}
	if n, known := s.lengths.recall(key, whole); known {
		return n, nil
	}
	n, err := k.count(ctx, s, filter, s.exactTo+1)
	if err != nil || n <= s.exactTo {
		return n, err
	}
	return s.lengths.learn(ctx, key, whole)
}

// count counts along an index, up to most if that is above 0.
func (k kind[T]) count(ctx context.Context, s *Store, filter bson.D, most int) (n int, err error) {
	how := options.Count()
	if most > 0 {
		how.SetLimit(int64(most))
	}
	err = s.retry(ctx, "count "+k.name, func(ctx context.Context) error {
		found, err := s.db.Collection(k.name).CountDocuments(ctx, filter, how)
		n = int(found)
		return err
	})
	return n, err
}

// ofOne reads a page of what is one person's, by a field and in the order of an
// ID, newest first.
func (k kind[T]) ofOne(ctx context.Context, s *Store, by, whose, id string, page market.Page) ([]T, error) {
	filter := bson.D{field(by, whose)}
	if page.After != "" {
		filter = append(filter, field(id, bson.D{field("$lt", page.After)}))
	}
	return k.collect(ctx, s, filter, bson.D{field(id, -1)}, max(page.Limit, 1))
}
