package consistencytest_test

import (
	"fmt"
	"os"
	"testing"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/nodetest"
	"secondring/hub"
)

// history is the number of events in the history of a topic. It is small, so that a
// client that is suspended for seconds misses more events than that.
const history = 100

func TestMain(m *testing.M) {
	if os.Getenv(nodetest.EnvVar) == "" {
		os.Exit(m.Run())
	}
	if err := nodetest.Serve(app.Options{History: hub.HistoryLimits{Size: history}, StoreHook: killableStore()}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
