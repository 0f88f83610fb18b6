package mongo

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/store"
)

// timeRange returns the condition of a time that is at least from, and below or not above the end.
// A server can use an index for it that has no unset times.
func timeRange(from time.Time, operator string, end time.Time) bson.D {
	return bson.D{field("$gte", from), field(operator, end)}
}

// found is the part of a document that queries read. It leaves out the events, because there may
// be many.
type found struct {
	ID      string `bson:"_id"`
	Version int64
	Body    string
	Writes  []int64
}

// oneBatch is more documents than reads usually return. The server sends up to so many in its first
// response, and any others after it.
const oneBatch = 10_000

var projection = bson.D{field("version", 1), field("body", 1), field("writes", 1)}

// find returns the documents that a filter matches, up to limit, in an order, which may be nil.
func (e *Engine) find(ctx context.Context, kind *store.Info, filter, order bson.D, limit int) (docs []store.Doc, err error) {
	opts := options.Find().SetProjection(projection).SetLimit(int64(limit)).SetBatchSize(oneBatch)
	if order != nil {
		opts.SetSort(order)
	}
	err = e.retry(ctx, "read "+kind.Name, func(ctx context.Context) error {
		docs = nil
		cursor, err := e.db.Collection(kind.Name).Find(ctx, filter, opts)
		if err != nil {
			return err
		}
		var all []found
		if err := cursor.All(ctx, &all); err != nil {
			return err
		}
		for _, doc := range all {
			if n := len(doc.Writes); n > 0 {
				e.clock.observe(doc.Writes[n-1])
			}
			docs = append(docs, store.Doc{ID: doc.ID, Version: doc.Version, Body: []byte(doc.Body)})
		}
		return nil
	})
	return docs, err
}

// aggregate stores the results of a pipeline in all, a pointer to a slice.
func (e *Engine) aggregate(ctx context.Context, kind *store.Info, pipeline mongo.Pipeline, all any) error {
	cursor, err := e.db.Collection(kind.Name).Aggregate(ctx, pipeline, options.Aggregate().SetBatchSize(oneBatch))
	if err != nil {
		return err
	}
	return cursor.All(ctx, all)
}

// Get returns the documents that exist of these IDs.
func (e *Engine) Get(ctx context.Context, kind *store.Info, ids ...string) ([]store.Doc, error) {
	return e.find(ctx, kind, bson.D{field("_id", oneOf(ids)), field("gone", absent)}, nil, 0)
}

// oneOf returns a condition that matches any of the texts. For a single text it is an equality, so
// that the server can read the results from the index in their order.
func oneOf(texts []string) any {
	distinct := slices.Compact(slices.Sorted(slices.Values(texts)))
	if len(distinct) == 1 {
		return distinct[0]
	}
	return bson.D{field("$in", append([]string{}, distinct...))}
}

// listFilter matches the documents of a list.
func listFilter(where store.Keys) bson.D {
	var filter bson.D
	for _, key := range slices.Sorted(maps.Keys(where)) {
		value := where[key]
		if texts, ok := value.([]string); ok {
			value = oneOf(append([]string{}, texts...))
		}
		filter = append(filter, field("keys."+key, value))
	}
	return filter
}

// Find returns a page of a list and its total. It counts the list only if that does not end on its
// first page.
func (e *Engine) Find(ctx context.Context, kind *store.Info, f store.Find) (store.Found, error) {
	operator, direction := "$lt", -1
	if f.Ascending {
		operator, direction = "$gt", 1
	}
	ids := bson.D{field("$gt", "")}
	if f.After != "" && f.Ascending {
		ids = bson.D{field("$gt", f.After)}
	} else if f.After != "" {
		ids = append(ids, field(operator, f.After))
	}
	filter := listFilter(f.Where)
	whole := filter
	if _, hasShard := f.Where[kind.Shard]; hasShard || whole == nil { // removed documents keep the key of the shard
		whole = append(slices.Clip(filter), field("keys.new", bson.D{field("$gt", "")}))
	}
	return e.page(ctx, kind, pageQuery{
		filter: whole, pageFilter: append(slices.Clip(filter), field("keys.new", ids)), order: bson.D{field("keys.new", direction)},
		isFirst: f.After == "", limit: f.Limit, countTo: f.CountTo,
	})
}

