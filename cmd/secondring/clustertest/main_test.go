package clustertest_test

import (
	"fmt"
	"os"
	"testing"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/nodetest"
)

// processModes has the functions that the test binary runs in its own process, by the
// environment variable that selects them.
var processModes = map[string]func() error{
	nodetest.EnvVar: func() error { return nodetest.Serve(app.Options{}) },

	dieInBooking: serveUntilBooking,
}

func TestMain(m *testing.M) {
	for variable, run := range processModes {
		if os.Getenv(variable) == "" {
			continue
		}
		if err := run(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}
