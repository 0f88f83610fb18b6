package market

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	maxLearned = 10_000 // newest phones whose words are learned
	learnedFor = 10 * time.Minute
	firstPage  = 50    // phones that are read to see what is new
	learnPage  = 2_000 // and then at once
	// maxCorrected is how many words a search has at most that is corrected: each may
	// be looked for once more.
	maxCorrected = 8
)

// corrector finds what was probably meant by words that no phone has. It learns the words
// of the newest phones when they are first needed, adds those of newer phones each
// time, and starts anew after learnedFor, because phones are renamed and removed. It is
// safe for concurrent use.
type corrector struct {
	store ProductStore
	clock Clock

	mu      sync.Mutex
	words   vocabulary // not changed once it is here
	newest  string     // the ID of the newest phone that was learned
	phones  int        // how many were
	started time.Time  // when the first was
}

// corrections returns what the text may have meant, best first: the words as phones have
// them, of these the ones of names and brands, and of these the ones of brands.
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
		asked := typed[i]
		if i < len(typed)-1 {
			asked += " " + asked // the first of two is asked for whole
		}
		list, err := c.store.SearchProducts(ctx, Query{Text: asked}, Page{Limit: 1}, 1)
		return list.Total > 0, err
	})
	if err != nil {
		return nil, err
	}
	isUnknown := func(word string) bool { return known.phones[word] == 0 }
	isNoBrand := func(word string) bool { return !known.brands[word] }
	named := slices.DeleteFunc(slices.Clone(words), isUnknown)
	all := []string{strings.Join(typed, " ")}
	for _, some := range [][]string{words, named, slices.DeleteFunc(slices.Clone(named), isNoBrand)} {
		if joined := strings.Join(some, " "); joined != "" && !slices.Contains(all, joined) {
			all = append(all, joined)
		}
	}
	return all[1:], nil
}

// learn returns the words of the newest phones.
func (c *corrector) learn(ctx context.Context) (vocabulary, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	words, newest, phones, started := c.words, c.newest, c.phones, c.started
	if age := c.clock.Now().Sub(started); words.phones == nil || age > learnedFor || age < 0 || phones > 2*maxLearned {
		words, newest, phones, started = vocabulary{map[string]int{}, map[string]bool{}}, "", 0, c.clock.Now()
	}
	more, err := c.newerThan(ctx, newest)
	if err != nil || len(more) == 0 {
		return words, err
	}
	words = vocabulary{maps.Clone(words.phones), maps.Clone(words.brands)}
	for _, p := range more {
		words.add(p)
	}
	c.words, c.newest, c.phones, c.started = words, more[0].ID, phones+len(more), started
	return words, nil
}

// newerThan returns the phones that are newer than the one of an ID, newest first and at
// most maxLearned.
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
