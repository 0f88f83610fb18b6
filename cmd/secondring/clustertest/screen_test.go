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

// reconnectJitter is the maximum random delay before a client reconnects, after a restart of
// the node and after another disconnect.
type reconnectJitter struct{ restart, disconnect time.Duration }

// readClientJitter reads the delays from the source of the client, so that the sockets of
// these tests reconnect as browsers do.
func readClientJitter(t *testing.T) reconnectJitter {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "client", "src", "lib", "live", "closeCodes.ts"))
	if err != nil {
		t.Fatal(err)
	}
	constant := func(name string) time.Duration {
		found := regexp.MustCompile(name + ` = ([\d_]+);`).FindSubmatch(text)
		if found == nil {
			t.Fatalf("closeCodes.ts has no %s", name)
		}
		ms, err := strconv.Atoi(strings.ReplaceAll(string(found[1]), "_", ""))
		if err != nil {
			t.Fatal(err)
		}
		return time.Duration(ms) * time.Millisecond
	}
	return reconnectJitter{restart: constant("RESTART_JITTER_MS"), disconnect: constant("DISCONNECT_JITTER_MS")}
}

// phoneState is the state of a phone on a screen.
type phoneState struct {
	Version int64
	Booked  bool
}

// pageState is the list that a screen starts with.
type pageState struct {
	url      func() string // of the node or balancer
	token    string
	topic    string
	position string
	phones   map[string]phoneState
	jitter   reconnectJitter
}

// screen is an open page with the phones of a brand. It never fetches its list again: when
// its socket is closed, it resumes from its position.
type screen struct {
	mu sync.Mutex
	pageState
	live        bool            // subscribed
	connectedAt []time.Time     // start of each connection
	handshakes  []time.Duration // duration until the subscription
	closeCodes  map[int]int     // number of closed sockets by close code
	resyncs     int
	refused     []string // handshakes that failed
}

// run keeps the screen live until the context ends.
func (s *screen) run(ctx context.Context) {
	for ctx.Err() == nil {
		code := s.connectOnce(ctx)
		s.mu.Lock()
		s.live = false
		if ctx.Err() == nil {
			s.closeCodes[code]++
		}
		s.mu.Unlock()
		over := s.jitter.disconnect
		if code == websocket.CloseServiceRestart {
			over = s.jitter.restart
		}
		select {
		case <-time.After(time.Duration(rand.Int64N(int64(over)))):
		case <-ctx.Done():
		}
	}
}

// connectOnce runs one socket and returns its close code, 1006 without one.
func (s *screen) connectOnce(ctx context.Context) int {
	s.mu.Lock()
	s.connectedAt = append(s.connectedAt, time.Now())
	position := s.position
	s.mu.Unlock()
	dialer := websocket.Dialer{Subprotocols: []string{"secondring.v1", "bearer." + s.token}, HandshakeTimeout: patience}
	conn, answer, err := dialer.DialContext(ctx, "ws"+strings.TrimPrefix(s.url(), "http")+"/live", nil)
	if answer != nil {
		_ = answer.Body.Close()
	}
	if err != nil {
		s.recordRefusal(ctx, answer, err)
		return websocket.CloseAbnormalClosure
	}
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	err = conn.WriteJSON(map[string]any{"subscribe": map[string]string{s.topic: position}})
	for err == nil {
		var text []byte
		if _, text, err = conn.ReadMessage(); err == nil {
			err = s.applyFrame(text)
		}
	}
	if closed, ok := errors.AsType[*websocket.CloseError](err); ok {
		return closed.Code
	}
	return websocket.CloseAbnormalClosure
}

func (s *screen) recordRefusal(ctx context.Context, answer *http.Response, err error) {
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

// applyFrame applies a frame: newer versions replace older ones.
func (s *screen) applyFrame(text []byte) error {
	var f frame
	if err := json.Unmarshal(text, &f); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(f.Subscribed) > 0 {
		s.live = true
		s.handshakes = append(s.handshakes, time.Since(s.connectedAt[len(s.connectedAt)-1]))
	}
	s.resyncs += len(f.Resync)
	for _, e := range f.Events {
		s.position = e.Position
		if e.Data.Version > s.phones[e.Data.ID].Version {
			s.phones[e.Data.ID] = phoneState{e.Data.Version, e.Data.Booked}
		}
	}
	return nil
}

// isCurrent tells whether the screen is live and equals the list.
func (s *screen) isCurrent(phones map[string]phoneState) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live && maps.Equal(s.phones, phones)
}

// connectionCount returns how often the screen was subscribed.
func (s *screen) connectionCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.handshakes)
}

// isLive tells whether the screen is subscribed.
func (s *screen) isLive() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live
}

// open opens n screens and waits until all are live. They are closed at the end of the
// test.
func (p pageState) open(t *testing.T, n int) []*screen {
	t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var all sync.WaitGroup
	t.Cleanup(func() {
		stop()
		all.Wait()
	})
	screens := make([]*screen, n)
	for i := range screens {
		screens[i] = &screen{pageState: p, closeCodes: map[int]int{}}
		screens[i].phones = maps.Clone(p.phones)
		all.Go(func() { screens[i].run(ctx) })
		if i%50 == 49 || i == n-1 { // in groups, because all at once would overload the node
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
		for _, came := range s.connectedAt[1:] {
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
