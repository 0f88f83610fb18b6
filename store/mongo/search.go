package mongo

import (
	"context"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"secondring/market"
)

// locationMark is the prefix of a location's words. No word of a text begins with it,
// so a text never matches a location.
const locationMark = "@"

// orders has the field of each market.Sort's sort key. All are sorted in descending order.
// A key and the ID are one text (orderKey), so that one comparison finds the beginning of
// a page.
var orders = map[market.Sort]string{
	market.SortNewest:    "keys.new",
	market.SortPriceUp:   "keys.cheap",
	market.SortPriceDown: "keys.dear",
	market.SortSaving:    "keys.saving",
}

// facets are the last fields of every index of an order, so that the server filters by
// the index alone.
var facets = []string{"keys.condition", "keys.verified", "keys.booked", "keys.price"}

// searchKeys returns the fields of a phone that search uses.
func searchKeys(p market.Product) bson.D {
	key := func(by market.Sort) string { return orderKey(market.Query{Sort: by}.SortKey(p)) }
	return bson.D{
		field("new", p.ID), field("brand", p.BrandID),
		field("cheap", key(market.SortPriceUp)), field("dear", key(market.SortPriceDown)),
		field("saving", key(market.SortSaving)),
		field("condition", p.Condition), field("verified", p.Verified), field("booked", p.Booked()),
		field("price", p.ResalePrice), field("storage", p.Storage), field("words", searchWords(p)),
	}
}

// searchWords returns the words of a phone, each once.
func searchWords(p market.Product) []string {
	words := p.Words()
	for _, word := range p.PlaceWords() {
		words = append(words, locationMark+word)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// orderKey encodes a sort key as a text that sorts in the same order.
func orderKey(place market.SortKey) string { return numberKey(place.Key) + place.ID }

func numberKey(n int64) string { return fmt.Sprintf("%016x", uint64(n)^(1<<63)) }

// SearchProducts lists the phones that the query matches, in its order.
//
// The server chooses between scanning the index of the order, where it skips phones that
// do not match, and sorting the phones that have the words.
func (s *Store) SearchProducts(ctx context.Context, q market.Query, page market.Page, countTo int) (market.List[market.Product], error) {
	order, known := orders[q.Sort]
	if !known {
		q.Sort = market.SortNewest
		order = orders[q.Sort]
	}
	p := part{filter: matching(q), order: bson.D{field(order, -1)}, first: true, limit: page.Limit}
	if q.Narrows() {
		p.most = countTo
	}
	from := within(q)
	if place, ok := market.ParseSortKey(page.After); ok {
		p.first = false
		after := orderKey(place)
		if q.Sort == market.SortNewest {
			after = place.ID
		}
		from = append(from, field("$lt", after))
	}
	p.from = append(slices.Clip(p.filter), field(order, from))
	if len(q.Brands) == 0 && len(q.Terms()) == 0 && len(q.PlaceTerms()) == 0 {
		// Only the index of an order, which ends with the facets, can count these.
		p.filter = append(p.filter, field(order, within(q)))
	}
	return products.page(ctx, s, p)
}

// matching returns the filter of the phones that the query matches.
func matching(q market.Query) bson.D {
	var filter bson.D
	if len(q.Brands) > 0 {
		filter = append(filter, field("keys.brand", oneOf(q.Brands)))
	}
	if len(q.Conditions) > 0 {
		filter = append(filter, field("keys.condition", oneOf(q.Conditions)))
	}
	if q.Verified != nil {
		filter = append(filter, field("keys.verified", *q.Verified))
	}
	if q.Available != nil {
		filter = append(filter, field("keys.booked", !*q.Available))
	}
	var price bson.D
	if q.MinPrice > 0 {
		price = append(price, field("$gte", q.MinPrice))
	}
	if q.MaxPrice > 0 {
		price = append(price, field("$lte", q.MaxPrice))
	}
	if price != nil {
		filter = append(filter, field("keys.price", price))
	}
	if q.MinStorage > 0 {
		filter = append(filter, field("keys.storage", bson.D{field("$gte", q.MinStorage)}))
	}
	if words := append(words("", q.Terms()), words(locationMark, q.PlaceTerms())...); len(words) > 0 {
		filter = append(filter, field("keys.words", bson.D{field("$all", words)}))
	}
	return filter
}

// oneOf matches any of the texts. A single text is an equality, so that an index
// still gives the order.
func oneOf(texts []string) any {
	each := slices.Compact(slices.Sorted(slices.Values(texts)))
	if len(each) == 1 {
		return each[0]
	}
	return bson.D{field("$in", each)}
}

// words returns the conditions of the terms on an array of words. Terms have only letters,
// digits and marks, so nothing in them is special in a regular expression.
func words(mark string, terms []market.Term) (all bson.A) {
	for _, t := range terms {
		if t.Prefix {
			all = append(all, bson.Regex{Pattern: "^" + mark + t.Word})
		} else {
			all = append(all, mark+t.Word)
		}
	}
	return all
}

// within returns bounds of the sort key for all phones that the query can match.
func within(q market.Query) bson.D {
	switch {
	case q.Sort == market.SortPriceUp && q.MaxPrice > 0:
		return bson.D{field("$gt", numberKey(-int64(q.MaxPrice)))}
	case q.Sort == market.SortPriceDown && q.MinPrice > 0:
		return bson.D{field("$gt", numberKey(int64(q.MinPrice)))}
	default:
		return bson.D{field("$gt", "")}
	}
}
