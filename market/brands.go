package market

import (
	"context"
	"errors"
	"fmt"
)

// topBrands is how many brands Home shows.
const topBrands = 6

// Brands lists all brands.
func (m *Market) Brands(ctx context.Context, page Page) (List[BrandStock], error) {
	return m.store.Brands(ctx, page)
}

// TopBrands returns the brands with most available phones, up to topBrands, ties by name.
func (m *Market) TopBrands(ctx context.Context) ([]BrandStock, error) {
	return m.store.TopBrands(ctx, topBrands)
}

// AddBrand adds a brand. It returns CodeExists if there is one of that name.
func (m *Market) AddBrand(ctx context.Context, name, img string) (Brand, error) {
	img = StoredURL(m.rules.PublicURL, img)
	f := Fields{}
	f.text("name", name, maxShort)
	f.image("img", img)
	if err := f.Err(); err != nil {
		return Brand{}, err
	}
	now := m.clock.Now()
	b := Brand{ID: NewID(now), Name: name, Img: img, Version: 1, CreatedAt: now}
	err := m.store.AddBrand(ctx, b)
	if errors.Is(err, ErrExists) {
		return Brand{}, refuse(CodeExists, fmt.Sprintf("There is a brand %q already", name))
	}
	return b, err
}

// RemoveBrand removes a brand that has no phones.
func (m *Market) RemoveBrand(ctx context.Context, name string) error {
	b, err := m.store.BrandByName(ctx, name)
	if errors.Is(err, ErrNotFound) {
		return missing("brand")
	}
	if err != nil {
		return err
	}
	err = m.store.RemoveBrand(ctx, b.ID)
	switch {
	case errors.Is(err, ErrInUse):
		return refuse(CodeHeld, fmt.Sprintf("%s has phones, so it cannot be removed", b.Name))
	case errors.Is(err, ErrNotFound):
		return missing("brand")
	}
	return err
}

// Brand returns a brand, for anyone.
func (m *Market) Brand(ctx context.Context, id string) (Brand, error) {
	b, err := m.store.Brand(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return b, missing("brand")
	}
	return b, err
}
