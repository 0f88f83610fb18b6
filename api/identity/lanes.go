package identity

import (
	"context"
	"hash/maphash"
)

// laneCount is how many sign-ins of different accounts can be looked at side
// by side without ever waiting for one another by chance.
const laneCount = 256

// lanes lets the tries under one key pass one after another, so that a
// thousand guesses sent at once cannot all slip by before the first has failed.
type lanes struct {
	seed maphash.Seed
	lane [laneCount]chan struct{}
}

func newLanes() *lanes {
	l := &lanes{seed: maphash.MakeSeed()}
	for i := range l.lane {
		l.lane[i] = make(chan struct{}, 1)
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
