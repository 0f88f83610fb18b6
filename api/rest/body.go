package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"secondring/market"
)

// MaxBody is the maximum length of a JSON body, in bytes.
const MaxBody = 1 << 20

// maxCommas is the maximum number of commas in a JSON body. A body of 1 MB with nothing but
// fields, or items of a list, would use many times its size in memory. Texts of people have at
// most 4000 characters.
const maxCommas = 10_000

// BufferBody reads the whole body of a request into memory, so that no lock or slot is held
// while a slow client sends it. It returns the errors of readBody.
func BufferBody(w http.ResponseWriter, r *http.Request) error {
	raw, err := readBody(w, r)
	r.Body = io.NopCloser(bytes.NewReader(raw))
	return err
}

// readBody reads a body to its end. It returns 413 for more than MaxBody, and 400 for a
// truncated body.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return nil, NewError(CodeTooLarge, "The body is larger than 1 MB")
	}
	if err != nil {
		return nil, NewError(market.CodeBadRequest, "The body could not be read to its end")
	}
	return raw, nil
}

// mustBeJSON returns 415 for another content type or a compressed body.
func mustBeJSON(r *http.Request) error {
	if !sentAsJSON(r) {
		return NewError(CodeUnsupported, "Send the body as application/json")
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return NewError(CodeUnsupported, "Send the body as it is, without Content-Encoding")
	}
	return nil
}

// sentAsJSON checks the content type. A page of another site can send other types with the
// cookie and without a preflight request. It cannot add a bearer, so requests with a bearer
// need no type.
func sentAsJSON(r *http.Request) bool {
	sent := r.Header.Get("Content-Type")
	_, hasActor := Actor(r.Context())
	if _, cookie := CookieOwner(r.Context()); hasActor && !cookie && sent == "" {
		return true
	}
	media, _, err := mime.ParseMediaType(sent)
	return err == nil && (media == "application/json" || strings.HasSuffix(media, "+json"))
}

// mustBeObject returns 400 for anything but one JSON object in UTF-8. encoding/json accepts null
// for an object, and replaces invalid UTF-8.
func mustBeObject(raw []byte) error {
	if !utf8.Valid(raw) || !json.Valid(raw) || bytes.TrimSpace(raw)[0] != '{' {
		return NewError(market.CodeBadRequest, "The body is not a JSON object")
	}
	if bytes.Count(raw, []byte{','}) > maxCommas {
		return NewError(market.CodeBadRequest, "The body has too many values")
	}
	return nil
}

// JSON sends a value with a status.
func JSON(w http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil { // only for types that encoding/json cannot encode
		http.Error(w, `{"message":"Something went wrong on our side","code":"internal"}`, http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(body) // an error means that the caller has closed the connection
}
