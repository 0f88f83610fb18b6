package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"secondring/api/identity"
	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/settings"
	"secondring/market"
	"secondring/store/sqlite"
)

// Tools is the market without a server: what the subcommands work with. A
// server that runs on the same store learns of their changes from its outbox.
type Tools struct {
	Market   *market.Market
	Identity *identity.Service
	store    market.Store
}

// OpenTools opens the store that the settings name, and prepares a new one.
func OpenTools(ctx context.Context, s settings.Settings) (*Tools, error) {
	store, err := openStore(ctx, s)
	if err != nil {
		return nil, err
	}
	secret, err := tokenSecret(s)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	m := market.New(store, market.SystemClock{}, s.Rules, market.NoPayments{})
	id, err := identity.New(identity.Config{
		Store: store, Market: m, Clock: market.SystemClock{}, Secret: secret,
		PublicURL: s.PublicURL, Log: slog.Default(),
	})
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return &Tools{Market: m, Identity: id, store: store}, nil
}

// AddBrand adds a brand; without an image it gets a drawing.
func (t *Tools) AddBrand(ctx context.Context, name, image string) error {
	if image == "" {
		image = demo.TilePath(name)
	}
	_, err := t.Market.AddBrand(ctx, name, image)
	return err
}

// Close closes the store.
func (t *Tools) Close() error { return t.store.Close() }

const storeFile = "secondring.db"

// openStore opens the engine that the settings name and gives a new store its
// brands.
func openStore(ctx context.Context, s settings.Settings) (market.Store, error) {
	open := openFile
	if s.MongoURI != "" {
		open = openMongo
	}
	store, err := open(ctx, s)
	if err != nil {
		return nil, err
	}
	err = begin(ctx, store, s)
	if err == nil {
		err = mustBeWhole(ctx, store) // once more: see migration.claim
	}
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

// openFile opens the embedded engine. A new demo is filled when it appears.
func openFile(ctx context.Context, s settings.Settings) (market.Store, error) {
	if err := os.MkdirAll(s.DataDir, 0o700); err != nil {
		return nil, &settings.Error{Setting: "DATA_DIR", Problem: "cannot be made (" + err.Error() + ")", Mend: "name a folder that can be written"}
	}
	lock, err := lockForUse(s.DataDir)
	if err != nil {
		return nil, err
	}
	store, err := openUnlocked(ctx, s)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	removals, err := openRemovals(ctx, s.DataDir)
	if err != nil {
		return nil, errors.Join(err, store.Close(), lock.Close())
	}
	return inUse{notesRemovals{store, removals}, lock}, nil
}

func openUnlocked(ctx context.Context, s settings.Settings) (*sqlite.Store, error) {
	if err := mayUse(s.DataDir); err != nil {
		return nil, err
	}
	path := filepath.Join(s.DataDir, storeFile)
	if s.Demo {
		err := sqlite.Make(ctx, path, func(store *sqlite.Store) error { return fillDemo(ctx, store, s) })
		if err != nil && !errors.Is(err, market.ErrExists) {
			return nil, err
		}
	}
	store, err := sqlite.Open(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("open the store in DATA_DIR %s: %w", s.DataDir, err)
	}
	return store, nil
}

// fillDemo makes an empty store the demo's.
func fillDemo(ctx context.Context, store market.Store, s settings.Settings) error {
	if err := begin(ctx, store, s); err != nil {
		return err
	}
	clock := market.SystemClock{}
	people, err := identity.New(identity.Config{
		Store: store, Market: market.New(store, clock, s.Rules, market.NoPayments{}), Clock: clock,
		Secret:    make([]byte, identity.MinSecret), // no token is made with it
		PublicURL: s.PublicURL, Log: slog.Default(),
	})
	if err != nil {
		return err
	}
	return seed(ctx, store, people, s.Rules)
}
