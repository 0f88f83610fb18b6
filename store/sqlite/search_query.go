package sqlite

import (
	"math"
	"slices"
	"strings"

	"secondring/market"
	"secondring/market/search"
)

// maxFetched is the maximum number of phones with the words of a query that are all
// fetched and sorted. If there are more, a scan of the sort order's index soon fills a page.
const maxFetched = 2000

// maxScanned is the maximum number of phones whose words a scan compares. Each takes about
// two microseconds, ten times as long as a phone that the full-text index finds.
const maxScanned = 5000

// newest is after the ID of every document.
const newest = "\U0010ffff"

// searchQuery contains a query as parameters of the statements in search.go.
type searchQuery struct {
	query                  search.Query   // its Sort is a key of sortOrders
	maxFetched, maxScanned int            // the constants, except in tests
	countTo                int            // matching phones are counted up to this number
	limit                  int            // the number of phones of the page
	unfiltered             bool           // the query matches all phones of its brands, or of the market
	afterKey               search.SortKey // the page begins after this key
	minPrice, maxPrice     int64          // of the resale price
	facets                 int64          // the facets that a phone may have
	minFacets              int64          // the lowest facets of a phone with enough storage
	storages               any            // the allowed storages as JSON; nil for all
	brands                 []string       // brand IDs, sorted and without duplicates; empty for all brands
	terms                  []search.Term  // of text, location and colours, the latter two with marks; empty for all phones
	match                  string         // the terms for the full-text index (see matchOf)
	substrings             any            // the terms for search_has; nil for all phones
	without                any            // the terms that search_has must not find; nil for none
	availability           int64          // of the phones of one group (see search_available.go)
}

func newSearchQuery(q search.Query, page market.Page) searchQuery {
	if _, known := sortOrders[q.Sort]; !known {
		q.Sort = search.SortNewest
	}
	sq := searchQuery{
		query: q, unfiltered: !q.Narrows(), minPrice: int64(q.MinPrice), maxPrice: math.MaxInt64,
		facets: allowedFacets(q), minFacets: int64(q.MinStorage) << storageShift,
		brands: slices.Compact(slices.Sorted(slices.Values(q.Brands))),
	}
	if q.MaxPrice > 0 {
		sq.maxPrice = int64(q.MaxPrice)
	}
	if key, ok := search.ParseSortKey(page.After); ok {
		sq.afterKey = key
	} else {
		sq.afterKey = search.SortKey{Key: sq.maxKey(), ID: newest}
	}
	if len(q.Storage) > 0 {
		sq.storages = list(q.Storage)
	}
	sq.terms = append(q.Terms(), filterTerms(q)...)
	sq.substrings = substrings(sq.terms)
	return sq
}

// filterTerms returns the terms of location and colours.
func filterTerms(q search.Query) []search.Term {
	return append(marked(locationMark, q.PlaceTerms()), marked(colourMark, q.ColourTerms())...)
}

// marked returns the terms with a mark before each token.
func marked(mark string, terms []search.Term) []search.Term {
	var all []search.Term
	for _, term := range terms {
		var tokens search.Term
		for _, t := range term {
			tokens = append(tokens, search.Token{Word: mark + t.Word, Prefix: t.Prefix})
		}
		all = append(all, tokens)
	}
	return all
}

// substrings encodes terms for search_has; nil if there are none.
func substrings(terms []search.Term) any {
	var all []string
	for _, term := range terms {
		var tokens []string
		for _, t := range term {
			end := " "
			if t.Prefix {
				end = ""
			}
			tokens = append(tokens, " "+t.Word+end)
		}
		all = append(all, strings.Join(tokens, substringEnd))
	}
	if all == nil {
		return nil
	}
	return strings.Join(all, termEnd)
}

// maxKey returns the highest sort key that a phone of the query can have. Every sort order
// is descending.
func (sq searchQuery) maxKey() int64 {
	switch sq.query.Sort {
	case search.SortAvailable:
		return maxAvailableKey
	case search.SortPriceUp:
		return -sq.minPrice
	case search.SortPriceDown:
		return sq.maxPrice
	default:
		return math.MaxInt64
	}
}

// minKey returns the lowest sort key that a phone of the query can have.
func (sq searchQuery) minKey() int64 {
	switch sq.query.Sort {
	case search.SortPriceUp:
		return -sq.maxPrice
	case search.SortPriceDown:
		return sq.minPrice
	default:
		return math.MinInt64
	}
}

// after returns the parameters of {after}: the key after which the page begins, and the
// lowest key, at which the scan ends. In the order by availability, a page is of one group.
func (sq searchQuery) after(o sortOrder) []any {
	switch {
	case sq.query.Sort == search.SortAvailable:
		return []any{sq.availability, sq.afterKey.ID}
	case o.hasKey:
		return []any{sq.afterKey.Key, sq.afterKey.ID, sq.minKey()}
	}
	return []any{sq.afterKey.ID}
}

// indexFilters returns the parameters of {passing}, which are the filters that the index
// of a sort order can evaluate, followed by more parameters.
func (sq searchQuery) indexFilters(more ...any) []any {
	return append([]any{sq.minPrice, sq.maxPrice, sq.facets, sq.minFacets, sq.storages, sq.storages}, more...)
}

// filters returns the parameters of {passing} and {of brands}.
func (sq searchQuery) filters() []any {
	var brandIDs any // JSON, or nil for all brands
	if len(sq.brands) > 0 {
		brandIDs = list(sq.brands)
	}
	return sq.indexFilters(brandIDs, brandIDs)
}
