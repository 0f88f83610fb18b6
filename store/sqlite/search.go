package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"secondring/market"
	"secondring/market/search"
	"secondring/store"
)

// sortOrder contains the statements that read pages of one market.Sort.
type sortOrder struct {
	hasKey     bool   // phones are sorted by a key, then by ID; otherwise by ID only
	marketPage string // scans the index of the whole market
	brandPage  string // scans the index of one brand
	matchPage  string // sorts the phones that the full-text index finds
}

var sortOrders = map[search.Sort]sortOrder{
	search.SortNewest:    newSortOrder("newest", ""),
	search.SortAvailable: newSortOrder("available", ""),
	search.SortPriceUp:   newSortOrder("price_up", "s.negative_price"),
	search.SortPriceDown: newSortOrder("price_down", "s.price"),
	search.SortSaving:    newSortOrder("saving", "s.saving"),
}

// These are the statements that read a page of a search. searchSQL and newSortOrder replace the names in braces. The
// inner SELECT of a page reads the search index only; the outer one fetches the phones of the page.
//
// The table search_entries has a row for each phone. Its indexes, two for each sort order, end with price and facets,
// so SQLite reads the rows only of phones that pass these filters. CROSS JOIN and "LIMIT 0 + ?" force the query plan
// that the statement describes.
const (
	// scanPageSQL scans an index until the page is full.
	scanPageSQL = `
		SELECT {key}, d.id, d.version, d.body FROM (
			SELECT s.seq, {columns} FROM search_entries AS s INDEXED BY search_entries_{scope}{index}
			WHERE {in scope} AND {after} AND {passing}
			ORDER BY {order} LIMIT 0 + ?
		) AS s CROSS JOIN {kind} AS d ON d.id = s.id
		WHERE ? IS NULL OR search_has((SELECT words FROM search_text WHERE seq = s.seq), ?, ?)
		ORDER BY {order} LIMIT 0 + ?`
	// matchPageSQL sorts the phones that the full-text index finds.
	matchPageSQL = `
		SELECT {key}, d.id, d.version, d.body FROM (
			SELECT {columns} FROM search AS f CROSS JOIN search_entries AS s ON s.seq = f.rowid
			WHERE f.search MATCH ? AND {passing} AND {of brands} AND {after}
			ORDER BY {order} LIMIT 0 + ?
		) AS s CROSS JOIN {kind} AS d ON d.id = s.id
		ORDER BY {order} LIMIT 0 + ?`
	countSQL = `
		SELECT count(*) FROM (
			SELECT 1 FROM search_entries AS s INDEXED BY search_entries_{scope}price_down WHERE {in scope} AND {passing} LIMIT 0 + ?
		)`
)

var (
	// qCountMatches returns how many phones the full-text index finds, how many of them pass the filters, and the
	// highest seq that it has read.
	qCountMatches = searchSQL.Replace(`
		SELECT count(*), total(passes), ifnull(max(seq), 0) FROM (
			SELECT f.rowid AS seq, ({passing} AND {of brands}) AS passes
			FROM search AS f CROSS JOIN search_entries AS s ON s.seq = f.rowid
			WHERE f.search MATCH ? LIMIT 0 + ?
		)`)
	// qCountMoreMatches counts the phones after a seq that the full-text index finds and that pass the filters.
	qCountMoreMatches = searchSQL.Replace(`
		SELECT count(*) FROM (
			SELECT 1 FROM search AS f CROSS JOIN search_entries AS s ON s.seq = f.rowid
			WHERE f.search MATCH ? AND f.rowid > ? AND {passing} AND {of brands} LIMIT 0 + ?
		)`)
	qCountMarket = searchSQL.Replace(inMarket.Replace(countSQL))
	qCountBrand  = searchSQL.Replace(inBrand.Replace(countSQL))
)

// These replace the scope of a statement that scans an index: the whole market, or one brand.
var (
	inMarket = strings.NewReplacer("{scope}", "", "{in scope}", "1")
	inBrand  = strings.NewReplacer("{scope}", "brand_", "{in scope}", "s.brand_id = ?")
)

