package search_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"secondring/market/search"
)

// Each row tests one criterion with one phone. The tests of the stores combine them.
func TestQueryMatches(t *testing.T) {
	phone := search.Phone{
		ID: "1", BrandID: "n", Brand: "Nokia", Name: "Lumia 930", Description: "Bright screen.", Location: "Uttara, Dhaka",
		OriginalPrice: 400, ResalePrice: 100, Condition: "Good", Verified: true,
	}
	for _, c := range []struct {
		q    search.Query
		want bool
	}{
		{search.Query{}, true},
		{search.Query{Text: "lum"}, false},
		{search.Query{Text: "lum*"}, true},
		{search.Query{Text: "lum* nokia"}, false},
		{search.Query{Text: "lumia nok*"}, true},
		{search.Query{Text: "930lumia"}, true},
		{search.Query{Text: "lumia 93*"}, false},
		{search.Query{Text: "screen lumia nokia"}, true},
		{search.Query{Text: "dhaka"}, false},
		{search.Query{Text: `"📱" *`}, true},
		{search.Query{Location: "dha"}, true},
		{search.Query{Location: "nokia"}, false},
		{search.Query{Brands: []string{"n"}}, true},
		{search.Query{Brands: []string{"m", "N"}}, false},
		{search.Query{Conditions: []string{"Fair", "Good"}}, true},
		{search.Query{Conditions: []string{"Fair"}}, false},
		{search.Query{MinPrice: 100, MaxPrice: 100}, true},
		{search.Query{MinPrice: 101}, false},
		{search.Query{MaxPrice: 99}, false},
		{search.Query{Verified: new(true), Available: new(true)}, true},
		{search.Query{Verified: new(false)}, false},
		{search.Query{Available: new(false)}, false},
	} {
		if got := c.q.Matches(phone); got != c.want {
			t.Errorf("%+v matches the phone: %v, want %v", c.q, got, c.want)
		}
	}
}

// For all valid prices the order by saving is the same as that of the exact fractions.
func TestSavingsAreExact(t *testing.T) {
	price := rapid.OneOf(rapid.IntRange(1, 100_000), rapid.IntRange(99_000, 100_000), rapid.IntRange(1, 3))
	rapid.Check(t, func(r *rapid.T) {
		draw := func(name string) (search.Phone, *big.Rat) {
			p := search.Phone{OriginalPrice: price.Draw(r, name+" original"), ResalePrice: price.Draw(r, name+" resale")}
			return p, big.NewRat(int64(p.OriginalPrice-p.ResalePrice), int64(p.OriginalPrice))
		}
		a, exactA := draw("a")
		b, exactB := draw("b")
		q := search.Query{Sort: search.SortSaving}
		if got, want := q.SortKey(b).Before(q.SortKey(a)), exactA.Cmp(exactB); got != want {
			r.Errorf("the price %d instead of %d compared with %d instead of %d: %v, want %v", a.ResalePrice, a.OriginalPrice, b.ResalePrice, b.OriginalPrice, got, want)
		}
	})
}

func TestSortKeyRoundTrip(t *testing.T) {
	for _, p := range []search.SortKey{{0, "a"}, {-5, "a:b"}, {1 << 62, "0123"}} {
		if got, ok := search.ParseSortKey(p.String()); !ok || got != p {
			t.Errorf("the key %v was parsed as %v, %v", p, got, ok)
		}
	}
	for _, invalid := range []string{"", ":", "1", "1:", ":a", "x:a", "+1:a", "01:a", " 1:a", "1.0:a", "99999999999999999999:a"} {
		if p, ok := search.ParseSortKey(invalid); ok {
			t.Errorf("the invalid key %q was parsed as %v", invalid, p)
		}
	}
}

func TestFingerprintIdentifiesQuery(t *testing.T) {
	different := []search.Query{
		{},
		{Text: "one"},
		{Text: "one two"},
		{Text: "two one"},
		{Location: "one"},
		{Brands: []string{"a"}},
		{Brands: []string{"a", "b"}},
		{Brands: []string{"a b"}},
		{Conditions: []string{"a"}},
		{MinPrice: 1},
		{MaxPrice: 1},
		{Verified: new(true)},
		{Verified: new(false)},
		{Available: new(true)},
		{Available: new(false)},
		{Sort: search.SortPriceUp},
		{Sort: search.SortPriceDown},
		{Sort: search.SortSaving},
		{Sort: search.SortAvailable},
		{Storage: []int{64}},
		{Storage: []int{64, 128}},
		{MinStorage: 64},
		{Colours: []string{"blue"}},
		{Colours: []string{"blue", "red"}},
		{Text: "one*"},
	}
	seen := map[string]int{}
	for i, q := range different {
		if other, exists := seen[q.Fingerprint()]; exists {
			t.Errorf("%+v has the fingerprint of %+v", q, different[other])
		}
		seen[q.Fingerprint()] = i
	}
	for _, same := range [][2]search.Query{
		{{}, {Sort: search.SortNewest, Text: " ?", Brands: []string{}}},
		{{Text: "Öne, TWO"}, {Text: "one two"}},
		{{Text: "iPhone12"}, {Text: "ｉｐｈｏｎｅ 12"}},
		{{Text: "a52*"}, {Text: "a52"}}, // no number is cut
		{{Storage: []int{128, 64, 64}}, {Storage: []int{64, 128}}},
		{{Colours: []string{"Space Gray", "red"}}, {Colours: []string{"Red", "space-grey", "red"}}},
		{{Brands: []string{"b", "a", "b"}}, {Brands: []string{"a", "b"}}},
		{{Conditions: []string{"Good", "Fair"}}, {Conditions: []string{"Fair", "Good"}}},
	} {
		if same[0].Fingerprint() != same[1].Fingerprint() {
			t.Errorf("%+v and %+v have different fingerprints", same[0], same[1])
		}
	}
}

func TestQueryNarrows(t *testing.T) {
	for _, q := range []search.Query{{}, {Text: "📱"}, {Brands: []string{"a"}}, {Sort: search.SortSaving}} {
		if q.Narrows() {
			t.Errorf("%+v narrows", q)
		}
	}
	for _, q := range []search.Query{
		{Text: "a"}, {Location: "a"}, {Conditions: []string{"Good"}}, {MinPrice: 1}, {MaxPrice: 1}, {Verified: new(false)}, {Available: new(true)}, {Storage: []int{64}}, {MinStorage: 1}, {Colours: []string{"blue"}},
	} {
		if !q.Narrows() {
			t.Errorf("%+v does not narrow", q)
		}
	}
}
