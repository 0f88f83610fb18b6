package market

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxSearch = 200 // characters of Query.Text and Query.Location
	maxBrands = 20  // brands of one query
)

// SearchTotal is the limit of a search's total: this value means this many or more. Totals
// of queries that do not narrow (Query.Narrows) are exact.
const SearchTotal = 10_000

// Search is a search request.
type Search struct {
	Query Query
	Page  Page   // After is a SortKey in the query's order
	Wrong Fields // the parameters that could not be parsed
}

// Plain returns whether the search has no words, filters or errors, and the default order.
func (in Search) Plain() bool {
	newest := in.Query.Sort == "" || in.Query.Sort == SortNewest
	return newest && !in.Query.Narrows() && len(in.check()) == 0
}

// SearchResult is a page of search results.
type SearchResult struct {
	List[Product]
	// Corrected is the text that was searched instead of Query.Text, because no phone
	// matches that; "" if it was not corrected. Requests for further pages must contain it.
	Corrected string
}

// Search finds phones in the whole market, for anyone. A visitor may not search by
// location, because the results would reveal the phones' locations.
func (m *Market) Search(ctx context.Context, visitor bool, in Search) (SearchResult, error) {
	if err := in.checkFor(visitor).Err(); err != nil {
		return SearchResult{}, err
	}
	return m.search(ctx, in)
}

// SearchBrand finds phones of one brand, for anyone. A visitor may not search by
// location, as in Search.
func (m *Market) SearchBrand(ctx context.Context, visitor bool, brandID string, in Search) (SearchResult, error) {
	_, err := m.store.Brand(ctx, brandID)
	if errors.Is(err, ErrNotFound) {
		return SearchResult{}, missing("brand")
	}
	if err != nil {
		return SearchResult{}, err
	}
	in.Query.Brands = []string{brandID}
	if err := in.checkFor(visitor).Err(); err != nil {
		return SearchResult{}, err
	}
	return m.search(ctx, in)
}

// search finds the page. If no phone matches the query, it tries the words that were
// probably meant, with the same filters.
func (m *Market) search(ctx context.Context, in Search) (SearchResult, error) {
	list, err := m.store.SearchProducts(ctx, in.Query, in.Page, SearchTotal)
	if err != nil || list.Total > 0 || in.Page.After != "" {
		return SearchResult{List: list}, err
	}
	texts, err := m.spelling.corrections(ctx, in.Query.Text)
	if err != nil {
		return SearchResult{}, err
	}
	for _, text := range texts {
		in.Query.Text = text
		corrected, err := m.store.SearchProducts(ctx, in.Query, in.Page, SearchTotal)
		if err != nil || corrected.Total > 0 {
			return SearchResult{corrected, text}, err
		}
	}
	return SearchResult{List: list}, nil
}

// checkFor returns the errors of the search, for a visitor or a signed-in person.
func (in Search) checkFor(visitor bool) Fields {
	f := in.check()
	if visitor && strings.TrimSpace(in.Query.Location) != "" {
		f.Add("location", "can be used only when you are signed in: log in to search by location")
	}
	return f
}

func (in Search) check() Fields {
	f, q := FieldsOf(in.Wrong), in.Query
	f.atMost("q", q.Text, maxSearch)
	f.atMost("location", q.Location, maxSearch)
	for _, c := range q.Conditions {
		f.oneOf("condition", c, conditions...)
	}
	f.bound("minPrice", q.MinPrice)
	f.bound("maxPrice", q.MaxPrice)
	if q.MaxPrice > 0 && q.MinPrice > q.MaxPrice {
		f.Add("maxPrice", "is below minPrice")
	}
	f.storage("minStorage", q.MinStorage)
	if len(set(q.Brands)) > maxBrands {
		f.Add("brand", fmt.Sprintf("has more than %d values", maxBrands))
	}
	if q.Sort != "" && !slices.Contains(Sorts, q.Sort) {
		f.Add("sort", "must be one of newest, price-up, price-down, saving")
	}
	return f
}

// atMost limits a text to max characters.
func (f Fields) atMost(name, value string, max int) {
	if utf8.RuneCountInString(value) > max {
		f.Add(name, fmt.Sprintf("is longer than %d characters", max))
	}
}

// bound checks a price that phones are compared with; 0 means none.
func (f Fields) bound(name string, dollars int) {
	if dollars < 0 || dollars > maxPrice {
		f.Add(name, fmt.Sprintf("must be between %d and %d whole US dollars", minPrice, maxPrice))
	}
}
