package app

import (
	"testing"

	"secondring/api/rest"
	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// Uploads are counted by the counter of the cluster, or of a single node.
func TestUploadsAreLimitedUnlessRateLimitIsOff(t *testing.T) {
	shared := rest.NewMemoryCounter(market.SystemClock{})
	for rate, want := range map[int]rest.Counter{0: nil, 100: shared} {
		a := App{settings: settings.Settings{RateLimit: rate}, cluster: cluster{attempts: shared}}
		if got := a.uploadCounter(); got != want {
			t.Errorf("with RATE_LIMIT=%d uploads are counted by %v, want %v", rate, got, want)
		}
	}
}
