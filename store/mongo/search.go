package mongo

import (
	"context"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"secondring/market"
)

// locationPrefix is the prefix of the words of a location. No word of another text begins with
// it, so that a search for a text never matches a location.
const locationPrefix = "@"

// sortFields has the field of the sort key of each market.Sort. All are sorted in descending
// order. The key and the ID are stored as one text (orderKey), so that one comparison finds the
// beginning of a page.
var sortFields = map[market.Sort]string{
	market.SortNewest:    "keys.new",
	market.SortPriceUp:   "keys.cheap",
	market.SortPriceDown: "keys.dear",
	market.SortSaving:    "keys.saving",
}

// facets are the last fields of every index of sortFields, so that the server can filter without
// reading the documents.
var facets = []string{"keys.condition", "keys.verified", "keys.booked", "keys.price"}

// searchKeys returns the keys of a phone that searches use.
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

// searchWords returns the words of a phone and of its location, sorted and without duplicates.
func searchWords(p market.Product) []string {
	words := p.Words()
	for _, word := range p.PlaceWords() {
		words = append(words, locationPrefix+word)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// orderKey encodes a sort key as a text that sorts in the same order.
func orderKey(k market.SortKey) string { return numberKey(k.Key) + k.ID }

// numberKey encodes a number as a text of fixed length that sorts in the same order.
func numberKey(n int64) string { return fmt.Sprintf("%016x", uint64(n)^(1<<63)) }

// SearchProducts returns a page of the phones that the query matches, in its order, and their
// number: the exact number if the query does not narrow, otherwise at most countTo.
//
// The server chooses between scanning the index of the order, where it skips phones that
// do not match, and sorting the phones that have the words.
func (s *Store) SearchProducts(ctx context.Context, q market.Query, page market.Page, countTo int) (market.List[market.Product], error) {
	order, ok := sortFields[q.Sort]
	if !ok {
		q.Sort = market.SortNewest
		order = sortFields[q.Sort]
	}
	p := pageQuery{filter: searchFilter(q), order: bson.D{field(order, -1)}, isFirst: true, limit: page.Limit}
	if q.Narrows() {
		p.maxTotal = countTo
	}
	from := sortKeyBounds(q)
	if key, ok := market.ParseSortKey(page.After); ok {
		p.isFirst = false
		after := orderKey(key)
		if q.Sort == market.SortNewest {
			after = key.ID
		}
		from = append(from, field("$lt", after))
	}
	p.pageFilter = append(slices.Clip(p.filter), field(order, from))
	if len(q.Brands) == 0 && len(q.Terms()) == 0 && len(q.PlaceTerms()) == 0 {
		// The bounds let the server count these by the index of the order, which ends with the
		// facets.
		p.filter = append(p.filter, field(order, sortKeyBounds(q)))
	}
	return products.page(ctx, s, p)
}

// searchFilter returns a filter that matches the phones of the query.
func searchFilter(q market.Query) bson.D {
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
	if words := append(wordConditions("", q.Terms()), wordConditions(locationPrefix, q.PlaceTerms())...); len(words) > 0 {
		filter = append(filter, field("keys.words", bson.D{field("$all", words)}))
	}
	return filter
}

// oneOf returns a condition that matches any of the texts. For a single text it is an equality,
// so that the server can still read the results from the index in their order.
func oneOf(texts []string) any {
	distinct := slices.Compact(slices.Sorted(slices.Values(texts)))
	if len(distinct) == 1 {
		return distinct[0]
	}
	return bson.D{field("$in", distinct)}
}

// wordConditions returns a condition on keys.words for each term, with a prefix before its word.
// Terms contain only letters, digits and combining marks, so that nothing in them is special in
// a regular expression.
func wordConditions(prefix string, terms []market.Term) (all bson.A) {
	for _, t := range terms {
		if t.Prefix {
			all = append(all, bson.Regex{Pattern: "^" + prefix + t.Word})
		} else {
			all = append(all, prefix+t.Word)
		}
	}
	return all
}

// sortKeyBounds returns bounds of the sort key of every phone that the query can match.
func sortKeyBounds(q market.Query) bson.D {
	switch {
	case q.Sort == market.SortPriceUp && q.MaxPrice > 0:
		return bson.D{field("$gt", numberKey(-int64(q.MaxPrice)))}
	case q.Sort == market.SortPriceDown && q.MinPrice > 0:
		return bson.D{field("$gt", numberKey(int64(q.MinPrice)))}
	default:
		return bson.D{field("$gt", "")}
	}
}
