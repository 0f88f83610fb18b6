package mongo_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/market"
	"secondring/store"
	"secondring/store/enginetest"
	"secondring/store/mongo"
	"secondring/store/mongo/mongotest"
	"secondring/store/storetest"
)

func reopen(ctx context.Context, uri string) (market.Store, error) {
	return openWith(ctx, uri, options.Client())
}

// testsWithServer stops the server after the tests, before goleak looks for goroutines.
type testsWithServer struct{ *testing.M }

func (m testsWithServer) Run() int {
	server, err := mongotest.Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer server.Close()
	return m.M.Run()
}

func TestMain(m *testing.M) { storetest.Main(testsWithServer{m}, reopen) }

// callLimit is the option with the time limit of a call, which a busy machine does not reach.
const callLimit = "timeoutMS=300000"

// database returns the URI of a database that no other test uses, with callLimit, and deletes the
// database after the test.
func database(tb testing.TB) string {
	tb.Helper()
	server, err := mongotest.Start()
	if err != nil {
		tb.Fatal(err)
	}
	uri := server.Database(callLimit)
	tb.Cleanup(func() {
		if err := mongo.Drop(context.Background(), uri); err != nil {
			tb.Error(err)
		}
	})
	return uri
}

// opened is a store with its engine.
type opened struct {
	*store.Store

	engine *mongo.Engine
}

func open(tb testing.TB, uri string) *opened {
	tb.Helper()
	s, err := openWith(tb.Context(), uri, options.Client())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = s.Close() })
	return s
}

// openWith opens a store with additional options of the driver.
func openWith(ctx context.Context, uri string, opts *options.ClientOptions) (*opened, error) {
	e, err := mongo.OpenWith(ctx, uri, opts)
	if err != nil {
		return nil, err
	}
	return &opened{store.New(e), e}, nil
}

// writes collects writes without making them.
type writes struct {
	store.Engine

	all []store.Write
}

// Write implements store.Engine.
func (w *writes) Write(_ context.Context, one store.Write) error {
	w.all = append(w.all, one)
	return nil
}

// insertPhones adds many phones in one command, without events.
func (s *opened) insertPhones(ctx context.Context, phones []market.Product) error {
	w := &writes{}
	for _, p := range phones {
		if err := store.New(w).AddProduct(ctx, p, nil); err != nil {
			return err
		}
	}
	return s.engine.InsertDocuments(ctx, w.all)
}

// opener returns a function that empties and opens one database, because creating the indexes
// of a new one takes longer than most tests.
func opener(t *testing.T, uri string, opts *options.ClientOptions) storetest.Open {
	t.Helper()
	open := engineOpener(t, uri, opts)
	return func(t *testing.T) market.Store { return store.New(open(t)) }
}

func engineOpener(t *testing.T, uri string, opts *options.ClientOptions) enginetest.Open {
	t.Helper()
	cleaner := open(t, uri) // without opts, because its queries are not checked
	return func(t *testing.T) store.Engine {
		t.Helper()
		s, err := openWith(t.Context(), uri, opts)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		if err := cleaner.engine.Empty(t.Context()); err != nil {
			t.Fatal(err)
		}
		return s.engine
	}
}

// TestSuite runs the suite, and then checks the plans of its queries.
func TestSuite(t *testing.T) {
	uri, queries := database(t), &queryLog{shapes: map[string]bson.D{}}
	storetest.Run(t, opener(t, uri, queries.monitor()))
	t.Run("Plans", func(t *testing.T) { queries.explain(t, open(t, uri)) })
}

func TestEngine(t *testing.T) { enginetest.Run(t, engineOpener(t, database(t), options.Client())) }

func TestLeaving(t *testing.T) {
	storetest.Leaving(t, opener(t, database(t), options.Client()))
}

func TestAccountDeletion(t *testing.T) {
	storetest.AccountDeletion(t, opener(t, database(t), options.Client()))
}

func TestCrash(t *testing.T) {
	storetest.Crash(t, reopen, database(t), func(*testing.T) {})
}
