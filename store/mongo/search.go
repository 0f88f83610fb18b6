package mongo

import (
	"context"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"secondring/market"
	"secondring/market/search"
	"secondring/store"
)

// titlePrefix is the prefix of the words of brand, name, storage and colour, which a phone has a second
// time with it. So a search finds the phones that have all its words there.
const titlePrefix = "="

// locationPrefix is the prefix of the words of a location. No word of another text begins with
// it, so that a search for a text never matches a location.
const locationPrefix = "@"

// colourPrefix is the prefix of the colours of a phone. No word of a location begins with it.
const colourPrefix = "@="

// sortFields has the field of the sort key of each market.Sort. All are sorted in descending
// order. The key and the ID are stored as one text (orderKey), so that one comparison finds the
// beginning of a page.
var sortFields = map[search.Sort]string{
	search.SortNewest:    "keys.new",
	search.SortAvailable: "keys.availability",
	search.SortPriceUp:   "keys.cheap",
	search.SortPriceDown: "keys.dear",
	search.SortSaving:    "keys.saving",
}

// facets are the last fields of every index of sortFields, so that the server can filter without
// reading the documents.
var facets = []string{"keys.condition", "keys.verified", "keys.booked", "keys.searchPrice"}

// searchKeys returns the fields of the indexes that searches use; none for a kind that is not
// searched.
func searchKeys(w store.Write) (bson.D, error) {
	if !w.Kind.Searched || w.Body == nil {
		return nil, nil
	}
	v, err := w.Kind.SearchEntry(w.Doc)
	return bson.D{
		field("searchBrand", v.Brand), field("cheap", numberKey(-v.Price)+w.ID), field("dear", numberKey(v.Price)+w.ID),
		field("saving", numberKey(v.Saving)+w.ID), field("availability", fmt.Sprint(v.Availability)+w.ID),
		field("condition", v.Condition), field("verified", v.Verified), field("booked", v.Booked),
		field("searchPrice", v.Price), field("storage", v.Storage), field("words", searchWords(v)),
	}, err
}

// searchFields are the names of the fields of searchKeys.
var searchFields = []string{
	"searchBrand", "cheap", "dear", "saving", "availability", "condition", "verified", "booked", "searchPrice", "storage", "words",
}

// searchIndexes returns the indexes of the kind that is searched.
func searchIndexes() (all []index) {
	for _, order := range sortFields {
		fields := append([]string{"-" + order}, facets...)
		all = append(all, index{searched.Name, fields, []string{order}, false},
			index{searched.Name, append([]string{"keys.searchBrand"}, fields...), []string{"keys.searchBrand"}, false})
	}
	return append(all, index{searched.Name, []string{"keys.words", "-keys.new"}, []string{"keys.words"}, false})
}

// searched is the kind that searches find.
var searched = store.Kinds()[slices.IndexFunc(store.Kinds(), func(k *store.Info) bool { return k.Searched })]

