package api

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/gzip"

	"secondring/api/rest"
	"secondring/market/fresh"
)

// gzipLevel is that of answers which are compressed once for all who get them.
const gzipLevel = 5

// answer is an answer as it is sent: encoded, compressed and named once, however
// often it is given. But for what is atomic it never changes.
type answer struct {
	body  []byte
	tag   string                     // ETag without its quotes; "" for none
	small func() []byte              // the body compressed, nil where that does not pay
	quote [2][]string                // the ETag header, plain and compressed
	sizes [2]func() []string         // the Content-Length header, likewise
	head  []field                    // what else goes with the body
	at    atomic.Pointer[standpoint] // of its topic; nil where it has none

	keeping               // of an answer that is kept
	mark    fresh.Mark    // of what it depends on
	began   time.Duration // when making it was, of market.Uptime
	used    atomic.Bool   // since it was last considered for eviction
	replay  atomic.Pointer[replay]
}

// field is one header with its value.
type field struct {
	name  string
	value []string
}

// standpoint is where a topic stood, with the header that tells it.
type standpoint struct {
	position string
	header   []string
}

// newAnswer is of an encoded body for a kind of reader. Without a kind it has no
// ETag.
func newAnswer(reader string, body []byte, head ...field) *answer {
	a := &answer{body: body, head: append(head, field{"Content-Type", []string{"application/json"}})}
	if reader != "" {
		a.tag = rest.Tag(reader, body)
		a.quote = [2][]string{{`"` + a.tag + `"`}, {`"` + a.tag + rest.GzipMark + `"`}}
	}
	a.small = sync.OnceValue(func() []byte { return compressed(body) })
	plain := []string{strconv.Itoa(len(body))}
	a.sizes = [2]func() []string{
		func() []string { return plain },
		sync.OnceValue(func() []string { return []string{strconv.Itoa(len(a.small()))} }),
	}
	return a
}

// compressed is nil where compressing does not pay.
func compressed(body []byte) []byte {
	if len(body) < minGzip {
		return nil
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzipLevel)
	if err != nil {
		return nil
	}
	if _, err = w.Write(body); err != nil || w.Close() != nil || out.Len() >= len(body) {
		return nil
	}
	return out.Bytes()
}

// standing notes where the topic stood.
func (a *answer) standing(t topic, position string) {
	a.at.Store(&standpoint{position, []string{t.wire + "=" + position}})
}

// serve answers a call on its whole way, and remembers what was said beside the
// body: the short way repeats it.
func (a *answer) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	for _, f := range a.head {
		h[f.name] = f.value
	}
	if r.Method == http.MethodGet && a.answers != nil && r.Header.Get("Origin") == "" && a.replay.Load() == nil {
		if seen := a.answers.replayOf(h, r); seen != nil {
			for as := range forms {
				seen.heads[as] = sync.OnceValue(func() []byte { return a.headIn(as, seen.head) })
			}
			a.replay.Store(seen)
		}
	}
	a.send(w, asked{tags: r.Header["If-None-Match"], packs: takesGzip(r)}, a.at.Load())
}

// A form is one of the ways to give an answer.
type form int

const (
	plain form = iota
	packed
	unchanged
	forms
)

// formFor is the form that a caller is to get, and for one who has the answer
// the ETag that they have it by.
func (a *answer) formFor(q asked) (as form, known string) {
	if a.tag != "" && len(q.tags) > 0 {
		if known, ok := rest.Knows(q.tags, a.tag); ok {
			return unchanged, known
		}
	}
	if a.answers != nil && q.packs && a.small() != nil { // others are compressed on their way, or not at all
		return packed, ""
	}
	return plain, ""
}

// in is the body in a form, with its status.
func (a *answer) in(as form) (status int, body []byte) {
	switch as {
	case unchanged:
		return http.StatusNotModified, nil
	case packed:
		return http.StatusOK, a.small()
	default:
		return http.StatusOK, a.body
	}
}

// send writes the answer, or 304 to who has it. All headers that are the same in
// every form are set.
func (a *answer) send(w http.ResponseWriter, q asked, at *standpoint) (status, size int) {
	h := w.Header()
	if at != nil {
		h["Live-Position"] = at.header
	}
	as, known := a.formFor(q)
	status, body := a.in(as)
	if as == unchanged {
		h["Etag"] = []string{known}
		delete(h, "Content-Type")
		w.WriteHeader(status)
		return status, 0
	}
	if as == packed {
		h["Content-Encoding"] = gzipEncoding
	}
	if a.tag != "" {
		h["Etag"] = a.quote[as]
	}
	h["Content-Length"] = a.sizes[as]()
	w.WriteHeader(status)
	_, _ = w.Write(body) // the caller may have gone: nobody is left to tell
	return status, len(body)
}

// hand gives the answer to the connection in its bytes. Nothing may be written
// otherwise.
func (a *answer) hand(on *conn, c hotCall, seen *replay, at *standpoint) (status, size int) {
	as, known := a.formFor(c.asked)
	status, body := a.in(as)
	on.ready = &readyAnswer{head: seen.heads[as](), own: appendOwn(make([]byte, 0, 128), c.id, at, known), body: body}
	return status, len(body)
}

// appendOwn writes the headers that are this call's own.
func appendOwn(to []byte, id string, at *standpoint, known string) []byte {
	to = appendField(to, requestIDHeader, id)
	if at != nil {
		to = appendField(to, "Live-Position", at.header[0])
	}
	if known != "" {
		to = appendField(to, "Etag", known)
	}
	return to
}

// headIn is what begins the answer in a form, in its bytes.
func (a *answer) headIn(as form, fields []field) []byte {
	status, _ := a.in(as)
	head := fmt.Appendf(nil, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	for _, f := range fields {
		if f.name != "Content-Type" || as != unchanged {
			head = appendField(head, f.name, f.value[0])
		}
	}
	if as == packed {
		head = appendField(head, "Content-Encoding", "gzip")
	}
	if as == unchanged {
		return head
	}
	if a.tag != "" {
		head = appendField(head, "Etag", a.quote[as][0])
	}
	return appendField(head, "Content-Length", a.sizes[as]()[0])
}

// appendField writes a header as it is sent. No value can end its line.
func appendField(to []byte, name, value string) []byte {
	to = append(append(to, name...), ": "...)
	for _, c := range []byte(value) {
		if c == '\r' || c == '\n' {
			c = ' '
		}
		to = append(to, c)
	}
	return append(to, "\r\n"...)
}

var gzipEncoding = []string{"gzip"}
