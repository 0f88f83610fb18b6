package app

import (
	"context"
	"time"
)

// outsideWritesEvery is the interval at which the store is checked for writes of other
// processes, such as admin commands.
const outsideWritesEvery = 200 * time.Millisecond

// watchOutsideWrites returns a loop that calls changed whenever another process has written to the
// store. It is unknown what was written. The result of version changes with each such write. After an
// error of version it calls changed too.
func watchOutsideWrites(version func(ctx context.Context) (int64, error), changed func()) func(context.Context) {
	return func(ctx context.Context) {
		ticker := time.NewTicker(outsideWritesEvery)
		defer ticker.Stop()
		for last := int64(-1); ; {
			now, err := version(ctx)
			if err != nil || now != last {
				changed()
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
