package datastore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"gocloud.dev/blob"

	"secondring/api/identity"
	"secondring/cmd/secondring/settings"
	"secondring/market"
	"secondring/store/sqlite"
)

const storeFile = "secondring.db"

// ImagesFolder returns the folder that IMAGES_URL names, or the one in DATA_DIR.
func ImagesFolder(s settings.Settings) (string, error) {
	if s.ImagesFolder != "" {
		return s.ImagesFolder, nil
	}
	return filepath.Abs(filepath.Join(s.DataDir, "images"))
}

// Opened is a store with what was opened beside it.
type Opened struct {
	market.Store
	Images *blob.Bucket // of MongoDB; nil where images are kept in a folder
	// OutsideWrites is a number that changes when another process writes to the embedded
	// engine; nil with MongoDB.
	OutsideWrites func(ctx context.Context) (int64, error)
	beside        []io.Closer
}

// Close closes the store, then what was opened beside it.
func (s Opened) Close() error {
	err := s.Store.Close()
	for _, closer := range s.beside {
		err = errors.Join(err, closer.Close())
	}
	return err
}

// Open opens the engine that the settings name and gives a new store its
// brands.
func Open(ctx context.Context, s settings.Settings) (Opened, error) {
	open := openFile
	if s.MongoURI != "" {
		open = openMongo
	}
	store, err := open(ctx, s)
	if err != nil {
		return Opened{}, err
	}
	err = initStore(ctx, store, s)
	if err == nil {
		err = mustBeWhole(ctx, store) // a second time: see migration.claim
	}
	if err != nil {
		return Opened{}, errors.Join(err, store.Close())
	}
	return store, nil
}

// openFile opens the embedded engine. A new demo is filled with data.
func openFile(ctx context.Context, s settings.Settings) (Opened, error) {
	if err := os.MkdirAll(s.DataDir, 0o700); err != nil {
		return Opened{}, &settings.Error{Setting: "DATA_DIR", Problem: "cannot be made (" + err.Error() + ")", Fix: "name a folder that can be written"}
	}
	lock, err := lockForUse(s.DataDir)
	if err != nil {
		return Opened{}, err
	}
	store, err := openUnlocked(ctx, s)
	if err != nil {
		return Opened{}, errors.Join(err, lock.Close())
	}
	removals, err := openRemovals(ctx, s.DataDir)
	if err != nil {
		return Opened{}, errors.Join(err, store.Close(), lock.Close())
	}
	noted := market.HookStore(store, removalNotes{store, removals}.hook)
	return Opened{Store: noted, OutsideWrites: store.Others, beside: []io.Closer{removals, lock}}, nil
}

func openUnlocked(ctx context.Context, s settings.Settings) (*sqlite.Store, error) {
	if err := mayUse(s.DataDir); err != nil {
		return nil, err
	}
	path := filepath.Join(s.DataDir, storeFile)
	if s.Demo {
		err := sqlite.Create(ctx, path, func(store *sqlite.Store) error { return fillDemo(ctx, store, s) })
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
