package market

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"secondring/market/search"
)

// All that one person watches is one entity. So one compare-and-set enforces its limits,
// and one write deletes it.

// Limits of what one person watches.
const (
	maxWatches  = 200
	maxSearches = 20
)

// Watching is what one person watches: phones and searches.
type Watching struct {
	ID        string
	UID       string        // unique
	Phones    []Watch       // in the order of watching
	Searches  []SavedSearch // in the order of saving
	Version   int64
	CreatedAt time.Time
}

// Watch is a phone that a person watches. The phone may have been removed since.
type Watch struct {
	ID        string    `json:"id"`
	ProductID string    `json:"productID"`
	At        time.Time `json:"at"`
}

// SavedSearch is a search about whose new phones a person gets notifications. It never
// changes.
type SavedSearch struct {
	ID    string       `json:"id"`
	Name  string       `json:"name"`
	Query search.Query `json:"query"`
	At    time.Time    `json:"at"`
}

// savedSearchVersion is the version of every saved search; its removal has the next one.
const savedSearchVersion = 1

// WatchedProduct is a phone on a person's list of watched phones.
type WatchedProduct struct {
	Product

	WatchID string
}

// SavedSearchRequest is the payload of POST /searches.
type SavedSearchRequest struct {
	Name  string
	Query search.Query
	Wrong Fields // of the payload
	// WrongQuery are the query's parameters that could not be parsed.
	WrongQuery Fields
}

// AnyBrand is the brand ID of searches that name no brand.
const AnyBrand = ""

// ProductIDs returns the IDs of the watched phones.
func (w Watching) ProductIDs() []string {
	ids := make([]string, 0, len(w.Phones))
	for _, watch := range w.Phones {
		ids = append(ids, watch.ProductID)
	}
	return ids
}

func (s SavedSearch) brands() []string {
	if len(s.Query.Brands) == 0 {
		return []string{AnyBrand}
	}
	return s.Query.Brands
}

// searchKey returns the same text for searches that find the same phones, in any order.
func (s SavedSearch) searchKey() string {
	s.Query.Sort = search.SortNewest
	return s.Query.Fingerprint()
}

func (w Watching) watches(productID string) bool {
	return slices.ContainsFunc(w.Phones, func(watch Watch) bool { return watch.ProductID == productID })
}

// Watch adds a phone to those that a person watches, unless it is there already. It returns
// CodeTooMany if the person watches maxWatches phones.
func (m *Market) Watch(ctx context.Context, who Actor, productID string) error {
	if _, err := m.product(ctx, productID); err != nil {
		return err
	}
	return m.changeWatching(ctx, who.User.UID, func(w *Watching) error {
		if w.watches(productID) {
			return nil
		}
		if len(w.Phones) >= maxWatches {
			if err := m.dropRemoved(ctx, w); err != nil {
				return err
			}
		}
		if len(w.Phones) >= maxWatches {
			return refuse(CodeTooMany, fmt.Sprintf("You already watch %d phones. Stop watching one of them first", maxWatches))
		}
		now := m.clock.Now()
		w.Phones = append(slices.Clone(w.Phones), Watch{ID: NewID(now), ProductID: productID, At: now})
		return nil
	})
}

// dropRemoved removes phones that no longer exist from the list.
func (m *Market) dropRemoved(ctx context.Context, w *Watching) error {
	found, err := m.store.ProductsByID(ctx, w.ProductIDs())
	if err != nil {
		return err
	}
	w.Phones = slices.DeleteFunc(slices.Clone(w.Phones), func(watch Watch) bool {
		return !slices.ContainsFunc(found, func(p Product) bool { return p.ID == watch.ProductID })
	})
	return nil
}

// Unwatch removes a phone from those that a person watches. It returns 0 if it was not
// watched, and CodeNotFound if there is no such phone either.
func (m *Market) Unwatch(ctx context.Context, who Actor, productID string) (int, error) {
	watched := 0
	err := m.changeWatching(ctx, who.User.UID, func(w *Watching) error {
		before := len(w.Phones)
		w.Phones = slices.DeleteFunc(slices.Clone(w.Phones), func(watch Watch) bool { return watch.ProductID == productID })
		watched = before - len(w.Phones)
		return nil
	})
	if err == nil && watched == 0 {
		_, err = m.product(ctx, productID)
	}
	return watched, err
}

// Watches lists the watched phones that still exist, in the order of watching, newest
// first.
func (m *Market) Watches(ctx context.Context, who Actor, page Page) (List[WatchedProduct], error) {
	w, err := m.watching(ctx, who.User.UID)
	if err != nil || len(w.Phones) == 0 {
		return List[WatchedProduct]{}, err
	}
	found, err := m.store.ProductsByID(ctx, w.ProductIDs())
	phones := map[string]Product{}
	for _, p := range found {
		phones[p.ID] = p
	}
	var all []WatchedProduct
	for _, watch := range w.Phones {
		if p, exists := phones[watch.ProductID]; exists {
			all = append(all, WatchedProduct{p, watch.ID})
		}
	}
	return pageOf(all, func(p WatchedProduct) string { return p.WatchID }, page), err
}

