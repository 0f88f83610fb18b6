package sqlite

import (
	"database/sql/driver"
	"math"

	"modernc.org/sqlite"

	"secondring/market"
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

// searchFacets implements the SQL function search_facets, which returns facetsOf for a
// condition, and for whether the phone is verified and booked.
func searchFacets(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	condition, _ := args[0].(string)
	return facetsOf(condition, args[1] == int64(1), args[2] == int64(1)), nil
}

// facetsOf returns the facets of a phone, without its storage.
func facetsOf(condition string, verified, booked bool) int64 {
	facets, known := conditionFacets[condition]
	if !known {
		facets = facetOther
	}
	facets |= either(verified, facetVerified, facetUnverified)
	facets |= either(booked, facetBooked, facetAvailable)
	return facets
}

func either(condition bool, yes, no int64) int64 {
	if condition {
		return yes
	}
	return no
}

// allowedFacets returns the facets that a phone of the query may have.
func allowedFacets(q market.Query) int64 {
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
