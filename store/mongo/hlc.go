package mongo

import (
	"sync"
	"time"
)

// A timestamp orders the writes of all nodes. From the highest bit to the lowest it
// has the millisecond, a counter within it, and the number of the node. It stays
// positive until the year 2109.
const (
	nodeBits  = 16
	countBits = 5
)

// hybridClock is a hybrid logical clock. Its timestamps rise above the time, above
// all that it has returned, and above all that it has observed. So a write has a
// higher timestamp than the writes that its author had read, although the clocks of
// nodes differ. A node whose clock is ahead moves the others' timestamps ahead too.
//
// Unlike a counter it needs no document that all nodes write to.
type hybridClock struct {
	node int64 // different for each running node
	now  func() time.Time

	mu   sync.Mutex
	last int64 // millisecond and counter
}

// next returns a new timestamp.
func (c *hybridClock) next() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = max(c.last+1, c.now().UnixMilli()<<countBits)
	return c.last<<nodeBits | c.node
}

// observe takes a timestamp of another node into account.
func (c *hybridClock) observe(timestamp int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = max(c.last, timestamp>>nodeBits)
}
