package market

import "sync"

// keyedLock has those who want the same thing at the same moment see who gets it
// before they try too. It spares work and decides nothing: the store does, for
// all nodes. The zero keyedLock is ready.
type keyedLock struct {
	mu   sync.Mutex
	busy map[string]chan struct{} // closed when the turn is over
}

// tryLock begins a turn, or says that somebody has it: then over is closed when
// they are done. Who begins one must end it.
func (t *keyedLock) tryLock(id string) (end func(), over <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if over, busy := t.busy[id]; busy {
		return nil, over
	}
	if t.busy == nil {
		t.busy = map[string]chan struct{}{}
	}
	mine := make(chan struct{})
	t.busy[id] = mine
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.busy, id)
		close(mine)
	}, nil
}