// searchSQL replaces the names in braces that are not specific to a sort order.
var searchSQL = strings.NewReplacer(
	"{kind}", quote(searched.Name),
	"{passing}", "s.price BETWEEN ? AND ? AND s.facets & ? = s.facets AND s.facets >= ?"+
		fmt.Sprintf(" AND (? IS NULL OR s.facets >> %d IN (SELECT value FROM json_each(?)))", storageShift),
	"{of brands}", "(? IS NULL OR s.brand_id IN (SELECT value FROM json_each(?)))",
)

// newSortOrder returns the statements of a sort order. The index is the end of the index's name; the key is a column
// of search_entries, or "" to sort by ID only. The order by availability reads one availability at a time.
func newSortOrder(index, key string) sortOrder {
	columns, orderBy, after, sortKey := "s.id", "s.id DESC", "s.id < ?", "0"
	if index == "available" {
		after = "s.availability = ? AND s.id < ?"
	}
	if key != "" {
		columns, orderBy, sortKey = key+", s.id", key+" DESC, s.id DESC", key
		after = "(" + key + ", s.id) < (?, ?) AND " + key + " >= ?"
	}
	replacer := strings.NewReplacer("{index}", index, "{columns}", columns, "{order}", orderBy, "{after}", after, "{key}", sortKey)
	page := func(sql string) string { return searchSQL.Replace(replacer.Replace(sql)) }
	return sortOrder{hasKey: key != "", marketPage: page(inMarket.Replace(scanPageSQL)), brandPage: page(inBrand.Replace(scanPageSQL)), matchPage: page(matchPageSQL)}
}

// hit is a document that a search has found.
type hit struct {
	key int64 // of the sort order; 0 if it is by ID only
	doc store.Doc
}

// Search lists the documents that match a query, in the order of the query's Sort. It counts them up
// to countTo, or exactly if the query does not narrow.
//
// If at most maxFetched documents have the words of the query, or match it, Search fetches them from
// the full-text index, filters and sorts them. Otherwise it scans the index of the sort order and
// skips those that do not match, until the page is full. If maxScanned do not fill the page, it uses
// the full-text index after all.
func (e *Engine) Search(ctx context.Context, q search.Query, page market.Page, countTo int) (found store.Found, err error) {
	sq := newSearchQuery(q, page)
	sq.maxFetched, sq.maxScanned, sq.countTo, sq.limit = e.maxFetched, e.maxScanned, countTo, max(page.Limit, 1)
	err = e.readIndexed(ctx, func(c *conn) error {
		hits, total, err := sq.list(c)
		found = store.Found{Total: total, More: len(hits) > sq.limit}
		for _, h := range hits[:min(len(hits), sq.limit)] {
			found.Docs = append(found.Docs, h.doc)
		}
		return err
	})
	return found, err
}

// list counts the documents that match. It reads one more than the page has, so that the caller
// knows whether there is a next page.
func (sq searchQuery) list(c *conn) (hits []hit, total int, err error) {
	if sq.match, err = sq.matchOf(c, sq.terms); err != nil {
		return nil, 0, err
	}
	total, isFew, err := sq.total(c)
	if err != nil || total == 0 {
		return nil, total, err
	}
	if sq.query.Sort == search.SortAvailable {
		hits, err = sq.listAvailable(c, total)
	} else {
		hits, err = sq.items(c, isFew)
	}
	return hits, total, err
}

// hits returns what a statement finds.
func (c *conn) hits(text string, args ...any) (all []hit, err error) {
	err = c.each(text, args, func(scan func(...any) error) error {
		var h hit
		err := scan(&h.key, &h.doc.ID, &h.doc.Version, &h.doc.Body)
		all = append(all, h)
		return err
	})
	return all, err
}

// items returns up to one phone more than the page has. isFew is as in total.
func (sq searchQuery) items(c *conn, isFew bool) (items []hit, err error) {
	if !isFew {
		items, err = sq.scan(c)
	}
	if isFew || err == nil && sq.match != "" && len(items) <= sq.limit { // the scan may have stopped at its limit
		items, err = sq.fetch(c)
	}
	return items, err
}

