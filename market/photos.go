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

// Limits of a phone's photographs.
const (
	maxPhotos = 8
	maxAlt    = 200 // characters
)

// Photo is one photograph of a phone.
type Photo struct {
	URL string `json:"url"` // http(s) or site-relative
	Alt string `json:"alt"` // what is to be seen, for who cannot see it; may be ""
	Picture
}

// Picture is what a picture's host knows of it: nothing where somebody else
// hosts it.
type Picture struct {
	Width  int    `json:"width,omitempty"`  // pixels
	Height int    `json:"height,omitempty"` // pixels
	Blur   string `json:"blur,omitempty"`   // a data URL of some hundred bytes, to show until the picture is there
	Widths []int  `json:"widths,omitempty"` // of the smaller copies (CopyURL), narrowest first; pixels
}

// Pictures are the hosts that this server is itself.
type Pictures interface {
	// About returns what is known of the picture at a URL, which somebody is about
	// to show: its host keeps it from then on. ErrNotFound for one of another host, or without copies; ErrPictureGone for one that may not be
	// shown any more.
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

// Gallery is the phone's photographs, Img first. One that was listed before
// there could be several has Img alone.
func (p Product) Gallery() []Photo {
	if len(p.Photos) == 0 {
		return []Photo{{URL: p.Img}}
	}
	return p.Photos
}

// NewPhoto is a photograph as a payload names it.
type NewPhoto struct {
	URL, Alt string
	field    string // of the payload; "" means its place among the photos
}

// ErrPictureGone is of a picture whose host keeps it no more.
var ErrPictureGone = errors.New("market: the picture is not kept any more")

// gallery checks a payload's photographs.
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

// photoField is the payload's name of a photograph's address.
func photoField(i int) string { return fmt.Sprintf("photos[%d].url", i) }

// first wants img to be the first photograph, where both are sent.
func (f Fields) first(img string, photos []NewPhoto) {
	if img != "" && len(photos) > 0 && img != photos[0].URL {
		f.add("img", "is not the first of the photos")
	}
}

// develop makes photographs of a payload's, with what their hosts know. It
// refuses those that their hosts keep no more.
func (m *Market) develop(ctx context.Context, sent []NewPhoto) ([]Photo, error) {
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
