package market_test

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
	"secondring/market/search"
)

// newStockedEnv returns a market with an iPhone 12 of Apple, a Galaxy S21 of Samsung, and a
// OnePlus 9.
func newStockedEnv(t *testing.T) (*env, map[string]market.Product) {
	t.Helper()
	e := newEnv(t)
	seller := e.seller()
	phones := map[string]market.Product{}
	for _, phone := range [][2]string{{"Apple", "iPhone 12"}, {"Samsung", "Galaxy S21"}, {"OnePlus", "OnePlus 9"}} {
		phones[phone[0]] = e.addPhoneOf(seller, e.mustAddBrand(phone[0]), phone[1])
	}
	return e, phones
}

// mustAddBrand adds a brand with this name.
func (e *env) mustAddBrand(name string) market.Brand {
	e.t.Helper()
	b, err := e.AddBrand(e.ctx, name, "/b.jpg")
	e.must(err)
	return b
}

// addPhoneOf adds a phone of a brand with this name.
func (e *env) addPhoneOf(seller market.Actor, b market.Brand, name string) market.Product {
	e.t.Helper()
	e.clock.Pass(time.Millisecond) // IDs begin with the time
	in := e.productRequest(seller)
	in.Brand, in.BrandID, in.Name = b.Name, b.ID, name
	p, err := e.AddProduct(e.ctx, seller, in)
	e.must(err)
	return p
}

// wantSearch fails the test unless the query finds this many phones with these words, without
// the ones that were let go: "iphone, not blue 5g". "" means the words as typed,
// without filters.
func (e *env) wantSearch(q search.Query, total int, searched string) {
	e.t.Helper()
	found, err := e.Search(e.ctx, true, firstPage(q))
	got := found.Words.Text
	if len(found.Words.LeftOut) > 0 {
		got += ", not " + strings.Join(found.Words.LeftOut, " ")
	}
	if want := cmp.Or(searched, q.WithFilters().Text); found.Total != total || len(found.Items) != total || got != want {
		e.t.Errorf("%+v found %d phones of %q, want %d of %q", q, found.Total, got, total, want)
	}
	for _, word := range found.Words.LeftOut {
		if !strings.Contains(strings.ToLower(q.Text), word) {
			e.t.Errorf("%q: %q was let go, which nobody typed", q.Text, word)
		}
	}
	e.must(err)
}

func TestSearchCorrectsTypingErrors(t *testing.T) {
	e, phones := newStockedEnv(t)
	for text, want := range map[string]string{
		"iphone 12":              "", // it has no typing error
		"iphne 12":               "iphone 12",
		"iphne12":                "iphone 12",
		"samsng":                 "samsung",
		"sams":                   "sams*",
		"galaxy s21 sam":         "galaxy s21 sam*",
		"Galxy S21":              "galaxy s21",
		"galaxysamsung":          "galaxy samsung",
		"samsung galxy":          "samsung galaxy",
		"one plus":               "",
		"iphone* zzz*":           "iphone, not zzz",
		"iphone12":               "",
		"appleiphone":            "",
		"blue samsung":           "samsung, not blue",
		"samsung in red":         "samsung, not in red",
		"purple iphne":           "iphone, not purple",
		"galaxy samsng iphone":   "galaxy samsung, not iphone",
		"iphone galaxi":          "iphone, not galaxi", // as typed, not as corrected
		"iphone of samsung":      "iphone, not of samsung",
		"still iphne":            "still iphone", // the word is in its description
		"still blue iph":         "still iph*, not blue",
		"xyz rings oneplus":      "rings oneplus, not xyz", // no phone has xyz
		"galxy rings still mint": "galaxy rings still, not mint",
	} {
		e.wantSearch(search.Query{Text: text}, 1, want)
	}
	for _, text := range []string{"zzzzzz", "dhaka", "dhak", "s20", "red", "1 2 3 4 5 6 7 8 iphne", "s2"} {
		e.wantSearch(search.Query{Text: text}, 0, "")
	}

	t.Run("with all filters", func(t *testing.T) {
		apple := []string{phones["Apple"].BrandID}
		e.wantSearch(search.Query{Text: "iphne", Brands: apple, MaxPrice: 40}, 1, "iphone")
		e.wantSearch(search.Query{Text: "samsng", Brands: apple}, 0, "")
		e.wantSearch(search.Query{Text: "iphne", MaxPrice: 39}, 0, "")
		e.wantSearch(search.Query{Text: "iphone", MaxPrice: 39}, 0, "")
		e.wantSearch(search.Query{Text: "blue iphne under 40"}, 1, "iphone, not blue")
		e.wantSearch(search.Query{Text: "still iphone under $39"}, 0, "still iphone") // no other phone that still rings
	})
	t.Run("in a brand", func(t *testing.T) {
		found, err := e.SearchBrand(e.ctx, true, phones["Apple"].BrandID, firstPage(search.Query{Text: "iphne"}))
		if e.must(err); found.Total != 1 || found.Words.Text != "iphone" {
			t.Errorf("%+v", found)
		}
	})
	t.Run("on the first page only", func(t *testing.T) {
		in := firstPage(search.Query{Text: "iphne"})
		in.Page.After = search.SortKey{ID: "x"}.String()
		found, err := e.Search(e.ctx, true, in)
		if e.must(err); found.Total != 0 || found.Words.Text != "iphne" {
			t.Errorf("%+v", found)
		}
	})
}

