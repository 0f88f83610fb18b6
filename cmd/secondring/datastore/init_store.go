package datastore

import (
	"context"
	"errors"
	"fmt"

	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// What a store is for is written into it once, when it is new.
const (
	metaBegun   = "begun"
	begunDemo   = "demo"
	begunMarket = "market"
)

// initStore prepares a new store: it adds the first brands and notes whether it
// is a demo. It refuses to run the demo on a store with a real market.
func initStore(ctx context.Context, store market.Store, s settings.Settings) error {
	want := begunMarket
	if s.Demo {
		want = begunDemo
	}
	begun, err := store.Meta(ctx, metaBegun)
	if err != nil {
		return fmt.Errorf("read what the store is: %w", err)
	}
	if begun == "" {
		if err := addBrands(ctx, store); err != nil {
			return err
		}
		if err := store.SetMeta(ctx, metaBegun, want); err != nil && !errors.Is(err, market.ErrExists) {
			return fmt.Errorf("begin the store: %w", err)
		}
		begun = want
	}
	setting, words := s.Store()
	if s.Demo && begun != begunDemo {
		return &settings.Error{
			Setting: "DEMO", Problem: "is on, but the store in " + words + " holds a real market",
			Fix: "unset DEMO, or name an empty " + setting,
		}
	}
	if begun == begunDemo && (!s.Loopback() || s.Stripe.Live()) {
		return &settings.Error{
			Setting: setting, Problem: "is for " + words + ", the demo's store, whose passwords everybody knows",
			Fix: "name an empty one for a market that others can reach, or that takes real money",
		}
	}
	return nil
}

// addBrands adds the brands that are missing, so it may be repeated after a crash.
func addBrands(ctx context.Context, store market.Store) error {
	for _, b := range demo.Brands() {
		err := store.AddBrand(ctx, market.Brand{
			ID: market.NewID(b.Created), Name: b.Name, Img: b.Img, Version: 1, CreatedAt: b.Created,
		})
		if err != nil && !errors.Is(err, market.ErrExists) {
			return fmt.Errorf("add the brand %s: %w", b.Name, err)
		}
	}
	return nil
}
