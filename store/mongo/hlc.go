package mongo

import (
	"sync"
	"time"
)

// A place is where a write stands among all writes, on whichever node: the
// millisecond, a count within it, and the number of the node, from the highest
// bit to the lowest. It stays positive until the year 2109.
const (
	nodeBits  = 16
	countBits = 5
)

// clock gives out places that rise: above the time, above all that it has given
// out, and above all that it has seen. So a write that was made by somebody who
// had read another stands after it, although no node's time is quite right. A
// node whose time is ahead takes the others along, and nothing else happens.
//
// Nodes that count for themselves need no document that all of them write to.
type clock struct {
	node int64 // no two that run at once have the same one
	now  func() time.Time

	mu   sync.Mutex
	last int64 // millisecond and count
}

// next gives out a place.
func (c *clock) next() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = max(c.last+1, c.now().UnixMilli()<<countBits)
	return c.last<<nodeBits | c.node
}

// see takes note of a place that somebody has given out.
func (c *clock) see(place int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = max(c.last, place>>nodeBits)
}
