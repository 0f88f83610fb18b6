package market

import (
	"context"
	"log/slog"
	"time"
)

// remindEvery is how often an operation that still fails is logged again.
const remindEvery = time.Minute

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
