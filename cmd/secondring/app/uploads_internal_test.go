package app

import (
	"testing"

	"secondring/api/images"
	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// Uploads are counted on a single node, and across all nodes of a cluster.
func TestUploadsAreLimitedUnlessRateLimitIsOff(t *testing.T) {
	o := Options{Clock: market.SystemClock{}}
	count := func(rate int, n cluster) images.Counter {
		a := App{settings: settings.Settings{RateLimit: rate}, cluster: n}
		return a.uploadCounter(o)
	}
	if count(0, cluster{}) != nil {
		t.Error("uploads are counted although RATE_LIMIT is off")
	}
	if count(100, cluster{}) == nil {
		t.Error("uploads are not counted on a single node")
	}
	shared := count(100, cluster{})
	if count(100, cluster{attempts: shared}) != shared {
		t.Error("uploads are not counted across all nodes")
	}
}
