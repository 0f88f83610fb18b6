package demo

import (
	"context"

	"secondring/market"
)

// Pictures is the market.Pictures of the demo's photos.
type Pictures struct{}

// Metadata implements market.Pictures.
func (Pictures) Metadata(_ context.Context, url string) (market.Picture, error) { return Metadata(url) }
