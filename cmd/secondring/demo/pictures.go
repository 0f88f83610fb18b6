package demo

import (
	"context"

	"secondring/market"
)

// Pictures is the market.Pictures of the demo's photos.
type Pictures struct{}

// About implements market.Pictures.
func (Pictures) About(_ context.Context, url string) (market.Picture, error) { return About(url) }
