package app

import (
	"context"
	"errors"
	"log/slog"

	"secondring/cmd/secondring/datastore"

	"gocloud.dev/blob"

	"secondring/api/identity"
	"secondring/api/images"
	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// imageHost is the built-in image host, over the store's own bucket or, where that is
// nil, over a folder. With IMAGE_HOST_URL browsers upload elsewhere; images that are
// here are still served.
func imageHost(s settings.Settings, store market.Store, own *blob.Bucket, counter images.Counter, clock market.Clock, log *slog.Logger) (*images.Host, error) {
	bucket := own
	if bucket == nil {
		folder, err := datastore.ImagesFolder(s)
		if err != nil {
			return nil, err
		}
		if bucket, err = images.OpenFolder(folder); err != nil {
			return nil, &settings.Error{
				Setting: "IMAGES_URL", Problem: "cannot be opened (" + err.Error() + ")", Fix: "name a folder that can be written",
			}
		}
	}
	return images.New(images.Config{
		Bucket: bucket, Records: store, Shows: store.ShowsPicture, Origin: s.AllowedOrigins[0],
		Counter: counter, Clock: clock, Log: log,
	}), nil
}

// uploadCounter counts the uploads of all nodes in Redis, or those of a single node in
// memory. It is nil without rate limits.
func (a *App) uploadCounter(o Options) images.Counter {
	switch {
	case a.settings.RateLimit == 0:
		return nil
	case a.cluster.tries != nil:
		return a.cluster.tries
	}
	return identity.NewMemoryCounter(o.Clock)
}

// hosts asks several market.Pictures one after another.
type hosts []market.Pictures

// Metadata implements market.Pictures.
func (h hosts) Metadata(ctx context.Context, url string) (market.Picture, error) {
	for _, host := range h {
		if picture, err := host.Metadata(ctx, url); !errors.Is(err, market.ErrNotFound) {
			return picture, err
		}
	}
	return market.Picture{}, market.ErrNotFound
}
