package market

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"secondring/market/search"
)

const (
	maxSearch  = 200 // characters of Query.Text and Query.Location
	maxBrands  = 20  // brands of one query
	maxColours = 20  // colours of one query
)

// SearchTotal is the limit of a search's total: this value means this many or more. Totals
// of queries that do not narrow (Query.Narrows) are exact.
const SearchTotal = 10_000

// Search is a search request.
type Search struct {
	Query search.Query
	Page  Page   // After is a SortKey in the query's order
	Wrong Fields // the parameters that could not be parsed
	// Words are those of the result's first page, for a further page; nil for the first one.
	Words *search.Words
}

// Plain returns whether the search has no words, filters or errors, and is newest first.
func (in Search) Plain() bool {
	newest := in.Query.Sort == "" || in.Query.Sort == search.SortNewest
	return newest && in.Unfiltered()
}

// Unfiltered returns whether the search has no words, filters or errors.
func (in Search) Unfiltered() bool { return !in.Query.Narrows() && len(in.check()) == 0 }

// SearchResult is a page of search results.
type SearchResult struct {
	List[Product]

	// Searched is the query that was made: the prices, storages and colours of the words are filters,
	// and if no phone matched that, its words were changed. It is the asked one if it was
	// searched as it is.
	Searched search.Query
	// Words are the words of Searched, and what was let go of the typed ones. Requests for
	// further pages must contain them.
	Words search.Words
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

// search finds the page. The prices, storages and colours in the words are filters. If no phone
// matches, it tries other words, with the same prices and storages (relaxation). A colour is let go
// like any other word, and is a filter as long as it is kept.
func (m *Market) search(ctx context.Context, in Search) (SearchResult, error) {
	asked := in.Query.WithAmounts()
	if in.Words != nil {
		asked.Text = in.Words.Text
		q := asked.WithColours()
		list, err := m.store.SearchProducts(ctx, q, in.Page, SearchTotal)
		return SearchResult{list, q, *in.Words}, err
	}
	q := asked.WithColours()
	list, err := m.store.SearchProducts(ctx, q, in.Page, SearchTotal)
	result := SearchResult{List: list, Searched: q, Words: search.Words{Text: q.Text}}
	if err == nil && in.Page.After == "" && !result.isInTitles() {
		if other, ok, err := m.searchWithoutWeak(ctx, asked, in.Page); ok || err != nil {
			return other, err
		}
	}
	if err != nil || list.Total > 0 || in.Page.After != "" || len(asked.Terms()) == 0 {
		return result, err
	}
	var other search.Query
	words, found, err := m.corrector.Relax(ctx, asked.Text, func(text string) (found bool, err error) {
		other = asked
		other.Text = text
		other = other.WithColours()
		list, err = m.store.SearchProducts(ctx, other, in.Page, SearchTotal)
		return list.Total > 0, err
	})
	if err != nil || !found {
		return result, err
	}
	return SearchResult{list, other, words}, nil
}

// searchWithoutWeak searches without words that distinguish no models. Descriptions that mention
// such a word must not hide the phones of the model. It returns false if no phone has the other
// words in its title.
func (m *Market) searchWithoutWeak(ctx context.Context, q search.Query, page Page) (SearchResult, bool, error) {
	for _, words := range search.WithoutWeak(q.Text) {
		made := q
		made.Text = words.Text
		made = made.WithColours()
		list, err := m.store.SearchProducts(ctx, made, page, SearchTotal)
		if other := (SearchResult{list, made, words}); err != nil || other.isInTitles() {
			return other, true, err
		}
	}
	return SearchResult{}, false, nil
}

// Searchable returns what searches compare of the phone.
func (p Product) Searchable() search.Phone {
	return search.Phone{
		ID: p.ID, BrandID: p.BrandID, Brand: p.Brand, Name: p.Name, Colour: p.Colour, Description: p.Description,
		Condition: p.Condition, Location: p.Location, Storage: p.Storage, OriginalPrice: p.OriginalPrice,
		ResalePrice: p.ResalePrice, Verified: p.Verified, Booked: p.Booked(), Sold: p.Sold,
	}
}

// findPhones finds phones for the corrector; see search.Find.
func (m *Market) findPhones(ctx context.Context, q search.Query, limit int, after string) (phones []search.Phone, more bool, err error) {
	list, err := m.store.SearchProducts(ctx, q, Page{Limit: limit, After: after}, 1)
	for _, p := range list.Items {
		phones = append(phones, p.Searchable())
	}
	return phones, list.More, err
}

// isInTitles returns whether a phone of the page has all words in brand, name, storage or colour.
func (r SearchResult) isInTitles() bool {
	terms := r.Searched.Terms()
	return slices.ContainsFunc(r.Items, func(p Product) bool { return p.Searchable().HasInTitle(terms) })
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
	made := q
	if len(f) == 0 {
		made = q.WithFilters() // the words may contradict a parameter
	}
	if made.MaxPrice > 0 && made.MinPrice > made.MaxPrice {
		f.Add("maxPrice", "is below minPrice")
	}
	f.storage("minStorage", q.MinStorage)
	for _, gb := range q.Storage {
		f.storage("storage", gb)
	}
	if len(search.Distinct(q.Storage)) > search.MaxSizes {
		f.Add("storage", fmt.Sprintf("has more than %d values", search.MaxSizes))
	}
	for _, colour := range q.Colours {
		if f.atMost("colour", colour, maxColour); search.ColourKey(colour) == "" {
			f.Add("colour", "must have a letter or a digit")
		}
	}
	if len(search.Distinct(q.Colours)) > maxColours {
		f.Add("colour", "has too many values")
	}
	if len(search.Distinct(q.Brands)) > maxBrands {
		f.Add("brand", fmt.Sprintf("has more than %d values", maxBrands))
	}
	if q.Sort != "" && !slices.Contains(search.Sorts, q.Sort) {
		f.Add("sort", "must be one of available, newest, price-up, price-down, saving")
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
	if dollars < 0 || dollars > search.MaxPrice {
		f.Add(name, fmt.Sprintf("must be between %d and %d whole US dollars", minPrice, search.MaxPrice))
	}
}
