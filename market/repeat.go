package market

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"
)

// repeat runs step at once and then at this interval, until the context ends. It logs a
// failed step under the name and runs it again.
func repeat(ctx context.Context, interval time.Duration, log *slog.Logger, name string, step func(context.Context) error) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	var failures FailureLog
	for {
		if err := step(ctx); ctx.Err() == nil {
			failures.Record(ctx, log, name, err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Pauses between retries, such as those of an email or an announcement.
const (
	firstRetryPause   = 2 * time.Second // each pause is twice the one before
	longestRetryPause = 15 * time.Minute
)

// RetryPause returns the pause after a number of failed tries, at least 1. It is random
// within a range, so that operations that failed together are not retried together.
func RetryPause(tries int) time.Duration {
	d := min(firstRetryPause<<min(tries-1, 20), longestRetryPause)
	return d/2 + rand.N(d/2)
}
