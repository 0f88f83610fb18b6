package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"secondring/api/identity"
	"secondring/cmd/secondring/settings"
	"secondring/market"
	"secondring/store/sqlite"
)

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
	err = initStore(ctx, store, s)
	if err == nil {
		err = mustBeWhole(ctx, store) // once more: see migration.claim
	}
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

// openFile opens the embedded engine. A new demo is filled with data.
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

// fillDemo fills an empty store with the demo's data.
func fillDemo(ctx context.Context, store market.Store, s settings.Settings) error {
	if err := initStore(ctx, store, s); err != nil {
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
