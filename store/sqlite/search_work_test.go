package sqlite_test

import (
	"database/sql"
	"fmt"
	"testing"

	"secondring/market"
	"secondring/market/search"
)

// openWith60Phones opens a store with 60 phones. The first ones, as many as old, are named "older".
// A search fails if it compares the words of a phone that the SQL condition unread selects.
func openWith60Phones(t *testing.T, old int, unread string) *opened {
	t.Helper()
	path := newPath(t)
	s := open(t, path)
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.AddBrand(t.Context(), market.Brand{ID: "b", Name: "Nokia", Version: 1}))
	for i := range 60 {
		p := market.Product{ID: fmt.Sprintf("%024x", i), BrandID: "b", Name: "new", ResalePrice: i + 1, Version: 1}
		if i < old {
			p.Name = "older than most"
		}
		must(s.AddProduct(t.Context(), p, nil))
	}
	_, err := s.SearchProducts(t.Context(), search.Query{}, market.Page{Limit: 1}, 1) // updates the index
	must(err)
	db, err := sql.Open("sqlite", path)
	must(err)
	defer db.Close()
	_, err = db.Exec("DELETE FROM search_text WHERE seq IN (SELECT seq FROM search_entries WHERE " + unread + ")")
	must(err)
	return s
}

// A scan compares the words of at most maxScanned phones, and then the full-text index is
// used.
func TestScanStopsAtItsLimit(t *testing.T) {
	s := openWith60Phones(t, 20, "price BETWEEN 21 AND 50")
	s.engine.LimitSearch(0, 10)
	for _, q := range []search.Query{{Text: "older"}, {Text: "older", Brands: []string{"b"}}, {Text: "older", Sort: search.SortPriceDown}} {
		got, err := s.SearchProducts(t.Context(), q, market.Page{Limit: 3}, 100)
		if err != nil || len(got.Items) != 3 || got.Items[0].ResalePrice != 20 || got.Total != 20 || !got.More {
			t.Errorf("query %+v returns %+v (%v), want 3 of 20 phones from price 20", q, got, err)
		}
	}
}

// Of the phones with a common word, only the few that pass the filters are fetched.
func TestFewMatchesOfCommonWordAreFetched(t *testing.T) {
	s := openWith60Phones(t, 50, "true")
	s.engine.LimitSearch(5, 1000)
	got, err := s.SearchProducts(t.Context(), search.Query{Text: "older", MaxPrice: 3}, market.Page{Limit: 9}, 10)
	if err != nil || len(got.Items) != 3 || got.Total != 3 || got.More {
		t.Errorf("the query returns %+v (%v), want 3 phones", got, err)
	}
}

// A long prefix is replaced by the words that begin with it, if these are few.
func TestLongPrefixesBecomeWords(t *testing.T) {
	s := open(t, newPath(t))
	if err := s.AddBrand(t.Context(), market.Brand{ID: "b", Name: "Nokia", Version: 1}); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"charger chargers", "charge", "chargers", "chart"} {
		p := market.Product{ID: fmt.Sprint(i), BrandID: "b", Name: name, Location: "Dhaka", Version: 1}
		for n := range 10 {
			p.Description += fmt.Sprintf(" serial%c%c few%d", 'a'+i, 'a'+n, n)
		}
		if err := s.AddProduct(t.Context(), p, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		q    search.Query
		want string
	}{
		{search.Query{Text: "charger"}, `"charger"`},
		{search.Query{Text: "charger*"}, `("charger" OR "chargerchargers" OR "chargers")`},
		{search.Query{Text: "few0 charger*"}, `"few" AND "0" AND ("charger" OR "chargerchargers" OR "chargers")`},
		{search.Query{Text: "charge chart"}, `("charge" OR "chargechart") AND ("chart" OR "chargechart")`},
		{search.Query{Text: "cha*"}, `"cha"*`},
		{search.Query{Text: "dhaka", Location: "dhaka"}, `"dhaka" AND "@dhaka"`},
		{search.Query{Location: "dh"}, `"@dh"*`},
		{search.Query{Text: "seri*"}, `"seri"*`},
		{search.Query{Text: "serial00"}, `"serial" AND "00"`},
		{search.Query{Text: "zzzz"}, `"zzzz"`},
		{search.Query{}, ``},
		{search.Query{Brands: []string{"b"}}, ``},
		{search.Query{Text: "few0", Brands: []string{"b", "B"}}, `"few" AND "0" AND ("@@42" OR "@@62")`},
	} {
		if got, err := s.engine.Match(t.Context(), tc.q); err != nil || got != tc.want {
			t.Errorf("Match(%+v) = %s (%v), want %s", tc.q, got, err, tc.want)
		}
	}
}
