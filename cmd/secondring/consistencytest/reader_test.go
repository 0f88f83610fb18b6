package consistencytest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// reader is a client of one list, which uses only the documented API and live protocol. So a
// difference between its list and a newly fetched one is a fault of the server.
type reader struct {
	w           *env
	url         string
	path, topic string
	token       func() string // nil for a visitor

	mu    sync.Mutex
	shown map[string]json.RawMessage
	known map[string]int64 // versions, those of what is gone too
	last  map[string]int64 // the version that the topic told last
	at    string
	stale bool // the list is to be fetched
	up    bool // subscribed
	wrong string
}

// A socket is closed if it sends no hello, or nothing at all, within these times, as in
// the client (lib/live/connection.ts).
const (
	helloIn   = 10 * time.Second
	silentFor = 62 * time.Second
)

// callers is the HTTP client of calls that no window makes.
var callers = http.Client{Timeout: 20 * time.Second}

// receivedEvent is the data of an event or of an entity in a list.
type receivedEvent struct {
	ID        string `json:"_id"`
	Version   int64
	Advertise bool
	Booked    bool
}

// readers subscribe to advertised phones, a brand and a seller's phones, on all networks.
func (e *env) startReaders() {
	ctx, stop := context.WithCancel(context.WithoutCancel(e.t.Context()))
	var all sync.WaitGroup
	e.t.Cleanup(func() {
		stop()
		all.Wait()
	})
	s := e.stormy
	for i, network := range e.networks {
		r := &reader{
			w: e, url: network.url, shown: map[string]json.RawMessage{}, known: map[string]int64{},
			last: map[string]int64{}, stale: true, token: s.pass,
		}
		switch i % 3 {
		case 0:
			r.path, r.topic, r.token = "/products/advertised", "advertised", nil
		case 1:
			r.path, r.topic = "/categories/"+s.brands[0].ID, "brand:"+s.brands[0].ID
		case 2:
			r.path, r.topic = "/products?email="+s.person.email, "me"
		}
		e.readers = append(e.readers, r)
		all.Go(func() {
			for ctx.Err() == nil {
				r.once(ctx)
				again := time.NewTimer(time.Duration(200+rand.IntN(800)) * time.Millisecond)
				select {
				case <-ctx.Done():
				case <-again.C:
				}
				again.Stop()
			}
		})
	}
}

// once fetches the list if needed, and applies events until the socket closes.
func (r *reader) once(ctx context.Context) {
	defer r.set(func() { r.up = false })
	if !r.fetch(ctx, r.url) {
		return
	}
	dialer := websocket.Dialer{Subprotocols: []string{"secondring.v1"}, HandshakeTimeout: 10 * time.Second}
	if r.token != nil {
		dialer.Subprotocols = append(dialer.Subprotocols, "bearer."+r.token())
	}
	socket, answer, err := dialer.DialContext(ctx, "ws"+strings.TrimPrefix(r.url, "http")+"/live", nil)
	if answer != nil {
		_ = answer.Body.Close()
	}
	if err != nil {
		return
	}
	ended := context.AfterFunc(ctx, func() { _ = socket.Close() })
	defer ended()
	defer func() { _ = socket.Close() }()
	if socket.WriteJSON(map[string]any{"subscribe": map[string]string{r.topic: r.at}}) != nil {
		return
	}
	for silence := helloIn; ; silence = silentFor {
		if socket.SetReadDeadline(time.Now().Add(silence)) != nil {
			return
		}
		var f struct {
			Subscribed map[string]string
			Resync     []string
			Events     []struct {
				Type, Position string
				Data           json.RawMessage
			}
		}
		if socket.ReadJSON(&f) != nil {
			return
		}
		r.set(func() {
			if at, in := f.Subscribed[r.topic]; in {
				r.at, r.up, r.last = at, true, map[string]int64{}
			}
			r.stale = r.stale || len(f.Resync) > 0
			for _, e := range f.Events {
				r.at = e.Position
				r.take(e.Type, e.Data)
			}
		})
		if !r.fetch(ctx, r.url) {
			return
		}
	}
}

func (r *reader) set(do func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	do()
}

