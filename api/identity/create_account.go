package identity

import (
	"context"

	"secondring/market"
)

// CreateAccount adds an account without a browser, as the demo data does. Its address
// counts as confirmed. With an empty password its owner can only sign in with Google. It
// returns CodeExists if the address is taken.
func (s *Service) CreateAccount(ctx context.Context, email, password, displayName string) (market.Account, error) {
	if password != "" {
		return s.create(ctx, password, market.Account{Email: email, DisplayName: displayName})
	}
	now := s.clock.Now()
	account := market.Account{
		UID: market.NewID(now), Email: email, DisplayName: displayName, Version: 1, CreatedAt: now,
	}
	return account, s.store.AddAccount(ctx, account, nil)
}
