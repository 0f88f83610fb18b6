package rest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// GzipMark is the end of the ETag of a compressed response.
const GzipMark = "-gzip"

// responseGzipLevel is the compression level of responses. A cached one is compressed once
// for all callers.
const responseGzipLevel = 5

// Response is an encoded JSON response to a GET, which can be sent to many callers. It is
// safe for concurrent use once its Header is complete.
type Response struct {
	Header http.Header
	tag    string // ETag without its quotes; "" for none
	plain  encoding
	gzip   func() encoding // has no body if compression saves nothing
}

// encoding is an encoded body with the headers that describe it.
type encoding struct {
	header http.Header
	body   []byte
}

// NewResponse returns a response with an encoded body for a kind of reader. The kind is
// part of the ETag, so that two kinds never share one. Without a kind it has no ETag.
func NewResponse(reader string, body []byte) *Response {
	response := &Response{Header: http.Header{}}
	if reader != "" {
		response.tag = etag(reader, body)
	}
	response.plain = encoded(body, response.tag, "")
	response.gzip = sync.OnceValue(func() encoding {
		small := encoded(Gzipped(body, responseGzipLevel), response.tag, GzipMark)
		small.header.Set("Content-Encoding", "gzip")
		return small
	})
	return response
}

// encoded returns an encoding of a body whose ETag ends with suffix.
func encoded(body []byte, tag, suffix string) encoding {
	header := http.Header{}
	header.Set("Content-Type", "application/json")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	if tag != "" {
		header.Set("ETag", `"`+tag+suffix+`"`)
	}
	return encoding{header, body}
}

// Send writes the response, or 304 if If-None-Match has its ETag.
func (a *Response) Send(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	maps.Copy(h, a.Header)
	if known, ok := matching(r.Header["If-None-Match"], a.tag); ok && a.tag != "" {
		h.Set("ETag", known)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	sent := a.plain
	if AcceptsGzip(r) && a.gzip().body != nil {
		sent = a.gzip()
	}
	maps.Copy(h, sent.header)
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(sent.body) // an error means that the caller has closed the connection
}

// SendJSON encodes a value and sends it as a Response.
func SendJSON(w http.ResponseWriter, r *http.Request, reader string, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	NewResponse(reader, body).Send(w, r)
	return nil
}

// etag returns the ETag of a body for a kind of reader, without quotes.
func etag(reader string, body []byte) string {
	hash := sha256.New()
	hash.Write([]byte(reader + "\n"))
	hash.Write(body)
	return base64.RawURLEncoding.EncodeToString(hash.Sum(nil)[:15])
}

// matching finds the tag in If-None-Match, with or without the mark of compression, and
// returns it as it was sent.
func matching(headers []string, tag string) (string, bool) {
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
