package mongo

import (
	"context"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"secondring/market"
)

// locationMark begins the words of a location: no word of a text begins with it,
// so that neither is found in place of the other.
const locationMark = "@"

// orders are the keys by which the orders of market.Sort are walked, all of
// them downwards: the place in the order and the ID in one text, so that a
// page's beginning is one comparison.
var orders = map[market.Sort]string{
	market.SortNewest:    "keys.new",
	market.SortPriceUp:   "keys.cheap",
	market.SortPriceDown: "keys.dear",
	market.SortSaving:    "keys.saving",
}

// facets end every index of an order, so that the server sees from the index
// alone which phones to pass by.
var facets = []string{"keys.condition", "keys.verified", "keys.booked", "keys.price"}

// searchKeys are the fields that a phone is searched by.
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

// searchWords are the words of a phone, each once.
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

// SearchProducts lists the phones that the query wants, in its order.
//
// The server chooses between walking the index of the order, past those that
// are not wanted, and sorting those that have the words.
func (s *Store) SearchProducts(ctx context.Context, q market.Query, page market.Page, countTo int) (market.List[market.Product], error) {
	order, known := orders[q.Sort]
	if !known {
		q.Sort = market.SortNewest
		order = orders[q.Sort]
	}
	p := part{filter: wanted(q), order: bson.D{field(order, -1)}, first: true, limit: page.Limit}
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
		// Then only the index of an order, with the facets at its end, can count.
		p.filter = append(p.filter, field(order, within(q)))
	}
	return products.page(ctx, s, p)
}

// wanted is the filter of the phones that the query matches.
func wanted(q market.Query) bson.D {
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

// words are the conditions for the terms in an array of words. They are letters,
// digits and marks alone, so that nothing in them means anything to a regular
// expression.
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

// within are the bounds of the query's order: between them are all phones that
// it can want.
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
