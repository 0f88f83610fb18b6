package storetest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"secondring/market"
	"secondring/market/search"
)

// Search runs only the tests of searches, for a store that has several query plans.
func Search(t *testing.T, open Open) {
	t.Run("Rules", func(t *testing.T) { run(t, open, searchCases) })
	t.Run("Model", func(t *testing.T) { searchModel(t, open) })
}

// The words have common prefixes, different case and accents, or are operators of full-text
// engines.
var (
	vocabulary = rapid.SampledFrom([]string{
		"one", "On", "öne", "ONES", "two", "OR", "not", "4", "45", "কি", "dhaka", "o", "é", "e\u0301a", "onetwo", "one4", "ｏｎ", "+",
	})
	separators = rapid.SampledFrom([]string{" ", ", ", "-", "\"", "*", "* ", "\x00", "📱", "(", "@", "\n", " blue ", ""})
)

func phrase(r *rapid.T, name string, maxWords int) string {
	var s strings.Builder
	for range rapid.IntRange(0, maxWords).Draw(r, name+", words") {
		s.WriteString(vocabulary.Draw(r, name))
		s.WriteString(separators.Draw(r, name+", separator"))
	}
	return s.String()
}

// drawOffer sets random values of the fields that queries compare.
func drawOffer(r *rapid.T, p *market.Product) {
	p.Name, p.Description, p.Location = phrase(r, "name", 3), phrase(r, "description", 4), phrase(r, "location", 2)
	p.OriginalPrice = rapid.IntRange(0, 4).Draw(r, "original price")
	p.ResalePrice = rapid.IntRange(1, 4).Draw(r, "resale price")
	p.Condition = rapid.SampledFrom([]string{"Excellent", "Good", "Fair", ""}).Draw(r, "condition")
	p.Verified = rapid.Bool().Draw(r, "verified")
	p.Colour = rapid.SampledFrom([]string{"", "", "One", "Blue", "Sky-blue", "grey two"}).Draw(r, "colour")
	p.Storage = rapid.SampledFrom([]int{0, 0, 1, 2, 45, 1024}).Draw(r, "storage")
}

// drawQuery makes a random query, in which each criterion is set with a probability of a
// third.
func drawQuery(r *rapid.T, brands []market.Brand) search.Query {
	has := func(criterion string) bool { return rapid.IntRange(0, 2).Draw(r, "has "+criterion) == 0 }
	q := search.Query{Sort: rapid.SampledFrom(append(slices.Clone(search.Sorts), "")).Draw(r, "sort")}
	if has("text") {
		q.Text = phrase(r, "text", 3)
		if has("star") {
			q.Text += "*"
		}
	}
	if has("location") {
		q.Location = phrase(r, "location", 1)
	}
	for _, b := range brands {
		if has("brand") {
			q.Brands = append(q.Brands, b.ID)
		}
	}
	for _, c := range []string{"Excellent", "Good", "Fair"} {
		if has("condition") {
			q.Conditions = append(q.Conditions, c)
		}
	}
	if has("prices") {
		q.MinPrice, q.MaxPrice = rapid.IntRange(0, 3).Draw(r, "from"), rapid.IntRange(0, 4).Draw(r, "to")
	}
	if has("storage") {
		q.MinStorage = rapid.IntRange(0, 3).Draw(r, "storage from")
	}
	for _, gb := range []int{1, 45} {
		if has("exact storage") {
			q.Storage = append(q.Storage, gb)
		}
	}
	for _, colour := range []string{"blue", "Gray", "one", "sky blue"} {
		if has("colour") && has("colours") {
			q.Colours = append(q.Colours, colour)
		}
	}
	if has("verified") {
		q.Verified = new(rapid.Bool().Draw(r, "is verified"))
	}
	if has("available") {
		q.Available = new(rapid.Bool().Draw(r, "is available"))
	}
	return q
}

// searchModel makes random phones and random queries, and compares every page with what
// search.Query matches.
func searchModel(t *testing.T, open Open) {
	rapid.Check(t, func(r *rapid.T) {
		store := open(t)
		w := &modelRun{store: store, ctx: context.Background(), r: r}
		w.addBrands()
		r.Repeat(map[string]func(*rapid.T){
			"add phone":    w.step(w.addPhone),
			"add phone 2":  w.step(w.addPhone), // twice as often as a save
			"save phone":   w.step(w.savePhone),
			"remove phone": w.step(w.removePhone),
			"search":       w.step(w.search),
			"search 2":     w.step(w.search),
		})
		w.search()
		w.expect(store.Close(), nil)
	})
}

// search reads all pages of a random query.
func (w *modelRun) search() {
	q := drawQuery(w.r, w.brands)
	want := filter(w.phones, func(p market.Product) bool { return q.Matches(p.Searchable()) })
	slices.SortFunc(want, func(a, b market.Product) int { return q.SortKey(a.Searchable()).Before(q.SortKey(b.Searchable())) })
	page := market.Page{Limit: rapid.IntRange(1, 4).Draw(w.r, "limit")}
	countTo := rapid.SampledFrom([]int{1, 2, 3, countAll}).Draw(w.r, "count to")
	total := len(want)
	if q.Narrows() {
		total = min(total, countTo)
	}
	for rest := want; ; {
		got, err := w.store.SearchProducts(w.ctx, q, page, countTo)
		w.expect(err, nil)
		n := min(page.Limit, len(rest))
		w.equal(got, market.List[market.Product]{Items: rest[:n], Total: total, More: n < len(rest)})
		if !got.More {
			return
		}
		page.After = q.SortKey(rest[n-1].Searchable()).String()
		rest = rest[n:]
	}
}
