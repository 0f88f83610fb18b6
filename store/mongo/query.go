package mongo

import (
	"context"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/market"
)

// keys.new is a copy of the ID, by which lists are sorted newest first: an ID begins with
// the time of its creation. Removed entities have no keys.new, so allEntities leaves them
// out.
var (
	newestFirst = bson.D{field("keys.new", -1)}
	allEntities = bson.D{field("keys.new", bson.D{field("$gt", "")})}
)

// timeRange returns the condition of a time that is set and is below the bound ("$lt"), or
// not above it ("$lte"). Its lower bound excludes unset times, so that every server can use
// an index without them.
func timeRange(operator string, bound time.Time) bson.D {
	return bson.D{field("$gt", time.Time{}), field(operator, bound)}
}

// entityResult is the part of a document that queries read. It leaves out the events,
// because there may be many.
type entityResult[T any] struct {
	Writes []int64
	Entity T
}

var entityProjection = bson.D{field("writes", 1), field("entity", 1)}

// findOne returns the first entity that the filter matches, in the given order. It returns
// ErrNotFound if there is none.
func (k kind[T]) findOne(ctx context.Context, s *Store, filter, order bson.D) (T, error) {
	all, err := k.collect(ctx, s, filter, order, 1)
	if err == nil && len(all) == 0 {
		err = wrapError(ctx, k.singular, market.ErrNotFound)
	}
	if err != nil {
		var zero T
		return zero, err
	}
	return all[0], nil
}

// get returns the entity with the ID; it returns ErrNotFound if there is none or it was
// removed.
func (k kind[T]) get(ctx context.Context, s *Store, id any) (T, error) {
	return k.findOne(ctx, s, append(byID(id), field("gone", absent)), nil)
}

// collect returns the entities that the filter matches, up to limit; a limit of 0 means
// all. An order of nil means any order.
func (k kind[T]) collect(ctx context.Context, s *Store, filter, order bson.D, limit int) (all []T, err error) {
	opts := options.Find().SetProjection(entityProjection).SetLimit(int64(limit))
	if order != nil {
		opts.SetSort(order)
	}
	err = s.retry(ctx, "read "+k.name, func(ctx context.Context) error {
		all = nil
		cursor, err := s.db.Collection(k.name).Find(ctx, filter, opts)
		if err != nil {
			return err
		}
		var docs []entityResult[T]
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

// list returns a page of a list, newest first, and the total number of entities in the
// list. The filter may contain only equality conditions; nil means all entities.
func (k kind[T]) list(ctx context.Context, s *Store, filter bson.D, page market.Page) (market.List[T], error) {
	newRange := bson.D{field("$gt", "")}
	if page.After != "" {
		newRange = append(newRange, field("$lt", page.After))
	}
	pageFilter := append(slices.Clip(filter), field("keys.new", newRange))
	if filter == nil {
		filter = allEntities
	}
	return k.page(ctx, s, pageQuery{filter: filter, pageFilter: pageFilter, order: newestFirst, isFirst: page.After == "", limit: page.Limit})
}

// pageQuery describes one page of a list.
type pageQuery struct {
	filter     bson.D // matches the whole list
	pageFilter bson.D // matches the page and all that follows it
	// groups are used instead of pageFilter if the list consists of parts one after the other,
	// each in the order. They are those from the page on.
	groups   []bson.D
	order    bson.D
	isFirst  bool // this is the first page
	limit    int  // entities on the page
	maxTotal int  // counting stops at this number; 0 means no limit
}

// page returns a page of a list. It reads one entity more than the page has, to find out
// whether more follow. It counts the list only if the list does not end on its first page.
func (k kind[T]) page(ctx context.Context, s *Store, p pageQuery) (list market.List[T], err error) {
	limit := max(p.limit, 1)
	groups := p.groups
	if groups == nil {
		groups = []bson.D{p.pageFilter}
	}
	for _, filter := range groups {
		if len(list.Items) > limit {
			break
		}
		items, err := k.collect(ctx, s, filter, p.order, limit+1-len(list.Items))
		if err != nil {
			return market.List[T]{}, err
		}
		list.Items = append(list.Items, items...)
	}
	if len(list.Items) > limit {
		list.Items, list.More = list.Items[:limit], true
	}
	if p.isFirst && !list.More {
		list.Total = len(list.Items)
		if p.maxTotal > 0 {
			list.Total = min(list.Total, p.maxTotal)
		}
		return list, nil
	}
	if p.maxTotal > 0 {
		list.Total, err = k.count(ctx, s, p.filter, p.maxTotal)
	} else {
		list.Total, err = k.length(ctx, s, p.filter)
	}
	return list, err
}

// length returns the number of entities that the filter matches. It is exact up to
// s.exactCountLimit; a larger number may come from a cache.
func (k kind[T]) length(ctx context.Context, s *Store, filter bson.D) (int, error) {
	text, err := bson.MarshalExtJSON(filter, true, false)
	if err != nil {
		return 0, err
	}
	key := k.name + string(text)
	countAll := func(ctx context.Context) (int, bool, error) {
		n, err := s.db.Collection(k.name).CountDocuments(ctx, filter)
		return int(n), int(n) > s.exactCountLimit, wrapError(ctx, "count "+k.name, err)
	}
	if n, ok := s.lengths.get(key, countAll); ok {
		return n, nil
	}
	n, err := k.count(ctx, s, filter, s.exactCountLimit+1)
	if err != nil || n <= s.exactCountLimit {
		return n, err
	}
	return s.lengths.load(ctx, key, countAll)
}

// count returns the number of entities that the filter matches. It stops at limit if that is
// above 0. The server counts in an index.
func (k kind[T]) count(ctx context.Context, s *Store, filter bson.D, limit int) (n int, err error) {
	opts := options.Count()
	if limit > 0 {
		opts.SetLimit(int64(limit))
	}
	err = s.retry(ctx, "count "+k.name, func(ctx context.Context) error {
		count, err := s.db.Collection(k.name).CountDocuments(ctx, filter, opts)
		n = int(count)
		return err
	})
	return n, err
}

// collectBy returns a page of the entities whose key has the value, in descending order of
// the field idField.
func (k kind[T]) collectBy(ctx context.Context, s *Store, key, value, idField string, page market.Page) ([]T, error) {
	filter := bson.D{field(key, value)}
	if page.After != "" {
		filter = append(filter, field(idField, bson.D{field("$lt", page.After)}))
	}
	return k.collect(ctx, s, filter, bson.D{field(idField, -1)}, max(page.Limit, 1))
}
