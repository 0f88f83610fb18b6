package market_test

import (
	"strings"
	"testing"

	"secondring/market"
	"secondring/market/search"
)

func TestSavedSearchIsAtMost8KB(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	save := func(conditions int) error {
		all := strings.Split(strings.TrimSuffix(strings.Repeat("Good,", conditions), ","), ",")
		_, err := e.SaveSearch(e.ctx, buyer, market.SavedSearchRequest{Name: "Mine", Query: search.Query{Conditions: all}})
		return err
	}
	e.wantCode(save(2000), market.CodeInvalid)
	e.must(save(300))
}

// A saved search whose prices contradict each other could never be opened.
func TestSavedSearchWithContradictingPricesIsRefused(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	for _, q := range []search.Query{
		{Text: "pixel under 300", MinPrice: 400},
		{Text: "nokia $20", MinPrice: 21},
		{Text: "over 500", MaxPrice: 499},
		{Text: "200-300", MinPrice: 301},
		{Text: "more than 400 less than 300"},
	} {
		_, err := e.SaveSearch(e.ctx, buyer, market.SavedSearchRequest{Name: "Mine", Query: q})
		e.wantInvalid(err, "query.maxPrice")
	}
	e.mustSaveSearch(buyer, search.Query{Text: "pixel under 300", MinPrice: 300})
}
