package sqlite

import (
	"math"

	"secondring/market/search"
	"secondring/store"
)

// These are the bits of the column facets of the table search_entries. A phone has exactly one bit of
// each group (condition, verified or not, booked or not). A query allows one or more bits of
// each group, and a phone matches if all its bits are allowed.
const (
	facetOther int64 = 1 << iota // a condition that is none of the next three
	facetExcellent
	facetGood
	facetFair
	facetVerified
	facetUnverified
	facetBooked
	facetAvailable

	// storageShift is the position of the lowest bit of the storage in GB, which is stored
	// above the other bits. 0 GB means that the storage is unknown.
	storageShift = 16

	facetConditions = facetOther | facetExcellent | facetGood | facetFair
)

var conditionFacets = map[string]int64{"Excellent": facetExcellent, "Good": facetGood, "Fair": facetFair}

// facetsOf returns the facets of a document.
func facetsOf(v store.SearchEntry) int64 {
	facets, known := conditionFacets[v.Condition]
	if !known {
		facets = facetOther
	}
	facets |= either(v.Verified, facetVerified, facetUnverified)
	facets |= either(v.Booked, facetBooked, facetAvailable)
	return facets | v.Storage<<storageShift
}

func either(condition bool, yes, no int64) int64 {
	if condition {
		return yes
	}
	return no
}

// allowedFacets returns the facets that a phone of the query may have.
func allowedFacets(q search.Query) int64 {
	facets := int64(0)
	for _, c := range q.Conditions {
		facets |= conditionFacets[c]
	}
	if len(q.Conditions) == 0 {
		facets = facetConditions
	}
	facets |= allowedBits(q.Verified, facetVerified, facetUnverified) | allowedBits(q.Available, facetAvailable, facetBooked)
	return facets | math.MaxInt64&^(1<<storageShift-1) // any storage; see searchQuery.minFacets
}

// allowedBits returns the bits of one group that a filter allows. A nil filter allows both.
func allowedBits(filter *bool, yes, no int64) int64 {
	if filter == nil {
		return yes | no
	}
	return either(*filter, yes, no)
}
