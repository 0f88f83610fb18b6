package api

import (
	"slices"

	"github.com/go-chi/httprate"

	"secondring/api/cache"
	"secondring/api/rest"
	"secondring/market"
)

// Table returns the whole table of calls: the market's own, those of the rooms
// and of operations, and the two that describe them all. To be described they
// need nothing of the Config but Rooms.
func Table(c Config) []rest.Call { return table(c, newResources(c)) }

func table(c Config, m resources) []rest.Call {
	calls := slices.Concat(
		c.Rooms,
		m.brands(),
		m.products(),
		m.oneProduct(),
		m.sellersProducts(),
		m.bookings(),
		m.reports(),
		m.users(),
		m.people(),
		m.trail(),
		configCalls(c.Settings),
		operations(c),
	)
	return append(calls, described(calls)...)
}

// resources serves the market's use cases.
type resources struct {
	market    *market.Market
	positions market.Positions
	seal      rest.Seal // of cursors
	secret    []byte
	responses *cache.Cache[*response]
	changes   *httprate.RateLimiter // of phones, by their sellers; nil without a limit
}

func newResources(c Config) resources {
	m := resources{market: c.Market, secret: c.Secret, positions: c.Positions, responses: cache.New[*response](c.Versions, maxResponses)}
	if c.RateLimit > 0 {
		m.changes = newChangeLimiter(c.ChangeCounter)
	}
	return m
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
