package market

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	maxLearned    = 10_000 // the words of this many newest phones are learned
	vocabularyTTL = 10 * time.Minute
	firstPage     = 50    // phones in the first read, which usually has all new ones
	learnPage     = 2_000 // phones in each further read
	// maxCorrected is the maximum number of words of a search that is corrected: each word
	// may need another search.
	maxCorrected = 8
)

// corrector finds what was probably meant by words that no phone has. It learns the words
// of the newest phones when they are first needed, adds those of newer phones each
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

// corrections returns what the text may have meant, best first: first words of all phones,
// then only words of names and brands, then only words of brands.
func (c *corrector) corrections(ctx context.Context, text string) ([]string, error) {
	typed := Words(text)
	if len(typed) == 0 || len(typed) > maxCorrected {
		return nil, nil
	}
	known, err := c.learn(ctx)
	if err != nil {
		return nil, err
	}
	words, err := known.respell(typed, func(i int) (bool, error) {
		query := typed[i]
		if i < len(typed)-1 {
			query += " " + query // only the last word of a query may be a prefix
		}
		list, err := c.store.SearchProducts(ctx, Query{Text: query}, Page{Limit: 1}, 1)
		return list.Total > 0, err
	})
	if err != nil {
		return nil, err
	}
	isUnknown := func(word string) bool { return known.phones[word] == 0 }
	isNoBrand := func(word string) bool { return !known.brands[word] }
	named := slices.DeleteFunc(slices.Clone(words), isUnknown)
	all := []string{strings.Join(typed, " ")}
	for _, choice := range [][]string{words, named, slices.DeleteFunc(slices.Clone(named), isNoBrand)} {
		if joined := strings.Join(choice, " "); joined != "" && !slices.Contains(all, joined) {
			all = append(all, joined)
		}
	}
	return all[1:], nil
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
