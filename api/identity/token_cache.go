package identity

import (
	"context"
	"sync"
	"time"

	"secondring/market"
	"secondring/market/fresh"
)

// Bounds of the access token cache.
const (
	// tokenMaxAge is how long an entry may be used without asking the store again.
	// Writes of this process invalidate entries at once. This bound covers writes
	// of the command line, and of other nodes when their invalidation is lost.
	tokenMaxAge = 500 * time.Millisecond
	// maxCachedTokens bounds each of the two generations. An entry takes about 1 kB.
	maxCachedTokens = 4096
)

// cachedToken is a valid access token with the actor that the store found for it.
type cachedToken struct {
	actor   market.Actor
	expires time.Time     // of the token
	ends    time.Time     // of the token or of its session, whichever is sooner
	asked   time.Duration // when the store was asked, in market.Monotonic time
	mark    fresh.Mark
}

// tokenCache caches valid access tokens in two generations. When the younger one
// is full, the older one is dropped.
type tokenCache struct {
	watch *fresh.Watch
	clock market.Clock

	mu         sync.RWMutex
	young, old map[string]*cachedToken
}

func newTokenCache(watch *fresh.Watch, clock market.Clock) *tokenCache {
	return &tokenCache{watch: watch, clock: clock, young: map[string]*cachedToken{}}
}

// get returns the entry of a token, or false if it is absent, stale or expired.
func (m *tokenCache) get(token string) (*cachedToken, bool) {
	m.mu.RLock()
	r, young := m.young[token]
	if !young {
		r = m.old[token]
	}
	m.mu.RUnlock()
	if r == nil || !r.mark.Holds() || m.watch.Age(r.asked) >= tokenMaxAge || !r.ends.After(m.clock.Now()) {
		return nil, false
	}
	return r, true
}

// put adds a token. It drops the older generation when the younger one is full.
func (m *tokenCache) put(token string, r *cachedToken) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.young) >= maxCachedTokens {
		m.old, m.young = m.young, make(map[string]*cachedToken, maxCachedTokens)
	}
	m.young[token] = r
}

// Known returns the cached actor of an access token, or false if the store must be
// asked (Bearer). Where other nodes write to the same store, the actor may be half
// a second old, so it may be used for reads only.
func (s *Service) Known(token string) (*market.Actor, bool) {
	if s.tokenCache == nil {
		return nil, false
	}
	r, ok := s.tokenCache.get(token)
	if !ok {
		return nil, false
	}
	return &r.actor, true
}

// ask reads the actor of a token from the store and caches it. It takes the mark
// before it reads, so that a session that ends meanwhile invalidates the entry.
func (s *Service) ask(ctx context.Context, token string, c claims) (market.Actor, error) {
	if s.tokenCache == nil {
		return s.market.Actor(ctx, c.Subject, c.Session)
	}
	r := &cachedToken{
		asked: market.Monotonic(), mark: s.tokenCache.watch.Session(c.Subject, c.Session),
		expires: c.ExpiresAt.UTC(), ends: c.ExpiresAt.UTC(),
	}
	var err error
	if r.actor, err = s.market.Actor(ctx, c.Subject, c.Session); err != nil {
		return market.Actor{}, err
	}
	if r.actor.Ends.Before(r.ends) {
		r.ends = r.actor.Ends
	}
	s.tokenCache.put(token, r)
	return r.actor, nil
}
