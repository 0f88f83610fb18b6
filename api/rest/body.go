package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"secondring/market"
)

// MaxBody is how long a JSON body may be, in bytes.
const MaxBody = 1 << 20

// Body is a JSON object that was sent, read field by field, so that a field of
// the wrong type is told by name. Unknown fields are ignored.
type Body struct {
	fields map[string]json.RawMessage
	place  string        // before its fields' names, where it is in another body's list
	Wrong  market.Fields // fields whose type is not what was asked for
}

// taken is a body that has come in.
type taken struct {
	*bytes.Reader

	all []byte
}

func (taken) Close() error { return nil }

// BufferBody waits for the whole of the call's body, so that nothing waits for a
// slow caller afterwards. Its errors: 413 for more than MaxBody, 400 for one that
// breaks off.
func BufferBody(w http.ResponseWriter, r *http.Request) error {
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	if _, is := r.Body.(taken); is {
		return nil
	}
	raw, err := readAll(http.MaxBytesReader(w, r.Body, MaxBody), r.ContentLength)
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return NewError(CodeTooLarge, "The body is larger than 1 MB")
	}
	if err != nil {
		return NewError(market.CodeBadRequest, "The body could not be read to its end")
	}
	r.Body = taken{bytes.NewReader(raw), raw}
	return nil
}

// ReadBody reads the call's JSON object. Its errors: 415 for another content
// type, or one that is packed, those of TakeBody, 400 for what is not one JSON
// object, or has fields without end.
func ReadBody(w http.ResponseWriter, r *http.Request) (*Body, error) {
	if !sentAsJSON(r) {
		return nil, NewError(CodeUnsupported, "Send the body as application/json")
	}
	if packing := r.Header.Get("Content-Encoding"); packing != "" && !strings.EqualFold(packing, "identity") {
		return nil, NewError(CodeUnsupported, "Send the body as it is, without Content-Encoding")
	}
	if err := BufferBody(w, r); err != nil {
		return nil, err
	}
	var raw []byte
	if t, is := r.Body.(taken); is {
		raw = t.all
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

// roomAhead is how much room is made for a body before any of it has come.
const roomAhead = 16 << 10

// readAll reads to the end of what is, as was said, this long.
func readAll(from io.Reader, length int64) ([]byte, error) {
	var all bytes.Buffer
	if length > 0 {
		all.Grow(int(min(length, roomAhead)) + bytes.MinRead) // so that it need not grow to see the end
	}
	_, err := all.ReadFrom(from)
	return all.Bytes(), err
}

// open reads one JSON object; false for anything else.
func (b *Body) open(raw []byte) (ok bool) {
	b.fields, ok = object(raw)
	return ok
}

// sentAsJSON looks at the content type. A page elsewhere can send other types
// without being asked first, and the browser adds the cookie; a bearer it cannot
// add, so there a call may leave the type out.
func sentAsJSON(r *http.Request) bool {
	sent := r.Header.Get("Content-Type")
	_, someone := Actor(r.Context())
	if _, cookie := CookieOwner(r.Context()); someone && !cookie && sent == "" {
		return true
	}
	media, _, err := mime.ParseMediaType(sent)
	return err == nil && (media == "application/json" || strings.HasSuffix(media, "+json"))
}

// Has tells whether the field was sent, and not as null.
func (b *Body) Has(name string) bool {
	raw, ok := b.fields[name]
	return ok && string(raw) != "null"
}

// Text returns a string field; "" when it was not sent.
func (b *Body) Text(name string) string {
	if s, ok := unescaped(b.fields[name]); ok {
		return s
	}
	var s string
	b.read(name, &s, "must be a text")
	return s
}

// unescaped is a JSON text that stands as it is. That it is one, and UTF-8, was
// seen when the whole body was read.
func unescaped(raw json.RawMessage) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' || bytes.IndexByte(raw, '\\') >= 0 {
		return "", false
	}
	return string(raw[1 : len(raw)-1]), true
}

// Int returns an integer field; 0 when it was not sent. 12.0 and "12" are not
// integers.
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

// Price returns a whole number of US dollars, as a JSON integer or as a string of
// digits, which is what an HTML form gives; 0 when it was not sent.
func (b *Body) Price(name string) int {
	if digits, ok := unescaped(b.fields[name]); ok && isDigits(digits) {
		if n, err := strconv.Atoi(digits); err == nil {
			return n
		}
	}
	return b.Int(name)
}

func isDigits(s string) bool {
	return s != "" && strings.IndexFunc(s, func(c rune) bool { return c < '0' || c > '9' }) < 0
}

// OptText returns a string field, nil when it was not sent.
func (b *Body) OptText(name string) *string {
	if !b.Has(name) {
		return nil
	}
	s := b.Text(name)
	return &s
}

// OptInt returns an integer field, nil when it was not sent.
func (b *Body) OptInt(name string) *int {
	if !b.Has(name) {
		return nil
	}
	n := b.Int(name)
	return &n
}

// OptPrice returns a Price, nil when it was not sent.
func (b *Body) OptPrice(name string) *int {
	if !b.Has(name) {
		return nil
	}
	n := b.Price(name)
	return &n
}

func (b *Body) read(name string, into any, complaint string) {
	if b.Has(name) && json.Unmarshal(b.fields[name], into) != nil {
		b.wrong(name, complaint)
	}
}

func (b *Body) wrong(name, complaint string) { b.Wrong[b.place+name] = complaint }

// maxObjects is how many objects of a list are read. No list may be that long,
// and one that is need not have each of its objects complained about.
const maxObjects = 100

// Objects returns a field that is a list of objects, nil when it was not sent.
// What is wrong in one is told with its place, as in photos[2].url.
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
		place := fmt.Sprintf("%s[%d]", name, i)
		object := &Body{Wrong: b.Wrong, place: b.place + place + "."}
		if !object.open(raw) {
			b.wrong(place, "must be an object")
		}
		objects = append(objects, object)
	}
	return objects
}

// JSON answers with a value.
func JSON(w http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil { // only for a type that no answer has
		http.Error(w, `{"message":"Something went wrong on our side","code":"internal"}`, http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the caller may have gone: nobody is left to tell
}
