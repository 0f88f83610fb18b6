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

// hunt is a query in the words of the statements in search.go.
type hunt struct {
	query               market.Query // its Sort is set
	few, countTo, limit int
	whole               bool         // wants all phones of its brands, or of the market
	place               market.Place // the page begins after it
	low, high           int64        // the resale price
	facets              int64        // what is allowed
	brands              []string     // each once; none for any
	match               string       // the words, for the full-text index; "" for any
	has                 any          // the words, for search_has; nil for any
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
		h.place = market.Place{Key: h.first(), ID: newest}
	}
	h.match, h.has = words(q)
	return h
}

// words writes down what is looked for in two ways. The words are letters,
// digits and marks alone, so that nothing in them means anything to FTS5.
func words(q market.Query) (match string, has any) {
	var matches, needles []string
	add := func(mark string, terms []market.Term) {
		for _, t := range terms {
			word, end, star := mark+t.Word, " ", ""
			if t.Prefix {
				end, star = "", "*"
			}
			matches = append(matches, `"`+word+`"`+star)
			needles = append(needles, " "+word+end)
		}
	}
	add("", q.Terms())
	add(placeMark, q.PlaceTerms())
	if matches == nil {
		return "", nil
	}
	return strings.Join(matches, " AND "), strings.Join(needles, needleEnd)
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
