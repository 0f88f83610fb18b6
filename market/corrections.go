package market

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

// corrector knows the words of phones, to find what was meant by a search that finds nothing
// (relaxation). It learns the words of the newest phones when they are first needed, adds those of newer phones each
// time, and starts again after vocabularyTTL, because phones are renamed and removed. It is
// safe for concurrent use: one call at a time reads phones, and meanwhile the others use
// the words that were learned before.
type corrector struct {
	store ProductStore
	clock Clock

	reading sync.Mutex // held while phones are read
	learned atomic.Pointer[learned]
}

// learned is a corrector's vocabulary. It is never changed, only replaced.
type learned struct {
	words   vocabulary
	newest  string    // the ID of the newest phone
	phones  int       // the number of phones
	started time.Time // when the first phone was learned
}

// learn returns the words of the newest phones. The first call reads them. While another
// call reads, it returns the words that were learned before.
func (c *corrector) learn(ctx context.Context) (vocabulary, error) {
	if !c.reading.TryLock() {
		if known := c.learned.Load(); known != nil {
			return known.words, nil
		}
		c.reading.Lock()
	}
	defer c.reading.Unlock()
	known := learned{words: vocabulary{map[string]int{}, map[string]bool{}}, started: c.clock.Now()}
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
func (c *corrector) newerThan(ctx context.Context, id string) ([]Product, error) {
	var all []Product
	for page := (Page{Limit: firstPage}); len(all) < maxLearned; page.Limit = learnPage {
		list, err := c.store.SearchProducts(ctx, Query{}, page, 0)
		if err != nil {
			return nil, err
		}
		for _, p := range list.Items {
			if p.ID <= id {
				return all, nil
			}
			all = append(all, p)
		}
		if !list.More {
			break
		}
		page.After = SortKey{ID: all[len(all)-1].ID}.String()
	}
	return all, nil
}
