package app

import (
	"context"
	"errors"
	"log/slog"

	"gocloud.dev/blob"

	"secondring/api/images"
	"secondring/api/rest"
	"secondring/cmd/secondring/datastore"
	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// imageHost returns the built-in image host. It stores images in the bucket, or in a folder if
// the bucket is nil. With IMAGE_HOST_URL browsers upload to another host; this one still
// serves its existing images.
func imageHost(s settings.Settings, store market.Store, m *market.Market, bucket *blob.Bucket, counter rest.Counter, clock market.Clock, log *slog.Logger) (*images.Host, error) {
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
		Bucket: bucket, Records: store, Market: m, Shows: store.ShowsPicture, Origin: s.AllowedOrigins[0],
		Counter: counter, Clock: clock, Log: log,
	}), nil
}

// uploadCounter returns the counter of uploads; nil without rate limits.
func (a *App) uploadCounter() rest.Counter {
	if a.settings.RateLimit == 0 {
		return nil
	}
	return a.cluster.attempts
}

// imageHosts are several market.Pictures, of which the first that knows a URL is used.
type imageHosts []market.Pictures

// Metadata implements market.Pictures.
func (h imageHosts) Metadata(ctx context.Context, url string) (market.Picture, error) {
	for _, host := range h {
		if picture, err := host.Metadata(ctx, url); !errors.Is(err, market.ErrNotFound) {
			return picture, err
		}
	}
	return market.Picture{}, market.ErrNotFound
}
