package hub

import (
	"sync"
	"time"
)

// Limits of the replays for one person, or for one address of visitors. A client that
// connects again after an interruption needs far less.
const (
	replayWindow    = time.Minute
	replayPerWindow = 16 << 20 // bytes
	maxReplayKeys   = 100_000  // counted at once; above it all counts start again
)

// replayLimit counts the replayed bytes of each person, or of each address of visitors,
// within windows of a minute. It is safe for concurrent use.
type replayLimit struct {
	disabled bool
	now      func() time.Time

	mu          sync.Mutex
	windowStart time.Time
	counts      map[string]int
}

func newReplayLimit(disabled bool) *replayLimit {
	return &replayLimit{disabled: disabled, now: time.Now}
}

// count counts the history that was read for a replay, and reports whether it may be sent. It
// is counted even if not, because it was read.
func (l *replayLimit) count(key string, bytes int) bool {
	if l.disabled || bytes == 0 {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.renewWindow()
	l.counts[key] += bytes
	return l.counts[key] <= replayPerWindow
}

// isExhausted reports whether no more history may be read for the key in this window.
func (l *replayLimit) isExhausted(key string) bool {
	if l.disabled {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.renewWindow()
	return l.counts[key] >= replayPerWindow
}

// renewWindow begins a new window if the last one has ended. The caller holds mu.
func (l *replayLimit) renewWindow() {
	if now := l.now(); now.Sub(l.windowStart) >= replayWindow || len(l.counts) >= maxReplayKeys {
		l.windowStart, l.counts = now, map[string]int{}
	}
}
