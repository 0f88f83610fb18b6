package counts

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// Counter counts what happens under a key within a window of time that begins
// with the first.
type Counter interface {
	// Count adds n to the key's count, 0 to only look, and returns the count
	// and how long its window still lasts.
	Count(ctx context.Context, key string, window time.Duration, n int) (count int, left time.Duration, err error)
}

// patience is how long a sign-in waits for Redis before it is counted here.
const patience = 500 * time.Millisecond

// Tries is a Counter for all nodes.
type Tries struct {
	client redis.UniversalClient
	prefix string
	here   Counter
}

// NewTries makes a Counter whose keys begin with prefix. What happens while
// Redis is away is counted by here.
func NewTries(client redis.UniversalClient, prefix string, here Counter) *Tries {
	return &Tries{client: client, prefix: prefix + ":tries:", here: here}
}

// countScript adds and tells in one step: KEYS 1 the count; ARGV 1 what to add,
// 2 the window's milliseconds. Looking begins no window.
var countScript = redis.NewScript(`
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
if tonumber(ARGV[1]) == 0 and count == 0 then return {0, ARGV[2]} end
if tonumber(ARGV[1]) > 0 then count = redis.call('INCRBY', KEYS[1], ARGV[1]) end
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  left = tonumber(ARGV[2])
end
return {count, left}
`)

// Count implements Counter. It fails only when the context ends.
func (t *Tries) Count(ctx context.Context, key string, window time.Duration, n int) (int, time.Duration, error) {
	asking, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	got, err := countScript.Run(asking, t.client, []string{t.prefix + key}, n, window.Milliseconds()).Int64Slice()
	switch {
	case ctx.Err() != nil:
		return 0, 0, ctx.Err()
	case err != nil || len(got) != 2:
		return t.here.Count(ctx, key, window, n)
	}
	return int(got[0]), time.Duration(got[1]) * time.Millisecond, nil
}
