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

// hybridClock is a hybrid logical clock. Each timestamp that it returns is at least
// the current time, and is above all that it has returned or observed before. So a write has a
// higher timestamp than the writes that its node had read, although the clocks of
// nodes differ. A node whose clock is ahead advances the timestamps of other nodes too.
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

// timeOf returns the time of a timestamp, to the millisecond.
func timeOf(timestamp int64) time.Time { return time.UnixMilli(timestamp >> (nodeBits + countBits)) }

// observe makes later timestamps higher than a timestamp of another node.
func (c *hybridClock) observe(timestamp int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = max(c.last, timestamp>>nodeBits)
}
