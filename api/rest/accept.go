package rest

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// AcceptsType returns whether the request's Accept header names a type explicitly, with a
// weight above 0.
func AcceptsType(r *http.Request, media string) bool {
	weight, named := weights(r.Header.Values("Accept"))[media]
	return named && weight > 0
}

// PrefersHTML returns whether a request for a path that is both a page and a call wants the
// page: it accepts text/html and does not prefer JSON.
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

// MinGzip is the minimum size of a body, in bytes, that is compressed.
const MinGzip = 1024

// AcceptsGzip returns whether the client accepts gzip.
func AcceptsGzip(r *http.Request) bool {
	switch accepts := r.Header["Accept-Encoding"]; {
	case len(accepts) == 0:
		return false
	case len(accepts) == 1 && strings.HasPrefix(accepts[0], "gzip, "): // the header that browsers send
		return true
	default:
		return weights(accepts)["gzip"] > 0
	}
}

// weights parses a header such as Accept: each choice with its q, 1 if it is left out.
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

// AcceptsBrotli returns whether the client accepts Brotli.
func AcceptsBrotli(r *http.Request) bool {
	return weights(r.Header.Values("Accept-Encoding"))["br"] > 0
}
