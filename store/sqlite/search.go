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
	keyed  bool       // a key decides before the id
	market *statement // along the index of the whole market
	brand  *statement // along the index of one brand
	found  *statement // the phones that the full-text index finds, sorted
}

var orders = map[market.Sort]order{
	market.SortNewest:    newOrder("newest", ""),
	market.SortPriceUp:   newOrder("cheap", "s.cheap"),
	market.SortPriceDown: newOrder("dear", "s.price"),
	market.SortSaving:    newOrder("saving", "s.saving"),
}

// The statements of search. Names in braces are filled in by searchSQL and newOrder. The inner SELECT of a page reads
// an index only; the outer one fetches the phones that are left.
//
// The indexes of an order end with price and facets, and terms that they can answer come first: SQLite goes to the row
// only of a phone that passes those. CROSS JOIN and "LIMIT 0 + ?" keep the plan that the statement spells out.
const (
	// marketPageSQL and brandPageSQL read along an index until the page is full.
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

// searchSQL fills in what all statements of search share.
var searchSQL = strings.NewReplacer(
	"{product}", productTable.list("p"),
	"{passing}", "s.price BETWEEN ? AND ? AND s.facets & ? = s.facets AND s.facets >= ?",
	"{of brands}", "(? IS NULL OR s.brand_id IN (SELECT value FROM json_each(?)))",
)

// newOrder makes the statements of the order along an index, whose key is a column of shelf or "", the id alone.
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
// If few phones have the words or match, it fetches them by the full-text index,
// filters and sorts them. Otherwise it reads along the index of the order and skips
// phones that do not match, until the page is full. It stops when so many phones did
// not have the words that fetching costs less.
func (s *Store) SearchProducts(ctx context.Context, q market.Query, page market.Page, countTo int) (list market.List[market.Product], err error) {
	h := newSearchQuery(q, page)
	h.few, h.looks, h.countTo, h.limit = s.few, s.looks, countTo, max(page.Limit, 1)
	err = s.readIndexed(ctx, "search products", func(c *conn) error {
		return c.until(ctx, func() (err error) {
			list, err = h.list(c)
			return err
		})
	})
	if len(list.Items) > h.limit {
		list.Items, list.More = list.Items[:h.limit], true
	}
	return list, err
}

// list reads one more phone than the page holds, and counts all.
func (h searchQuery) list(c *conn) (list market.List[market.Product], err error) {
	if err := h.buildMatch(c); err != nil {
		return list, err
	}
	total, some, err := h.total(c)
	if err != nil || total == 0 {
		return list, err
	}
	list.Total = total
	if !some {
		list.Items, err = h.walk(c)
	}
	if some || err == nil && h.match != "" && len(list.Items) <= h.limit { // those that follow may be far
		list.Items, err = h.fetch(c)
	}
	return list, err
}

// total counts what the query wants, and tells whether so few phones have its
// words, or are wanted, that they can all be fetched.
func (h searchQuery) total(c *conn) (n int, some bool, err error) {
	switch {
	case h.whole:
		n, err = h.length(c)
	case h.match != "":
		return h.found(c)
	case len(h.brands) == 0:
		err = c.row(qCountMarket, []any{&n}, h.passing(h.countTo)...)
	}
	for _, brand := range h.brands {
		if h.whole || n >= h.countTo || err != nil {
			break
		}
		more := 0
		err = c.row(qCountBrand, []any{&more}, append([]any{brand}, h.passing(h.countTo-n)...)...)
		n += more
	}
	return n, false, err
}

// found counts by the full-text index, which goes by seq: first the phones that
// have the words, then, if these are many, those that are wanted of the rest.
func (h searchQuery) found(c *conn) (n int, some bool, err error) {
	most := max(h.countTo, h.few+1)
	words, total, last := 0, 0.0, int64(0)
	err = c.row(qFound, []any{&words, &total, &last}, append(h.wanted(), h.match, most)...)
	n = int(total)
	if err != nil || words < most || n >= h.countTo {
		return min(n, h.countTo), words <= h.few, err
	}
	more := 0 // of those that follow the last
	err = c.row(qCountFound, []any{&more}, slices.Concat([]any{h.match, last}, h.wanted(), []any{h.countTo - n})...)
	n += more
	return n, n <= min(h.few, h.countTo-1), err
}

// length is that of the whole market's list, or of those of the brands.
func (h searchQuery) length(c *conn) (total int, err error) {
	list, scopes := "brand", h.brands
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

// fetch goes through all phones that have the words, by the full-text index, and
// reads one more of those that are wanted than the page holds.
func (h searchQuery) fetch(c *conn) ([]market.Product, error) {
	order, most := orders[h.query.Sort], h.limit+1
	args := slices.Concat([]any{h.match}, h.wanted(), h.after(order), []any{most, most})
	return many(c, order.found, productFields, args...)
}

// walk goes along the index of the order and reads one more phone than the page
// holds. It looks for words in at most walkMost phones, and may find fewer then.
func (h searchQuery) walk(c *conn) ([]market.Product, error) {
	order, most := orders[h.query.Sort], h.limit+1
	looks := most
	if h.match != "" {
		looks = max(most, h.looks/max(1, len(h.brands)))
	}
	walk := append(append(h.after(order), h.passing()...), looks, h.has, h.has, most)
	if len(h.brands) == 0 {
		return many(c, order.market, productFields, walk...)
	}
	var all []market.Product
	for _, brand := range h.brands {
		part, err := many(c, order.brand, productFields, append([]any{brand}, walk...)...)
		if err != nil {
			return nil, err
		}
		if len(part) < most && h.match != "" && len(h.brands) > 1 {
			return nil, nil // what follows in this brand may be before what the others have
		}
		all = append(all, part...)
	}
	if len(h.brands) > 1 {
		slices.SortFunc(all, func(a, b market.Product) int { return h.query.SortKey(a).Before(h.query.SortKey(b)) })
	}
	return all[:min(most, len(all))], nil
}
