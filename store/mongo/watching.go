package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"secondring/market"
)

var watching = kind[market.Watching]{
	name: "watching", singular: "watching",
	id:      func(w market.Watching) any { return w.ID },
	version: func(w market.Watching) int64 { return w.Version },
	keys: func(w market.Watching) bson.D {
		keys := bson.D{field("new", w.ID), field("uid", w.UID)}
		if len(w.Phones) > 0 {
			keys = append(keys, field("phones", w.ProductIDs()))
		}
		if len(w.Searches) > 0 {
			keys = append(keys, field("searches", w.SearchKeys()))
		}
		return keys
	},
}

// AddWatching stores what a person watches. It returns ErrExists if the ID exists, or if there is
// already an entity with the UID.
func (s *Store) AddWatching(ctx context.Context, w market.Watching, events []market.Event) error {
	return watching.add(ctx, s, w, events)
}

// SaveWatching replaces what a person watches. The version of w must be one above the stored
// version.
func (s *Store) SaveWatching(ctx context.Context, w market.Watching, events []market.Event) error {
	return watching.save(ctx, s, w, events)
}

// RemoveWatching deletes what a person watches. The version of w must be one above the stored
// version.
func (s *Store) RemoveWatching(ctx context.Context, w market.Watching, events []market.Event) error {
	return watching.remove(ctx, s, w, events)
}

// Watching returns what the person with a UID watches.
func (s *Store) Watching(ctx context.Context, uid string) (market.Watching, error) {
	return watching.findOne(ctx, s, bson.D{field("keys.uid", uid)}, nil)
}

// WatchingOfPhone returns a page of the people who watch a phone, newest entity first.
func (s *Store) WatchingOfPhone(ctx context.Context, productID string, page market.Page) ([]market.Watching, error) {
	return watching.collectBy(ctx, s, "keys.phones", productID, "keys.new", page)
}

// WatchingOfSearches returns a page of the people with a saved search that has a key, newest
// entity first.
func (s *Store) WatchingOfSearches(ctx context.Context, key string, page market.Page) ([]market.Watching, error) {
	return watching.collectBy(ctx, s, "keys.searches", key, "keys.new", page)
}
