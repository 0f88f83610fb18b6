package ratelimit

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/go-chi/httprate"
	"github.com/redis/go-redis/v9"
)

// syncEvery is how often a node exchanges counts with Redis. In that time each node may
// admit as many calls as one node alone: at 100 calls a second and ten nodes, about a
// hundred calls more at the beginning of a burst.
const syncEvery = 50 * time.Millisecond

// storedWindows is how many windows of a key are stored: httprate reads the current and the
// previous one.
const storedWindows = 2

// Limiter is an httprate counter over all nodes. It counts a call in this process and sends
// it to Redis later, together with others; the replies have the counts of the other nodes.
type Limiter struct {
	client redis.UniversalClient
	prefix string

	mu      sync.Mutex
	length  time.Duration
	windows map[int64]map[string]*count // by the window's beginning
}

var _ httprate.LimitCounter = (*Limiter)(nil)

// count is the count of one key in one window.
type count struct {
	sent   int // by this node, stored in Redis
	unsent int // by this node, not yet in Redis
	others int // by the other nodes, at the last exchange
}

// NewLimiter returns a counter whose keys begin with prefix. Run exchanges its counts.
func NewLimiter(client redis.UniversalClient, prefix string) *Limiter {
	return &Limiter{client: client, prefix: prefix + ":rate:", length: time.Second, windows: map[int64]map[string]*count{}}
}

// Config implements httprate.LimitCounter.
func (c *Limiter) Config(_ int, window time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.length = window
}

// Increment implements httprate.LimitCounter.
func (c *Limiter) Increment(key string, window time.Time) error { return c.IncrementBy(key, window, 1) }

// IncrementBy implements httprate.LimitCounter. It never fails.
func (c *Limiter) IncrementBy(key string, window time.Time, n int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := window.UnixNano()
	keys := c.windows[at]
	if keys == nil {
		keys = map[string]*count{}
		c.windows[at] = keys
		c.dropOldWindows(window)
	}
	if keys[key] == nil {
		keys[key] = &count{}
	}
	keys[key].unsent += n
	return nil
}

// Get implements httprate.LimitCounter. It never fails.
func (c *Limiter) Get(key string, current, previous time.Time) (now, before int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.of(key, current), c.of(key, previous), nil
}

func (c *Limiter) of(key string, window time.Time) int {
	if n := c.windows[window.UnixNano()][key]; n != nil {
		return n.sent + n.unsent + n.others
	}
	return 0
}

// dropOldWindows deletes windows that are over.
func (c *Limiter) dropOldWindows(now time.Time) {
	for at := range c.windows {
		if now.Sub(time.Unix(0, at)) >= storedWindows*c.length {
			delete(c.windows, at)
		}
	}
}

// Run exchanges counts with Redis until the context ends.
func (c *Limiter) Run(ctx context.Context) {
	again := time.NewTicker(syncEvery)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-again.C:
			c.sync(ctx)
		}
	}
}

// pendingCount is a count that is being sent to Redis.
type pendingCount struct {
	at     int64
	key    string
	added  int
	answer *redis.IntCmd
}

// sync adds this node's counts to those in Redis and reads those of the other nodes. What
// could not be sent is sent again while its window is in use.
func (c *Limiter) sync(ctx context.Context) {
	sent := c.pending()
	if len(sent) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, redisTimeout)
	defer cancel()
	pipe := c.client.Pipeline()
	for i := range sent {
		key := c.prefix + strconv.FormatInt(sent[i].at, 36) + ":" + sent[i].key
		sent[i].answer = pipe.IncrBy(ctx, key, int64(sent[i].added))
		pipe.PExpire(ctx, key, (storedWindows+1)*c.length)
	}
	_, err := pipe.Exec(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range sent {
		n := c.windows[s.at][s.key]
		// Each reply has its own error, except if there was no connection. Then its value
		// is 0, which is never a count.
		if n == nil || s.answer.Err() != nil || err != nil && s.answer.Val() == 0 {
			continue
		}
		n.unsent -= s.added
		n.sent += s.added
		n.others = int(s.answer.Val()) - n.sent
	}
}

func (c *Limiter) pending() (all []pendingCount) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for at, keys := range c.windows {
		for key, n := range keys {
			if n.unsent > 0 {
				all = append(all, pendingCount{at: at, key: key, added: n.unsent})
			}
		}
	}
	return all
}
