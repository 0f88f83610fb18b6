package storetest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"secondring/market"
)

// Search tests only the searches of the port, for an engine that has several plans.
func Search(t *testing.T, open Open) {
	t.Run("Rules", func(t *testing.T) { run(t, open, searchCases) })
	t.Run("Model", func(t *testing.T) { searchModel(t, open) })
}

// Words with common prefixes, with different case and accents, and operators of full-text
// engines; and separators of words.
var (
	vocabulary = rapid.SampledFrom([]string{
		"one", "On", "öne", "ONES", "two", "OR", "not", "4", "45", "কি", "dhaka", "o", "é", "e\u0301a",
	})
	between = rapid.SampledFrom([]string{" ", ", ", "-", "\"", "*", "\x00", "📱", "(", "@", "\n", ""})
)

func phrase(r *rapid.T, name string, most int) string {
	var s strings.Builder
	for range rapid.IntRange(0, most).Draw(r, name+", words") {
		s.WriteString(vocabulary.Draw(r, name))
		s.WriteString(between.Draw(r, name+", between"))
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
}

// drawQuery makes a random query, in which each criterion is set with a probability of a
// third.
func drawQuery(r *rapid.T, brands []market.Brand) market.Query {
	asks := func(what string) bool { return rapid.IntRange(0, 2).Draw(r, "has "+what) == 0 }
	q := market.Query{Sort: rapid.SampledFrom(append(slices.Clone(market.Sorts), "")).Draw(r, "sort")}
	if asks("text") {
		q.Text = phrase(r, "text", 2)
	}
	if asks("location") {
		q.Location = phrase(r, "place", 1)
	}
	for _, b := range brands {
		if asks("brand") {
			q.Brands = append(q.Brands, b.ID)
		}
	}
	for _, c := range []string{"Excellent", "Good", "Fair"} {
		if asks("condition") {
			q.Conditions = append(q.Conditions, c)
		}
	}
	if asks("prices") {
		q.MinPrice, q.MaxPrice = rapid.IntRange(0, 3).Draw(r, "from"), rapid.IntRange(0, 4).Draw(r, "to")
	}
	if asks("storage") {
		q.MinStorage = rapid.IntRange(0, 3).Draw(r, "storage from")
	}
	if asks("verified") {
		q.Verified = new(rapid.Bool().Draw(r, "is verified"))
	}
	if asks("available") {
		q.Available = new(rapid.Bool().Draw(r, "is available"))
	}
	return q
}

// searchModel makes random phones and random queries, and compares every page with what
// market.Query matches.
func searchModel(t *testing.T, open Open) {
	rapid.Check(t, func(r *rapid.T) {
		store := open(t)
		w := &modelRun{store: store, ctx: context.Background(), r: r}
		w.begin()
		r.Repeat(map[string]func(*rapid.T){
			"add phone":    w.step(w.addPhone),
			"add more":     w.step(w.addPhone),
			"save phone":   w.step(w.savePhone),
			"remove phone": w.step(w.removePhone),
			"ask":          w.step(w.ask),
			"ask more":     w.step(w.ask),
		})
		w.ask()
		w.expect(store.Close(), nil)
	})
}

// ask reads all pages of a random query.
func (w *modelRun) ask() {
	q := drawQuery(w.r, w.brands)
	want := keep(w.phones, q.Matches)
	slices.SortFunc(want, func(a, b market.Product) int { return q.SortKey(a).Before(q.SortKey(b)) })
	page := market.Page{Limit: rapid.IntRange(1, 4).Draw(w.r, "limit")}
	countTo := rapid.SampledFrom([]int{1, 2, 3, enough}).Draw(w.r, "count to")
	total := len(want)
	if q.Narrows() {
		total = min(total, countTo)
	}
	for rest := want; ; {
		got, err := w.store.SearchProducts(w.ctx, q, page, countTo)
		w.expect(err, nil)
		n := min(page.Limit, len(rest))
		w.same(got, market.List[market.Product]{Items: rest[:n], Total: total, More: n < len(rest)})
		if !got.More {
			return
		}
		page.After = q.SortKey(rest[n-1]).String()
		rest = rest[n:]
	}
}
