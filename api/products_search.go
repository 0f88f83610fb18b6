package api

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"secondring/api/rest"
	"secondring/market"
	"secondring/market/search"
	"secondring/market/texts"
)

func (h handlers) productSearch() []rest.Route {
	return []rest.Route{{
		Method: http.MethodGet, Path: "/products/search", ID: "searchProducts", Tag: "products",
		Summary: "Search all phones by words and filters",
		Access:  rest.Optional, IsList: true, Query: append([]rest.Param{brandParam}, searchParams...),
		Response: []market.ProductView{}, ErrorStatuses: []int{http.StatusUnprocessableEntity}, Handle: h.searchProducts, IsSearch: narrows,
	}}
}

// searchParams are the query parameters of a search. An empty one counts as not sent.
var searchParams = []rest.Param{
	{Name: "q", Description: "Words that must all occur in the name, brand, storage, colour or description of a phone, ignoring case and accents. Words and numbers may be " +
		"joined or split: iphone12, one plus. A star after the last word makes it the beginning of a word. At most 200 characters. Prices, storages " +
		"and colours in the words are filters: under 300, 200-300, $300, 128 gb, blue. If no phone matches, the last word may be the beginning of one, words are " +
		"corrected, and then words are let go. The header X-Searched has the query that was made, X-Left-Out the words that were let go"},
	{Name: "condition", Description: "Excellent, Good or Fair. Several values, repeated or separated by commas, mean any of them", Type: []string{}},
	{Name: "minPrice", Description: "Lowest resalePrice, in whole US dollars. A text such as $1,250 is also accepted", Type: 0},
	{Name: "maxPrice", Description: "Highest resalePrice, in whole US dollars. A text such as $1,250 is also accepted", Type: 0},
	{Name: "minStorage", Description: "Lowest storage, in whole GB. Excludes phones whose storage is unknown", Type: 0},
	{Name: "storage", Description: "The storage, in whole GB. Several values, repeated or separated by commas, mean any of them. If a phone does not have the field, " +
		"the storage in its name counts, as in iPhone 12 128GB", Type: []int{}},
	{Name: "colour", Description: "The colour, ignoring case: a whole colour (sky blue), or a basic one in it (blue). Several values, repeated or separated by " +
		"commas, mean any of them. If a phone does not have the field, the colours in its name and description count", Type: []string{}},
	{Name: "location", Description: "Words that must all occur in the location of a phone, ignoring case and accents. The last one may be the beginning of a word. Visitors who send it get status 422"},
	{Name: "verified", Description: "true: only phones of verified sellers; false: only phones of other sellers", Type: false},
	{Name: "available", Description: "true: only phones that are not booked; false: only booked phones", Type: false},
	{Name: "sort", Description: "available (phones that can be bought first, then held, then sold ones; within these, those with all words in brand, name, " +
		"storage or colour first), newest, price-up (lowest resalePrice first), price-down (highest first) or saving (largest discount in percent " +
		"first). Phones that are equal in this order are sorted newest first. The default is available in the whole market, and newest in a brand"},
}

var brandParam = rest.Param{Name: "brand", Description: "The _id of a brand. Several values, repeated or separated by commas, mean any of them", Type: []string{}}

// readSearch reads the query parameters of a search, except the page. Wrong has the
// parameters that could not be read.
func readSearch(r *http.Request) market.Search {
	values := r.URL.Query()
	if !hasSearchParams(values) {
		return market.Search{Wrong: market.Fields{}, Query: search.Query{Sort: search.SortNewest}}
	}
	return parseSearch(values)
}

// hasSearchParams returns whether there are parameters that are not those of a page.
func hasSearchParams(values url.Values) bool {
	for name := range values {
		if !slices.ContainsFunc(rest.PageParams, func(p rest.Param) bool { return p.Name == name }) {
			return true
		}
	}
	return false
}

// parseSearch is readSearch for parsed parameters.
func parseSearch(values url.Values) market.Search {
	p := params{values: values, wrong: market.Fields{}}
	return market.Search{Wrong: p.wrong, Query: search.Query{
		Text:       p.text("q"),
		Location:   p.text("location"),
		Conditions: p.several("condition"),
		MinPrice:   p.price("minPrice", 0),
		MaxPrice:   p.price("maxPrice", 1),
		MinStorage: p.gigabytes("minStorage"),
		Storage:    p.severalGigabytes("storage"),
		Colours:    p.several("colour"),
		Verified:   p.boolean("verified"),
		Available:  p.boolean("available"),
		Sort:       sortNamed(p.text("sort")),
	}}
}

// narrows returns whether a request has words or filters. Without them it costs no more
// than any list.
func narrows(r *http.Request) bool { return readSearch(r).Query.Narrows() }

// cursorsOf returns the cursors of one query's pages. A cursor is the position in the
// order; if other words were searched, a space and these follow (encodeWords), so that further
// pages continue the same list.
func cursorsOf(q search.Query) rest.Cursors {
	return rest.Cursors{Mark: "2:" + q.Fingerprint() + ":", Valid: func(after string) bool {
		position, _, _ := strings.Cut(after, " ")
		key, ok := search.ParseSortKey(position)
		return ok && market.IsID(key.ID)
	}}
}

// parseMarketSearch is parseSearch with the brands, for a search in the whole market.
func parseMarketSearch(values url.Values) market.Search {
	in := parseSearch(values)
	p := params{values: values, wrong: in.Wrong}
	in.Query.Brands = p.several("brand")
	return in
}

