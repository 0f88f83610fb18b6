package sqlite

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"secondring/market"
)

// maxFetched is how many phones that have the words of a query are all fetched and
// sorted. With more of them, a walk along the order's index soon finds a page.
const maxFetched = 2000

// maxWalked is in how many phones a walk looks for words at most: each takes about two
// microseconds, and one that the full-text index finds a tenth of that.
const maxWalked = 5000

// searchQuery is a query as parameters of the statements in search.go.
type searchQuery struct {
	query          market.Query // its Sort is set
	few, looks     int          // see the constants few and walkMost
	countTo, limit int
	whole          bool           // wants all phones of its brands, or of the market
	place          market.SortKey // the page begins after it
	low, high      int64          // the resale price
	facets         int64          // what is allowed
	least          int64          // the facets of a phone with the least storage
	brands         []string       // each once; none for any
	terms          []market.Term  // the words, those of a place with their mark; none for any
	match          string         // the same for the full-text index (see buildMatch)
	has            any            // the same for search_has; nil for any
}

func newSearchQuery(q market.Query, page market.Page) searchQuery {
	if _, known := orders[q.Sort]; !known {
		q.Sort = market.SortNewest
	}
	h := searchQuery{
		query: q, whole: !q.Narrows(), low: int64(q.MinPrice), high: math.MaxInt64, facets: allowed(q), least: int64(q.MinStorage) << storageShift,
		brands: slices.Compact(slices.Sorted(slices.Values(q.Brands))),
	}
	if q.MaxPrice > 0 {
		h.high = int64(q.MaxPrice)
	}
	if place, ok := market.ParseSortKey(page.After); ok {
		h.place = place
	} else {
		h.place = market.SortKey{Key: h.first(), ID: newest}
	}
	h.terms = q.Terms()
	for _, t := range q.PlaceTerms() {
		h.terms = append(h.terms, market.Term{Word: locationMark + t.Word, Prefix: t.Prefix})
	}
	h.has = needles(h.terms)
	return h
}

// needles are the words as search_has takes them.
func needles(terms []market.Term) any {
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
	return strings.Join(all, needleEnd)
}

// first is the highest key that a phone of the query can have.
func (h searchQuery) first() int64 {
	switch h.query.Sort {
	case market.SortPriceUp:
		return -h.low
	case market.SortPriceDown:
		return h.high
	default:
		return math.MaxInt64
	}
}

// last is the lowest key that a phone of the query can have.
func (h searchQuery) last() int64 {
	switch h.query.Sort {
	case market.SortPriceUp:
		return -h.high
	case market.SortPriceDown:
		return h.low
	default:
		return math.MinInt64
	}
}

// after are the parameters of where a page begins and the order ends.
func (h searchQuery) after(o order) []any {
	if o.keyed {
		return []any{h.place.Key, h.place.ID, h.last()}
	}
	return []any{h.place.ID}
}

// passing are the parameters of what an index answers, and more.
func (h searchQuery) passing(more ...any) []any {
	return append([]any{h.low, h.high, h.facets, h.least}, more...)
}

// wanted are the parameters of what is asked of a phone beside its words.
func (h searchQuery) wanted() []any {
	var in any
	if len(h.brands) > 0 {
		ids, err := json.Marshal(h.brands)
		if err != nil {
			panic("sqlite: texts that are not JSON: " + err.Error())
		}
		in = string(ids)
	}
	return h.passing(in, in)
}
