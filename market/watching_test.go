package market_test

import (
	"strings"
	"testing"

	"secondring/market"
)

func TestSavedSearchIsAtMost8KB(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	save := func(conditions int) error {
		all := strings.Split(strings.TrimSuffix(strings.Repeat("Good,", conditions), ","), ",")
		_, err := e.SaveSearch(e.ctx, buyer, market.SavedSearchRequest{Name: "Mine", Query: market.Query{Conditions: all}})
		return err
	}
	e.wantCode(save(2000), market.CodeInvalid)
	e.must(save(300))
}
