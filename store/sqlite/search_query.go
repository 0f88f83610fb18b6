package sqlite

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"secondring/market"
)

// few is how many phones may have the words of a query for them to be fetched
// all and sorted. Beyond that a walk finds one in every so many soon.
const few = 2000

// walkMost is in how many phones a walk looks for words: each takes some two
// microseconds, and to fetch one by the full-text index a tenth of one.
const walkMost = 5000

// hunt is a query in the words of the statements in search.go.
type hunt struct {
	query          market.Query // its Sort is set
	few, looks     int          // see the constants few and walkMost
	countTo, limit int
	whole          bool           // wants all phones of its brands, or of the market
	place          market.SortKey // the page begins after it
	low, high      int64          // the resale price
	facets         int64          // what is allowed
	brands         []string       // each once; none for any
	terms          []market.Term  // the words, those of a place with their mark; none for any
	match          string         // the same for the full-text index (see spell)
	has            any            // the same for search_has; nil for any
}

func newHunt(q market.Query, page market.Page) hunt {
	if _, known := orders[q.Sort]; !known {
		q.Sort = market.SortNewest
	}
	h := hunt{
		query: q, whole: !q.Narrows(), low: int64(q.MinPrice), high: math.MaxInt64, facets: allowed(q),
		brands: slices.Compact(slices.Sorted(slices.Values(q.Brands))),
	}
	if q.MaxPrice > 0 {
		h.high = int64(q.MaxPrice)
	}
	if place, ok := market.ParsePlace(page.After); ok {
		h.place = place
	} else {
		h.place = market.SortKey{Key: h.first(), ID: newest}
	}
	h.terms = q.Terms()
	for _, t := range q.PlaceTerms() {
		h.terms = append(h.terms, market.Term{Word: placeMark + t.Word, Prefix: t.Prefix})
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

// first is the key above which nobody stands.
func (h hunt) first() int64 {
	switch h.query.Sort {
	case market.SortPriceUp:
		return -h.low
	case market.SortPriceDown:
		return h.high
	default:
		return math.MaxInt64
	}
}

// last is the key below which nobody stands.
func (h hunt) last() int64 {
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
func (h hunt) after(o order) []any {
	if o.keyed {
		return []any{h.place.Key, h.place.ID, h.last()}
	}
	return []any{h.place.ID}
}

// passing are the parameters of what an index answers, and more.
func (h hunt) passing(more ...any) []any { return append([]any{h.low, h.high, h.facets}, more...) }

// wanted are the parameters of what is asked of a phone beside its words.
func (h hunt) wanted() []any {
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
