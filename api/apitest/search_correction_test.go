package apitest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

const correctedHeader = "X-Corrected-Query"

func TestCorrectedSearch(t *testing.T) {
	s := newSearchEnv(t)
	for _, path := range []string{"/products/search?", "/categories/" + s.nokia.ID + "?"} {
		t.Run("200 for a typing error, with the corrected words: "+path, func(t *testing.T) {
			found := s.visitor.get(path + "q=Lumai+930")
			if got := found.Header.Get(correctedHeader); got != "lumia 930" || !slices.Equal(found.ids(), []string{s.expensive}) {
				t.Errorf("corrected to %q, and found %v", got, found.ids())
			}
			for _, other := range []string{"q=lumia", "q=zzzzz", "q=nokia+sony", "q=lumai&maxPrice=30", ""} {
				if h := s.visitor.get(path + other).Header; h.Values(correctedHeader) != nil {
					t.Errorf("the query %q is corrected to %q", other, h.Get(correctedHeader))
				}
			}
		})
	}
	t.Run("200 for an unknown word beside a brand", func(t *testing.T) {
		found := s.visitor.get("/products/search?q=blue+sony")
		if got := found.Header.Get(correctedHeader); got != "sony" || !slices.Equal(found.ids(), []string{s.sonyPhone}) {
			t.Errorf("corrected to %q, and found %v", got, found.ids())
		}
	})
	t.Run("304 with the corrected words", func(t *testing.T) {
		tag := s.visitor.get("/products/search?q=lumai").Header.Get("ETag")
		again := s.visitor.get("/products/search?q=lumai", header("If-None-Match", tag)).wantStatus(http.StatusNotModified)
		if got := again.Header.Get(correctedHeader); got != "lumia" {
			t.Errorf("the 304 is corrected to %q, want lumia", got)
		}
	})
	t.Run("200 with a percent-encoded header for words that are not ASCII", func(t *testing.T) {
		s.addPhoneWith(s.nokia, fields{"name": "Σίσυφος"})
		if got := s.visitor.get("/products/search?q=nokia+σισιφος").Header.Get(correctedHeader); got != "nokia %CF%83%CE%B9%CF%83%CF%85%CF%86%CE%BF%CF%83" {
			t.Errorf("corrected to %q, want the percent-encoded word", got)
		}
	})
}

// All pages belong to the corrected words, even if somebody adds a phone with the original
// words in the meantime.
func TestPagesOfCorrectedSearch(t *testing.T) {
	s := newSearchEnv(t)
	want := map[string]bool{}
	for i := range 7 {
		want[s.addPhoneWith(s.nokia, fields{"name": fmt.Sprint("Asha ", 200+i), "resalePrice": 50 + i%3})] = true
	}
	for _, sort := range []string{"newest", "price-up"} {
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
	if got := second.Header.Get(correctedHeader); got != "asha" || second.Header.Get("X-Total-Count") != "7" {
		t.Errorf("the second page is corrected to %q and has the headers %v", got, second.Header)
	}
}
