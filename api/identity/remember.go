package identity

import (
	"context"
	"sync"
	"time"

	"secondring/market"
	"secondring/market/fresh"
)

// Bounds of what is remembered of access tokens.
const (
	// askAgain is how long an answer of the store's is believed when nobody is sure
	// that it is true still. What ends access in this process is known at once; what
	// the command line does beside it, or another node whose word was lost, this
	// bound finds.
	askAgain = 500 * time.Millisecond
	// maxTokens are remembered in each of two generations: about a kilobyte each.
	maxTokens = 4096
)

// remembered is a token that was good, and what it is good for.
type remembered struct {
	actor   market.Actor
	expires time.Time     // the token does
	ends    time.Time     // the token or its session does, whichever is sooner
	asked   time.Duration // when the store was, of market.Uptime
	mark    fresh.Mark
}

// memory remembers good tokens, the recent ones in two generations: when the
// younger is full, the older goes.
type memory struct {
	watch *fresh.Watch
	clock market.Clock

	mu         sync.RWMutex
	young, old map[string]*remembered
}

func newMemory(watch *fresh.Watch, clock market.Clock) *memory {
	return &memory{watch: watch, clock: clock, young: map[string]*remembered{}}
}

// known returns who stands behind a token, where that is certain still.
func (m *memory) known(token string) (*remembered, bool) {
	m.mu.RLock()
	r, young := m.young[token]
	if !young {
		r = m.old[token]
	}
	m.mu.RUnlock()
	if r == nil || !r.mark.Holds() || m.watch.Age(r.asked) >= askAgain || !r.ends.After(m.clock.Now()) {
		return nil, false
	}
	return r, true
}

// keep remembers a token. Those that have been asked about and are old make
// place for it.
func (m *memory) keep(token string, r *remembered) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.young) >= maxTokens {
		m.old, m.young = m.young, make(map[string]*remembered, maxTokens)
	}
	m.young[token] = r
}

// Known returns whose access token it is without asking the store: false where
// it has to be asked (Bearer). Where other nodes write to the same store, their
// changes may be half a second away: good enough to read by.
func (s *Service) Known(token string) (*market.Actor, bool) {
	if s.memory == nil {
		return nil, false
	}
	r, ok := s.memory.known(token)
	if !ok {
		return nil, false
	}
	return &r.actor, true
}

// ask asks the store who stands behind a token, and remembers. The mark is
// taken before, so that what ends meanwhile is not remembered as going on.
func (s *Service) ask(ctx context.Context, token string, c claims) (market.Actor, error) {
	if s.memory == nil {
		return s.market.Actor(ctx, c.Subject, c.Session)
	}
	r := &remembered{
		asked: market.Monotonic(), mark: s.memory.watch.Session(c.Subject, c.Session),
		expires: c.ExpiresAt.UTC(), ends: c.ExpiresAt.UTC(),
	}
	var err error
	if r.actor, err = s.market.Actor(ctx, c.Subject, c.Session); err != nil {
		return market.Actor{}, err
	}
	if r.actor.Ends.Before(r.ends) {
		r.ends = r.actor.Ends
	}
	s.memory.keep(token, r)
	return r.actor, nil
}
