package rest

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// AcceptsType tells whether the request's Accept names a type itself, not by a
// wildcard, and wants it.
func AcceptsType(r *http.Request, media string) bool {
	weight, named := weights(r.Header.Values("Accept"))[media]
	return named && weight > 0
}

// PrefersHTML tells whether a request for an address that is both a page and a call
// means the page: it accepts text/html and does not prefer JSON.
func PrefersHTML(r *http.Request) bool {
	all := weights(r.Header.Values("Accept"))
	html, named := all["text/html"]
	json := 0.0
	for _, media := range []string{"application/json", "application/*", "*/*"} {
		if weight, found := all[media]; found {
			json = weight
			break
		}
	}
	return named && html > 0 && html >= json
}

// MinGzip is the least size of a body, in bytes, that is worth compressing.
const MinGzip = 1024

// AcceptsGzip tells whether the caller can unpack gzip.
func AcceptsGzip(r *http.Request) bool {
	switch accepts := r.Header["Accept-Encoding"]; {
	case len(accepts) == 0:
		return false
	case len(accepts) == 1 && strings.HasPrefix(accepts[0], "gzip, "): // as every browser says it
		return true
	default:
		return weights(accepts)["gzip"] > 0
	}
}

// weights reads a header such as Accept: each choice with its q, 1 when left out.
func weights(header []string) map[string]float64 {
	all := map[string]float64{}
	for part := range strings.SplitSeq(strings.Join(header, ","), ",") {
		media, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		weight := 1.0
		if q, err := strconv.ParseFloat(params["q"], 64); err == nil {
			weight = q
		}
		all[media] = weight
	}
	return all
}

// AcceptsBrotli tells whether the caller can unpack Brotli.
func AcceptsBrotli(r *http.Request) bool {
	return weights(r.Header.Values("Accept-Encoding"))["br"] > 0
}
