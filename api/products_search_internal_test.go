package api

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestSearchIsRecognizedByItsFilters(t *testing.T) {
	for query, want := range map[string]bool{
		"q=nokia": true, "location=dhaka": true, "condition=Good&sort=saving": true,
		"": false, "sort=saving": false, "q=": false, "brand=x": false,
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/products/search?"+query, http.NoBody)
		if got := narrows(r); got != want {
			t.Errorf("narrows(%q) = %v, want %v", query, got, want)
		}
	}
}