// searchWords returns the tokens of a document, sorted and without duplicates.
func searchWords(v store.SearchEntry) []string {
	words := slices.Clone(v.Text)
	for _, token := range v.Title {
		words = append(words, token, titlePrefix+token)
	}
	for _, token := range v.Place {
		words = append(words, locationPrefix+token)
	}
	for _, colour := range v.Colours {
		words = append(words, colourPrefix+colour)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// orderKey encodes a sort key as a text that sorts in the same order.
func orderKey(k search.SortKey) string { return numberKey(k.Key) + k.ID }

// numberKey encodes a number as a text of fixed length that sorts in the same order.
func numberKey(n int64) string { return fmt.Sprintf("%016x", uint64(n)^(1<<63)) }

// Search returns a page of the documents that the query matches, in its order, and their
// number: the exact number if the query does not narrow, otherwise at most countTo.
//
// The server chooses between scanning the index of the order, where it skips phones that
// do not match, and sorting the phones that have the words.
func (e *Engine) Search(ctx context.Context, q search.Query, page market.Page, countTo int) (store.Found, error) {
	order, ok := sortFields[q.Sort]
	if !ok {
		q.Sort = search.SortNewest
		order = sortFields[q.Sort]
	}
	p := pageQuery{filter: searchFilter(q, q.Terms()), order: bson.D{field(order, -1)}, isFirst: true, limit: max(page.Limit, 1), countTo: store.CountAll}
	if q.Narrows() {
		p.countTo = countTo
	}
	from := sortKeyBounds(q)
	key, isFurther := search.ParseSortKey(page.After)
	p.isFirst = !isFurther
	if q.Sort == search.SortAvailable {
		p.groups = availableGroups(q, key, isFurther)
	} else if isFurther {
		after := orderKey(key)
		if q.Sort == search.SortNewest {
			after = key.ID
		}
		from = append(from, field("$lt", after))
	}
	p.pageFilter = append(slices.Clip(p.filter), field(order, from))
	if len(q.Brands) == 0 && len(q.Terms()) == 0 && len(filterTerms(q)) == 0 {
		// The bounds let the server count these by the index of the order, which ends with the
		// facets.
		p.filter = append(p.filter, field(order, sortKeyBounds(q)))
	}
	return e.page(ctx, searched, p)
}

// availableGroups returns the filters of the groups of the order SortAvailable, from a position
// on: the phones of one availability that have the words of the query in their title, then those
// that do not have all of them there. A query without words has only the first ones.
func availableGroups(q search.Query, after search.SortKey, isFurther bool) (groups []bson.D) {
	if !isFurther {
		after.Key = 5
	}
	title := marked(titlePrefix, q.Terms())
	for key := after.Key; key >= 0; key-- {
		terms, isTitle := title, key%2 == 1
		if !isTitle {
			terms = q.Terms()
		}
		if !isTitle && len(terms) == 0 {
			continue
		}
		first := fmt.Sprint(key / 2)
		place := bson.D{field("$gt", first)}
		if isFurther && key == after.Key {
			place = append(place, field("$lt", first+after.ID))
		} else {
			place = append(place, field("$lt", first+"~")) // after every ID
		}
		group := searchFilter(q, terms)
		if !isTitle {
			group = append(group, field("$nor", bson.A{bson.D{field("$and", wordConditions(title))}}))
		}
		groups = append(groups, append(group, field("keys.availability", place)))
	}
	return groups
}

// searchFilter returns a filter that matches the phones of the query, with these terms as the
// words of its text.
func searchFilter(q search.Query, text []search.Term) bson.D {
	var filter bson.D
	if len(q.Brands) > 0 {
		filter = append(filter, field("keys.searchBrand", oneOf(q.Brands)))
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
		filter = append(filter, field("keys.searchPrice", price))
	}
	var storage bson.D
	if q.MinStorage > 0 {
		storage = append(storage, field("$gte", q.MinStorage))
	}
	if len(q.Storage) > 0 {
		storage = append(storage, field("$in", q.Storage))
	}
	if storage != nil {
		filter = append(filter, field("keys.storage", storage))
	}
	if words := wordConditions(append(slices.Clip(text), filterTerms(q)...)); len(words) > 0 {
		filter = append(filter, field("$and", words))
	}
	return filter
}

// filterTerms returns the terms of location and colours.
func filterTerms(q search.Query) []search.Term {
	return append(marked(locationPrefix, q.PlaceTerms()), marked(colourPrefix, q.ColourTerms())...)
}

// marked returns the terms with a prefix before each token.
func marked(prefix string, terms []search.Term) []search.Term {
	var all []search.Term
	for _, term := range terms {
		var tokens search.Term
		for _, t := range term {
			tokens = append(tokens, search.Token{Word: prefix + t.Word, Prefix: t.Prefix})
		}
		all = append(all, tokens)
	}
	return all
}

// wordConditions returns a condition for each term: a phone has one of its tokens. Tokens contain
// only letters, digits, combining marks and our own prefixes, so that nothing in them is special
// in a regular expression.
func wordConditions(terms []search.Term) (all bson.A) {
	for _, term := range terms {
		var tokens bson.A
		for _, t := range term {
			var word any = t.Word
			if t.Prefix {
				word = bson.Regex{Pattern: "^" + t.Word}
			}
			tokens = append(tokens, bson.D{field("keys.words", word)})
		}
		if len(tokens) == 1 {
			all = append(all, tokens[0])
		} else {
			all = append(all, bson.D{field("$or", tokens)})
		}
	}
	return all
}

// sortKeyBounds returns bounds of the sort key of every phone that the query can match.
func sortKeyBounds(q search.Query) bson.D {
	switch {
	case q.Sort == search.SortPriceUp && q.MaxPrice > 0:
		return bson.D{field("$gt", numberKey(-int64(q.MaxPrice)))}
	case q.Sort == search.SortPriceDown && q.MinPrice > 0:
		return bson.D{field("$gt", numberKey(int64(q.MinPrice)))}
	default:
		return bson.D{field("$gt", "")}
	}
}
