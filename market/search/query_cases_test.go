package search_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"secondring/market/search"
)

// casePhone is a phone of the table, with the field names of the API.
type casePhone struct {
	ID               string `json:"_id"`
	BrandID          string `json:"id"`
	Name             string `json:"name"`
	Brand            string `json:"brand"`
	Description      string `json:"description"`
	Location         string `json:"location"`
	OriginalPrice    int    `json:"originalPrice"`
	ResalePrice      int    `json:"resalePrice"`
	Storage          int    `json:"storage"`
	Colour           string `json:"colour"`
	ProductCondition string `json:"productCondition"`
	Verified         bool   `json:"verified"`
	Booked           bool   `json:"booked"`
	Sold             bool   `json:"sold"`
}

func (p casePhone) phone() search.Phone {
	return search.Phone{
		Booked: p.Booked, Sold: p.Sold,
		ID: p.ID, BrandID: p.BrandID, Name: p.Name, Brand: p.Brand, Description: p.Description, Location: p.Location,
		OriginalPrice: p.OriginalPrice, ResalePrice: p.ResalePrice, Storage: p.Storage, Colour: p.Colour, Condition: p.ProductCondition, Verified: p.Verified,
	}
}

// caseQuery is a query of the table, with the field names of search.Query.
type caseQuery struct {
	Text, Location      string
	Brands, Conditions  []string
	MinPrice, MaxPrice  int
	MinStorage          int
	Storage             []int
	Colours             []string
	Verified, Available *bool
}

func (q caseQuery) query() search.Query {
	return search.Query{
		Text: q.Text, Location: q.Location, Brands: q.Brands, Conditions: q.Conditions,
		MinPrice: q.MinPrice, MaxPrice: q.MaxPrice, MinStorage: q.MinStorage, Storage: q.Storage, Colours: q.Colours, Verified: q.Verified, Available: q.Available,
	}
}

// The client implements the same rules in TypeScript. Both are tested with this table.
func TestSharedQueryCases(t *testing.T) {
	body, err := os.ReadFile("testdata/query_cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases struct {
		Phone   casePhone
		Phones  []casePhone
		Matches []struct {
			Query caseQuery
			Want  bool
		}
		Found []struct {
			casePhone

			Find, Miss []string
		}
		Storages []struct {
			casePhone

			Want int
		}
		Colours []struct {
			casePhone

			Has, Lacks []string
		}
		Words []struct {
			Text  string
			Words []string
		}
		Orders []struct {
			Sort search.Sort
			Text string
			IDs  []string
		}
	}
	if err := json.Unmarshal(body, &cases); err != nil {
		t.Fatal(err)
	}
	wantMatch := func(q search.Query, p casePhone, want bool) {
		if got := q.Matches(p.phone()); got != want {
			t.Errorf("%+v matches %+v: %v, want %v", q, p, got, want)
		}
	}
	for _, c := range cases.Matches {
		wantMatch(c.Query.query(), cases.Phone, c.Want)
	}
	for _, c := range cases.Found {
		for _, text := range c.Find {
			wantMatch(search.Query{Text: text}, c.casePhone, true)
		}
		for _, text := range c.Miss {
			wantMatch(search.Query{Text: text}, c.casePhone, false)
		}
	}
	for _, c := range cases.Storages {
		if got := c.phone().StorageGB(); got != c.Want {
			t.Errorf("the storage of %q is %d, want %d", c.Name, got, c.Want)
		}
	}
	for _, c := range cases.Colours {
		for _, colour := range c.Has {
			wantMatch(search.Query{Colours: []string{colour}}, c.casePhone, true)
		}
		for _, colour := range c.Lacks {
			wantMatch(search.Query{Colours: []string{colour}}, c.casePhone, false)
		}
	}
	for _, row := range cases.Words {
		if got := search.WordsOf(row.Text); !slices.Equal(got, row.Words) {
			t.Errorf("the words of %q are %q, want %q", row.Text, got, row.Words)
		}
	}
	for _, order := range cases.Orders {
		var keys []search.SortKey
		for _, p := range cases.Phones {
			keys = append(keys, search.Query{Sort: order.Sort, Text: order.Text}.SortKey(p.phone()))
		}
		slices.SortFunc(keys, search.SortKey.Before)
		var ids []string
		for _, key := range keys {
			ids = append(ids, key.ID)
		}
		if !slices.Equal(ids, order.IDs) {
			t.Errorf("the order %s of %q is %v, want %v", order.Sort, order.Text, ids, order.IDs)
		}
	}
}
