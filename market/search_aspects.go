package market

import "slices"

// An edit of a phone concerns only some of the saved searches: those with a condition on a
// field that has changed so that the condition can be met now. A search that did not match
// before and matches now has at least one condition that was not met before and is met now.
// So it is enough to look at the searches with such a condition. Each condition is an aspect,
// and the stores find people by the aspects of their searches.

// aspect is one condition of a query.
type aspect string

// The aspects. newPhone stands for all conditions: a new phone did not match anything before.
const (
	newPhone       aspect = ""
	aspectText     aspect = "text"
	aspectPlace    aspect = "place"
	aspectCond     aspect = "condition"
	aspectMinPrice aspect = "minPrice"
	aspectMaxPrice aspect = "maxPrice"
	aspectStorage  aspect = "storage"
	aspectColour   aspect = "colour"
	aspectVerified aspect = "verified"
	aspectNotVerif aspect = "unverified"
	aspectFree     aspect = "available"
)

// aspects returns the conditions of the query, except the brand, which no edit changes, and
// except available:false: nobody needs to hear that a phone was booked.
func (q Query) aspects() []aspect {
	var all []aspect
	add := func(has bool, a aspect) {
		if has {
			all = append(all, a)
		}
	}
	add(len(q.Terms()) > 0, aspectText)
	add(len(q.PlaceTerms()) > 0, aspectPlace)
	add(len(q.Conditions) > 0, aspectCond)
	add(q.MinPrice > 0, aspectMinPrice)
	add(q.MaxPrice > 0, aspectMaxPrice)
	add(q.MinStorage > 0 || len(q.Storage) > 0, aspectStorage)
	add(len(q.Colours) > 0, aspectColour)
	add(q.Verified != nil && *q.Verified, aspectVerified)
	add(q.Verified != nil && !*q.Verified, aspectNotVerif)
	add(q.Available != nil && *q.Available, aspectFree)
	return all
}

// gained returns the aspects in which a phone may meet conditions after a change that it did
// not meet before.
func gained(before, p Product) []aspect {
	var all []aspect
	add := func(isGained bool, a aspect) {
		if isGained {
			all = append(all, a)
		}
	}
	hasOtherWords := before.Name != p.Name || before.Brand != p.Brand || before.Description != p.Description
	add(hasOtherWords || before.Storage != p.Storage || before.Colour != p.Colour, aspectText)
	add(before.Location != p.Location, aspectPlace)
	add(before.Condition != p.Condition, aspectCond)
	add(p.ResalePrice > before.ResalePrice, aspectMinPrice)
	add(p.ResalePrice < before.ResalePrice, aspectMaxPrice)
	add(before.StorageGB() != p.StorageGB(), aspectStorage)
	add(!slices.Equal(set(before.Colours()), set(p.Colours())), aspectColour)
	add(p.Verified && !before.Verified, aspectVerified)
	add(!p.Verified && before.Verified, aspectNotVerif)
	add(before.Hold != nil && p.Hold == nil, aspectFree)
	return all
}

// searchKey is under what people with saved searches are found: a brand, or AnyBrand, and an
// aspect. All searches are found with the aspect newPhone.
type searchKey struct {
	brand  string
	aspect aspect
}

// String returns the key for Store.WatchingOfSearches. IDs of brands contain no slash.
func (k searchKey) String() string {
	if k.aspect == newPhone {
		return k.brand
	}
	return k.brand + "/" + string(k.aspect)
}

// SearchKeys returns the keys under which the person's searches are found, each once.
func (w Watching) SearchKeys() []string {
	var all []string
	for _, s := range w.Searches {
		aspects := append(s.Query.aspects(), newPhone)
		for _, brand := range s.brands() {
			for _, a := range aspects {
				all = append(all, searchKey{brand, a}.String())
			}
		}
	}
	return set(all)
}

// hasKey returns whether the search is found under the key.
func (s SavedSearch) hasKey(k searchKey) bool {
	return slices.Contains(s.brands(), k.brand) && (k.aspect == newPhone || slices.Contains(s.Query.aspects(), k.aspect))
}
