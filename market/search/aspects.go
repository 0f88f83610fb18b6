package search

import "slices"

// An edit of a phone concerns only some of the saved searches: those with a condition on a
// field that has changed so that the condition can be met now. A search that did not match
// before and matches now has at least one condition that was not met before and is met now.
// So it is enough to look at the searches with such a condition. Each condition is an aspect,
// and the stores find people by the aspects of their searches.

// Aspect is one condition of a query.
type Aspect string

// The aspects. NewPhone stands for all conditions: a new phone did not match anything before.
const (
	NewPhone       Aspect = ""
	aspectText     Aspect = "text"
	aspectPlace    Aspect = "place"
	aspectCond     Aspect = "condition"
	aspectMinPrice Aspect = "minPrice"
	aspectMaxPrice Aspect = "maxPrice"
	AspectStorage  Aspect = "storage"
	AspectColour   Aspect = "colour"
	aspectVerified Aspect = "verified"
	aspectNotVerif Aspect = "unverified"
	aspectFree     Aspect = "available"
)

// Aspects returns the conditions of the query, except the brand, which no edit changes, and
// except available:false: nobody needs to hear that a phone was booked.
func (q Query) Aspects() []Aspect {
	var all []Aspect
	add := func(has bool, a Aspect) {
		if has {
			all = append(all, a)
		}
	}
	add(len(q.Terms()) > 0, aspectText)
	add(len(q.PlaceTerms()) > 0, aspectPlace)
	add(len(q.Conditions) > 0, aspectCond)
	add(q.MinPrice > 0, aspectMinPrice)
	add(q.MaxPrice > 0, aspectMaxPrice)
	add(q.MinStorage > 0 || len(q.Storage) > 0, AspectStorage)
	add(len(q.Colours) > 0, AspectColour)
	add(q.Verified != nil && *q.Verified, aspectVerified)
	add(q.Verified != nil && !*q.Verified, aspectNotVerif)
	add(q.Available != nil && *q.Available, aspectFree)
	return all
}

// Gained returns the aspects in which a phone may meet conditions after a change that it did
// not meet before.
func Gained(before, p Phone) []Aspect {
	var all []Aspect
	add := func(isGained bool, a Aspect) {
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
	add(before.StorageGB() != p.StorageGB(), AspectStorage)
	add(!slices.Equal(Distinct(before.Colours()), Distinct(p.Colours())), AspectColour)
	add(p.Verified && !before.Verified, aspectVerified)
	add(!p.Verified && before.Verified, aspectNotVerif)
	add(before.Booked && !p.Booked, aspectFree)
	return all
}