// total counts the phones that match, up to countTo unless the query is unfiltered. isFew
// reports whether at most maxFetched phones have the words, or match, so that all of them
// can be fetched.
func (sq searchQuery) total(c *conn) (n int, isFew bool, err error) {
	switch {
	case sq.unfiltered:
		n, err = sq.storedCount(c)
	case sq.match != "":
		return sq.countMatches(c)
	case len(sq.brands) == 0:
		err = c.row(qCountMarket, []any{&n}, sq.indexFilters(sq.countTo)...)
	}
	for _, brand := range sq.brands {
		if sq.unfiltered || n >= sq.countTo || err != nil {
			break
		}
		more := 0
		err = c.row(qCountBrand, []any{&more}, append([]any{brand}, sq.indexFilters(sq.countTo-n)...)...)
		n += more
	}
	return n, false, err
}

// countMatches does the work of total with the full-text index, which is read in the order
// of seq. It first reads phones that have the words, up to a limit, and counts those that
// pass the filters. If the limit is reached, it then counts those of the rest that pass.
func (sq searchQuery) countMatches(c *conn) (n int, isFew bool, err error) {
	limit := max(sq.countTo, sq.maxFetched+1)
	matches, passes, lastSeq := 0, 0.0, int64(0)
	err = c.row(qCountMatches, []any{&matches, &passes, &lastSeq}, append(sq.filters(), sq.match, limit)...)
	n = int(passes)
	if err != nil || matches < limit || n >= sq.countTo {
		return min(n, sq.countTo), matches <= sq.maxFetched, err
	}
	more := 0 // with a seq after lastSeq
	err = c.row(qCountMoreMatches, []any{&more}, slices.Concat([]any{sq.match, lastSeq}, sq.filters(), []any{sq.countTo - n})...)
	n += more
	return n, n <= min(sq.maxFetched, sq.countTo-1), err
}

// storedCount returns the number of phones of the brands, or of the whole market if the
// query has none. It reads the table counts.
func (sq searchQuery) storedCount(c *conn) (total int, err error) {
	name, values := listName(searched, "brand"), sq.brands
	if len(values) == 0 {
		name, values = listName(searched, ""), []string{""}
	}
	err = c.row("SELECT ifnull(sum(n), 0) FROM counts WHERE list = ? AND value IN (SELECT value FROM json_each(?))", []any{&total}, name, list(values))
	return total, err
}

// fetch reads all phones that have the words from the full-text index, sorts those that
// match, and returns up to one phone more than the page has.
func (sq searchQuery) fetch(c *conn) ([]hit, error) {
	order, limit := sortOrders[sq.query.Sort], sq.limit+1
	args := slices.Concat([]any{sq.match}, sq.filters(), sq.after(order), []any{limit, limit})
	return c.hits(order.matchPage, args...)
}

// scan reads the index of the sort order and returns up to one phone more than the page
// has. It compares the words of at most maxScanned phones, so it may return fewer although
// more phones match.
func (sq searchQuery) scan(c *conn) ([]hit, error) {
	order, limit := sortOrders[sq.query.Sort], sq.limit+1
	scanLimit := limit
	if sq.match != "" {
		scanLimit = max(limit, sq.maxScanned/max(1, len(sq.brands)))
	}
	args := append(append(sq.after(order), sq.indexFilters()...), scanLimit, sq.substrings, sq.substrings, sq.without, limit)
	if len(sq.brands) == 0 {
		return c.hits(order.marketPage, args...)
	}
	var all []hit
	for _, brand := range sq.brands {
		hits, err := c.hits(order.brandPage, append([]any{brand}, args...)...)
		if err != nil {
			return nil, err
		}
		if len(hits) < limit && sq.match != "" && len(sq.brands) > 1 {
			return nil, nil // phones of this brand that were not scanned may precede those of the others
		}
		all = append(all, hits...)
	}
	if len(sq.brands) > 1 {
		slices.SortFunc(all, func(a, b hit) int { return cmp.Or(cmp.Compare(b.key, a.key), cmp.Compare(b.doc.ID, a.doc.ID)) })
	}
	return all[:min(limit, len(all))], nil
}
