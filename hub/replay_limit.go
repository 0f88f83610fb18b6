package hub

import (
	"sync"
	"time"
)

// Bounds of what one person, or one visitor's address, has replayed. Whoever comes
// back after a break misses little: this is for those who ask again and again.
const (
	replayWindow    = time.Minute
	replayPerWindow = 16 << 20 // bytes
	replayPayers    = 100_000  // counted at once; above it all begin anew
)

// replayLimit counts bytes that are replayed, by who has them replayed, within
// windows of a minute. It is safe for concurrent use.
type replayLimit struct {
	off bool
	now func() time.Time

	mu    sync.Mutex
	began time.Time
	taken map[string]int
}

func newReplayLimit(off bool) *replayLimit { return &replayLimit{off: off, now: time.Now} }

// take counts a replay and tells whether there may be one of that size. What is
// refused is not counted.
func (l *replayLimit) take(payer string, bytes int) bool {
	if l.off || bytes == 0 {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := l.now(); now.Sub(l.began) >= replayWindow || len(l.taken) >= replayPayers {
		l.began, l.taken = now, map[string]int{}
	}
	if l.taken[payer]+bytes > replayPerWindow {
		return false
	}
	l.taken[payer] += bytes
	return true
}
