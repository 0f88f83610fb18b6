package sqlite

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"secondring/market"
)

// maxFetched is the largest number of phones with the words of a query that are all
// fetched and sorted. If there are more, a scan of the order's index soon fills a page.
const maxFetched = 2000

// maxScanned is the largest number of phones whose words a scan compares. Each takes about
// two microseconds, ten times as long as one that the full-text index finds.
const maxScanned = 5000

// searchQuery is a query as parameters of the statements in search.go.
type searchQuery struct {
	query                  market.Query // its Sort is set
	maxFetched, maxScanned int          // the constants, except in tests
	countTo, limit         int
	whole                  bool           // the query selects all phones of its brands, or of the market
	place                  market.SortKey // the page begins after it
	low, high              int64          // the resale price
	facets                 int64          // the facets that a phone may have
	least                  int64          // the facets of a phone with the least storage
	brands                 []string       // each once; none for any
	terms                  []market.Term  // of text and location, the latter with locationMark; none for any
	match                  string         // the terms for the full-text index (see buildMatch)
	substrings             any            // the terms for search_has; nil for any
}

func newSearchQuery(q market.Query, page market.Page) searchQuery {
	if _, known := orders[q.Sort]; !known {
		q.Sort = market.SortNewest
	}
	sq := searchQuery{
		query: q, whole: !q.Narrows(), low: int64(q.MinPrice), high: math.MaxInt64, facets: allowed(q), least: int64(q.MinStorage) << storageShift,
		brands: slices.Compact(slices.Sorted(slices.Values(q.Brands))),
	}
	if q.MaxPrice > 0 {
		sq.high = int64(q.MaxPrice)
	}
	if place, ok := market.ParseSortKey(page.After); ok {
		sq.place = place
	} else {
		sq.place = market.SortKey{Key: sq.first(), ID: newest}
	}
	sq.terms = q.Terms()
	for _, t := range q.PlaceTerms() {
		sq.terms = append(sq.terms, market.Term{Word: locationMark + t.Word, Prefix: t.Prefix})
	}
	sq.substrings = substrings(sq.terms)
	return sq
}

// substrings encodes the terms for search_has.
func substrings(terms []market.Term) any {
	var all []string
	for _, t := range terms {
		end := " "
		if t.Prefix {
			end = ""
		}
		all = append(all, " "+t.Word+end)
	}
	if all == nil {
		return nil
	}
	return strings.Join(all, substringEnd)
}

// first returns the highest key that a phone of the query can have.
func (sq searchQuery) first() int64 {
	switch sq.query.Sort {
	case market.SortPriceUp:
		return -sq.low
	case market.SortPriceDown:
		return sq.high
	default:
		return math.MaxInt64
	}
}

// last returns the lowest key that a phone of the query can have.
func (sq searchQuery) last() int64 {
	switch sq.query.Sort {
	case market.SortPriceUp:
		return -sq.high
	case market.SortPriceDown:
		return sq.low
	default:
		return math.MinInt64
	}
}

// after returns the parameters of {after}: where the page begins and the order ends.
func (sq searchQuery) after(o order) []any {
	if o.keyed {
		return []any{sq.place.Key, sq.place.ID, sq.last()}
	}
	return []any{sq.place.ID}
}

// indexFilters returns the parameters of {passing}, the filters that an index of an order
// can evaluate, followed by more.
func (sq searchQuery) indexFilters(more ...any) []any {
	return append([]any{sq.low, sq.high, sq.facets, sq.least}, more...)
}

// filters returns the parameters of {passing} and {of brands}.
func (sq searchQuery) filters() []any {
	var in any
	if len(sq.brands) > 0 {
		ids, err := json.Marshal(sq.brands)
		if err != nil {
			panic("sqlite: encode brand IDs: " + err.Error())
		}
		in = string(ids)
	}
	return sq.indexFilters(in, in)
}
