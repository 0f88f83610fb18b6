package market_test

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"secondring/market"
	"secondring/market/search"
)

// firstPage returns a search for the first page of a query's results.
func firstPage(q search.Query) market.Search {
	return market.Search{Query: q, Page: market.Page{Limit: 10}}
}

func TestSearchNeedsNoAccount(t *testing.T) {
	e := newEnv(t)
	p := e.phone(e.seller())
	for _, visitor := range []bool{true, false} {
		list, err := e.Search(e.ctx, visitor, firstPage(search.Query{Text: "rings 33"}))
		if e.must(err); len(list.Items) != 1 || list.Items[0].ID != p.ID || list.Total != 1 {
			t.Errorf("found %+v", list)
		}
	}
}

func TestVisitorSearchRefusesLocation(t *testing.T) {
	e := newEnv(t)
	e.phone(e.seller())
	for _, location := range []string{"dhaka", "Nowhere", "?"} {
		_, err := e.Search(e.ctx, true, firstPage(search.Query{Location: location}))
		e.wantInvalid(err, "location")
	}
	list, err := e.Search(e.ctx, true, firstPage(search.Query{Text: "dhaka"}))
	if e.must(err); list.Total != 0 {
		t.Errorf("the words of a search find a location: %+v", list)
	}
	list, err = e.Search(e.ctx, false, firstPage(search.Query{Location: "dha"}))
	if e.must(err); list.Total != 1 {
		t.Errorf("found %+v", list)
	}
}

func TestBrandSearchIsLimitedToBrand(t *testing.T) {
	e := newEnv(t)
	p := e.phone(e.seller())
	other, err := e.AddBrand(e.ctx, "Other", "/o.jpg")
	e.must(err)
	list, err := e.SearchBrand(e.ctx, false, e.brand.ID, firstPage(search.Query{Text: "3310", Brands: []string{other.ID}}))
	if e.must(err); len(list.Items) != 1 || list.Items[0].ID != p.ID {
		t.Errorf("found %+v", list)
	}
	list, err = e.SearchBrand(e.ctx, false, other.ID, firstPage(search.Query{Text: "3310"}))
	if e.must(err); list.Total != 0 {
		t.Errorf("found %+v", list)
	}
	_, err = e.SearchBrand(e.ctx, false, "none", firstPage(search.Query{MinPrice: -1}))
	e.wantCode(err, market.CodeNotFound)
}

// wantInvalid fails the test unless the error has exactly these fields.
func (e *env) wantInvalid(err error, fields ...string) {
	e.t.Helper()
	var refusal *market.Error
	if !errors.As(err, &refusal) || refusal.Code != market.CodeInvalid {
		e.t.Fatalf("the error is %v, want one about %v", err, fields)
	}
	if got := slices.Sorted(maps.Keys(refusal.Fields)); !slices.Equal(got, fields) {
		e.t.Errorf("the error is about %v, want %v", refusal.Fields, fields)
	}
}

func TestSearchRefusals(t *testing.T) {
	e := newEnv(t)
	brands := []string{}
	for i := range 21 {
		brands = append(brands, strconv.Itoa(i))
	}
	for _, c := range []struct {
		field string
		q     search.Query
	}{
		{"q", search.Query{Text: strings.Repeat("é", 201)}},
		{"location", search.Query{Location: strings.Repeat("a ", 101)}},
		{"condition", search.Query{Conditions: []string{"Good", "Mint"}}},
		{"minPrice", search.Query{MinPrice: -1}},
		{"minPrice", search.Query{MinPrice: 100_001}},
		{"maxPrice", search.Query{MaxPrice: 100_001}},
		{"maxPrice", search.Query{MinPrice: 20, MaxPrice: 19}},
		{"maxPrice", search.Query{Text: "pixel under 300", MinPrice: 400}},
		{"maxPrice", search.Query{Text: "pixel over $500", MaxPrice: 400}},
		{"maxPrice", search.Query{Text: "over 500 below 400"}},
		{"sort", search.Query{Sort: "dearest"}},
		{"brand", search.Query{Brands: brands}},
	} {
		in := firstPage(c.q)
		_, err := e.Search(e.ctx, false, in)
		e.wantInvalid(err, c.field)
		if c.field != "brand" {
			_, err = e.SearchBrand(e.ctx, false, e.brand.ID, in)
			e.wantInvalid(err, c.field)
		}
		if in.Plain() {
			t.Errorf("%+v has a filter and is plain", c.q)
		}
	}
	in := firstPage(search.Query{Text: strings.Repeat("é", 200), Brands: append(brands[:20], "1"), MinPrice: 20, MaxPrice: 20})
	_, err := e.Search(e.ctx, false, in)
	e.must(err)
	in.Wrong = wrongField("verified", "must be true or false")
	_, err = e.Search(e.ctx, false, in)
	e.wantInvalid(err, "verified")
}
