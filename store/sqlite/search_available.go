package sqlite

import "fmt"

// maxAvailableKey is the highest key of the order SortAvailable (search.Query.SortKey).
const maxAvailableKey = 5

// group is one of the six keys of the order SortAvailable: phones of one availability that have
// the words of the query as title tokens, or that do not have all of them there.
type group struct {
	searchQuery

	found *int // the phones that have the words, at any availability, up to maxFetched+1; nil until they are counted
}

// listAvailable returns up to one phone more than the page has, in the order SortAvailable. It
// reads one group after the other, each newest first, until the page is full or has all phones.
func (sq searchQuery) listAvailable(c *conn, total int) (all []hit, err error) {
	hasWords := len(sq.query.Terms()) > 0
	title, other := group{searchQuery: sq}, group{searchQuery: sq}
	if hasWords {
		if err := title.inTitle(c, &other); err != nil {
			return nil, err
		}
	}
	isFirstPage := sq.afterKey.ID == newest
	for key := sq.afterKey.Key; key >= 0 && len(all) <= sq.limit; key-- {
		g := &title
		if key%2 == 0 {
			g = &other
		}
		hasAll := isFirstPage && total < sq.countTo && len(all) == total
		if hasAll || key%2 == 0 && !hasWords || !sq.allows(key/2) {
			continue
		}
		g.availability, g.limit, g.afterKey.ID = key/2, sq.limit-len(all), newest
		if key == sq.afterKey.Key {
			g.afterKey.ID = sq.afterKey.ID
		}
		found, err := g.list(c)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// inTitle restricts the group to the phones that have all words in their title, and the other
// one to the rest.
func (g *group) inTitle(c *conn, other *group) (err error) {
	terms := append(marked(titleMark, g.query.Terms()), filterTerms(g.query)...)
	g.substrings = substrings(terms)
	if g.match, err = g.matchOf(c, terms); err != nil {
		return err
	}
	other.match, other.without = fmt.Sprintf("(%s) NOT (%s)", other.match, g.match), g.substrings
	return nil
}

// allows returns whether the filter available allows phones of this availability.
func (sq searchQuery) allows(availability int64) bool {
	return sq.query.Available == nil || *sq.query.Available == (availability == maxAvailableKey/2)
}

// list returns up to one phone more than the page has.
func (g *group) list(c *conn) ([]hit, error) {
	if g.match == "" {
		return g.items(c, false)
	}
	if g.found == nil {
		g.found = new(0)
		if err := c.row("SELECT count(*) FROM (SELECT 1 FROM search AS f WHERE f.search MATCH ? LIMIT 0 + ?)", []any{g.found}, g.match, g.maxFetched+1); err != nil {
			return nil, err
		}
	}
	if *g.found == 0 {
		return nil, nil
	}
	return g.items(c, *g.found <= g.maxFetched)
}
