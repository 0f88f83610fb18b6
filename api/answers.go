package api

import (
	"context"
	"net/http"
	"sync"
	"time"

	"secondring/market"
	"secondring/market/fresh"
)

// Bounds of what is kept.
const (
	keptBytes = 16 << 20 // of all answers together
	keptURI   = 512      // bytes of an address; longer ones are not kept
	// againAfter is how long an answer is given when nobody is sure that the command
	// line has not changed, beside this process, what it depends on.
	againAfter = 500 * time.Millisecond
)

// answers keeps answers while nothing that they depend on has changed. It is
// right only where this process is the only one that serves the store.
type answers struct {
	watch     *fresh.Watch
	positions market.Positions
	together  *together
	replayOf  func(h http.Header, r *http.Request) *replay

	mu    sync.RWMutex
	kept  map[answerKey]*answer
	bytes int
	limit int
}

// answerKey is what was asked for, and by what kind of reader: one who may see
// the same as all others of that kind.
type answerKey struct{ uri, reader string }

// keeping says of an answer how it is kept. The zero keeping is not.
type keeping struct {
	answers  *answers
	reader   string // answerKey's
	topic    topic
	subjects [2]string // what it depends on, as a fresh.Watch counts it
}

// key is what a request asks for, and as whom.
func (k keeping) key(r *http.Request) answerKey { return answerKey{r.RequestURI, k.reader} }

func newAnswers(watch *fresh.Watch, positions market.Positions) *answers {
	return &answers{
		watch: watch, positions: positions, together: newTogether(), kept: map[answerKey]*answer{}, limit: keptBytes,
		replayOf: func(http.Header, *http.Request) *replay { return nil },
	}
}

// get returns the answer that is kept, or makes it: once for all who ask for it
// in the same moment. What is made is kept as of before it was begun.
func (k keeping) get(ctx context.Context, key answerKey, build func(ctx context.Context) (*answer, error)) (*answer, error) {
	if k.answers == nil || len(key.uri) > keptURI {
		return build(ctx)
	}
	c := k.answers
	if a, _ := c.look(ctx, key); a != nil {
		return a, nil
	}
	value, err := c.together.read(ctx, key.reader+" "+key.uri, func(ctx context.Context) (any, error) {
		if a, _ := c.look(ctx, key); a != nil { // made while these waited, and true still
			return a, nil
		}
		mark, began := c.watch.Mark(k.subjects[0], k.subjects[1]), market.Monotonic()
		a, err := build(ctx)
		if err != nil {
			return nil, err
		}
		a.keeping, a.mark, a.began = k, mark, began
		c.keep(key, a)
		return a, nil
	})
	a, _ := value.(*answer)
	return a, err
}

// look returns an answer that is kept and true, and where its topic stands.
func (c *answers) look(ctx context.Context, key answerKey) (*answer, *standpoint) {
	c.mu.RLock()
	a := c.kept[key]
	c.mu.RUnlock()
	if a == nil || !a.mark.Holds() || c.watch.Age(a.began) >= againAfter {
		return nil, nil
	}
	at := a.at.Load()
	if at != nil {
		position, err := c.positions.Position(ctx, a.topic.broker)
		if err != nil {
			return nil, nil
		}
		if position != at.position {
			// All that was published until then has been counted before, or is in the
			// body: so the body goes with the new position where the mark still holds.
			if !a.mark.Holds() {
				return nil, nil
			}
			a.standing(a.topic, position)
			at = a.at.Load()
		}
	}
	if !a.used.Load() {
		a.used.Store(true)
	}
	return a, at
}

// keep keeps an answer; others go for it that nobody has asked for lately.
func (c *answers) keep(key answerKey, a *answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(key)
	c.kept[key] = a
	c.bytes += a.weight()
	for range 2 { // the first round may only find that all were used
		for other, old := range c.kept {
			if c.bytes <= c.limit {
				return
			}
			if other != key && !old.used.Swap(false) {
				c.drop(other)
			}
		}
	}
}

// drop lets go of an answer. The caller holds mu.
func (c *answers) drop(key answerKey) {
	if old := c.kept[key]; old != nil {
		c.bytes -= old.weight()
		delete(c.kept, key)
	}
}

// weight is about what an answer takes in memory, its compressed form included.
func (a *answer) weight() int { return len(a.body)*5/4 + 2048 }