// pageQuery describes one page of a list.
type pageQuery struct {
	filter     bson.D // matches the whole list
	pageFilter bson.D // matches the page and all that follows it
	// groups are used instead of pageFilter if the list consists of parts one after the other, each
	// in the order. They are those from the page on.
	groups  []bson.D
	order   bson.D
	isFirst bool // this is the first page
	limit   int  // documents on the page
	countTo int  // as in store.Find
}

// page returns a page of a list. It reads one document more, to find out whether more follow.
func (e *Engine) page(ctx context.Context, kind *store.Info, p pageQuery) (found store.Found, err error) {
	if p.limit > 0 {
		groups := p.groups
		if groups == nil {
			groups = []bson.D{p.pageFilter}
		}
		for _, filter := range groups {
			docs, err := e.find(ctx, kind, filter, p.order, p.limit+1-len(found.Docs))
			if err != nil {
				return store.Found{}, err
			}
			if found.Docs = append(found.Docs, docs...); len(found.Docs) > p.limit {
				break
			}
		}
		if len(found.Docs) > p.limit {
			found.Docs, found.More = found.Docs[:p.limit], true
		}
	}
	switch {
	case p.countTo == 0:
	case p.limit > 0 && p.isFirst && !found.More:
		found.Total = len(found.Docs)
		if p.countTo > 0 {
			found.Total = min(found.Total, p.countTo)
		}
	case p.countTo > 0:
		found.Total, err = e.count(ctx, kind, p.filter, p.countTo)
	default:
		found.Total, err = e.length(ctx, kind, p.filter)
	}
	return found, err
}

// length returns the number of documents that a filter matches. It is exact up to
// e.exactCountLimit; a larger number may come from a cache.
func (e *Engine) length(ctx context.Context, kind *store.Info, filter bson.D) (int, error) {
	text, err := bson.MarshalExtJSON(filter, true, false)
	if err != nil {
		return 0, err
	}
	key := kind.Name + string(text)
	countAll := func(ctx context.Context) (int, bool, error) {
		n, err := e.db.Collection(kind.Name).CountDocuments(ctx, filter)
		return int(n), int(n) > e.exactCountLimit, wrapError(ctx, "count "+kind.Name, err)
	}
	if n, ok := e.lengths.get(key, countAll); ok {
		return n, nil
	}
	n, err := e.count(ctx, kind, filter, e.exactCountLimit+1)
	if err != nil || n <= e.exactCountLimit {
		return n, err
	}
	return e.lengths.load(ctx, key, countAll)
}

// count returns the number of documents that a filter matches, up to limit. The server counts in
// an index.
func (e *Engine) count(ctx context.Context, kind *store.Info, filter bson.D, limit int) (n int, err error) {
	err = e.retry(ctx, "count "+kind.Name, func(ctx context.Context) error {
		count, err := e.db.Collection(kind.Name).CountDocuments(ctx, filter, options.Count().SetLimit(int64(limit)))
		n = int(count)
		return err
	})
	return n, err
}

// Due returns the documents of a queue that are due in a time.
func (e *Engine) Due(ctx context.Context, kind *store.Info, queue string, from, until time.Time, limit int) ([]store.Doc, error) {
	filter := bson.D{field("keys.queue", queue), field("keys.due", timeRange(from, "$lte", until))}
	return e.find(ctx, kind, filter, bson.D{field("keys.due", 1), field("keys.new", 1)}, limit)
}

// Sums returns the number of documents for each value of kind.SumBy, and their least kind.Least. If
// there are more than exactCountLimit in total, they come from a cache and are a short time old.
func (e *Engine) Sums(ctx context.Context, kind *store.Info) ([]store.Sum, error) {
	sumAll := func(ctx context.Context) ([]store.Sum, bool, error) {
		all, total, err := e.sum(ctx, kind, 0)
		return all, total > e.exactCountLimit, wrapError(ctx, "sum "+kind.Name, err)
	}
	if all, cached := e.sums.get(kind.Name, sumAll); cached {
		return all, nil
	}
	var all []store.Sum
	total := 0
	err := e.retry(ctx, "sum "+kind.Name, func(ctx context.Context) (err error) {
		all, total, err = e.sum(ctx, kind, e.exactCountLimit+1)
		return err
	})
	if err != nil || total <= e.exactCountLimit {
		return all, err
	}
	return e.sums.load(ctx, kind.Name, sumAll)
}

