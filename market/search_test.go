package market_test

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"secondring/market"
)

func first(q market.Query) market.Search {
	return market.Search{Query: q, Page: market.Page{Limit: 10}}
}

func TestSearchNeedsNoAccount(t *testing.T) {
	e := newEnv(t)
	p := e.phone(e.seller())
	for _, visitor := range []bool{true, false} {
		list, err := e.Search(e.ctx, visitor, first(market.Query{Text: "rings 33"}))
		if e.must(err); len(list.Items) != 1 || list.Items[0].ID != p.ID || list.Total != 1 {
			t.Errorf("found %+v", list)
		}
	}
}

func TestVisitorSearchRefusesLocation(t *testing.T) {
	e := newEnv(t)
	e.phone(e.seller())
	for _, place := range []string{"dhaka", "Nowhere", "?"} {
		_, err := e.Search(e.ctx, true, first(market.Query{Location: place}))
		e.wantInvalid(err, "location")
	}
	list, err := e.Search(e.ctx, true, first(market.Query{Text: "dhaka"}))
	if e.must(err); list.Total != 0 {
		t.Errorf("words find a location: %+v", list)
	}
	list, err = e.Search(e.ctx, false, first(market.Query{Location: "dha"}))
	if e.must(err); list.Total != 1 {
		t.Errorf("found %+v", list)
	}
}

func TestBrandSearchIsLimitedToBrand(t *testing.T) {
	e := newEnv(t)
	p := e.phone(e.seller())
	other, err := e.AddBrand(e.ctx, "Other", "/o.jpg")
	e.must(err)
	list, err := e.SearchBrand(e.ctx, false, e.brand.ID, first(market.Query{Text: "3310", Brands: []string{other.ID}}))
	if e.must(err); len(list.Items) != 1 || list.Items[0].ID != p.ID {
		t.Errorf("found %+v", list)
	}
	list, err = e.SearchBrand(e.ctx, false, other.ID, first(market.Query{Text: "3310"}))
	if e.must(err); list.Total != 0 {
		t.Errorf("found %+v", list)
	}
	_, err = e.SearchBrand(e.ctx, false, "none", first(market.Query{MinPrice: -1}))
	e.refused(err, market.CodeNotFound)
}

// wantInvalid fails the test unless the error has exactly these fields.
func (e *env) wantInvalid(err error, fields ...string) {
	e.t.Helper()
	var refusal *market.Error
	if !errors.As(err, &refusal) || refusal.Code != market.CodeInvalid {
		e.t.Fatalf("want a refusal of %v, got %v", fields, err)
	}
	if got := slices.Sorted(maps.Keys(refusal.Fields)); !slices.Equal(got, fields) {
		e.t.Errorf("complains of %v, want %v", refusal.Fields, fields)
	}
}

func TestSearchRefusals(t *testing.T) {
	e := newEnv(t)
	brands := []string{}
	for i := range 21 {
		brands = append(brands, strconv.Itoa(i))
	}
	for _, ask := range []struct {
		field string
		q     market.Query
	}{
		{"q", market.Query{Text: strings.Repeat("é", 201)}},
		{"location", market.Query{Location: strings.Repeat("a ", 101)}},
		{"condition", market.Query{Conditions: []string{"Good", "Mint"}}},
		{"minPrice", market.Query{MinPrice: -1}},
		{"minPrice", market.Query{MinPrice: 100_001}},
		{"maxPrice", market.Query{MaxPrice: 100_001}},
		{"maxPrice", market.Query{MinPrice: 20, MaxPrice: 19}},
		{"sort", market.Query{Sort: "dearest"}},
		{"brand", market.Query{Brands: brands}},
	} {
		in := first(ask.q)
		_, err := e.Search(e.ctx, false, in)
		e.wantInvalid(err, ask.field)
		if ask.field != "brand" {
			_, err = e.SearchBrand(e.ctx, false, e.brand.ID, in)
			e.wantInvalid(err, ask.field)
		}
		if in.Plain() {
			t.Errorf("%+v is plain", ask.q)
		}
	}
	in := first(market.Query{Text: strings.Repeat("é", 200), Brands: append(brands[:20], "1"), MinPrice: 20, MaxPrice: 20})
	_, err := e.Search(e.ctx, false, in)
	e.must(err)
	in.Wrong = market.Fields{"verified": "is true or false"}
	_, err = e.Search(e.ctx, false, in)
	e.wantInvalid(err, "verified")
}