// take applies an event. The versions of an entity on one socket must not decrease.
func (r *reader) take(kind string, data json.RawMessage) {
	var e receivedEvent
	if json.Unmarshal(data, &e) != nil || !strings.HasPrefix(kind, "product.") && kind != "advertised.changed" {
		return
	}
	if e.Version < r.last[e.ID] {
		r.wrong = fmt.Sprintf("%s tells version %d of %s after version %d", r.topic, e.Version, e.ID, r.last[e.ID])
	}
	r.last[e.ID] = e.Version
	if e.Version <= r.known[e.ID] {
		return
	}
	r.known[e.ID] = e.Version
	if kind == "product.removed" || kind == "advertised.changed" && (!e.Advertise || e.Booked) {
		delete(r.shown, e.ID)
		return
	}
	r.shown[e.ID] = data
}

// fetch fetches the list if needed. It returns false after a failure.
func (r *reader) fetch(ctx context.Context, url string) bool {
	r.mu.Lock()
	stale := r.stale
	r.mu.Unlock()
	if !stale {
		return true
	}
	items, at, ok := r.list(ctx, url)
	if !ok {
		return false
	}
	r.set(func() {
		listed := map[string]json.RawMessage{}
		for id, item := range items {
			var e receivedEvent
			_ = json.Unmarshal(item, &e) // it was read before
			if e.Version < r.known[id] {
				r.wrong = fmt.Sprintf("%s lists version %d of %s, known in version %d", r.path, e.Version, id, r.known[id])
			}
			r.known[id], listed[id] = e.Version, item
		}
		r.shown, r.stale = listed, false
		if !r.up {
			r.at = at
		}
	})
	return true
}

// list fetches every page. It also returns the position of the first.
func (r *reader) list(ctx context.Context, url string) (items map[string]json.RawMessage, at string, ok bool) {
	items = map[string]json.RawMessage{}
	join := "?"
	if strings.Contains(r.path, "?") {
		join = "&"
	}
	for path, first := r.path+join+"limit=200", true; path != ""; first = false {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+path, nil)
		if err != nil {
			return nil, "", false
		}
		if r.token != nil {
			request.Header.Set("Authorization", "Bearer "+r.token())
		}
		answer, err := callers.Do(request)
		if err != nil {
			return nil, "", false
		}
		var page []json.RawMessage
		err = json.NewDecoder(answer.Body).Decode(&page)
		_ = answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK {
			return nil, "", false
		}
		for _, item := range page {
			var e receivedEvent
			if json.Unmarshal(item, &e) != nil {
				return nil, "", false
			}
			items[e.ID] = item
		}
		if first {
			_, at, _ = strings.Cut(answer.Header.Get("Live-Position"), "=")
		}
		path, _, _ = strings.Cut(strings.TrimPrefix(answer.Header.Get("Link"), "<"), ">")
	}
	return items, at, true
}

// isLive tells whether the reader is subscribed.
func (r *reader) isLive() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.up && !r.stale
}

// differs compares the reader's list with a list that is fetched from a node.
func (r *reader) differs(i int, node string) (all []difference) {
	items, _, ok := r.list(r.w.t.Context(), node)
	r.mu.Lock()
	defer r.mu.Unlock()
	one := difference{Client: -1 - i, List: "in Go: " + r.topic, Path: r.path, Known: time.Now().UnixMilli()}
	switch {
	case r.wrong != "":
		one.What = r.wrong
		return []difference{one}
	case !ok:
		return nil // the windows tell of that
	}
	for id := range r.shown {
		if _, there := items[id]; !there {
			items[id] = nil
		}
	}
	for id, is := range items {
		if shown := r.shown[id]; !sameJSON(shown, is) {
			one.What, one.Shown, one.Is = id+" differs", shown, is
			return []difference{one}
		}
	}
	return nil
}

func sameJSON(a, b json.RawMessage) bool {
	var one, other any
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	if json.Unmarshal(a, &one) != nil || json.Unmarshal(b, &other) != nil {
		return false
	}
	x, wrong := json.Marshal(one)
	y, amiss := json.Marshal(other)
	return wrong == nil && amiss == nil && bytes.Equal(x, y)
}
