package identity

import (
	"context"

	"secondring/market"
)

// CreateAccount makes a sign-in without a browser, as filling the demo does.
// With an empty password nobody can sign in to it but by Google. CodeExists where the address
// is taken.
func (s *Service) CreateAccount(ctx context.Context, email, password, displayName string) (market.Account, error) {
	if password != "" {
		return s.create(ctx, email, password, displayName)
	}
	now := s.clock.Now()
	account := market.Account{
		UID: market.NewID(now), Email: email, DisplayName: displayName, Version: 1, CreatedAt: now,
	}
	return account, s.store.AddAccount(ctx, account)
}
