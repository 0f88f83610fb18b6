package market

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"
)

// remindEvery is how often an operation that still fails is logged again.
const remindEvery = time.Minute

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

// FailureLog logs the failures of an operation that is retried all the time: the first
// one, then one each minute, and the first success after them. The zero value is ready.
// It is not safe for concurrent use.
type FailureLog struct{ since, logged time.Time }

// Record logs the result of a try if that is due. operation is its name in the log.
func (l *FailureLog) Record(ctx context.Context, log *slog.Logger, operation string, err error) {
	now := time.Now()
	switch {
	case err != nil && l.since.IsZero():
		l.since, l.logged = now, now
		log.ErrorContext(ctx, "operation failed and will be retried", "what", operation, "error", err)
	case err != nil && now.Sub(l.logged) >= remindEvery:
		l.logged = now
		log.ErrorContext(ctx, "operation still fails", "what", operation, "for", now.Sub(l.since), "error", err)
	case err == nil && !l.since.IsZero():
		log.InfoContext(ctx, "operation works again", "what", operation, "after", now.Sub(l.since))
		*l = FailureLog{}
	}
}

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
