package api

import (
	"slices"

	"github.com/go-chi/httprate"

	"secondring/api/cache"
	"secondring/api/rest"
	"secondring/market"
)

// Config is what the handlers need. The OpenAPI document is made with an empty one.
type Config struct {
	Market    *market.Market
	Positions market.Positions
	// Versions counts the changes of the store; then responses are cached. nil where
	// other nodes write to the store.
	Versions *cache.Versions
	// Secret is TOKEN_SECRET, from which the key of cursors is derived. nil makes one
	// that only this process knows.
	Secret    []byte
	RateLimit int // calls a second per account, or per address; 0 switches it off
	// ChangeCounter counts changes of phones across nodes; nil counts in this process.
	ChangeCounter httprate.LimitCounter
}

// Routes returns the market's own calls.
func Routes(c Config) ([]rest.Route, error) {
	cursorKey, err := rest.NewCursorKey(c.Secret)
	if err != nil {
		return nil, err
	}
	h := handlers{
		market: c.Market, positions: c.Positions, cursorKey: cursorKey, secret: c.Secret,
		responses: cache.New[*rest.Response](c.Versions, maxResponses),
	}
	if c.RateLimit > 0 {
		h.changes = newChangeLimiter(c.ChangeCounter)
	}
	return slices.Concat(
		h.brands(), h.products(), h.oneProduct(), h.sellersProducts(), h.bookings(), h.orders(), h.waitlist(), h.watching(), h.reports(), h.users(), h.people(), h.auditLog(), h.notifications(),
	), nil
}

// handlers serves the market's use cases.
type handlers struct {
	market    *market.Market
	positions market.Positions
	cursorKey rest.CursorKey
	secret    []byte
	responses *cache.Cache[*rest.Response]
	changes   *httprate.RateLimiter // limits changes of phones by their sellers; nil without a limit
}

// The answers of writes.
type (
	// Inserted answers a creation.
	Inserted struct {
		Acknowledged bool   `json:"acknowledged"`
		InsertedID   string `json:"insertedId"`
	}
	// Modified answers a change.
	Modified struct {
		Acknowledged  bool `json:"acknowledged"`
		ModifiedCount int  `json:"modifiedCount" doc:"0 when there was nothing to change"`
	}
	// Deleted answers a removal.
	Deleted = rest.Deleted
)
