package mongo

import (
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

	"secondring/market"
)

// defaultDatabase is where the market is kept if the address names none.
const defaultDatabase = "secondring"

// Store is market.Store in one database. Its methods may be called from any
// number of goroutines, and any number of processes may have it open.
type Store struct {
	client *mongo.Client
	// db reads what a majority of the replicas has, and no failure undoes.
	db    *mongo.Database
	clock *hybridClock
	close func() error
	// patience is how long a whole call may take before the server counts as unavailable.
	patience time.Duration

	mu           sync.Mutex
	tombstonesAt time.Time // when tombstones were deleted last

	exactTo int                        // see the constant
	lengths *figures[int]              // of long lists
	stocks  *figures[map[string]stock] // what is available of each brand, under one key
}

var _ market.Store = (*Store)(nil)

// Open opens the store at a mongodb:// or mongodb+srv:// address, and makes what
// is missing: collections and indexes. The address names the database, else it
// is "secondring". It refuses a database that a newer SecondRing has written.
// Ctx bounds the opening only. Errors never contain the address, which may have a
// password.
func Open(ctx context.Context, uri string) (*Store, error) { return open(ctx, uri, patience) }

func open(ctx context.Context, uri string, patience time.Duration, more ...*options.ClientOptions) (*Store, error) {
	address, err := connstring.ParseAndValidate(uri)
	if err != nil { // which may quote the address
		return nil, errors.New("mongo: the address is not like mongodb://user:password@host:27017/database")
	}
	database := address.Database
	if database == "" {
		database = defaultDatabase
	}
	client, err := mongo.Connect(append([]*options.ClientOptions{settings(uri)}, more...)...)
	if err != nil {
		return nil, fmt.Errorf("mongo: open: %w", err)
	}
	s := &Store{client: client, db: client.Database(database), clock: &hybridClock{now: time.Now}, patience: patience, exactTo: exactTo}
	s.lengths, s.stocks = newFigures[int](ctx), newFigures[map[string]stock](ctx)
	s.close = sync.OnceValue(s.shut)
	err = s.applySchema(ctx)
	if err == nil {
		s.clock.node, err = s.nodeNumber(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("mongo: open: %w", err), s.Close())
	}
	return s, nil
}

// settings are those that market.Store requires. They are set after the address, which
// must not weaken them.
func settings(uri string) *options.ClientOptions {
	journal := true
	return options.Client().ApplyURI(uri).
		SetAppName("secondring").
		SetWriteConcern(&writeconcern.WriteConcern{W: writeconcern.WCMajority, Journal: &journal}).
		SetReadConcern(readconcern.Majority()).
		SetReadPreference(readpref.Primary()).
		SetServerSelectionTimeout(noServer).
		SetConnectTimeout(noServer).
		SetBSONOptions(&options.BSONOptions{OmitEmpty: true})
}

// latest returns a collection that reads the newest state, even if a failure may undo it.
// It is used only to find out why a write was refused.
func (s *Store) latest(name string) *mongo.Collection {
	return s.db.Collection(name, options.Collection().SetReadConcern(readconcern.Local()))
}

// nodeNumber returns a number that none of the last 65,536 openings of the store has.
func (s *Store) nodeNumber(ctx context.Context) (int64, error) {
	var counter struct{ Opened int64 }
	err := s.retry(ctx, "number node", func(ctx context.Context) error {
		return s.db.Collection(state).FindOneAndUpdate(ctx, byID("nodes"),
			bson.D{field("$inc", bson.D{field("opened", int64(1))})},
			options.FindOneAndUpdate().SetUpsert(true).SetReturnDocument(options.After)).Decode(&counter)
	})
	return counter.Opened & (1<<nodeBits - 1), err
}

// Ping tells whether the server answers.
func (s *Store) Ping(ctx context.Context) error {
	return s.retry(ctx, "ping", func(ctx context.Context) error { return s.client.Ping(ctx, nil) })
}

// Close lets running calls finish, for a while, then closes the connections.
// Calls after it fail.
func (s *Store) Close() error { return s.close() }

func (s *Store) shut() error {
	s.lengths.close()
	s.stocks.close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return s.client.Disconnect(ctx)
}
