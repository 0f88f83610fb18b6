package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A seller makes the largest changes that are allowed, as often as is allowed. Then sockets
// that never read request a replay of all changes. In an earlier version the response to a
// frame of a hundred bytes was 85 MB, and eight such sockets took 500 MB.
func TestUnreadReplaysTakeLittleMemory(t *testing.T) {
	const phones, changes, sockets = 2, 300, 8
	s := newTestServer(t, "RATE_LIMIT=10000/s")
	email, seller := s.signUp("sela", "Seller")
	ids := s.phones(email, seller, phones)
	topic, position := s.livePosition(seller)
	accepted := 0
	for i := range changes {
		for _, id := range ids {
			large := strings.Repeat("&", 1100) + fmt.Sprint(i) // 6.6 KB as JSON
			status, err := s.call(http.MethodPatch, "/products/"+id, seller, map[string]string{"description": large}, nil)
			if err != nil || status != http.StatusOK && status != http.StatusTooManyRequests {
				t.Fatal(status, err)
			}
			if status == http.StatusOK {
				accepted++
			}
		}
	}
	before := s.rss()
	for range sockets {
		s.subscribe(seller, topic, position)
	}
	after := s.peakMemory(before)
	t.Logf("%d of %d changes were accepted; memory went from %[4]d MB to %[5]d MB for %[3]d sockets",
		accepted, changes*phones, sockets, before>>20, after>>20)
	if accepted > phones*250 {
		t.Errorf("%d changes were accepted, want at most %d in two minutes", accepted, phones*250)
	}
	if limit := 64<<20 + sockets<<20; after-before > limit {
		t.Errorf("the sockets took %d MB, want at most %d MB", (after-before)>>20, limit>>20)
	}
}

// peakMemory returns the most memory that the process uses within two seconds, and at least
// the given number of bytes.
func (s *testServer) peakMemory(least int) int {
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
