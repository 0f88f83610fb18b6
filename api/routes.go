package api

import (
	"slices"

	"github.com/go-chi/httprate"

	"secondring/api/cache"
	"secondring/api/rest"
	"secondring/market"
)

// Config is the configuration of the handlers. The OpenAPI document is made with an empty
// one.
type Config struct {
	Market    *market.Market
	Positions market.Positions
	// Versions counts the changes of the store; then responses are cached. It is nil if
	// other nodes write to the store.
	Versions *cache.Versions
	// Secret is TOKEN_SECRET. The key of cursors is derived from it. If it is nil, cursors
	// are valid in this process only.
	Secret    []byte
	RateLimit int // calls a second per account, or per address; 0 switches it off
	// ChangeCounter counts changes of phones, and calls that reach the card provider, across
	// nodes; nil counts in this process.
	ChangeCounter httprate.LimitCounter
}

// Routes returns the routes of the market.
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
		h.brands(), h.productReads(), h.productSearch(), h.productWrites(), h.bookings(), h.orders(), h.earnings(),
		h.payouts(), h.waitlist(), h.threads(), h.offers(), h.watching(), h.reports(), h.cases(), h.users(), h.people(), h.keptTexts(), h.auditLog(), h.notifications(),
	), nil
}

// handlers serves the market's use cases.
type handlers struct {
	market    *market.Market
	positions market.Positions
	cursorKey rest.CursorKey
	secret    []byte
	responses *cache.Cache[*rest.Response]
	changes   *httprate.RateLimiter // limits a seller's changes of a phone; nil without a limit
}

// The responses of writes.
type (
	// Inserted is the response of a creation.
	Inserted struct {
		Acknowledged bool   `json:"acknowledged"`
		InsertedID   string `json:"insertedId"`
	}
	// Modified is the response of a change.
	Modified struct {
		Acknowledged  bool `json:"acknowledged"`
		ModifiedCount int  `json:"modifiedCount" doc:"Number of changed items; 0 if there was nothing to change"`
	}
	// Deleted is the response of a removal.
	Deleted = rest.Deleted
)
