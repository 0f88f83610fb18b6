package api

import (
	"context"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"secondring/market"
)

// Bounds of the heads that are remembered, in each of two generations.
const (
	headBytes   = 2 << 20 // of them and what is known of them
	longestHead = 2 << 10
)

// heads remembers calls by the bytes of their heads, the recent ones in two
// generations: when the younger is full, the older goes. The same bytes are the
// same call, so net/http has read for us what is asked: no reading of ours can
// differ from its.
type heads struct {
	mu         sync.RWMutex
	young, old map[string]*asked
	size       int // of young
}

func newHeads() *heads { return &heads{young: map[string]*asked{}} }

func (h *heads) find(head []byte) *asked {
	if len(head) > longestHead {
		return nil
	}
	h.mu.RLock()
	q, young := h.young[string(head)]
	if !young {
		q = h.old[string(head)]
	}
	h.mu.RUnlock()
	if q != nil && !young {
		h.keep(head, q)
	}
	return q
}

func (h *heads) keep(head []byte, q *asked) {
	if len(head) > longestHead {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, known := h.young[string(head)]; known {
		return
	}
	if h.size > headBytes {
		h.old, h.young, h.size = h.young, map[string]*asked{}, 0
	}
	h.young[string(head)] = q
	h.size += 2*len(head) + 256 // what is known holds its parts once more
}

// learn has the connection answer the call by itself when it comes again.
func (a *api) learn(on *conn, r *http.Request, q asked) {
	head := on.stream.whole()
	if head == nil || r.Close || len(r.Header["Upgrade"]) > 0 || len(r.Header[requestIDHeader]) > 0 {
		return
	}
	a.heads.keep(head, &q)
	on.again = a.again
}

// again answers a call that came with the same bytes before, by what is true
// now: the same as the short way, with net/http left out. It does not where that
// one might not.
func (a *api) again(on *conn, head []byte) bool {
	q := a.heads.find(head)
	if q == nil {
		return false
	}
	start := time.Now()
	c := hotCall{asked: *q}
	if q.token != "" {
		var known bool
		if c.who, known = a.Known(q.token); !known {
			return false
		}
	}
	kept, at := a.lookFor(on.ctx, q.uri, c.who)
	if kept == nil {
		return false
	}
	seen := kept.replay.Load()
	if c.address = on.address; len(q.via) > 0 {
		c.address = a.addressBehind(on.peer, q.via).String()
	}
	if seen == nil || a.tooFast(nowhere{}, nobody, c.who, c.address) || !on.answers() {
		return false
	}
	defer on.answered()
	c.id = a.ids.next()
	as, known := kept.formFor(c.asked)
	status, body := kept.in(as)
	a.noteHot(on.ctx, seen, c, status, len(body), start) // before anybody knows the answer
	on.tell(body, start, func(to []byte) []byte {
		to = appendOwn(append(to, seen.heads[as]()...), c.id, at, known)
		return append(appendDate(to, start), "\r\n"...)
	})
	return true
}

// nobody is the request where the limiter wants one: it takes a context of it.
var nobody = &http.Request{URL: &url.URL{}}

// nowhere is the writer where the limiter wants one: what it says of a call that
// has come too soon net/http's way says.
type nowhere struct{}

func (nowhere) Header() http.Header         { return http.Header{} }
func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (nowhere) WriteHeader(int)             {}

// dated is a header that tells a second.
type dated struct {
	second int64
	header []byte
}

var lastDate atomic.Pointer[dated]

// appendDate writes the header Date.
func appendDate(to []byte, now time.Time) []byte {
	date := lastDate.Load()
	if date == nil || date.second != now.Unix() {
		date = &dated{now.Unix(), appendField(nil, "Date", now.UTC().Format(http.TimeFormat))}
		lastDate.Store(date)
	}
	return append(to, date.header...)
}

// lookFor finds the answer for this caller: their own, or that of all who read alike.
func (a *api) lookFor(ctx context.Context, uri string, who *market.Actor) (*answer, *standpoint) {
	if who != nil {
		for _, reader := range [...]string{who.User.UID, kindSignedIn} {
			if kept, at := a.answers.look(ctx, answerKey{uri, reader}); kept != nil {
				return kept, at
			}
		}
	}
	kept, at := a.answers.look(ctx, answerKey{uri, kindVisitor})
	if kept == nil || who == nil {
		return kept, at
	}
	if seen := kept.replay.Load(); seen == nil || !seen.visitor {
		return nil, nil
	}
	return kept, at
}
