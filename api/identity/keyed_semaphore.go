package identity

import (
	"context"
	"hash/maphash"
)

// semaphoreShards is the number of semaphores that the keys share. Two keys of the
// same shard wait for each other.
const semaphoreShards = 256

// keyedSemaphore limits the concurrent tries of one key; others wait. With a width of one,
// concurrent guesses are counted one after another.
type keyedSemaphore struct {
	seed   maphash.Seed
	shards [semaphoreShards]chan struct{}
}

func newKeyedSemaphore(width int) *keyedSemaphore {
	l := &keyedSemaphore{seed: maphash.MakeSeed()}
	for i := range l.shards {
		l.shards[i] = make(chan struct{}, width)
	}
	return l
}

// enter waits for a free slot of the key. Call leave to free it. It returns the context's
// error.
func (l *keyedSemaphore) enter(ctx context.Context, key string) (leave func(), err error) {
	shard := l.shards[maphash.String(l.seed, key)%semaphoreShards]
	select {
	case shard <- struct{}{}:
		return func() { <-shard }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
