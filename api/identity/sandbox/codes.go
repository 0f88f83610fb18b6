package sandbox

import (
	"crypto/rand"
	"sync"
	"time"

	"secondring/market"
)

const (
	codeLasts = time.Minute
	maxCodes  = 1000 // that wait to be redeemed; older ones go first
)

// grant is what an authorization code stands for.
type grant struct {
	who       Person
	nonce     string
	challenge string // PKCE, S256
	made      time.Time
}

// codes keeps the codes that were given out. Each is good once.
type codes struct {
	clock market.Clock
	mu    sync.Mutex
	open  map[string]grant
	order []string // oldest first; may name redeemed ones
}

func newCodes(clock market.Clock) *codes {
	return &codes{clock: clock, open: map[string]grant{}}
}

func (c *codes) give(g grant) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.order) > 0 && (len(c.order) >= maxCodes || c.stale(c.order[0])) {
		delete(c.open, c.order[0])
		c.order = c.order[1:]
	}
	code := rand.Text()
	g.made = c.clock.Now()
	c.open[code] = g
	c.order = append(c.order, code)
	return code
}

// stale tells whether a code was redeemed or is too old.
func (c *codes) stale(code string) bool {
	g, ok := c.open[code]
	return !ok || c.clock.Now().Sub(g.made) >= codeLasts
}

// take redeems a code; false when it is unknown, used or too old.
func (c *codes) take(code string) (grant, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stale(code) {
		return grant{}, false
	}
	g := c.open[code]
	delete(c.open, code)
	return g, true
}
