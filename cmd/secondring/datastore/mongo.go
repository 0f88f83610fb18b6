package datastore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"secondring/cmd/secondring/settings"
	"secondring/market"
	"secondring/store"
	"secondring/store/mongo"
)

// Settings of a demo's store, which one node fills. It writes one before and one after.
const (
	metaFilling = "demo.filling"
	metaFilled  = "demo.filled"
	fillTimeout = time.Minute // how long other nodes wait
	fillPoll    = 100 * time.Millisecond
)

// openMongo opens the store in MongoDB, and fills it if it is a new demo.
func openMongo(ctx context.Context, s settings.Settings) (Opened, error) {
	engine, err := mongo.Open(ctx, s.MongoURI)
	if err != nil {
		return Opened{}, fmt.Errorf("open the store that MONGODB_URI names: %w", err)
	}
	db := store.New(engine)
	if err = checkImported(ctx, s, db); err == nil && s.Demo {
		err = fillOnce(ctx, db, s)
	}
	if err != nil {
		return Opened{}, errors.Join(err, db.Close())
	}
	return Opened{Store: db, Images: engine.Images()}, nil
}

// fillOnce fills the store of a new demo, or waits until another node has filled it.
func fillOnce(ctx context.Context, store market.Store, s settings.Settings) error {
	begun, err := store.Meta(ctx, metaBegun)
	filling, errFilling := store.Meta(ctx, metaFilling)
	if err = errors.Join(err, errFilling); err != nil || begun != "" && filling == "" {
		return err // it has another market: initStore returns a better error
	}
	err = store.SetMeta(ctx, metaFilling, "begun")
	switch {
	case errors.Is(err, market.ErrExists):
		return waitFilled(ctx, store)
	case err != nil:
		return err
	}
	if err := fillDemo(ctx, store, s); err != nil {
		return err
	}
	return store.SetMeta(ctx, metaFilled, "done")
}

// waitFilled waits until another node has filled the store. It returns a settings error
// after fillTimeout.
func waitFilled(ctx context.Context, store market.Store) error {
	timeout, ticker := time.After(fillTimeout), time.NewTicker(fillPoll)
	defer ticker.Stop()
	for {
		filled, err := store.Meta(ctx, metaFilled)
		if err != nil || filled != "" {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timeout:
			return &settings.Error{
				Setting: "MONGODB_URI", Problem: "names a demo that was never filled to its end", Fix: "empty that database, or name another",
			}
		case <-ticker.C:
		}
	}
}
