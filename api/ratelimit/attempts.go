package ratelimit

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"secondring/api/rest"
)

// redisTimeout is how long a sign-in waits for Redis before it is counted in this process.
const redisTimeout = 500 * time.Millisecond

// Attempts is a rest.Counter over all nodes.
type Attempts struct {
	client   redis.UniversalClient
	prefix   string
	fallback rest.Counter
}

// NewAttempts returns a rest.Counter whose keys begin with prefix. While Redis is unavailable,
// fallback counts.
func NewAttempts(client redis.UniversalClient, prefix string, fallback rest.Counter) *Attempts {
	return &Attempts{client: client, prefix: prefix + ":tries:", fallback: fallback}
}

// countScript adds to a count and returns it in one step: KEYS 1 is the count; ARGV 1 the
// number to add, 2 the window in milliseconds. Adding 0 begins no window.
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

// Count implements rest.Counter. It fails only when the context ends.
func (t *Attempts) Count(ctx context.Context, key string, window time.Duration, n int) (int, time.Duration, error) {
	asking, cancel := context.WithTimeout(ctx, redisTimeout)
	defer cancel()
	got, err := countScript.Run(asking, t.client, []string{t.prefix + key}, n, window.Milliseconds()).Int64Slice()
	switch {
	case ctx.Err() != nil:
		return 0, 0, ctx.Err()
	case err != nil || len(got) != 2:
		return t.fallback.Count(ctx, key, window, n)
	}
	return int(got[0]), time.Duration(got[1]) * time.Millisecond, nil
}
