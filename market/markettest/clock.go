package markettest

import (
	"sync"
	"time"
)

// Clock is a market.Clock that a test sets. It is safe for concurrent use.
type Clock struct {
	mu   sync.Mutex
	now  time.Time
	tick time.Duration // added by each call of Now
}

// NewClock returns a clock that stays at a time until a test moves it.
func NewClock(at time.Time) *Clock { return &Clock{now: at.UTC().Truncate(time.Millisecond)} }

// NewTicking returns a clock that each call of Now moves by a millisecond, so that no two
// calls return the same time.
func NewTicking(at time.Time) *Clock {
	return &Clock{now: at.UTC().Truncate(time.Millisecond), tick: time.Millisecond}
}

// Now returns the time in UTC.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(c.tick)
	return c.now
}

// Pass moves the clock forward.
func (c *Clock) Pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
