package app

import (
	"context"
	"time"

	"secondring/api/cache"
)

// outsideWritesEvery is the interval at which the store is checked for writes of other
// processes, such as admin commands.
const outsideWritesEvery = 200 * time.Millisecond

// watchOutsideWrites returns a loop that invalidates all caches whenever another process has
// written to the store, because it is unknown what was written. The result of version changes
// with each such write. If version returns an error, the caches are invalidated too.
func watchOutsideWrites(version func(ctx context.Context) (int64, error), versions *cache.Versions) func(context.Context) {
	return func(ctx context.Context) {
		ticker := time.NewTicker(outsideWritesEvery)
		defer ticker.Stop()
		for last := int64(-1); ; {
			now, err := version(ctx)
			if err != nil || now != last {
				versions.AllChanged()
				last = now
			}
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
		}
	}
}
