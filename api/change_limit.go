package api

import (
	"net/http"
	"time"

	"github.com/go-chi/httprate"

	"secondring/api/rest"
)

// changesPerMinute is how often a phone may be changed within a minute: each change
// is sent to every screen that shows it.
const changesPerMinute = 120

// newChangeLimiter returns the limit of a person's changes of one phone.
func newChangeLimiter(counter httprate.LimitCounter) *httprate.RateLimiter {
	return httprate.NewRateLimiter(changesPerMinute, time.Minute,
		httprate.WithResponseHeaders(httprate.ResponseHeaders{RetryAfter: "Retry-After"}), httprate.WithLimitCounter(counter))
}

// mayChange counts a change of a phone and returns an error above the limit.
func (h handlers) mayChange(w http.ResponseWriter, r *http.Request, phone string) error {
	if h.changes != nil && h.changes.OnLimit(w, r, "change:"+actor(r).User.UID+":"+phone) {
		return rest.NewError(rest.CodeTooFast, "This phone has been changed too often. Please wait a minute")
	}
	return nil
}
