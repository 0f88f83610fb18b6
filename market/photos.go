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
	Alt string `json:"alt"` // what is to be seen, for who cannot see it; may be ""
	Picture
}

// Picture is the metadata that a picture's host has; it is empty for pictures of other
// sites.
type Picture struct {
	Width  int    `json:"width,omitempty"`  // pixels
	Height int    `json:"height,omitempty"` // pixels
	Blur   string `json:"blur,omitempty"`   // a data URL of some hundred bytes, to show until the picture is there
	Widths []int  `json:"widths,omitempty"` // of the smaller copies (CopyURL), narrowest first; pixels
}

// Pictures are the hosts that this server is itself.
type Pictures interface {
	// About returns the metadata of the picture at a URL for a phone that is about to
	// show it; its host keeps the picture from then on. ErrNotFound for a picture of
	// another host, or without variants; ErrPictureGone for one that must not be shown.
	About(ctx context.Context, url string) (Picture, error)
}

// CopyURL is where a host keeps a picture's copy of a width: beside it, as
// /images/ab.jpg has /images/ab-320.webp.
func CopyURL(url string, width int) string {
	return fmt.Sprintf("%s-%d.webp", strings.TrimSuffix(url, path.Ext(url)), width)
}

// Srcset lists the copies of the picture at a URL as HTML's srcset does, and the
// picture itself where it is wider than they are; "" without copies.
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

// Gallery returns the phone's photos, Img first. A phone from before there could be
// several has only Img.
func (p Product) Gallery() []Photo {
	if len(p.Photos) == 0 {
		return []Photo{{URL: p.Img}}
	}
	return p.Photos
}

// NewPhoto is a photo in a request.
type NewPhoto struct {
	URL, Alt string
	field    string // of the payload; "" means its place among the photos
}

// ErrPictureGone is returned for a picture that its host has deleted or taken down.
var ErrPictureGone = errors.New("market: the picture is not kept any more")

// gallery checks the photos of a request.
func (f Fields) gallery(photos []NewPhoto) {
	if len(photos) > maxPhotos {
		f.add("photos", fmt.Sprintf("are at most %d", maxPhotos))
		return
	}
	for i, photo := range photos {
		f.image(photoField(i), photo.URL)
		f.optional(fmt.Sprintf("photos[%d].alt", i), photo.Alt, maxAlt)
	}
}

// photoField returns the name of a photo's address in a request.
func photoField(i int) string { return fmt.Sprintf("photos[%d].url", i) }

// first requires img to be the first photo if both are sent.
func (f Fields) first(img string, photos []NewPhoto) {
	if img != "" && len(photos) > 0 && img != photos[0].URL {
		f.add("img", "is not the first of the photos")
	}
}

// resolvePhotos adds the metadata of their hosts to the photos of a request. It refuses photos
// that their hosts have deleted.
func (m *Market) resolvePhotos(ctx context.Context, sent []NewPhoto) ([]Photo, error) {
	photos, f := make([]Photo, 0, len(sent)), Fields{}
	for i, s := range sent {
		photo := Photo{URL: s.URL, Alt: strings.TrimSpace(s.Alt)}
		if m.pictures != nil {
			var err error
			photo.Picture, err = m.pictures.About(ctx, s.URL)
			switch {
			case errors.Is(err, ErrPictureGone):
				f.add(cmp.Or(s.field, photoField(i)), "is a picture that is not here any more: please upload one again")
			case err != nil && !errors.Is(err, ErrNotFound):
				return nil, err
			}
		}
		photos = append(photos, photo)
	}
	return photos, f.err()
}
