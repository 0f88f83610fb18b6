package apitest_test

import (
	"os"
	"testing"

	"secondring/market"
	"secondring/store"
	"secondring/store/mongo"
	"secondring/store/mongo/mongotest"
)

// The same requests with MongoDB. A value in a request must not become a query operator.
func TestEveryCallFollowsOpenAPIOnMongo(t *testing.T) {
	newRequestFuzzer(t, mongoEngine(t)).run()
}

// mongoEngine returns a function that opens a new MongoDB store. It needs the server that make test
// starts. Without that server (make check) it skips the test.
func mongoEngine(t *testing.T) func(testing.TB) market.Store {
	t.Helper()
	if _, err := os.Stat(os.Getenv("FERRETDB")); err != nil && os.Getenv("MONGODB_URI") == "" {
		//nolint:forbidigo // make check has no such server; make test starts one
		t.Skip("there is no server that speaks MongoDB's protocol: run make test")
	}
	return func(tb testing.TB) market.Store {
		tb.Helper()
		server, err := mongotest.Start()
		must(tb, err)
		engine, err := mongo.Open(tb.Context(), server.Database())
		must(tb, err)
		return store.New(engine)
	}
}