func (h handlers) searchProducts(w http.ResponseWriter, r *http.Request) error {
	in := parseMarketSearch(r.URL.Query())
	return h.searchListing(in, search.SortAvailable, h.productView(r), func(ctx context.Context, in market.Search) (market.SearchResult, error) {
		return h.market.Search(ctx, readerKind(r) == kindVisitor, in)
	}).serve(h, w, r)
}

// searchListing returns the listing of a search. Its order is the default one if the request
// names none.
func (h handlers) searchListing(asked market.Search, byDefault search.Sort, view func(market.Product) market.ProductView,
	search func(context.Context, market.Search) (market.SearchResult, error),
) listing[market.Product] {
	in := asked
	in.Query.Sort = cmp.Or(in.Query.Sort, byDefault)
	var made market.SearchResult
	return listing[market.Product]{
		read: func(ctx context.Context, page market.Page) (market.List[market.Product], error) {
			after, words, _ := strings.Cut(page.After, " ")
			in.Page, in.Words = market.Page{Limit: page.Limit, After: after}, decodeWords(words)
			result, err := search(ctx, in)
			made = result
			return result.List, err
		},
		encode: viewed(view),
		id: func(p market.Product) string {
			position := made.Searched.SortKey(p.Searchable()).String()
			if len(made.Words.LeftOut) == 0 && made.Words.Text == in.Query.WithFilters().Text {
				return position
			}
			return position + " " + encodeWords(made.Words)
		},
		cursors: cursorsOf(in.Query),
		headers: func(h http.Header) {
			searched := made.Searched
			searched.Sort, searched.Brands = asked.Query.Sort, asked.Query.Brands
			if text := searched.Encode(); text != asked.Query.Encode() {
				h.Set("X-Searched", text)
			}
			if len(made.Words.LeftOut) > 0 {
				h.Set("X-Left-Out", escaped(strings.Join(made.Words.LeftOut, " ")))
			}
		},
	}
}

// encodeWords encodes what was searched instead of the typed words for a cursor, without a space.
func encodeWords(words search.Words) string {
	return url.Values{"q": {words.Text}, "out": words.LeftOut}.Encode()
}

// decodeWords returns the words that encodeWords encoded; nil for "".
func decodeWords(text string) *search.Words {
	values, err := url.ParseQuery(text)
	if text == "" || err != nil {
		return nil
	}
	return &search.Words{Text: values.Get("q"), LeftOut: values["out"]}
}

// escaped encodes words for a header: everything except ASCII is percent-encoded.
func escaped(words string) string { return strings.ReplaceAll(url.PathEscape(words), "%20", " ") }

var sortSeparators = strings.NewReplacer("-", "", "_", "", " ", "", ".", "")

// sortNamed parses the name of a sort. Its words may be joined in any way, and it accepts
// some synonyms. It returns an unknown name unchanged; the market refuses it.
func sortNamed(name string) search.Sort {
	plain := sortSeparators.Replace(strings.ToLower(name))
	switch plain {
	case "available", "availability":
		return search.SortAvailable
	case "newest", "new", "latest":
		return search.SortNewest
	case "priceup", "priceasc", "priceascending", "pricelowtohigh", "cheapest":
		return search.SortPriceUp
	case "pricedown", "pricedesc", "pricedescending", "pricehightolow":
		return search.SortPriceDown
	case "saving", "savings", "discount":
		return search.SortSaving
	default:
		return search.Sort(name)
	}
}

// params reads query parameters one by one.
type params struct {
	values url.Values
	wrong  market.Fields
}

// text returns a parameter, cleaned; "" if it was not sent.
func (p params) text(name string) string {
	value := p.values.Get(name)
	if !utf8.ValidString(value) {
		p.wrong.Add(name, "must be a text")
		return ""
	}
	return texts.CleanLine(value)
}

// several returns all values of a parameter, whether repeated or separated by commas.
func (p params) several(name string) []string {
	var all []string
	for value := range strings.SplitSeq(strings.Join(p.values[name], ","), ",") {
		switch value = texts.CleanLine(value); {
		case !utf8.ValidString(value):
			p.wrong.Add(name, "must be a text")
		case value != "":
			all = append(all, value)
		}
	}
	return all
}

// severalGigabytes returns all values of a parameter, each as gigabytes.
func (p params) severalGigabytes(name string) []int {
	var all []int
	for _, value := range p.several(name) {
		all = append(all, params{url.Values{name: {value}}, p.wrong}.gigabytes(name))
	}
	return all
}

// price returns a price (texts.ParseDollars), at least minimum; 0 if it was not sent. The market
// checks the maximum.
func (p params) price(name string, minimum int) int {
	text := p.text(name)
	if text == "" {
		return 0
	}
	dollars, reason := texts.ParseDollars(text)
	switch {
	case reason != "":
		p.wrong.Add(name, reason)
	case dollars < minimum:
		p.wrong.Add(name, fmt.Sprintf("must be at least %d", minimum))
	}
	return dollars
}

// gigabytes returns a whole number of GB, at least 1; 0 if it was not sent. The market checks the
// maximum.
func (p params) gigabytes(name string) int {
	text := texts.CleanNumber(p.text(name))
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		p.wrong.Add(name, "must be a whole number of GB")
	case n < 1:
		p.wrong.Add(name, "must be at least 1")
	}
	return n
}

// boolean returns a boolean parameter; nil if it was not sent.
func (p params) boolean(name string) *bool {
	switch p.text(name) {
	case "":
		return nil
	case "true":
		return new(true)
	case "false":
		return new(false)
	}
	p.wrong.Add(name, "must be true or false")
	return nil
}
