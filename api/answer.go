package api

import (
	"bytes"
	"context"
	"encoding/json"
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

	keeping              // of an answer that is kept
	mark    fresh.Mark   // of what it depends on
	sure    atomic.Int64 // when that was last confirmed, by the machine's clock
	used    atomic.Bool  // since it was last considered for eviction
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

// newAnswer encodes a value for a kind of reader. Without a kind it has no ETag.
func newAnswer(reader string, value any, head ...field) (*answer, error) {
	body, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
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
	return a, nil
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
		a.replay.Store(a.answers.replayOf(h, r))
	}
	a.send(w, r, a.at.Load())
}

// send writes the body, or 304 to who has it. All headers that are the same for
// everybody are set.
func (a *answer) send(w http.ResponseWriter, r *http.Request, at *standpoint) (status, size int) {
	h, form, body := w.Header(), 0, a.body
	if at != nil {
		h["Live-Position"] = at.header
	}
	if a.tag != "" {
		if sent := r.Header["If-None-Match"]; len(sent) > 0 {
			if known, ok := rest.Knows(sent, a.tag); ok {
				h["Etag"] = []string{known}
				delete(h, "Content-Type")
				w.WriteHeader(http.StatusNotModified)
				return http.StatusNotModified, 0
			}
		}
	}
	if a.answers != nil && takesGzip(r) { // others are compressed on their way, or not at all
		if small := a.small(); small != nil {
			form, body = 1, small
			h["Content-Encoding"] = gzipEncoding
		}
	}
	if a.tag != "" {
		h["Etag"] = a.quote[form]
	}
	h["Content-Length"] = a.sizes[form]()
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(body) // the caller may have gone: nobody is left to tell
	return http.StatusOK, len(body)
}

// sendAtOnce is send in one write, where the answer takes two otherwise.
func (a *answer) sendAtOnce(w http.ResponseWriter, r *http.Request, at *standpoint) (status, size int) {
	if len(a.body) <= heldSize {
		return a.send(w, r, at)
	}
	c, _ := r.Context().Value(connKey{}).(*conn)
	c.cork()
	defer c.uncork()
	return a.send(w, r, at)
}

var gzipEncoding = []string{"gzip"}

// confirmed tells whether the answer was true a moment ago, or still is by its
// own account.
func (a *answer) confirmed(ctx context.Context) bool {
	now := time.Now()
	if now.UnixNano()-a.sure.Load() < int64(confirmAfter) {
		return true
	}
	if a.still == nil || !a.still(ctx) {
		return false
	}
	a.sure.Store(now.UnixNano())
	return true
}
