package app

import (
	"testing"

	"secondring/api/images"
	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// Uploads are counted on one node and on many.
func TestUploadsAreLimitedUnlessRateLimitIsOff(t *testing.T) {
	o := Options{Clock: market.SystemClock{}}
	count := func(rate int, n cluster) images.Counter {
		a := App{settings: settings.Settings{RateLimit: rate}, cluster: n}
		return a.uploadCounter(o)
	}
	if count(0, cluster{}) != nil {
		t.Error("they are counted although RATE_LIMIT is off")
	}
	if count(100, cluster{}) == nil {
		t.Error("they are not counted on a node alone")
	}
	shared := count(100, cluster{})
	if count(100, cluster{tries: shared}) != shared {
		t.Error("they are not counted over all nodes")
	}
}
