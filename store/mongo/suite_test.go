package mongo_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/market"
	"secondring/store/mongo"
	"secondring/store/mongo/mongotest"
	"secondring/store/storetest"
)

func reopen(ctx context.Context, uri string) (market.Store, error) {
	s, err := mongo.Open(ctx, uri)
	if err == nil {
		s.WaitLong()
	}
	return s, err
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

// database returns the URI of a database that no other test uses, and deletes the database
// after the test.
func database(tb testing.TB) string {
	tb.Helper()
	server, err := mongotest.Start()
	if err != nil {
		tb.Fatal(err)
	}
	uri := server.Database()
	tb.Cleanup(func() {
		if err := mongo.Drop(context.Background(), uri); err != nil {
			tb.Error(err)
		}
	})
	return uri
}

func open(tb testing.TB, uri string) *mongo.Store {
	tb.Helper()
	s, err := mongo.Open(tb.Context(), uri)
	if err != nil {
		tb.Fatal(err)
	}
	s.WaitLong()
	tb.Cleanup(func() { _ = s.Close() })
	return s
}

// opener returns a function that empties and opens one database, because creating the indexes
// of a new one takes longer than most tests.
func opener(t *testing.T, uri string, opts *options.ClientOptions) storetest.Open {
	t.Helper()
	cleaner := open(t, uri) // without opts, because its queries are not checked
	return func(t *testing.T) market.Store {
		t.Helper()
		s, err := mongo.OpenWith(t.Context(), uri, opts)
		if err != nil {
			t.Fatal(err)
		}
		s.WaitLong()
		t.Cleanup(func() { _ = s.Close() })
		if err := cleaner.Empty(t.Context()); err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// TestSuite runs the suite, and then checks the plans of its queries.
func TestSuite(t *testing.T) {
	uri, queries := database(t), &queryLog{shapes: map[string]bson.D{}}
	storetest.Run(t, opener(t, uri, queries.monitor()))
	t.Run("Plans", func(t *testing.T) { queries.explain(t, open(t, uri)) })
}

func TestLeaving(t *testing.T) {
	storetest.Leaving(t, opener(t, database(t), options.Client()))
}

func TestAccountDeletion(t *testing.T) {
	storetest.AccountDeletion(t, opener(t, database(t), options.Client()))
}

func TestCrash(t *testing.T) {
	storetest.Crash(t, reopen, database(t), func(*testing.T) {})
}
