package app

import (
	"context"
	"time"

	"secondring/api/cache"
)

// outsideWritesEvery is how often the store is asked whether another process, such as
// an admin command, has written to it.
const outsideWritesEvery = 200 * time.Millisecond

// watchOutsideWrites invalidates the caches whenever another process has written to
// the store, because it does not know what was written. Version changes with each such write.
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
