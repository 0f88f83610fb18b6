package consistencytest_test

import (
	"fmt"
	"os"
	"testing"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/nodetest"
	"secondring/hub"
)

// history is how many events a topic's history has: few, so that a client that
// sleeps for seconds has slept for longer.
const history = 100

func TestMain(m *testing.M) {
	if os.Getenv(nodetest.Mark) == "" {
		os.Exit(m.Run())
	}
	if err := nodetest.Serve(app.Options{History: hub.HistoryLimits{Size: history}}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
