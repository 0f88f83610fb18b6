package mongo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readconcern"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
	"go.mongodb.org/mongo-driver/v2/mongo/writeconcern"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/connstring"

	"secondring/store"
)

// defaultDatabase is the database if the address names none.
const defaultDatabase = "secondring"

// Engine is a store.Engine in one database. Its methods may be called from any
// number of goroutines, and any number of processes may have it open.
type Engine struct {
	client *mongo.Client
	// db reads only data that a majority of the replicas has, which no failure rolls back.
	db    *mongo.Database
	clock *hybridClock
	close func() error
	// callTimeout is the time limit of a whole call. After it the server counts as unavailable.
	callTimeout time.Duration

	mu           sync.Mutex
	tombstonesAt time.Time // when tombstones were deleted last

	exactCountLimit int                      // a test may lower the constant
	lengths         *countCache[int]         // of long lists
	sums            *countCache[[]store.Sum] // by the name of the kind
}

var _ store.Engine = (*Engine)(nil)

// Open opens the store at a mongodb:// or mongodb+srv:// address, and creates missing
// collections and indexes. The address names the database, else it
// is "secondring". Its option timeoutMS is the time limit of a call, by default callTimeout. Open
// returns an error if a newer SecondRing has written the database.
// ctx applies only to the opening. Errors never contain the address, which may have a
// password.
func Open(ctx context.Context, uri string) (*Engine, error) { return open(ctx, uri) }

func open(ctx context.Context, uri string, extra ...*options.ClientOptions) (*Engine, error) {
	address, err := connstring.ParseAndValidate(uri)
	if err != nil { // err may contain the address
		return nil, errors.New("mongo: the address is not like mongodb://user:password@host:27017/database")
	}
	database := address.Database
	if database == "" {
		database = defaultDatabase
	}
	client, err := mongo.Connect(append([]*options.ClientOptions{clientOptions(uri)}, extra...)...)
	if err != nil {
		return nil, fmt.Errorf("mongo: open: %w", err)
	}
	e := &Engine{
		client: client, db: client.Database(database), clock: &hybridClock{now: time.Now},
		callTimeout: cmp.Or(address.Timeout, callTimeout), exactCountLimit: exactCountLimit,
	}
	e.lengths, e.sums = newCountCache[int](ctx), newCountCache[[]store.Sum](ctx)
	e.close = sync.OnceValue(e.disconnect)
	err = e.applyFormat(ctx)
	if err == nil {
		e.clock.node, err = e.nodeNumber(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("mongo: open: %w", err), e.Close())
	}
	return e, nil
}

// clientOptions returns the options that market.Store requires. They are set after the
// address, so that it cannot weaken them.
func clientOptions(uri string) *options.ClientOptions {
	journal := true
	opts := options.Client().ApplyURI(uri).
		SetAppName("secondring").
		SetWriteConcern(&writeconcern.WriteConcern{W: writeconcern.WCMajority, Journal: &journal}).
		SetReadConcern(readconcern.Majority()).
		SetReadPreference(readpref.Primary()).
		SetServerSelectionTimeout(serverTimeout).
		SetConnectTimeout(serverTimeout).
		SetBSONOptions(&options.BSONOptions{OmitEmpty: true})
	opts.Timeout = nil // retry sets the limit of each call
	return opts
}

// latest returns a collection that reads the newest state, even if a failure may roll it back.
// It is used only to find out why a write was refused.
func (e *Engine) latest(name string) *mongo.Collection {
	return e.db.Collection(name, options.Collection().SetReadConcern(readconcern.Local()))
}

// nodeNumber returns a number that none of the last 65,536 openings of the store has.
func (e *Engine) nodeNumber(ctx context.Context) (int64, error) {
	var counter struct{ Opened int64 }
	err := e.retry(ctx, "number node", func(ctx context.Context) error {
		return e.db.Collection(state).FindOneAndUpdate(ctx, byID("nodes"),
			bson.D{field("$inc", bson.D{field("opened", int64(1))})},
			options.FindOneAndUpdate().SetUpsert(true).SetReturnDocument(options.After)).Decode(&counter)
	})
	return counter.Opened & (1<<nodeBits - 1), err
}

// Ping returns an error if the server does not respond.
func (e *Engine) Ping(ctx context.Context) error {
	return e.retry(ctx, "ping", func(ctx context.Context) error { return e.client.Ping(ctx, nil) })
}

// Close waits for running calls, up to the time limit of a call, and closes the
// connections. Later calls fail.
func (e *Engine) Close() error { return e.close() }

func (e *Engine) disconnect() error {
	e.lengths.close()
	e.sums.close()
	ctx, cancel := context.WithTimeout(context.Background(), e.callTimeout)
	defer cancel()
	return e.client.Disconnect(ctx)
}
