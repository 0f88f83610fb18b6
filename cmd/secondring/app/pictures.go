package app

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"

	"gocloud.dev/blob"

	"secondring/api/identity"
	"secondring/api/images"
	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// imageHost is the built-in one, over the store's own bucket or, where that is
// nil, over a folder. With IMAGE_HOST_URL set browsers post elsewhere; what this
// one has keeps being served.
func imageHost(s settings.Settings, store market.Store, own *blob.Bucket, counter images.Counter, clock market.Clock, log *slog.Logger) (*images.Host, error) {
	bucket := own
	if bucket == nil {
		folder, err := imagesFolder(s)
		if err != nil {
			return nil, err
		}
		if bucket, err = images.OpenFolder(folder); err != nil {
			return nil, &settings.Error{
				Setting: "IMAGES_URL", Problem: "cannot be opened (" + err.Error() + ")", Mend: "name a folder that can be written",
			}
		}
	}
	return images.New(images.Config{
		Bucket: bucket, Records: store, Shows: store.ShowsPicture, Origin: s.AllowedOrigins[0],
		Counter: counter, Clock: clock, Log: log,
	}), nil
}

// uploadCounter counts uploads on all nodes, or where this node is the only one
// in this process; nil without rate limits.
func (a *App) uploadCounter(o Options) images.Counter {
	switch {
	case a.settings.RateLimit == 0:
		return nil
	case a.nodes.tries != nil:
		return a.nodes.tries
	}
	return identity.NewMemoryCounter(o.Clock)
}

// imagesFolder is the one that IMAGES_URL names, or one in DATA_DIR.
func imagesFolder(s settings.Settings) (string, error) {
	if s.ImagesFolder != "" {
		return s.ImagesFolder, nil
	}
	return filepath.Abs(filepath.Join(s.DataDir, "images"))
}

// ownBucket is where a store keeps images itself; nil where it does not.
func ownBucket(store market.Store) *blob.Bucket {
	if keeper, ok := store.(interface{ Images() *blob.Bucket }); ok {
		return keeper.Images()
	}
	return nil
}

// demoPhotos are the demo's photographs as a host.
type demoPhotos struct{}

// About returns what is known of one of them.
func (demoPhotos) About(_ context.Context, url string) (market.Picture, error) {
	return demo.About(url)
}

// hosts are asked one after another.
type hosts []market.Pictures

// About returns what the first says that knows the picture.
func (h hosts) About(ctx context.Context, url string) (market.Picture, error) {
	for _, host := range h {
		if about, err := host.About(ctx, url); !errors.Is(err, market.ErrNotFound) {
			return about, err
		}
	}
	return market.Picture{}, market.ErrNotFound
}
