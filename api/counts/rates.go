package counts

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/go-chi/httprate"
	"github.com/redis/go-redis/v9"
)

// How often nodes tell each other what they have counted. In that time each
// may let through as much again as one alone: at 100 calls a second and ten
// nodes, some hundred calls more in the first moment of a burst.
const tellEvery = 50 * time.Millisecond

// keptWindows is how many windows of a key are of use: this one and the last.
const keptWindows = 2

// Rates counts calls within windows for httprate. A call is counted here and
// told to Redis a moment later, many at a time; the answers bring what the
// other nodes have counted.
type Rates struct {
	client redis.UniversalClient
	prefix string

	mu      sync.Mutex
	length  time.Duration
	windows map[int64]map[string]*count // by the window's beginning
}

var _ httprate.LimitCounter = (*Rates)(nil)

// count is one key's in one window.
type count struct {
	told   int // of ours, known to Redis
	untold int // of ours, not yet
	others int // of the other nodes, when Redis was last asked
}

// NewRates makes a counter whose keys begin with prefix. Run has it told.
func NewRates(client redis.UniversalClient, prefix string) *Rates {
	return &Rates{client: client, prefix: prefix + ":rate:", length: time.Second, windows: map[int64]map[string]*count{}}
}

// Config implements httprate.LimitCounter.
func (c *Rates) Config(_ int, window time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.length = window
}

// Increment implements httprate.LimitCounter.
func (c *Rates) Increment(key string, window time.Time) error { return c.IncrementBy(key, window, 1) }

// IncrementBy implements httprate.LimitCounter. It never fails.
func (c *Rates) IncrementBy(key string, window time.Time, n int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := window.UnixNano()
	keys := c.windows[at]
	if keys == nil {
		keys = map[string]*count{}
		c.windows[at] = keys
		c.forget(window)
	}
	if keys[key] == nil {
		keys[key] = &count{}
	}
	keys[key].untold += n
	return nil
}

// Get implements httprate.LimitCounter. It never fails.
func (c *Rates) Get(key string, current, previous time.Time) (now, before int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.of(key, current), c.of(key, previous), nil
}

func (c *Rates) of(key string, window time.Time) int {
	if n := c.windows[window.UnixNano()][key]; n != nil {
		return n.told + n.untold + n.others
	}
	return 0
}

// forget lets go of windows that no call asks about any more.
func (c *Rates) forget(now time.Time) {
	for at := range c.windows {
		if now.Sub(time.Unix(0, at)) >= keptWindows*c.length {
			delete(c.windows, at)
		}
	}
}

// Run tells Redis until the context ends. Nothing waits for it.
func (c *Rates) Run(ctx context.Context) {
	again := time.NewTicker(tellEvery)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-again.C:
			c.tell(ctx)
		}
	}
}

// told is one count on its way to Redis.
type told struct {
	at     int64
	key    string
	added  int
	answer *redis.IntCmd
}

// tell adds what was counted here to Redis's counts and takes over the rest of
// them. What could not be told is tried again, as long as its window is of use.
func (c *Rates) tell(ctx context.Context) {
	sent := c.untold()
	if len(sent) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	pipe := c.client.Pipeline()
	for i := range sent {
		key := c.prefix + strconv.FormatInt(sent[i].at, 36) + ":" + sent[i].key
		sent[i].answer = pipe.IncrBy(ctx, key, int64(sent[i].added))
		pipe.PExpire(ctx, key, (keptWindows+1)*c.length)
	}
	_, err := pipe.Exec(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range sent {
		n := c.windows[s.at][s.key]
		// Each answer has its own error, except where no connection could be had:
		// what was counted is then 0, which no count is.
		if n == nil || s.answer.Err() != nil || err != nil && s.answer.Val() == 0 {
			continue
		}
		n.untold -= s.added
		n.told += s.added
		n.others = int(s.answer.Val()) - n.told
	}
}

func (c *Rates) untold() (all []told) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for at, keys := range c.windows {
		for key, n := range keys {
			if n.untold > 0 {
				all = append(all, told{at: at, key: key, added: n.untold})
			}
		}
	}
	return all
}
