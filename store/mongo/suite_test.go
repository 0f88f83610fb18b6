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

func reopen(ctx context.Context, where string) (market.Store, error) {
	s, err := mongo.Open(ctx, where)
	if err == nil {
		s.WaitLong()
	}
	return s, err
}

// tests ends the server after the tests, and before goroutines are counted.
type tests struct{ *testing.M }

func (m tests) Run() int {
	server, err := mongotest.Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer server.Close()
	return m.M.Run()
}

func TestMain(m *testing.M) { storetest.Main(tests{m}, reopen) }

// database is one that no other test has, forgotten at the end.
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

// opener opens one database again and again, emptied: making the indexes each
// time takes longer than the cases.
func opener(t *testing.T, uri string, more *options.ClientOptions) storetest.Open {
	t.Helper()
	broom := open(t, uri) // its queries are not checked
	return func(t *testing.T) market.Store {
		t.Helper()
		s, err := mongo.OpenWith(t.Context(), uri, more)
		if err != nil {
			t.Fatal(err)
		}
		s.WaitLong()
		t.Cleanup(func() { _ = s.Close() })
		if err := broom.Empty(t.Context()); err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// Runs the suite, and then checks how the server executed its queries.
func TestSuite(t *testing.T) {
	uri, asked := database(t), &asked{shapes: map[string]bson.D{}}
	storetest.Run(t, opener(t, uri, asked.monitor()))
	t.Run("Plans", func(t *testing.T) { asked.explain(t, open(t, uri)) })
}

func TestAccountDeletion(t *testing.T) {
	storetest.AccountDeletion(t, opener(t, database(t), options.Client()))
}

func TestCrash(t *testing.T) {
	storetest.Crash(t, reopen, database(t), func(*testing.T) {})
}
