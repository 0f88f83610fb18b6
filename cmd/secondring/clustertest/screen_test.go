package clustertest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// spread is the period over which clients reconnect that were disconnected at once.
type spread struct{ restart, broken time.Duration }

// clientsSpread reads the period from the source of the client, so that the sockets of
// these tests reconnect as browsers do.
func clientsSpread(t *testing.T) spread {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "client", "src", "lib", "live", "closeCodes.ts"))
	if err != nil {
		t.Fatal(err)
	}
	constant := func(name string) time.Duration {
		found := regexp.MustCompile(name + ` = ([\d_]+);`).FindSubmatch(text)
		if found == nil {
			t.Fatalf("the client has no %s", name)
		}
		ms, err := strconv.Atoi(strings.ReplaceAll(string(found[1]), "_", ""))
		if err != nil {
			t.Fatal(err)
		}
		return time.Duration(ms) * time.Millisecond
	}
	return spread{restart: constant("RESTART_JITTER_MS"), broken: constant("DISCONNECT_JITTER_MS")}
}

// known is the state of a phone on a screen.
type known struct {
	Version int64
	Booked  bool
}

// page is the list that a screen starts with.
type page struct {
	url      func() string // of the node or balancer to go to
	token    string
	topic    string
	position string
	phones   map[string]known
	spread   spread
}

// screen is an open page with the phones of a brand. It resumes from its position when
// its socket is closed.
type screen struct {
	mu sync.Mutex
	page
	live    bool            // subscribed, now
	came    []time.Time     // when it began to connect
	took    []time.Duration // from then until it was subscribed
	ends    map[int]int     // how often its socket ended so
	resyncs int
	refused []string // handshakes that failed
}

// run keeps the screen live until the context ends.
func (s *screen) run(ctx context.Context) {
	for ctx.Err() == nil {
		code := s.life(ctx)
		s.mu.Lock()
		s.live = false
		if ctx.Err() == nil {
			s.ends[code]++
		}
		s.mu.Unlock()
		over := s.spread.broken
		if code == websocket.CloseServiceRestart {
			over = s.spread.restart
		}
		select {
		case <-time.After(time.Duration(rand.Int64N(int64(over)))):
		case <-ctx.Done():
		}
	}
}

// life runs one socket and returns its close code, 1006 without one.
func (s *screen) life(ctx context.Context) int {
	s.mu.Lock()
	s.came = append(s.came, time.Now())
	position := s.position
	s.mu.Unlock()
	dialer := websocket.Dialer{Subprotocols: []string{"secondring.v1", "bearer." + s.token}, HandshakeTimeout: patience}
	conn, answer, err := dialer.DialContext(ctx, "ws"+strings.TrimPrefix(s.url(), "http")+"/live", nil)
	if answer != nil {
		_ = answer.Body.Close()
	}
	if err != nil {
		s.refuse(ctx, answer, err)
		return websocket.CloseAbnormalClosure
	}
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	err = conn.WriteJSON(map[string]any{"subscribe": map[string]string{s.topic: position}})
	for err == nil {
		var text []byte
		if _, text, err = conn.ReadMessage(); err == nil {
			err = s.take(text)
		}
	}
	if closed, ok := errors.AsType[*websocket.CloseError](err); ok {
		return closed.Code
	}
	return websocket.CloseAbnormalClosure
}

func (s *screen) refuse(ctx context.Context, answer *http.Response, err error) {
	if ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if answer != nil {
		err = fmt.Errorf("%s: %w", answer.Status, err)
	}
	s.refused = append(s.refused, err.Error())
}

// take applies a frame: newer versions replace older ones.
func (s *screen) take(text []byte) error {
	var f frame
	if err := json.Unmarshal(text, &f); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(f.Subscribed) > 0 {
		s.live = true
		s.took = append(s.took, time.Since(s.came[len(s.came)-1]))
	}
	s.resyncs += len(f.Resync)
	for _, e := range f.Events {
		s.position = e.Position
		if e.Data.Version > s.phones[e.Data.ID].Version {
			s.phones[e.Data.ID] = known{e.Data.Version, e.Data.Booked}
		}
	}
	return nil
}

// shows tells whether the screen is live and equals the list.
func (s *screen) shows(phones map[string]known) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live && maps.Equal(s.phones, phones)
}

// connectionCount returns how often the screen was subscribed.
func (s *screen) connectionCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.took)
}

// isLive tells whether the screen is subscribed.
func (s *screen) isLive() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live
}

// open opens n screens and waits until all are live. They are closed at the end of the
// test.
func (p page) open(t *testing.T, n int) []*screen {
	t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var all sync.WaitGroup
	t.Cleanup(func() {
		stop()
		all.Wait()
	})
	screens := make([]*screen, n)
	for i := range screens {
		screens[i] = &screen{page: p, ends: map[int]int{}}
		screens[i].phones = maps.Clone(p.phones)
		all.Go(func() { screens[i].run(ctx) })
		if i%50 == 49 || i == n-1 { // a few at a time, not as a herd
			eventually(t, "the screens are live", func() bool { return screens[i].isLive() })
		}
	}
	for _, s := range screens {
		eventually(t, "all screens are live", s.isLive)
	}
	return screens
}

// histogram counts the reconnections of screens after a time by quarters of a second.
// First connections are not counted.
func histogram(screens []*screen, after time.Time) []int {
	var counts []int
	for _, s := range screens {
		s.mu.Lock()
		for _, came := range s.came[1:] {
			if at := int(came.Sub(after) / (250 * time.Millisecond)); came.After(after) {
				for len(counts) <= at {
					counts = append(counts, 0)
				}
				counts[at]++
			}
		}
		s.mu.Unlock()
	}
	return counts
}
