package market_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/search"
)

// watchingReads counts the pages of people who are read, by the phone or by the key of their
// searches.
type watchingReads struct {
	market.Store
	pages map[string]int
}

func (c *watchingReads) WatchingOfPhone(ctx context.Context, id string, page market.Page) ([]market.Watching, error) {
	c.pages[id]++
	return c.Store.WatchingOfPhone(ctx, id, page)
}

func (c *watchingReads) WatchingOfSearches(ctx context.Context, key string, page market.Page) ([]market.Watching, error) {
	c.pages[key]++
	return c.Store.WatchingOfSearches(ctx, key, page)
}

// Edits of a phone that wait at the same time are one announcement: the watchers read the
// price of now beside the highest one before, and that the phone is available.
func TestWaitingEditsOfAPhoneAreOneAnnouncement(t *testing.T) {
	e := newEnv(t)
	seller, watcher, searcher := e.seller(), e.buyer(), e.buyer()
	p := e.phone(seller)
	e.stepAnnouncer()
	e.mustWatch(watcher, p)
	e.mustSaveSearch(searcher, search.Query{MaxPrice: 35})
	booking := e.mustBook(e.buyer(), p)
	e.must(e.cancelAsBuyer(booking))
	for _, price := range []int{45, 42, 30, 33} {
		e.must(e.changePrice(p, price))
	}
	reads := &watchingReads{e.store, map[string]int{}}
	e.clock.Pass(time.Millisecond)
	e.must(e.announcerOf(market.New(reads, e.clock, e.rules, market.NoPayments{})).Step(e.ctx))
	if n := reads.pages[p.ID]; n != 1 {
		t.Errorf("the people who watch the phone were read %d times, want once", n)
	}
	e.wantNotified(watcher, "available: Nokia 3310, which you watch, is available again.",
		"price: Nokia 3310, which you watch, became cheaper: $33 instead of $45.")
	e.wantNotificationKinds(searcher, market.NotifyMatch)
	if n := e.openAnnouncements(); n != 0 {
		t.Errorf("%d announcements are open, want 0", n)
	}
}

// An edit reads only the searches with a condition that it concerns.
func TestEditReadsOnlySearchesThatItConcerns(t *testing.T) {
	e := newEnv(t)
	p := e.phone(e.seller())
	reads := &watchingReads{e.store, map[string]int{}}
	announcer := e.announcerOf(market.New(reads, e.clock, e.rules, market.NoPayments{}))
	brand, text := e.brand.ID, "Without a scratch."
	for _, c := range []struct {
		edit func() error
		want []string
	}{
		{func() error { return nil }, []string{"", brand}}, // the new phone
		{func() error { return e.changePrice(p, 39) }, []string{"/maxPrice", brand + "/maxPrice"}},
		{func() error { return e.changePrice(p, 41) }, []string{"/minPrice", brand + "/minPrice"}},
		{func() error { return e.change(p, market.ProductChange{Description: &text}) }, []string{"/text", brand + "/text"}},
	} {
		clear(reads.pages)
		e.must(c.edit())
		e.clock.Pass(time.Millisecond)
		e.must(announcer.Step(e.ctx))
		delete(reads.pages, p.ID)
		if got := slices.Sorted(maps.Keys(reads.pages)); !slices.Equal(got, c.want) {
			t.Errorf("read the searches with the keys %q, want %q", got, c.want)
		}
	}
}

// change changes a phone as its seller.
func (e *env) change(p market.Product, c market.ProductChange) error {
	u, err := e.store.User(e.ctx, p.SellerUID)
	e.must(err)
	_, err = e.ChangeProduct(e.ctx, market.Actor{User: u}, p.ID, c)
	return err
}

// manySearchers is a store with many people whose searches have a limit of the price.
type manySearchers struct {
	market.Store
	people int
}

func (m manySearchers) WatchingOfSearches(ctx context.Context, key string, page market.Page) ([]market.Watching, error) {
	if key != "/maxPrice" {
		return m.Store.WatchingOfSearches(ctx, key, page)
	}
	var people []market.Watching
	for i := m.people; i > 0 && len(people) < page.Limit; i-- {
		if id := fmt.Sprintf("%06d", i); page.After == "" || id < page.After {
			people = append(people, market.Watching{ID: id, UID: id, Searches: []market.SavedSearch{{ID: id, Query: search.Query{MaxPrice: 1}}}})
		}
	}
	return people, nil
}

// A seller whose edits make the announcer read many people waits. Others do not wait, nothing
// is lost, and the edits of a phone are one announcement by then.
func TestAnnouncementsOfASellerWaitForTheirBudget(t *testing.T) {
	e := newEnv(t)
	busy, other := e.seller(), e.seller()
	first, second, third := e.phone(busy), e.phone(busy), e.phone(other)
	store := manySearchers{e.store, 11_000}
	announcer := e.announcerOf(market.New(store, e.clock, e.rules, market.NoPayments{}))
	e.must(announcer.Step(e.ctx))
	watcher := e.buyer()
	for _, p := range []market.Product{first, second, third} {
		e.mustWatch(watcher, p)
	}
	e.must(e.changePrice(first, 39))
	e.clock.Pass(time.Millisecond)
	e.must(announcer.Step(e.ctx))
	e.wantNotified(watcher, "price: Nokia 3310, which you watch, became cheaper: $39 instead of $40.")

	for _, price := range []int{38, 37, 36} {
		e.must(e.changePrice(first, price))
		e.must(e.changePrice(second, price))
		e.must(announcer.Step(e.ctx))
		e.clock.Pass(time.Millisecond)
	}
	e.must(e.changePrice(third, 30))
	e.clock.Pass(time.Millisecond)
	e.must(announcer.Step(e.ctx))
	e.wantNotified(watcher, "price: Nokia 3310, which you watch, became cheaper: $30 instead of $40.")
	e.clock.Pass(5 * time.Second)
	e.must(announcer.Step(e.ctx))
	e.wantNotified(watcher,
		"price: Nokia 3310, which you watch, became cheaper: $36 instead of $39.",
		"price: Nokia 3310, which you watch, became cheaper: $36 instead of $40.")
	if n := e.openAnnouncements(); n != 0 {
		t.Errorf("%d announcements are open, want 0", n)
	}
}
