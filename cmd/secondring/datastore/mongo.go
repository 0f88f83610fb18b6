package datastore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"secondring/cmd/secondring/settings"
	"secondring/market"
	"secondring/store/mongo"
)

// A demo's store is filled by one node, which says so before and after.
const (
	metaFilling = "demo.filling"
	metaFilled  = "demo.filled"
	fillTime    = time.Minute // for the others to wait
	fillLook    = 100 * time.Millisecond
)

// openMongo opens the engine for many machines, and fills a new demo.
func openMongo(ctx context.Context, s settings.Settings) (Opened, error) {
	store, err := mongo.Open(ctx, s.MongoURI)
	if err != nil {
		return Opened{}, fmt.Errorf("open the store that MONGODB_URI names: %w", err)
	}
	if err = mustBeWhole(ctx, store); err == nil && s.Demo {
		err = fillOnce(ctx, store, s)
	}
	if err != nil {
		return Opened{}, errors.Join(err, store.Close())
	}
	return Opened{Store: store, Images: store.Images()}, nil
}

// fillOnce fills a new demo's store, or waits for the node that does.
func fillOnce(ctx context.Context, store market.Store, s settings.Settings) error {
	begun, err := store.Meta(ctx, metaBegun)
	filling, errFilling := store.Meta(ctx, metaFilling)
	if err = errors.Join(err, errFilling); err != nil || begun != "" && filling == "" {
		return err // another market is in it: begin returns a better error
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

func waitFilled(ctx context.Context, store market.Store) error {
	late, look := time.After(fillTime), time.NewTicker(fillLook)
	defer look.Stop()
	for {
		filled, err := store.Meta(ctx, metaFilled)
		if err != nil || filled != "" {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-late:
			return &settings.Error{
				Setting: "MONGODB_URI", Problem: "names a demo that was never filled to its end", Fix: "empty that database, or name another",
			}
		case <-look.C:
		}
	}
}
