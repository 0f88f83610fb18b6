package apitest_test

import (
	"os"
	"testing"

	"secondring/market"
	"secondring/store/mongo"
	"secondring/store/mongo/mongotest"
)

// TestEveryCallFollowsOpenAPIOnMongo is the same walk on the other engine: what is sent reaches a
// store whose questions are documents. It wants the server that make test brings,
// and is left out where that is not (make check).
func TestEveryCallFollowsOpenAPIOnMongo(t *testing.T) {
	if _, err := os.Stat(os.Getenv("FERRETDB")); err != nil && os.Getenv("MONGODB_URI") == "" {
		//nolint:forbidigo // make check has no such server; make test, which every change passes, brings one
		t.Skip("there is no server that speaks MongoDB's protocol: run make test")
	}
	newWalker(t, func(tb testing.TB) market.Store {
		tb.Helper()
		server, err := mongotest.Start()
		must(tb, err)
		engine, err := mongo.Open(tb.Context(), server.Database())
		must(tb, err)
		return engine
	}).walks()
}
