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

// reader is a client of one list that uses only the documented API and live protocol. A
// difference between its list and the server's is therefore a fault of the server.
type reader struct {
	env         *env
	url         string
	path, topic string
	token       func() string // nil for a visitor

	mu         sync.Mutex
	shown      map[string]json.RawMessage
	versions   map[string]int64 // by id, also of removed entities
	lastSent   map[string]int64 // the version of the last event of the topic, by id
	position   string
	stale      bool // the list must be fetched
	subscribed bool
	violation  string
}

// The socket is closed if no first frame, or later no frame, arrives within these times, as
// in the client (lib/live/connection.ts).
const (
	helloTimeout   = 10 * time.Second
	silenceTimeout = 62 * time.Second
)

// httpClient makes calls without cookies.
var httpClient = http.Client{Timeout: 20 * time.Second}

// receivedEvent is the data of an event or of an entity in a list.
type receivedEvent struct {
	ID        string `json:"_id"`
	Version   int64
	Advertise bool
	Booked    bool
}

// startReaders subscribes to advertised phones, a brand and a seller's phones, on all
// networks.
func (e *env) startReaders() {
	ctx, stop := context.WithCancel(context.WithoutCancel(e.t.Context()))
	var all sync.WaitGroup
	e.t.Cleanup(func() {
		stop()
		all.Wait()
	})
	s := e.apiSeller
	for i, network := range e.networks {
		r := &reader{
			env: e, url: network.url, shown: map[string]json.RawMessage{}, versions: map[string]int64{},
			lastSent: map[string]int64{}, stale: true, token: s.accessToken,
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
				r.followOnce(ctx)
				pause := time.NewTimer(time.Duration(200+rand.IntN(800)) * time.Millisecond)
				select {
				case <-ctx.Done():
				case <-pause.C:
				}
				pause.Stop()
			}
		})
	}
}

// followOnce fetches the list if needed, and applies events until the socket closes.
func (r *reader) followOnce(ctx context.Context) {
	defer r.locked(func() { r.subscribed = false })
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
	stopClosing := context.AfterFunc(ctx, func() { _ = socket.Close() })
	defer stopClosing()
	defer func() { _ = socket.Close() }()
	if socket.WriteJSON(map[string]any{"subscribe": map[string]string{r.topic: r.position}}) != nil {
		return
	}
	for silence := helloTimeout; ; silence = silenceTimeout {
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
		r.locked(func() {
			if position, in := f.Subscribed[r.topic]; in {
				r.position, r.subscribed, r.lastSent = position, true, map[string]int64{}
			}
			r.stale = r.stale || len(f.Resync) > 0
			for _, e := range f.Events {
				r.position = e.Position
				r.applyEvent(e.Type, e.Data)
			}
		})
		if !r.fetch(ctx, r.url) {
			return
		}
	}
}

func (r *reader) locked(do func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	do()
}

// applyEvent applies an event. The versions of an entity on one socket must not decrease.
func (r *reader) applyEvent(kind string, data json.RawMessage) {
	var e receivedEvent
	if json.Unmarshal(data, &e) != nil || !strings.HasPrefix(kind, "product.") && kind != "advertised.changed" {
		return
	}
	if e.Version < r.lastSent[e.ID] {
		r.violation = fmt.Sprintf("topic %s sent version %d of %s after version %d", r.topic, e.Version, e.ID, r.lastSent[e.ID])
	}
	r.lastSent[e.ID] = e.Version
	if e.Version <= r.versions[e.ID] {
		return
	}
	r.versions[e.ID] = e.Version
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
	items, position, ok := r.list(ctx, url)
	if !ok {
		return false
	}
	r.locked(func() {
		listed := map[string]json.RawMessage{}
		for id, item := range items {
			var e receivedEvent
			_ = json.Unmarshal(item, &e) // list has decoded it before
			if e.Version < r.versions[id] {
				r.violation = fmt.Sprintf("%s lists version %d of %s after version %d", r.path, e.Version, id, r.versions[id])
			}
			r.versions[id], listed[id] = e.Version, item
		}
		r.shown, r.stale = listed, false
		if !r.subscribed {
			r.position = position
		}
	})
	return true
}

// list fetches every page, and returns the Live-Position of the first.
func (r *reader) list(ctx context.Context, url string) (items map[string]json.RawMessage, position string, ok bool) {
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
		answer, err := httpClient.Do(request)
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
			_, position, _ = strings.Cut(answer.Header.Get("Live-Position"), "=")
		}
		path, _, _ = strings.Cut(strings.TrimPrefix(answer.Header.Get("Link"), "<"), ">")
	}
	return items, position, true
}

// isLive tells whether the reader is subscribed.
func (r *reader) isLive() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.subscribed && !r.stale
}

// difference compares the reader's list with a list that is fetched from a node.
func (r *reader) difference(i int, node string) (all []difference) {
	items, _, ok := r.list(r.env.t.Context(), node)
	r.mu.Lock()
	defer r.mu.Unlock()
	result := difference{Client: -1 - i, List: "in Go: " + r.topic, Path: r.path, FetchedAt: time.Now().UnixMilli()}
	switch {
	case r.violation != "":
		result.Problem = r.violation
		return []difference{result}
	case !ok:
		return nil // a client with the same list reports that
	}
	for id := range r.shown {
		if _, exists := items[id]; !exists {
			items[id] = nil
		}
	}
	for id, expected := range items {
		if shown := r.shown[id]; !sameJSON(shown, expected) {
			result.Problem, result.Shown, result.Expected = id+" differs", shown, expected
			return []difference{result}
		}
	}
	return nil
}

func sameJSON(a, b json.RawMessage) bool {
	var first, second any
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	if json.Unmarshal(a, &first) != nil || json.Unmarshal(b, &second) != nil {
		return false
	}
	textA, errA := json.Marshal(first)
	textB, errB := json.Marshal(second)
	return errA == nil && errB == nil && bytes.Equal(textA, textB)
}
