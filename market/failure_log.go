package market

import (
	"context"
	"log/slog"
	"time"
)

// remindEvery is how often a log is told again of what goes on failing.
const remindEvery = time.Minute

// FailureLog keeps a log readable while something that is tried over and over fails:
// it is told when that begins, once a minute meanwhile, and when it is over. The
// zero value is ready; it is of one goroutine.
type FailureLog struct{ since, told time.Time }

// Note is told how each try ended; what is what was tried.
func (o *FailureLog) Note(ctx context.Context, log *slog.Logger, what string, err error) {
	now := time.Now()
	switch {
	case err != nil && o.since.IsZero():
		o.since, o.told = now, now
		log.ErrorContext(ctx, "operation failed and will be retried", "what", what, "error", err)
	case err != nil && now.Sub(o.told) >= remindEvery:
		o.told = now
		log.ErrorContext(ctx, "operation still fails", "what", what, "for", now.Sub(o.since), "error", err)
	case err == nil && !o.since.IsZero():
		log.InfoContext(ctx, "operation works again", "what", what, "after", now.Sub(o.since))
		*o = FailureLog{}
	}
}
