package market_test

import (
	"testing"

	"pgregory.net/rapid"

	"secondring/market"
	"secondring/market/search"
)

// optional returns a pointer to one of the values, or nil.
func optional[T any](r *rapid.T, name string, values ...T) *T {
	if rapid.Bool().Draw(r, "change "+name) {
		return new(rapid.SampledFrom(values).Draw(r, name))
	}
	return nil
}

func anyOf[T any](r *rapid.T, name string, values ...T) T {
	return rapid.SampledFrom(values).Draw(r, name)
}

func randomQuery(r *rapid.T, brand string) search.Query {
	return search.Query{
		Text: anyOf(r, "words", "", "red", "blue phone", "red pho*", "red or blue", "64gb", "over 25", "nokia 128"), Location: anyOf(r, "place", "", "dhaka", "khulna"),
		Brands: anyOf(r, "brands", nil, []string{brand}), Conditions: anyOf(r, "conditions", nil, []string{"Good"}, []string{"Fair", "Good"}),
		MinPrice: anyOf(r, "from", 0, 20, 30), MaxPrice: anyOf(r, "to", 0, 30, 40), MinStorage: anyOf(r, "storage", 0, 64, 128),
		Storage:  anyOf(r, "sizes", nil, []int{64}, []int{32, 128}),
		Colours:  anyOf(r, "colours", nil, []string{"blue"}, []string{"sky blue", "Red"}),
		Verified: anyOf(r, "verified", nil, new(true), new(false)), Available: anyOf(r, "available", nil, new(true)),
	}
}

func randomChange(r *rapid.T) market.ProductChange {
	return market.ProductChange{
		Name: optional(r, "name", "red", "blue", "red 64GB"), Description: optional(r, "description", "a phone", "red"),
		Condition:   optional(r, "condition", "Good", "Fair", "Excellent"),
		ResalePrice: optional(r, "price", 10, 20, 30, 40, 50),
		Location:    optional(r, "location", "Dhaka", "Khulna"), Storage: optional(r, "storage", 32, 64, 128),
		Colour: optional(r, "colour", "", "Sky Blue", "red"),
	}
}

// A person with a saved search is notified of a phone exactly if it matches when it is
// announced, and did not match when it was announced before: Query.Matches is the plain
// definition, which the keys of searches must not miss.
func TestSavedSearchesHearOfEachNewMatch(t *testing.T) {
	e := newEnv(t)
	admin := e.admin()
	rapid.Check(t, func(r *rapid.T) {
		seller, searcher := e.seller(), e.buyer()
		query := randomQuery(r, e.brand.ID)
		if !query.Narrows() {
			r.Skip()
		}
		before := e.phone(seller)
		e.must(e.change(before, randomChange(r)))
		e.stepAnnouncer()
		before = e.stored(before)
		e.mustSaveSearch(searcher, query)
		var want []market.NotificationKind
		for range rapid.IntRange(1, 3).Draw(r, "announcements") {
			for range rapid.IntRange(1, 3).Draw(r, "edits") {
				e.must(e.change(before, randomChange(r)))
				var err error
				switch anyOf(r, "verification", "none", "given", "taken") {
				case "given":
					_, err = e.VerifySeller(e.ctx, admin, seller.User.ID, market.VerifyRequest{})
				case "taken":
					_, err = e.TakeBadge(e.ctx, admin, seller.User.ID)
				}
				e.must(err)
			}
			e.stepAnnouncer()
			after := e.stored(before)
			saved := query.WithFilters()
			if len(want) == 0 && saved.Matches(after.Searchable()) && !saved.Matches(before.Searchable()) {
				want = append(want, market.NotifyMatch)
			}
			if got := e.notificationKinds(searcher); len(got) != len(want) {
				r.Fatalf("%+v\nchanged to\n%+v\nthe notifications for %+v are %v, want %v", before, after, query, got, want)
			}
			before = after
		}
	})
}
