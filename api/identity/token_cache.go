package identity

import (
	"context"
	"time"

	"secondring/api/cache"
	"secondring/market"
)

// maxCachedTokens is the size of the token cache. An entry takes about 1 kB.
const maxCachedTokens = 8192

// cachedToken is a valid access token with the actor that the store found for it.
type cachedToken struct {
	actor   market.Actor
	expires time.Time // when the token expires
	ends    time.Time // when the token or its session ends, whichever is sooner
}

// cached returns the entry of a token, or false if it is absent, stale or expired.
func (s *Service) cached(token string) (*cachedToken, bool) {
	if s.tokenCache == nil {
		return nil, false
	}
	entry, ok := s.tokenCache.Get(token)
	return entry, ok && entry.ends.After(s.clock.Now())
}

// loadActor reads the actor of a token from the store and caches it.
func (s *Service) loadActor(ctx context.Context, token string, c claims) (market.Actor, error) {
	if s.tokenCache == nil {
		return s.market.Actor(ctx, c.Subject, c.Session)
	}
	subjects := []string{cache.Person(c.Subject), cache.Session(c.Session)}
	entry, err := s.tokenCache.Load(ctx, token, subjects, func(ctx context.Context) (*cachedToken, error) {
		actor, err := s.market.Actor(ctx, c.Subject, c.Session)
		if err != nil {
			return nil, err
		}
		entry := &cachedToken{actor: actor, expires: c.ExpiresAt.UTC(), ends: c.ExpiresAt.UTC()}
		if actor.Ends.Before(entry.ends) {
			entry.ends = actor.Ends
		}
		return entry, nil
	})
	if err != nil {
		return market.Actor{}, err
	}
	return entry.actor, nil
}