// Watching returns what a person watches. Its Version is 0 if the person has never watched
// anything.
func (m *Market) Watching(ctx context.Context, who Actor) (Watching, error) {
	return m.watching(ctx, who.User.UID)
}

func (m *Market) watching(ctx context.Context, uid string) (Watching, error) {
	w, err := m.store.Watching(ctx, uid)
	if errors.Is(err, ErrNotFound) {
		return Watching{UID: uid}, nil
	}
	return w, err
}

// SaveSearch saves a search. If a saved search finds the same phones, it returns that one.
// The prices, storages and colours of its words are saved as filters. It returns CodeTooMany if the
// person has maxSearches.
func (m *Market) SaveSearch(ctx context.Context, who Actor, in SavedSearchRequest) (SavedSearch, error) {
	if err := in.check(); err != nil {
		return SavedSearch{}, err
	}
	now := m.clock.Now()
	in.Query = in.Query.WithFilters()
	in.Query.Brands = search.Distinct(in.Query.Brands)
	added := SavedSearch{ID: NewID(now), Name: in.Name, Query: in.Query, At: now}
	if len(encode(added.View())) > maxEntity {
		return SavedSearch{}, tooLarge("query")
	}
	var saved SavedSearch
	err := m.changeWatching(ctx, who.User.UID, func(w *Watching) error {
		saved = added
		for _, s := range w.Searches {
			if s.searchKey() == added.searchKey() {
				saved = s
				return nil
			}
		}
		if len(w.Searches) >= maxSearches {
			return refuse(CodeTooMany, fmt.Sprintf("You already have %d saved searches. Delete one of them first", maxSearches))
		}
		w.Searches = append(slices.Clone(w.Searches), saved)
		return nil
	})
	return saved, err
}

func (in SavedSearchRequest) check() error {
	f := FieldsOf(in.Wrong)
	f.text("name", in.Name, maxShort)
	wrong := Search{Query: in.Query, Wrong: in.WrongQuery}.check()
	for _, name := range wrong.names() {
		f.Add("query."+name, wrong[name].reason)
	}
	if len(f) == 0 && !in.Query.Narrows() && len(in.Query.Brands) == 0 {
		f.Add("query", "has no words, brand or filter: it would find every phone")
	}
	return f.Err()
}

// DeleteSearch deletes a saved search. It returns CodeNotFound if the person has none with
// this ID.
func (m *Market) DeleteSearch(ctx context.Context, who Actor, id string) error {
	return m.changeWatching(ctx, who.User.UID, func(w *Watching) error {
		before := len(w.Searches)
		w.Searches = slices.DeleteFunc(slices.Clone(w.Searches), func(s SavedSearch) bool { return s.ID == id })
		if len(w.Searches) == before {
			return missing("saved search")
		}
		return nil
	})
}

// Searches lists a person's saved searches, newest first.
func (m *Market) Searches(ctx context.Context, who Actor, page Page) (List[SavedSearch], error) {
	w, err := m.watching(ctx, who.User.UID)
	return pageOf(w.Searches, func(s SavedSearch) string { return s.ID }, page), err
}

// pageOf returns a page of a whole list: by ID, descending.
func pageOf[T any](all []T, id func(T) string, page Page) List[T] {
	list := List[T]{Total: len(all)}
	for _, v := range slices.SortedFunc(slices.Values(all), func(a, b T) int { return cmp.Compare(id(b), id(a)) }) {
		switch {
		case page.After != "" && id(v) >= page.After:
		case len(list.Items) == page.Limit:
			list.More = true
		default:
			list.Items = append(list.Items, v)
		}
	}
	return list
}

// changeWatching applies a change and stores it with its events. After a conflict it
// applies the change to the current entity.
func (m *Market) changeWatching(ctx context.Context, uid string, change func(*Watching) error) error {
	for {
		before, err := m.watching(ctx, uid)
		if err != nil {
			return err
		}
		w, now := before, m.clock.Now()
		isNew := w.Version == 0
		if w.Version++; isNew {
			w.ID, w.CreatedAt = NewID(now), now
		}
		if err := change(&w); err != nil {
			return err
		}
		events := watchingEvents(before, w, now)
		if len(events) == 0 {
			return nil
		}
		events = append(events, recount(before, w, now)...)
		if isNew {
			err = m.store.AddWatching(ctx, w, events)
		} else {
			err = m.store.SaveWatching(ctx, w, events)
		}
		if IsTaken(err) {
			continue
		}
		return err
	}
}

// deleteWatching deletes what a person watches.
func (m *Market) deleteWatching(ctx context.Context, uid string) error {
	for {
		w, err := m.store.Watching(ctx, uid)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		w.Version++
		err = m.store.RemoveWatching(ctx, w, recount(w, Watching{}, m.clock.Now())) // no event: its owner was its only reader
		if !errors.Is(err, ErrConflict) && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
}
