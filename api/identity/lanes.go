package identity

import (
	"context"
	"hash/maphash"
)

// laneCount is how many sign-ins of different accounts can be looked at side
// by side without ever waiting for one another by chance.
const laneCount = 256

// lanes lets a few tries under one key run at once and the others wait. With a
// width of one, a thousand guesses sent at once cannot all slip by before the
// first has failed.
type lanes struct {
	seed maphash.Seed
	lane [laneCount]chan struct{}
}

func newLanes(width int) *lanes {
	l := &lanes{seed: maphash.MakeSeed()}
	for i := range l.lane {
		l.lane[i] = make(chan struct{}, width)
	}
	return l
}

// enter waits for the key's turn. Call leave afterwards.
func (l *lanes) enter(ctx context.Context, key string) (leave func(), err error) {
	lane := l.lane[maphash.String(l.seed, key)%laneCount]
	select {
	case lane <- struct{}{}:
		return func() { <-lane }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
