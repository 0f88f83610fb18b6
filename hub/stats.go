package hub

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// Reasons in Stats.Drops, beside the close codes' own.
const (
	dropSilent = "silent" // pings unanswered
	dropOther  = "other"
)

var dropReasons = map[int]string{
	CloseRestarting:     "restarting",
	CloseLimit:          "limit",
	CloseTooBig:         "too_big",
	CloseTokenExpired:   "expired",
	CloseAccountRemoved: "removed",
	CloseTooSlow:        "slow",
}

// DropReasons lists the keys that Stats.Drops may have.
func DropReasons() []string {
	return slices.Sorted(func(yield func(string) bool) {
		for _, reason := range dropReasons {
			if !yield(reason) {
				return
			}
		}
		_ = yield(dropSilent) && yield(dropOther)
	})
}

// Stats are the counts of a hub since its start; Sockets, People, Topics and Subscriptions
// are the current numbers.
type Stats struct {
	Sockets       int
	People        int // different signed-in people
	Topics        int
	Subscriptions int
	Opened        int64            // sockets
	Refused       int64            // handshakes with a token that was refused
	Deliveries    int64            // events times sockets, replays included
	Resyncs       int64            // subscriptions whose history did not reach back
	Overflows     int64            // times a topic's own queue was dropped
	Drops         map[string]int64 // sockets this side closed, by reason: restarting, limit, too_big, expired, removed, slow, silent
}

type stats struct {
	opened, refused, deliveries, resyncs, overflows atomic.Int64

	mu    sync.Mutex
	drops map[string]int64
}

func (s *stats) closed(code int) {
	reason, ok := dropReasons[code]
	if !ok {
		reason = dropOther
	}
	s.drop(reason)
}

func (s *stats) drop(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.drops == nil {
		s.drops = map[string]int64{}
	}
	s.drops[reason]++
}

// Stats returns the current counts.
func (h *Hub) Stats() Stats {
	s := Stats{
		Opened:     h.stats.opened.Load(),
		Refused:    h.stats.refused.Load(),
		Deliveries: h.stats.deliveries.Load(),
		Resyncs:    h.stats.resyncs.Load(),
		Overflows:  h.stats.overflows.Load(),
		Drops:      map[string]int64{},
	}
	h.mu.Lock()
	s.Sockets, s.People, s.Topics = len(h.conns), len(h.connsByUID), len(h.topics)
	for _, t := range h.topics {
		s.Subscriptions += t.refs
	}
	h.mu.Unlock()
	h.stats.mu.Lock()
	defer h.stats.mu.Unlock()
	maps.Copy(s.Drops, h.stats.drops)
	return s
}
