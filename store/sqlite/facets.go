package sqlite

import (
	"database/sql/driver"
	"math"

	"modernc.org/sqlite"

	"secondring/market"
)

// The bits of shelf.facets: a phone has one of each group. A query allows some of each
// group, and a phone matches if all its bits are allowed.
const (
	facetOther int64 = 1 << iota // any other condition
	facetExcellent
	facetGood
	facetFair
	facetVerified
	facetUnverified
	facetBooked
	facetFree

	// storageShift is the position of the storage in GB above the bits; 0 GB is unknown.
	storageShift = 16

	facetConditions = facetOther | facetExcellent | facetGood | facetFair
)

var facetOf = map[string]int64{"Excellent": facetExcellent, "Good": facetGood, "Fair": facetFair}

func searchFacets(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	condition, _ := args[0].(string)
	return facetsOf(condition, args[1] == int64(1), args[2] == int64(1)), nil
}

func facetsOf(condition string, verified, booked bool) int64 {
	facets, known := facetOf[condition]
	if !known {
		facets = facetOther
	}
	facets |= either(verified, facetVerified, facetUnverified)
	facets |= either(booked, facetBooked, facetFree)
	return facets
}

func either(is bool, yes, no int64) int64 {
	if is {
		return yes
	}
	return no
}

// allowed returns the facets that a phone of the query may have.
func allowed(q market.Query) int64 {
	facets := int64(0)
	for _, c := range q.Conditions {
		facets |= facetOf[c]
	}
	if len(q.Conditions) == 0 {
		facets = facetConditions
	}
	facets |= choice(q.Verified, facetVerified, facetUnverified) | choice(q.Available, facetFree, facetBooked)
	return facets | math.MaxInt64&^(1<<storageShift-1) // any storage; see searchQuery.least
}

func choice(wanted *bool, yes, no int64) int64 {
	if wanted == nil {
		return yes | no
	}
	return either(*wanted, yes, no)
}
