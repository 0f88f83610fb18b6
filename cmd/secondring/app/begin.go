package app

import (
	"context"
	"errors"
	"fmt"

	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// What a store was begun as is written once, when it is new.
const (
	metaBegun   = "begun"
	begunDemo   = "demo"
	begunMarket = "market"
)

// begin decides what a new store is, gives it the brands every store starts
// with, and refuses the demo on a store that holds somebody's market.
func begin(ctx context.Context, store market.Store, s settings.Settings) error {
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
			Mend: "unset DEMO, or name an empty " + setting,
		}
	}
	if begun == begunDemo && (!s.Loopback() || s.Stripe.Live()) {
		return &settings.Error{
			Setting: setting, Problem: "is for " + words + ", the demo's store, whose passwords everybody knows",
			Mend: "name an empty one for a market that others can reach, or that takes real money",
		}
	}
	return nil
}

// addBrands adds what is not there yet, so that a crash in between does no harm.
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
