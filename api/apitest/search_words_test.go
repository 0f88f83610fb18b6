package apitest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

const (
	searchedHeader = "X-Searched"
	leftOutHeader  = "X-Left-Out"
)

// wantSearched fails the test unless the response has these headers; "" for none.
func (a response) wantSearched(searched, leftOut string) {
	a.t.Helper()
	for name, want := range map[string]string{searchedHeader: searched, leftOutHeader: leftOut} {
		if got := a.Header.Get(name); got != want || want == "" && a.Header.Values(name) != nil {
			a.t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestCorrectedSearch(t *testing.T) {
	s := newSearchEnv(t)
	wantFound := func(path, searched, leftOut string, want ...string) {
		t.Helper()
		found := s.visitor.get(path)
		found.wantSearched(searched, leftOut)
		if got := found.ids(); !slices.Equal(got, want) && len(got)+len(want) > 0 {
			t.Errorf("%s finds %v, want %v", path, got, want)
		}
	}
	for _, path := range []string{"/products/search?", "/categories/" + s.nokia.ID + "?"} {
		t.Run("200 for a typing error, with the corrected words: "+path, func(t *testing.T) {
			wantFound(path+"q=Lumai+930", "q=lumia+930", "", s.expensive)
			wantFound(path+"q=Lumai+930&sort=newest&condition=Excellent", "q=lumia+930&condition=Excellent&sort=newest", "", s.expensive)
			for _, other := range []string{"q=lumia", "q=zzzzz", "q=nokia+930", "q=lumai&maxPrice=30", ""} {
				s.visitor.get(path+other).wantSearched("", "")
			}
		})
		t.Run("200 with the filters that words mean: "+path, func(t *testing.T) {
			wantFound(path+"q=lumia+under+$100", "q=lumia&maxPrice=100", "", s.middle)
			wantFound(path+"q=lumia+930+over+1,000", "q=lumia+930&minPrice=1000", "")
			wantFound(path+"q=lumia+100-600&maxPrice=550", "q=lumia&minPrice=100&maxPrice=550", "", s.expensive)
			wantFound(path+"q=lumia+64gb", "q=lumia&storage=64", "")
			wantFound(path+"q=64/128+GB&storage=64,32", "storage=64", "")
		})
		t.Run("200 without the words that no phone has: "+path, func(t *testing.T) {
			wantFound(path+"q=lumia+930+5g", "q=lumia+930", "5g", s.expensive)
			wantFound(path+"q=blue+lumia520+under+300", "q=lumia+520&maxPrice=300", "blue", s.middle)
		})
	}
	wantFound("/products/search?q=blue+sony", "q=sony", "blue", s.sonyPhone)
	wantFound("/products/search?q=n%C3%B6ch+sony", "q=sony", "noch", s.sonyPhone)
	t.Run("304 with the corrected words", func(t *testing.T) {
		tag := s.visitor.get("/products/search?q=lumai").Header.Get("ETag")
		again := s.visitor.get("/products/search?q=lumai", header("If-None-Match", tag)).wantStatus(http.StatusNotModified)
		again.wantSearched("q=lumia", "")
	})
	t.Run("200 with a percent-encoded header for words that are not ASCII", func(t *testing.T) {
		s.addPhoneWith(s.nokia, fields{"name": "Σίσυφος"})
		s.visitor.get("/products/search?q=nokia+σισιφος").wantSearched("q=nokia+%CF%83%CE%B9%CF%83%CF%85%CF%86%CE%BF%CF%83", "")
		s.visitor.get("/products/search?q=nokia+নীল").wantSearched("q=nokia", "%E0%A6%A8%E0%A7%80%E0%A6%B2")
	})
}

// Phones that can be bought are first, then held, then sold ones. A request to a brand without
// parameters has the newest first.
func TestSearchOrdersByAvailability(t *testing.T) {
	s := newSearchEnv(t)
	for path, want := range map[string][]string{
		"/products/search":                              {s.sonyPhone, s.middle, s.expensive, s.cheap},
		"/products/search?sort=available":               {s.sonyPhone, s.middle, s.expensive, s.cheap},
		"/products/search?sort=newest":                  {s.sonyPhone, s.cheap, s.middle, s.expensive},
		"/products/search?q=nokia":                      {s.middle, s.expensive, s.cheap},
		"/categories/" + s.nokia.ID:                     {s.cheap, s.middle, s.expensive},
		"/categories/" + s.nokia.ID + "?q=nokia":        {s.cheap, s.middle, s.expensive},
		"/categories/" + s.nokia.ID + "?sort=available": {s.middle, s.expensive, s.cheap},
	} {
		if got := s.visitor.get(path).ids(); !slices.Equal(got, want) {
			t.Errorf("%s has the order %v, want %v", path, got, want)
		}
		if got := s.visitor.listIDs(path, func() {}); !slices.Equal(got, want) {
			t.Errorf("the pages of %s have %v, want %v", path, got, want)
		}
	}
	path := "/categories/" + s.nokia.ID + "?sort=available"
	s.buyer.book(s.middle)
	if got, want := s.visitor.get(path).ids(), []string{s.expensive, s.cheap, s.middle}; s.visitor.get(path).ids()[0] != s.expensive {
		t.Errorf("after a booking the order is %v, want %v", got, want)
	}
}

// All pages belong to the corrected words, even if somebody adds a phone with the original
// words in the meantime.
func TestPagesOfCorrectedSearch(t *testing.T) {
	s := newSearchEnv(t)
	want := map[string]bool{}
	for i := range 7 {
		want[s.addPhoneWith(s.nokia, fields{"name": fmt.Sprint("Asha ", 200+i), "resalePrice": 50 + i%3})] = true
	}
	for _, sort := range []string{"newest", "price-up", "available"} {
		path := "/products/search?q=ahsa&limit=2&sort=" + sort
		if link := s.buyer.get(path).nextPage(); !strings.Contains(link, "q=ahsa") {
			t.Errorf("Link is %s", link)
		}
		var later string
		got := s.buyer.listIDs(path, func() {
			if later == "" {
				later = s.addPhoneWith(s.nokia, fields{"name": "Ahsa"})
			}
		})
		if len(got) != len(want) || slices.ContainsFunc(got, func(id string) bool { return !want[id] }) {
			t.Errorf("the pages sorted by %s have %v, want the phones %v", sort, got, want)
		}
		s.seller.do(http.MethodDelete, "/products/"+later, nil).wantCount("deletedCount", 1)
	}
	second := s.buyer.get(s.buyer.get("/products/search?q=ahsa&limit=2").nextPage())
	second.wantSearched("q=asha", "")
	if total := second.Header.Get("X-Total-Count"); total != "7" {
		t.Errorf("the second page has the total %s, want 7", total)
	}
	without := s.buyer.get("/products/search?q=purple+asha&limit=2")
	s.buyer.get(without.nextPage()).wantSearched("q=asha", "purple")
}
