package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"secondring/market"
)

// order has the statements that read pages of one market.Sort.
type order struct {
	keyed  bool       // the order has a key before the ID
	market *statement // scans the index of the whole market
	brand  *statement // scans the index of one brand
	found  *statement // sorts the phones that the full-text index finds
}

var orders = map[market.Sort]order{
	market.SortNewest:    newOrder("newest", ""),
	market.SortPriceUp:   newOrder("cheap", "s.cheap"),
	market.SortPriceDown: newOrder("dear", "s.price"),
	market.SortSaving:    newOrder("saving", "s.saving"),
}

// The statements of search. searchSQL and newOrder replace the names in braces. The inner SELECT of a page reads
// an index only; the outer one fetches the phones of the page.
//
// The indexes of an order end with price and facets, so SQLite reads the rows only of phones that pass these filters.
// CROSS JOIN and "LIMIT 0 + ?" prevent SQLite from choosing another plan than the one of the statement.
const (
	// marketPageSQL and brandPageSQL scan an index until the page is full.
	marketPageSQL = `
		SELECT {product} FROM (
			SELECT s.seq, {columns} FROM shelf AS s INDEXED BY shelf_{index}
			WHERE {after} AND {passing}
			ORDER BY {order} LIMIT 0 + ?
		) AS s CROSS JOIN products AS p ON p.id = s.id
		WHERE ? IS NULL OR search_has((SELECT words FROM search_text WHERE seq = s.seq), ?)
		ORDER BY {order} LIMIT 0 + ?`
	brandPageSQL = `
		SELECT {product} FROM (
			SELECT s.seq, {columns} FROM shelf AS s INDEXED BY shelf_brand_{index}
			WHERE s.brand_id = ? AND {after} AND {passing}
			ORDER BY {order} LIMIT 0 + ?
		) AS s CROSS JOIN products AS p ON p.id = s.id
		WHERE ? IS NULL OR search_has((SELECT words FROM search_text WHERE seq = s.seq), ?)
		ORDER BY {order} LIMIT 0 + ?`
	// foundPageSQL sorts the phones that the full-text index finds.
	foundPageSQL = `
		SELECT {product} FROM (
			SELECT {columns} FROM search AS f CROSS JOIN shelf AS s ON s.seq = f.rowid
			WHERE f.search MATCH ? AND {passing} AND {of brands} AND {after}
			ORDER BY {order} LIMIT 0 + ?
		) AS s CROSS JOIN products AS p ON p.id = s.id
		ORDER BY {order} LIMIT 0 + ?`
)

var (
	qFound = query(searchSQL.Replace(`
		SELECT count(*), total(wanted), ifnull(max(seq), 0) FROM (
			SELECT f.rowid AS seq, ({passing} AND {of brands}) AS wanted
			FROM search AS f CROSS JOIN shelf AS s ON s.seq = f.rowid
			WHERE f.search MATCH ? LIMIT 0 + ?
		)`))
	qCountFound = query(searchSQL.Replace(`
		SELECT count(*) FROM (
			SELECT 1 FROM search AS f CROSS JOIN shelf AS s ON s.seq = f.rowid
			WHERE f.search MATCH ? AND f.rowid > ? AND {passing} AND {of brands} LIMIT 0 + ?
		)`))
	qCountMarket = query(searchSQL.Replace(`
		SELECT count(*) FROM (
			SELECT 1 FROM shelf AS s INDEXED BY shelf_dear WHERE {passing} LIMIT 0 + ?
		)`))
	qCountBrand = query(searchSQL.Replace(`
		SELECT count(*) FROM (
			SELECT 1 FROM shelf AS s INDEXED BY shelf_brand_dear WHERE s.brand_id = ? AND {passing} LIMIT 0 + ?
		)`))
)

// searchSQL replaces the names in braces that all statements of search share.
var searchSQL = strings.NewReplacer(
	"{product}", productTable.list("p"),
	"{passing}", "s.price BETWEEN ? AND ? AND s.facets & ? = s.facets AND s.facets >= ?",
	"{of brands}", "(? IS NULL OR s.brand_id IN (SELECT value FROM json_each(?)))",
)

// newOrder makes the statements of an order with an index. The key is a column of shelf, or "" for the ID alone.
func newOrder(index, key string) order {
	columns, by, after := "s.id", "s.id DESC", "s.id < ?"
	if key != "" {
		columns, by = key+", s.id", key+" DESC, s.id DESC"
		after = "(" + key + ", s.id) < (?, ?) AND " + key + " >= ?"
	}
	own := strings.NewReplacer("{index}", index, "{columns}", columns, "{order}", by, "{after}", after)
	page := func(sql string) *statement { return query(searchSQL.Replace(own.Replace(sql))) }
	return order{keyed: key != "", market: page(marketPageSQL), brand: page(brandPageSQL), found: page(foundPageSQL)}
}

