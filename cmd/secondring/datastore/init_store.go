package datastore

import (
	"context"
	"errors"
	"fmt"

	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// metaBegun is the setting of a store that says what it is for. It is written once, into a
// new store.
const (
	metaBegun   = "begun"
	begunDemo   = "demo"
	begunMarket = "market"
)

// initStore prepares a new store: it adds the first brands and records whether it is a demo.
// It returns a settings error for a demo on a store with a real market, and for a store of a
// demo that others can reach or that takes real money.
func initStore(ctx context.Context, store market.Store, s settings.Settings) error {
	purpose := begunMarket
	if s.Demo {
		purpose = begunDemo
	}
	begun, err := store.Meta(ctx, metaBegun)
	if err != nil {
		return fmt.Errorf("read what the store is: %w", err)
	}
	if begun == "" {
		if err := addBrands(ctx, store); err != nil {
			return err
		}
		if err := store.SetMeta(ctx, metaBegun, purpose); err != nil && !errors.Is(err, market.ErrExists) {
			return fmt.Errorf("begin the store: %w", err)
		}
		begun = purpose
	}
	setting, description := s.Store()
	if s.Demo && begun != begunDemo {
		return &settings.Error{
			Setting: "DEMO", Problem: "is on, but the store in " + description + " holds a real market",
			Fix: "unset DEMO, or name an empty " + setting,
		}
	}
	if begun == begunDemo && (!s.Loopback() || s.Stripe.Live()) {
		return &settings.Error{
			Setting: setting, Problem: "is for " + description + ", the demo's store, whose passwords everybody knows",
			Fix: "name an empty one for a market that others can reach, or that takes real money",
		}
	}
	return nil
}

// addBrands adds the missing brands, so it may be repeated after a crash.
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
