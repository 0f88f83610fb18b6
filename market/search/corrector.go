package search

import (
	"context"
	"maps"
	"sync"
	"sync/atomic"
	"time"
)

const (
	maxLearned    = 10_000 // the words of this many newest phones are learned
	vocabularyTTL = 10 * time.Minute
	firstPage     = 50    // phones in the first read, which usually has all new ones
	learnPage     = 2_000 // phones in each further read
)

// Find returns phones of a query, newest first: at most limit of them, after a position (SortKey), and
// whether there are more.
type Find func(ctx context.Context, q Query, limit int, after string) (phones []Phone, more bool, err error)

// Corrector knows the words of phones, to find what was meant by a search that finds nothing
// (relaxation). It learns the words of the newest phones when they are first needed, adds those of newer phones each
// time, and starts again after vocabularyTTL, because phones are renamed and removed. It is
// safe for concurrent use: one call at a time reads phones, and meanwhile the others use
// the words that were learned before.
type Corrector struct {
	find Find
	now  func() time.Time

	reading sync.Mutex // held while phones are read
	learned atomic.Pointer[learned]
}

// learned is a Corrector's vocabulary. It is never changed, only replaced.
type learned struct {
	words   vocabulary
	newest  string    // the ID of the newest phone
	phones  int       // the number of phones
	started time.Time // when the first phone was learned
}

// NewCorrector returns a Corrector that knows no words yet.
func NewCorrector(find Find, now func() time.Time) *Corrector {
	return &Corrector{find: find, now: now}
}

// Relax looks for words that find phones, after the typed ones found none: the last one as the beginning
// of a word, then corrected words, then fewer words. try searches with other words. It returns whether
// that found phones. Relax returns false if no words do.
func (c *Corrector) Relax(ctx context.Context, text string, try func(text string) (bool, error)) (Words, bool, error) {
	known, err := c.learn(ctx)
	if err != nil {
		return Words{}, false, err
	}
	r := relaxation{known: known, find: c.find, try: try}
	return r.run(ctx, text)
}

// learn returns the words of the newest phones. The first call reads them. While another
// call reads, it returns the words that were learned before.
func (c *Corrector) learn(ctx context.Context) (vocabulary, error) {
	if !c.reading.TryLock() {
		if known := c.learned.Load(); known != nil {
			return known.words, nil
		}
		c.reading.Lock()
	}
	defer c.reading.Unlock()
	known := learned{words: vocabulary{map[string]int{}, map[string]bool{}}, started: c.now()}
	if last := c.learned.Load(); last != nil && last.isFresh(known.started) {
		known = *last
	}
	newer, err := c.newerThan(ctx, known.newest)
	if err != nil || len(newer) == 0 {
		return known.words, err
	}
	known.words = vocabulary{maps.Clone(known.words.phones), maps.Clone(known.words.brands)}
	for _, p := range newer {
		known.words.add(p)
	}
	known.newest, known.phones = newer[0].ID, known.phones+len(newer)
	c.learned.Store(&known)
	return known.words, nil
}

// isFresh returns whether it can be extended by new phones, instead of starting again.
func (l *learned) isFresh(now time.Time) bool {
	age := now.Sub(l.started)
	return age >= 0 && age <= vocabularyTTL && l.phones <= 2*maxLearned
}

// newerThan returns the phones that are newer than the one with this ID, newest first and
// at most maxLearned.
func (c *Corrector) newerThan(ctx context.Context, id string) (all []Phone, err error) {
	for limit, after, more := firstPage, "", true; more && len(all) < maxLearned; limit = learnPage {
		var page []Phone
		if page, more, err = c.find(ctx, Query{}, limit, after); err != nil {
			return nil, err
		}
		for _, p := range page {
			if p.ID <= id {
				return all, nil
			}
			all = append(all, p)
			after = SortKey{ID: p.ID}.String()
		}
	}
	return all, nil
}
