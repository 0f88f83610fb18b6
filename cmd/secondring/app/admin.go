package app

import (
	"context"
	"errors"
	"log/slog"

	"secondring/api/identity"
	"secondring/cmd/secondring/datastore"
	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// Admin is the market without a server, for the subcommands. A server on the same store
// reads the events of their changes from the outbox.
type Admin struct {
	Market   *market.Market
	Identity *identity.Service
	store    market.Store
}

// OpenAdmin opens the store that the settings name, and prepares a new one.
func OpenAdmin(ctx context.Context, s settings.Settings) (*Admin, error) {
	store, err := datastore.Open(ctx, s)
	if err != nil {
		return nil, err
	}
	secret, err := datastore.TokenSecret(s)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	m := market.New(store, market.SystemClock{}, s.Rules, market.NoPayments{})
	email, err := openEmail(s, store, market.SystemClock{})
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	id, err := identity.New(identity.Config{
		Store: store, Market: m, Clock: market.SystemClock{}, Secret: secret,
		PublicURL: s.PublicURL, Product: Product, Emails: email.queue, Log: slog.Default(),
	})
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return &Admin{Market: m, Identity: id, store: store}, nil
}

// AddBrand adds a brand. If image is "", the brand gets a drawing.
func (a *Admin) AddBrand(ctx context.Context, name, image string) error {
	if image == "" {
		image = demo.TilePath(name)
	}
	_, err := a.Market.AddBrand(ctx, name, image)
	return err
}

// Close closes the store.
func (a *Admin) Close() error { return a.store.Close() }
