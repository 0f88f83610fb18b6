package fresh

import (
	"sync"
	"time"

	"secondring/market"
)

// memory remembers what was read of a store, and takes in what is written through
// this process as it is counted: what is asked for again after a write costs no
// read.
//
// A write is taken in only where it is all that was counted of the subject since
// the value was true, and only into a value that was there, and true, before the
// write began. So the value was read without it, and whatever else has become of
// it meanwhile (another change, its end, another process's) has been counted too,
// or will be: then it is read anew.
//
// Values are shared: nobody changes one.
type memory[T any] struct {
	watch *Watch
	most  int                   // values; where there are more, some are forgotten
	again time.Duration         // how long a value is believed when nobody is sure; 0 for as long as it holds
	on    func(key string) Mark // what a value depends on

	mu sync.Mutex
	of map[string]*kept[T]
}

// kept is a value that is remembered. Memory.mu guards it.
type kept[T any] struct {
	value T
	mark  Mark
	asked time.Duration // of market.Uptime
}

func newMemory[T any](w *Watch, most int, again time.Duration, on func(key string) Mark) *memory[T] {
	return &memory[T]{watch: w, most: most, again: again, on: on, of: map[string]*kept[T]{}}
}

// get returns a value that is remembered and true.
func (m *memory[T]) get(key string) (value T, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k := m.of[key]; m.holds(k) {
		return k.value, true
	}
	return value, false
}

// holds is of a nil too. The caller has mu.
func (m *memory[T]) holds(k *kept[T]) bool {
	return k != nil && k.mark.Holds() && (m.again == 0 || m.watch.Age(k.asked) < m.again)
}

// read reads a value, and remembers it as of before.
func (m *memory[T]) read(key string, read func() (T, error)) (T, error) {
	k := &kept[T]{mark: m.on(key), asked: market.Monotonic()}
	var err error
	k.value, err = read()
	m.mu.Lock()
	defer m.mu.Unlock()
	if err != nil {
		delete(m.of, key)
		return k.value, err
	}
	for other := range m.of { // any: they are cheap to read again
		if len(m.of) < m.most {
			break
		}
		delete(m.of, other)
	}
	m.of[key] = k
	return k.value, nil
}

// before is what is remembered and true at the beginning of a write, or nil.
func (m *memory[T]) before(key string) *kept[T] {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k := m.of[key]; m.holds(k) {
		return k
	}
	return nil
}

// counted counts a write by what count does, and has what was true before take
// it in; where it cannot, that is forgotten.
func (m *memory[T]) counted(key string, before *kept[T], count func(), take func(T) (T, bool)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.of[key]
	held := k != nil && k == before && m.holds(k)
	count()
	if held && k.mark.step() {
		if next, ok := take(k.value); ok {
			k.value = next
			return
		}
	}
	delete(m.of, key)
}

// step has the mark hold again, if its first subject alone has been counted
// since it held, and once.
func (m *Mark) step() bool {
	for i := range m.at {
		if m.counts[i] == m.counts[0] {
			m.at[i]++
		}
	}
	return m.Holds()
}
