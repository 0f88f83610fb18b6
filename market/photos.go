package market

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Limits of a phone's photos.
const (
	maxPhotos = 8
	maxAlt    = 200 // characters
)

// Photo is one photo of a phone.
type Photo struct {
	URL string `json:"url"` // http(s) or site-relative
	Alt string `json:"alt"` // what the photo shows, for people who cannot see it; may be ""
	Picture
}

// PhotoURLs returns the addresses of the phone's pictures.
func (p Product) PhotoURLs() []string {
	urls := []string{p.Img}
	for _, photo := range p.Photos {
		urls = append(urls, photo.URL)
	}
	return urls
}

// Picture is the metadata of a picture on an image host of this server; it is empty for
// pictures of other sites.
type Picture struct {
	Width  int    `json:"width,omitempty"`  // pixels
	Height int    `json:"height,omitempty"` // pixels
	Blur   string `json:"blur,omitempty"`   // a data URL of a few hundred bytes, shown while the picture loads
	Widths []int  `json:"widths,omitempty"` // widths of the smaller copies (CopyURL), narrowest first; pixels
}

// Pictures is the image hosts of this server.
type Pictures interface {
	// Metadata returns the metadata of the picture at a URL that a phone is about to show.
	// From then on its host keeps the picture. It returns ErrNotFound for a picture of
	// another site, or without variants, and ErrPictureGone for a deleted one.
	Metadata(ctx context.Context, url string) (Picture, error)
}

// CopyURL returns the URL of a picture's copy of a width: for /images/ab.jpg it is
// /images/ab-320.webp.
func CopyURL(url string, width int) string {
	return fmt.Sprintf("%s-%d.webp", copyPrefix(url), width)
}

// copyPrefix returns what the URLs of a picture's copies begin with.
func copyPrefix(url string) string { return strings.TrimSuffix(url, path.Ext(url)) }

// Srcset returns the value of HTML's srcset for the picture at a URL: its copies, and the
// picture itself if it is wider. It returns "" without copies.
func (p Picture) Srcset(url string) string {
	if len(p.Widths) == 0 {
		return ""
	}
	var choices []string
	for _, width := range p.Widths {
		choices = append(choices, fmt.Sprintf("%s %dw", CopyURL(url, width), width))
	}
	if p.Width > slices.Max(p.Widths) {
		choices = append(choices, fmt.Sprintf("%s %dw", url, p.Width))
	}
	return strings.Join(choices, ", ")
}

// Gallery returns the phone's photos, Img first. An old phone may have only Img.
func (p Product) Gallery() []Photo {
	if len(p.Photos) == 0 {
		return []Photo{{URL: p.Img}}
	}
	return p.Photos
}

// PhotoRequest is a photo in a ProductRequest or a ProductChange.
type PhotoRequest struct {
	URL, Alt string
	field    string // of the payload; "" means its place among the photos
}

// ErrPictureGone is the error for a picture that its host has deleted or taken down.
var ErrPictureGone = errors.New("market: the picture was deleted")

// gallery checks the photos of a request.
func (f Fields) gallery(photos []PhotoRequest) {
	if len(photos) > maxPhotos {
		f.Add("photos", fmt.Sprintf("must have at most %d", maxPhotos))
		return
	}
	for i, photo := range photos {
		f.image(photoField(i), photo.URL)
		f.optional(fmt.Sprintf("photos[%d].alt", i), photo.Alt, maxAlt)
	}
}

// photoField returns the name of a photo's URL field in a request.
func photoField(i int) string { return fmt.Sprintf("photos[%d].url", i) }

// first requires img to be the first photo if both are sent.
func (f Fields) first(img string, photos []PhotoRequest) {
	if img != "" && len(photos) > 0 && img != photos[0].URL {
		f.Add("img", "is not the first of the photos")
	}
}

// resolvePhotos adds the hosts' metadata to the photos of a request. It returns an error
// for photos that their hosts have deleted.
func (m *Market) resolvePhotos(ctx context.Context, sent []PhotoRequest) ([]Photo, error) {
	photos, f := make([]Photo, 0, len(sent)), Fields{}
	for i, s := range sent {
		photo := Photo{URL: s.URL, Alt: s.Alt}
		if m.pictures != nil {
			var err error
			photo.Picture, err = m.pictures.Metadata(ctx, s.URL)
			switch {
			case errors.Is(err, ErrPictureGone):
				f.Add(cmp.Or(s.field, photoField(i)), "is a photo that was deleted: please upload it again")
			case err != nil && !errors.Is(err, ErrNotFound):
				return nil, err
			}
		}
		photos = append(photos, photo)
	}
	return photos, f.Err()
}
