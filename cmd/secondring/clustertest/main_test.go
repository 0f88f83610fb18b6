package clustertest_test

import (
	"fmt"
	"os"
	"testing"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/nodetest"
)

// roles has the functions that the test binary runs in a process of its own, by the
// environment variable that selects them.
var roles = map[string]func() error{
	nodetest.EnvVar: func() error { return nodetest.Serve(app.Options{}) },

	halfMark:    serveUntilKilled,
	migrateFrom: func() error { return migrateHere(os.Getenv(migrateFrom), os.Getenv(migrateTo)) },
}

func TestMain(m *testing.M) {
	for mark, play := range roles {
		if os.Getenv(mark) == "" {
			continue
		}
		if err := play(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}
