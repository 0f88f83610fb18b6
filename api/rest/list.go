package rest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
)

// GzipMark ends the ETag of a compressed answer.
const GzipMark = "-gzip"

// Revalidated answers a JSON body, or 304 to a caller that has the same one.
// The kind of reader is part of the ETag, so that two readers never share one.
func Revalidated(w http.ResponseWriter, r *http.Request, reader string, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	tag := Tag(reader, body)
	if known, ok := Knows(r.Header.Values("If-None-Match"), tag); ok {
		w.Header().Set("ETag", known)
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	w.Header().Set("ETag", `"`+tag+`"`)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(body) // the caller may have gone: nobody is left to tell
	return nil
}

// Tag is the ETag of a body for a kind of reader, without quotes.
func Tag(reader string, body []byte) string {
	hash := sha256.New()
	hash.Write([]byte(reader + "\n"))
	hash.Write(body)
	return base64.RawURLEncoding.EncodeToString(hash.Sum(nil)[:15])
}

// Knows finds the tag among those of If-None-Match, compressed or not, and
// returns it as the caller holds it.
func Knows(headers []string, tag string) (string, bool) {
	for sent := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		sent = strings.TrimPrefix(strings.TrimSpace(sent), "W/")
		if sent == "*" {
			return `"` + tag + `"`, true
		}
		if sent == `"`+tag+`"` || sent == `"`+tag+GzipMark+`"` {
			return sent, true
		}
	}
	return "", false
}
