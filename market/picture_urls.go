package market

import (
	"net/url"
	"slices"
	"strings"
)

// The store has paths for the pictures of this server, so that PUBLIC_URL may change. Answers and
// events have absolute URLs, so that clients of other origins can show the pictures.

// Absolute returns a view with absolute URLs of pictures. A view without pictures, and every view in
// a market without Rules.PublicURL, stays the same.
func Absolute[V any](m *Market, view V) V {
	if v, ok := any(view).(interface{ at(origin string) V }); ok && m != nil && m.rules.PublicURL != "" {
		return v.at(m.rules.PublicURL)
	}
	return view
}

func (v ProductView) at(origin string) ProductView {
	v.Img, v.Photos = AbsoluteURL(origin, v.Img), slices.Clone(v.Photos)
	for i, photo := range v.Photos {
		v.Photos[i].URL = AbsoluteURL(origin, photo.URL)
		if v.Photos[i].URL != photo.URL {
			path := copyPrefix(photo.URL)
			v.Photos[i].Srcset = strings.ReplaceAll(photo.Srcset, path, origin+path)
		}
	}
	return v
}

func (v BookingView) at(origin string) BookingView {
	v.Img = AbsoluteURL(origin, v.Img)
	return v
}

func (v WaitlistEntryView) at(origin string) WaitlistEntryView {
	v.Img = AbsoluteURL(origin, v.Img)
	return v
}

func (v BrandView) at(origin string) BrandView {
	v.Img = AbsoluteURL(origin, v.Img)
	return v
}

func (v ReportView) at(origin string) ReportView {
	v.Img = AbsoluteURL(origin, v.Img)
	return v
}

func (v AccountView) at(origin string) AccountView {
	v.PhotoURL = AbsoluteURL(origin, v.PhotoURL)
	return v
}

// AbsoluteURL returns the URL of a picture as clients get it: with the origin, if it is a path on
// this site.
func AbsoluteURL(origin, address string) string {
	if !strings.HasPrefix(address, "/") {
		return address
	}
	return origin + address
}

// StoredURL returns the URL of a picture as it is stored: without the origin, if it is this site's. It
// is the reverse of AbsoluteURL, so that what a client got and sends back changes nothing.
func StoredURL(origin, address string) string {
	own, err := url.Parse(origin)
	u, sentErr := url.Parse(address)
	if err != nil || sentErr != nil || u.User != nil || own.Host == "" {
		return address
	}
	if u.Scheme != own.Scheme || !strings.EqualFold(withoutDefaultPort(u), withoutDefaultPort(own)) {
		return address
	}
	_, path, hasPath := strings.Cut(address[len(u.Scheme)+len("://"):], "/")
	if !hasPath || strings.HasPrefix(path, "/") || strings.Contains(path, `\`) { // as a path it would name another site
		return address
	}
	return "/" + path
}

// withoutDefaultPort returns the host of a URL, with its port unless that is the scheme's.
func withoutDefaultPort(u *url.URL) string {
	if port := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]; port != "" {
		return strings.TrimSuffix(u.Host, port)
	}
	return u.Host
}

// storedPhotos returns the photos of a request with the URLs as they are stored.
func (m *Market) storedPhotos(photos []PhotoRequest) []PhotoRequest {
	photos = slices.Clone(photos)
	for i := range photos {
		photos[i].URL = StoredURL(m.rules.PublicURL, photos[i].URL)
	}
	return photos
}
