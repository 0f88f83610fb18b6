package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"secondring/market"
)

// MaxBody is the maximum length of a JSON body, in bytes.
const MaxBody = 1 << 20

// Body is the JSON object of a request. It is read field by field, so that a field of the
// wrong type is named. Unknown fields are ignored.
type Body struct {
	fields map[string]json.RawMessage
	prefix string        // prefix of its field names, for an object in a list of another body
	Wrong  market.Fields // errors of fields with a wrong type
}

// bufferedBody is a body that was read completely.
type bufferedBody struct {
	*bytes.Reader

	all []byte
}

func (bufferedBody) Close() error { return nil }

// BufferBody reads the whole body of a request into memory, so that no lock or slot is held
// while a slow client sends it. It returns 413 for more than MaxBody, and 400 for a
// truncated body.
func BufferBody(w http.ResponseWriter, r *http.Request) error {
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	if _, isBuffered := r.Body.(bufferedBody); isBuffered {
		return nil
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return NewError(CodeTooLarge, "The body is larger than 1 MB")
	}
	if err != nil {
		return NewError(market.CodeBadRequest, "The body could not be read to its end")
	}
	r.Body = bufferedBody{bytes.NewReader(raw), raw}
	return nil
}

// ReadBody reads the JSON object of a request. It returns 415 for another content type or a
// compressed body, the errors of BufferBody, and 400 for anything but one JSON object with
// at most maxFields fields.
func ReadBody(w http.ResponseWriter, r *http.Request) (*Body, error) {
	if !sentAsJSON(r) {
		return nil, NewError(CodeUnsupported, "Send the body as application/json")
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return nil, NewError(CodeUnsupported, "Send the body as it is, without Content-Encoding")
	}
	if err := BufferBody(w, r); err != nil {
		return nil, err
	}
	var raw []byte
	if body, isBuffered := r.Body.(bufferedBody); isBuffered {
		raw = body.all
	}
	b := &Body{Wrong: market.Fields{}}
	if !utf8.Valid(raw) || !b.open(raw) {
		return nil, NewError(market.CodeBadRequest, "The body is not a JSON object")
	}
	if len(b.fields) > maxFields {
		return nil, NewError(market.CodeBadRequest, fmt.Sprintf("The body has more than %d fields", maxFields))
	}
	return b, nil
}

// open parses one JSON object. It returns false for anything else.
func (b *Body) open(raw []byte) (ok bool) {
	b.fields, ok = object(raw)
	return ok
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

// Has returns whether the field was sent and is not null.
func (b *Body) Has(name string) bool {
	raw, ok := b.fields[name]
	return ok && string(raw) != "null"
}

// Text returns a string field, cleaned as its name asks (cleaners); "" if it was not sent.
func (b *Body) Text(name string) string {
	var s string
	if b.Has(name) && json.Unmarshal(b.fields[name], &s) != nil {
		b.wrong(name, "must be a text")
	}
	return clean(name, s)
}

// Int returns an integer field; 0 if it was not sent. 12.0 and "12" are not integers.
func (b *Body) Int(name string) int {
	if !b.Has(name) {
		return 0
	}
	n, err := strconv.Atoi(string(b.fields[name]))
	if err != nil {
		b.wrong(name, "must be a whole number")
	}
	return n
}

// Price returns a whole number of US dollars, sent as a JSON integer or as a text
// (market.ParseDollars); 0 if it was not sent.
func (b *Body) Price(name string) int {
	text, isText := b.numberText(name)
	if !isText {
		return b.Int(name)
	}
	dollars, reason := market.ParseDollars(text)
	if reason != "" {
		b.wrong(name, reason)
	}
	return dollars
}

// Digits is Int for a number that may also be sent as a text of digits, as HTML forms do.
func (b *Body) Digits(name string) int {
	text, isText := b.numberText(name)
	n, err := strconv.Atoi(text)
	if isText && err == nil && n >= 0 {
		return n
	}
	return b.Int(name)
}

// numberText returns the text of a number that was sent as a text.
func (b *Body) numberText(name string) (text string, isText bool) {
	if !b.Has(name) || json.Unmarshal(b.fields[name], &text) != nil {
		return "", false
	}
	return market.CleanNumber(text), true
}

// OptText returns a string field; nil if it was not sent.
func (b *Body) OptText(name string) *string {
	if !b.Has(name) {
		return nil
	}
	s := b.Text(name)
	return &s
}

// optInt returns an integer field, read by Int, Price or Digits; nil if it was not sent.
func (b *Body) optInt(name string, read func(string) int) *int {
	if !b.Has(name) {
		return nil
	}
	n := read(name)
	return &n
}

func (b *Body) wrong(name, reason string) { b.Wrong.Add(b.prefix+name, reason) }

// maxObjects is how many objects of a list are read. Every list has a lower limit, so a
// longer one is refused anyway.
const maxObjects = 100

// Objects returns a field that is a list of objects; nil if it was not sent. An error in
// one is reported with its index, as in photos[2].url.
func (b *Body) Objects(name string) []*Body {
	if !b.Has(name) {
		return nil
	}
	values, ok := list(b.fields[name], maxObjects)
	if !ok {
		b.wrong(name, "must be a list")
		return nil
	}
	objects := make([]*Body, 0, len(values))
	for i, raw := range values {
		at := fmt.Sprintf("%s[%d]", name, i)
		object := &Body{Wrong: b.Wrong, prefix: b.prefix + at + "."}
		if !object.open(raw) {
			b.wrong(at, "must be an object")
		}
		objects = append(objects, object)
	}
	return objects
}

// Texts returns a field that is an object of strings; nil if it was not sent.
func (b *Body) Texts(name string) map[string]string {
	if !b.Has(name) {
		return nil
	}
	inner := &Body{Wrong: b.Wrong, prefix: b.prefix + name + "."}
	if !inner.open(b.fields[name]) || len(inner.fields) > maxObjects {
		b.wrong(name, "must be an object of texts")
		return nil
	}
	texts := map[string]string{}
	for field := range inner.fields {
		texts[field] = inner.Text(field)
	}
	return texts
}

// Params returns a field that is a query string, or an object of the same parameters, each
// a string, a number, true, false or a list of those; nil if it was not sent.
func (b *Body) Params(name string) url.Values {
	if !b.Has(name) {
		return nil
	}
	var text string
	if json.Unmarshal(b.fields[name], &text) == nil {
		params, err := url.ParseQuery(strings.TrimPrefix(text, "?"))
		if err != nil {
			b.wrong(name, "must be a query string")
		}
		return params
	}
	fields, ok := object(b.fields[name])
	if !ok || len(fields) > maxFields {
		b.wrong(name, "must be a query string, or an object of its parameters")
		return nil
	}
	params := url.Values{}
	for param, raw := range fields {
		values, isList := list(raw, maxObjects)
		if !isList {
			values = []json.RawMessage{raw}
		}
		for _, value := range values {
			if err := json.Unmarshal(value, &text); err != nil {
				text = string(value) // a number, true or false; the reader of the parameter refuses others
			}
			if string(value) != "null" {
				params.Add(param, text)
			}
		}
	}
	return params
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
