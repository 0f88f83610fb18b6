package app

import (
	"errors"
	"log/slog"
	"net/url"
	"path/filepath"
	"strings"

	"secondring/api/images"
	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// imageHost is the built-in one. With IMAGE_HOST_URL set browsers post
// elsewhere; what this one has keeps being served.
func imageHost(s settings.Settings, store market.Store, log *slog.Logger) (*images.Host, error) {
	folder, err := imagesFolder(s)
	if err != nil {
		return nil, err
	}
	bucket, err := images.OpenFolder(folder)
	if err != nil {
		return nil, &settings.Error{
			Setting: "IMAGES_URL", Problem: "cannot be opened (" + err.Error() + ")", Mend: "name a folder that can be written",
		}
	}
	return images.New(images.Config{Bucket: bucket, User: store.User, Log: log}), nil
}

var errNotAFolder = errors.New("IMAGES_URL is no address like file:///var/lib/secondring/images")

// imagesFolder is the one that IMAGES_URL names, or one in DATA_DIR.
func imagesFolder(s settings.Settings) (string, error) {
	if s.ImagesURL == "" {
		return filepath.Abs(filepath.Join(s.DataDir, "images"))
	}
	u, err := url.Parse(s.ImagesURL)
	if err != nil || u.Scheme != "file" || u.Host != "" || !strings.HasPrefix(u.Path, "/") {
		return "", errNotAFolder
	}
	return u.Path, nil
}
