package market

import "sync"

// keyedLock is a lock per key. A caller that does not get a lock can wait until it is free.
// It only saves work on one node; the store's compare-and-set decides. The zero value is
// ready.
type keyedLock struct {
	mu   sync.Mutex
	busy map[string]chan struct{} // closed when the key is unlocked
}

// tryLock locks the key and returns the function that unlocks it. If the key is locked,
// it returns a nil function, and a channel that is closed when the key is unlocked.
func (t *keyedLock) tryLock(id string) (unlock func(), unlocked <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if unlocked, busy := t.busy[id]; busy {
		return nil, unlocked
	}
	if t.busy == nil {
		t.busy = map[string]chan struct{}{}
	}
	done := make(chan struct{})
	t.busy[id] = done
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.busy, id)
		close(done)
	}, nil
}
