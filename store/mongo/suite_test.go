package mongo_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"secondring/market"
	"secondring/store/mongo"
	"secondring/store/storetest"
)

func reopen(ctx context.Context, where string) (market.Store, error) { return mongo.Open(ctx, where) }

func TestMain(m *testing.M) { storetest.Main(m, reopen) }

var databases atomic.Int64

// database names one that no other test has.
func database(t testing.TB) string {
	t.Helper()
	base := os.Getenv("MONGODB_URI")
	uri := fmt.Sprintf("%s/test_%d_%d", strings.TrimSuffix(base, "/"), os.Getpid(), databases.Add(1))
	t.Cleanup(func() {
		if err := mongo.Drop(context.Background(), uri); err != nil {
			t.Error(err)
		}
	})
	return uri
}

func open(t testing.TB, uri string) *mongo.Store {
	t.Helper()
	s, err := mongo.Open(t.Context(), uri)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// opener opens one database again and again, emptied: making the indexes each
// time takes longer than the cases.
func opener(t *testing.T) storetest.Open {
	t.Helper()
	uri := database(t)
	return func(t *testing.T) market.Store {
		t.Helper()
		s := open(t, uri)
		if err := s.Empty(t.Context()); err != nil {
			t.Fatal(err)
		}
		return s
	}
}

func TestSuite(t *testing.T) { storetest.Run(t, opener(t)) }

func TestCrash(t *testing.T) {
	storetest.Crash(t, reopen, database(t), func(*testing.T) {})
}