// SearchProducts lists the phones that the query matches, in its order.
//
// If few phones have the words or match, it fetches them from the full-text index,
// filters and sorts them. Otherwise it scans the index of the order and skips phones
// that do not match, until the page is full. If maxScanned phones do not fill the page,
// it uses the full-text index after all.
func (s *Store) SearchProducts(ctx context.Context, q market.Query, page market.Page, countTo int) (list market.List[market.Product], err error) {
	sq := newSearchQuery(q, page)
	sq.maxFetched, sq.maxScanned, sq.countTo, sq.limit = s.maxFetched, s.maxScanned, countTo, max(page.Limit, 1)
	err = s.readIndexed(ctx, "search products", func(c *conn) error {
		return c.withReadContext(ctx, func() (err error) {
			list, err = sq.list(c)
			return err
		})
	})
	if len(list.Items) > sq.limit {
		list.Items, list.More = list.Items[:sq.limit], true
	}
	return list, err
}

// list reads one more phone than the page has, and counts all.
func (sq searchQuery) list(c *conn) (list market.List[market.Product], err error) {
	if err := sq.buildMatch(c); err != nil {
		return list, err
	}
	total, isFew, err := sq.total(c)
	if err != nil || total == 0 {
		return list, err
	}
	list.Total = total
	if !isFew {
		list.Items, err = sq.scan(c)
	}
	if isFew || err == nil && sq.match != "" && len(list.Items) <= sq.limit { // the scan may have stopped at its limit
		list.Items, err = sq.fetch(c)
	}
	return list, err
}

// total counts the phones that match, and tells whether so few have the words, or
// match, that all of them can be fetched.
func (sq searchQuery) total(c *conn) (n int, isFew bool, err error) {
	switch {
	case sq.whole:
		n, err = sq.length(c)
	case sq.match != "":
		return sq.found(c)
	case len(sq.brands) == 0:
		err = c.row(qCountMarket, []any{&n}, sq.indexFilters(sq.countTo)...)
	}
	for _, brand := range sq.brands {
		if sq.whole || n >= sq.countTo || err != nil {
			break
		}
		more := 0
		err = c.row(qCountBrand, []any{&more}, append([]any{brand}, sq.indexFilters(sq.countTo-n)...)...)
		n += more
	}
	return n, false, err
}

// found is total by the full-text index, which is read in the order of seq. It first
// reads up to a limit of phones that have the words, and counts those that pass the
// filters. If there are more, it then counts those of the rest that pass.
func (sq searchQuery) found(c *conn) (n int, isFew bool, err error) {
	most := max(sq.countTo, sq.maxFetched+1)
	words, total, last := 0, 0.0, int64(0)
	err = c.row(qFound, []any{&words, &total, &last}, append(sq.filters(), sq.match, most)...)
	n = int(total)
	if err != nil || words < most || n >= sq.countTo {
		return min(n, sq.countTo), words <= sq.maxFetched, err
	}
	more := 0 // after the last one
	err = c.row(qCountFound, []any{&more}, slices.Concat([]any{sq.match, last}, sq.filters(), []any{sq.countTo - n})...)
	n += more
	return n, n <= min(sq.maxFetched, sq.countTo-1), err
}

// length returns the number of phones of the market, or of the brands.
func (sq searchQuery) length(c *conn) (total int, err error) {
	list, scopes := "brand", sq.brands
	if len(scopes) == 0 {
		list, scopes = "products", []string{""}
	}
	for _, scope := range scopes {
		n := 0
		if err := c.row(qCount, []any{&n}, list, scope); err != nil && !errors.Is(err, sql.ErrNoRows) {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// fetch reads all phones that have the words from the full-text index, sorts those that
// match, and returns one more than the page has.
func (sq searchQuery) fetch(c *conn) ([]market.Product, error) {
	order, most := orders[sq.query.Sort], sq.limit+1
	args := slices.Concat([]any{sq.match}, sq.filters(), sq.after(order), []any{most, most})
	return many(c, order.found, productFields, args...)
}

// scan reads along the index of the order and returns one more phone than the page has. It
// compares the words of at most maxScanned phones, so it may return fewer.
func (sq searchQuery) scan(c *conn) ([]market.Product, error) {
	order, most := orders[sq.query.Sort], sq.limit+1
	scanned := most
	if sq.match != "" {
		scanned = max(most, sq.maxScanned/max(1, len(sq.brands)))
	}
	args := append(append(sq.after(order), sq.indexFilters()...), scanned, sq.substrings, sq.substrings, most)
	if len(sq.brands) == 0 {
		return many(c, order.market, productFields, args...)
	}
	var all []market.Product
	for _, brand := range sq.brands {
		part, err := many(c, order.brand, productFields, append([]any{brand}, args...)...)
		if err != nil {
			return nil, err
		}
		if len(part) < most && sq.match != "" && len(sq.brands) > 1 {
			return nil, nil // later phones of this brand may come before those of the others
		}
		all = append(all, part...)
	}
	if len(sq.brands) > 1 {
		slices.SortFunc(all, func(a, b market.Product) int { return sq.query.SortKey(a).Before(sq.query.SortKey(b)) })
	}
	return all[:min(most, len(all))], nil
}
