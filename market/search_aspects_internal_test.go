package market

import (
	"math/rand/v2"
	"slices"
	"testing"

	"secondring/market/search"
)

func oneOf[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// A search that matches a phone after a change and did not match it before has a condition in
// an aspect that the change has gained, so it is found under one of the announcement's keys.
func TestEveryNewMatchIsFoundByItsKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	phone := func(p Product) Product {
		switch r.IntN(9) {
		case 0:
			p.Name = oneOf(r, "red", "blue", "red 128GB")
		case 1:
			p.Description = oneOf(r, "", "a red phone")
		case 2:
			p.Location = oneOf(r, "Dhaka", "Khulna")
		case 3:
			p.Condition = oneOf(r, "Good", "Fair")
		case 4:
			p.ResalePrice = oneOf(r, 10, 20, 30)
		case 5:
			p.Storage = oneOf(r, 0, 64, 128)
		case 6:
			p.Colour = oneOf(r, "", "Sky Blue", "red")
		case 7:
			p.Verified = !p.Verified
		default:
			if p.Hold = nil; r.IntN(2) == 0 {
				p.Hold = &Hold{}
			}
		}
		return p
	}
	found := map[search.Aspect]int{}
	for range 200_000 {
		before := Product{ID: "p", BrandID: "b", Name: "red", Location: "Dhaka", Condition: "Good", ResalePrice: 20, Storage: 64}
		for range r.IntN(6) {
			before = phone(before)
		}
		p := before
		for range 1 + r.IntN(3) {
			p = phone(p)
		}
		s := SavedSearch{Query: search.Query{
			Text: oneOf(r, "", "", "red", "phon*", "128"), Location: oneOf(r, "", "", "khulna"), Brands: oneOf(r, nil, []string{"b"}),
			Conditions: oneOf(r, nil, nil, []string{"Fair"}), MinPrice: oneOf(r, 0, 0, 15, 25), MaxPrice: oneOf(r, 0, 0, 15, 25),
			MinStorage: oneOf(r, 0, 0, 64, 100), Storage: oneOf(r, nil, nil, []int{64}, []int{32, 128}),
			Colours: oneOf(r, nil, nil, []string{"blue"}, []string{"Sky-Blue", "RED"}), Verified: oneOf(r, nil, nil, new(true), new(false)), Available: oneOf(r, nil, nil, new(true)),
		}}
		a := announcement{Gained: search.Gained(before.Searchable(), p.Searchable()), Before: new(before.Searchable())}
		if !a.compare(p).isNewMatch(s.Query) {
			continue
		}
		keys := a.searchKeys(p)
		i := slices.IndexFunc(keys, s.hasKey)
		if i < 0 || !slices.Contains(Watching{Searches: []SavedSearch{s}}.SearchKeys(), keys[i].String()) {
			t.Fatalf("the search %+v, whose keys do not contain any of %v, matches\n%+v\nand did not match\n%+v", s.Query, keys, p, before)
		}
		if len(keys) == 2 || keys[i].aspect == search.AspectStorage || keys[i].aspect == search.AspectColour { // these also change the words
			found[keys[i].aspect]++
		}
	}
	if len(found) != 10 {
		t.Errorf("the new matches are of %d aspects, want 10: %v", len(found), found)
	}
}
