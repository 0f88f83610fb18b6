package datastore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync"

	"gocloud.dev/blob"

	"secondring/api/identity"
	"secondring/cmd/secondring/settings"
	"secondring/market"
	"secondring/store"
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

// Opened is an open store with everything that must be closed with it.
type Opened struct {
	market.Store
	Images *blob.Bucket // of MongoDB; nil if images are in a folder
	// OutsideWrites returns a number that changes when another process writes to the embedded
	// store. It is nil with MongoDB.
	OutsideWrites func(ctx context.Context) (int64, error)
	closers       []io.Closer // in the order in which they are closed
}

// Close closes the store, and then what was opened with it.
func (s Opened) Close() error {
	err := s.Store.Close()
	for _, closer := range s.closers {
		err = errors.Join(err, closer.Close())
	}
	return err
}

// Open opens the store that the settings name and prepares a new one.
func Open(ctx context.Context, s settings.Settings) (Opened, error) {
	open := openSQLite
	if s.MongoURI != "" {
		open = openMongo
	}
	opened, err := open(ctx, s)
	if err != nil {
		return Opened{}, err
	}
	if err = checkImported(ctx, s, opened); err == nil {
		err = initStore(ctx, opened, s)
	}
	if err != nil {
		return Opened{}, errors.Join(err, opened.Close())
	}
	return opened, nil
}

// openSQLite opens the embedded store, and fills it if it is a new demo.
func openSQLite(ctx context.Context, s settings.Settings) (Opened, error) {
	if err := makeDataDir(s.DataDir); err != nil {
		return Opened{}, err
	}
	lock, err := lockShared(s.DataDir)
	if err != nil {
		return Opened{}, err
	}
	engine, err := openUnlocked(ctx, s)
	if err != nil {
		return Opened{}, errors.Join(err, lock.Close())
	}
	removals, err := openRemovals(ctx, s.DataDir)
	if err != nil {
		return Opened{}, errors.Join(err, engine.Close(), lock.Close())
	}
	db := store.New(engine)
	recording := db.Hooked(removalRecorder{db, removals, &sync.Mutex{}}.hook)
	return Opened{Store: recording, OutsideWrites: engine.DataVersion, closers: []io.Closer{removals, lock}}, nil
}

// openUnlocked is openSQLite without the lock.
func openUnlocked(ctx context.Context, s settings.Settings) (*sqlite.Engine, error) {
	if err := checkRestored(s.DataDir); err != nil {
		return nil, err
	}
	path := filepath.Join(s.DataDir, storeFile)
	if s.Demo {
		err := sqlite.Create(ctx, path, func(e *sqlite.Engine) error { return fillDemo(ctx, store.New(e), s) })
		if err != nil && !errors.Is(err, market.ErrExists) {
			return nil, err
		}
	}
	engine, err := sqlite.Open(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("open the store in DATA_DIR %s: %w", s.DataDir, err)
	}
	return engine, nil
}

// fillDemo adds the demo's data to an empty store.
func fillDemo(ctx context.Context, store market.Store, s settings.Settings) error {
	if err := initStore(ctx, store, s); err != nil {
		return err
	}
	clock := market.SystemClock{}
	people, err := identity.New(identity.Config{
		Store: store, Market: market.New(store, clock, s.Rules, market.NoPayments{}), Clock: clock,
		Secret:    make([]byte, identity.MinSecret), // it signs no token
		PublicURL: s.PublicURL, Log: slog.Default(),
	})
	if err != nil {
		return err
	}
	return seed(ctx, store, people, s.Rules)
}