// The words of a new phone are used at once. The words of a renamed phone are used after
// ten minutes.
func TestCorrectionsUseTheWordsOfCurrentPhones(t *testing.T) {
	e, phones := newStockedEnv(t)
	e.wantSearch(search.Query{Text: "iphne"}, 1, "iphone")
	seller := e.seller()
	e.wantSearch(search.Query{Text: "zenfnoe"}, 0, "")
	zenfone := e.addPhoneOf(seller, e.mustAddBrand("Asus"), "Zenfone 8")
	e.wantSearch(search.Query{Text: "zenfnoe"}, 1, "zenfone")
	name := "Padfone"
	_, err := e.ChangeProduct(e.ctx, seller, zenfone.ID, market.ProductChange{Name: &name})
	e.must(err)
	e.wantSearch(search.Query{Text: "zenfnoe"}, 0, "")
	e.wantSearch(search.Query{Text: "padfnoe"}, 0, "")
	e.clock.Pass(11 * time.Minute)
	e.wantSearch(search.Query{Text: "padfnoe"}, 1, "padfone")
	iphone := e.stored(phones["Apple"])
	iphone.Version++
	e.must(e.store.RemoveProduct(e.ctx, iphone, nil))
	e.wantSearch(search.Query{Text: "iphne"}, 0, "")
}

// largeStore has size phones, all named Lumia, and counts the phones that it returns.
type largeStore struct {
	market.Store
	size, read int
}

func (s *largeStore) SearchProducts(_ context.Context, q search.Query, page market.Page, _ int) (list market.List[market.Product], err error) {
	if q.Text != "" {
		return list, nil
	}
	after, paged := search.ParseSortKey(page.After)
	for i := s.size; i > 0 && len(list.Items) < page.Limit; i-- {
		if id := fmt.Sprintf("%024x", i); !paged || id < after.ID {
			list.Items = append(list.Items, market.Product{ID: id, Name: "Lumia"})
		}
	}
	s.read += len(list.Items)
	list.Total, list.More = s.size, len(list.Items) == page.Limit
	return list, nil
}

// A correction reads at most the newest 10,000 phones, once, and later only new phones.
func TestCorrectionsReadFewPhones(t *testing.T) {
	store := &largeStore{size: 100_000}
	m := market.New(store, markettest.NewClock(time.UnixMilli(0)), defaultRules, nil)
	for _, limit := range []int{13_000, 50, 3_000} {
		store.read = 0
		if _, err := m.Search(t.Context(), true, firstPage(search.Query{Text: "lumiia"})); err != nil {
			t.Fatal(err)
		}
		if store.read > limit {
			t.Errorf("%d phones were read, want at most %d", store.read, limit)
		}
		if limit == 50 {
			store.size += 100
		}
	}
}

// pausedStore blocks the reads of all phones once reading is set.
type pausedStore struct {
	market.Store
	reading, resume chan struct{}
}

func (s *pausedStore) SearchProducts(ctx context.Context, q search.Query, page market.Page, countTo int) (market.List[market.Product], error) {
	if s.reading != nil && q.Text == "" {
		s.reading <- struct{}{}
		<-s.resume
	}
	return s.Store.SearchProducts(ctx, q, page, countTo)
}

func TestCorrectionsDoNotWaitForReading(t *testing.T) {
	e, _ := newStockedEnv(t)
	store := &pausedStore{Store: e.store}
	m := market.New(store, e.clock, defaultRules, nil)
	corrected := func() string {
		found, err := m.Search(t.Context(), true, firstPage(search.Query{Text: "iphne"}))
		if err != nil {
			t.Error(err)
		}
		return found.Words.Text
	}
	if got := corrected(); got != "iphone" {
		t.Fatalf("the first search is corrected to %q", got)
	}
	store.reading, store.resume = make(chan struct{}), make(chan struct{})
	done := make(chan string)
	go func() { done <- corrected() }()
	<-store.reading
	if got := corrected(); got != "iphone" {
		t.Errorf("a search during the reading is corrected to %q", got)
	}
	close(store.resume)
	if got := <-done; got != "iphone" {
		t.Errorf("the search that reads is corrected to %q", got)
	}
}