// sum groups up to limit documents, or all if limit is 0, and returns how many it read. It reads
// only an index.
func (e *Engine) sum(ctx context.Context, kind *store.Info, limit int) (sums []store.Sum, total int, err error) {
	pipeline := mongo.Pipeline{{field("$match", bson.D{field("keys."+kind.SumBy, bson.D{field("$gt", "")})})}}
	if limit > 0 {
		pipeline = append(pipeline, bson.D{field("$limit", limit)})
	}
	pipeline = append(pipeline, bson.D{field("$group", bson.D{
		field("_id", "$keys."+kind.SumBy), field("n", bson.D{field("$sum", 1)}), field("least", bson.D{field("$min", "$keys."+kind.Least)}),
	})})
	var groups []struct {
		ID    string `bson:"_id"`
		N     int
		Least int64
	}
	if err := e.aggregate(ctx, kind, pipeline, &groups); err != nil {
		return nil, 0, err
	}
	for _, g := range groups {
		sums = append(sums, store.Sum{Value: g.ID, Count: g.N, Least: g.Least})
		total += g.N
	}
	return sums, total, nil
}

// Totals adds up keys of the documents of a list, for each value of the key by.
func (e *Engine) Totals(ctx context.Context, kind *store.Info, where store.Keys, by string, of ...string) (totals map[string][]int64, err error) {
	filter, group := listFilter(where), bson.D{field("_id", "$keys."+by)}
	for _, key := range append([]string{by}, of...) {
		filter = append(filter, field("keys."+key, bson.D{field("$exists", true)}))
	}
	for _, key := range of {
		group = append(group, field(key, bson.D{field("$sum", "$keys."+key)}))
	}
	pipeline := mongo.Pipeline{{field("$match", filter)}, {field("$group", group)}}
	err = e.retry(ctx, "add up "+kind.Name, func(ctx context.Context) error {
		var groups []bson.Raw
		if err := e.aggregate(ctx, kind, pipeline, &groups); err != nil {
			return err
		}
		totals = map[string][]int64{}
		for _, g := range groups {
			value := g.Lookup("_id").StringValue()
			for _, key := range of {
				totals[value] = append(totals[value], g.Lookup(key).AsInt64())
			}
		}
		return nil
	})
	return totals, err
}

// eachBatch is how many documents Each passes at once.
const eachBatch = 500

// Each passes every document to do, as of one moment if the server has snapshots.
func (e *Engine) Each(ctx context.Context, do func(kind *store.Info, docs []store.Doc) error) error {
	session, err := e.client.StartSession(options.Session().SetSnapshot(true))
	if err != nil {
		return wrapError(ctx, "begin a snapshot", err)
	}
	defer session.EndSession(ctx)
	snapshot := mongo.NewSessionContext(ctx, session)
	err = e.db.Collection(store.Kinds()[0].Name).FindOne(snapshot, bson.D{}).Err()
	// FerretDB returns no error, but no time of a snapshot either.
	if (err == nil || errors.Is(err, mongo.ErrNoDocuments)) && !session.SnapshotTime().IsZero() {
		return e.each(snapshot, do)
	}
	if err := e.each(ctx, do); err != nil {
		return err
	}
	return store.ErrNoSnapshot
}

func (e *Engine) each(ctx context.Context, do func(kind *store.Info, docs []store.Doc) error) error {
	return store.EachBatch(do, func(kind *store.Info, after string) ([]store.Doc, error) {
		filter := bson.D{field("_id", bson.D{field("$gt", after)}), field("gone", absent)}
		return e.find(ctx, kind, filter, bson.D{field("_id", 1)}, eachBatch)
	})
}
