// Package clustertest_test starts the whole product with the servers that nodes share.
// It needs Redis and a server of MongoDB's protocol, so make check does not run it.
package clustertest_test

import (
	"fmt"
	"os"
	"testing"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/nodetest"
)

func TestMain(m *testing.M) {
	if os.Getenv(nodetest.EnvVar) == "" {
		os.Exit(m.Run())
	}
	if err := nodetest.Serve(app.Options{StoreHook: killInBooking()}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
