package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// A seller changes phones as often and makes them as large as the market lets
// them, and sockets that never read ask for all of it again. A frame of a hundred
// bytes was answered with 85 MB once, and eight such sockets took 500 MB. With
// SOAK there are many more of both, and the memory is printed.
func TestUnreadReplaysTakeLittleMemory(t *testing.T) {
	phones, changes, sockets := 2, 200, 8
	if readSoak(t).long {
		phones, changes, sockets = 40, 600, 250
	}
	s := newTestServer(t, "RATE_LIMIT=10000/s")
	email, seller := s.person("sela", "Seller")
	ids := s.phones(email, seller, phones)
	topic, begin := s.stand(seller)
	made := 0
	for i := range changes {
		for _, id := range ids {
			large := strings.Repeat("&", 1100) + fmt.Sprint(i) // 6.6 KB as JSON
			status, err := s.call(http.MethodPatch, "/products/"+id, seller, map[string]string{"description": large}, nil)
			if err != nil || status != http.StatusOK && status != http.StatusTooManyRequests {
				t.Fatal(status, err)
			}
			if status == http.StatusOK {
				made++
			}
		}
	}
	before := s.rss()
	for range sockets {
		s.asksAndNeverReads(seller, topic, begin)
	}
	after := s.peak(before)
	t.Logf("%d changes of %d went through; %d sockets asked for them: %d MB before, %d MB after",
		made, changes*phones, sockets, before>>20, after>>20)
	if made > phones*250 { // two minutes' worth
		t.Errorf("%d changes went through", made)
	}
	if most := 64<<20 + sockets<<20; after-before > most {
		t.Errorf("the server took %d MB more, want %d at most", (after-before)>>20, most>>20)
	}
}

// asksAndNeverReads opens a socket that requests a replay since a position and reads
// nothing.
func (s *testServer) asksAndNeverReads(token, topic, since string) {
	s.t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{"secondring.v1", "bearer." + token}, HandshakeTimeout: 30 * time.Second}
	c, answer, err := dialer.DialContext(s.t.Context(), "ws://"+s.addr+"/live", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	_ = answer.Body.Close()
	s.t.Cleanup(func() { _ = c.Close() })
	if err := c.WriteJSON(map[string]any{"subscribe": map[string]string{topic: since}}); err != nil {
		s.t.Fatal(err)
	}
}

// peak is the most memory that the process takes within two seconds.
func (s *testServer) peak(least int) int {
	s.t.Helper()
	tick, end := time.NewTicker(50*time.Millisecond), time.After(2*time.Second)
	defer tick.Stop()
	for {
		least = max(least, s.rss())
		select {
		case <-end:
			return least
		case <-tick.C:
		}
	}
}
