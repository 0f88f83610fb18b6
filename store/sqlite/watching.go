package sqlite

import (
	"context"

	"secondring/market"
)

// watchingColumns are the columns of watching in the order of watchingFields. The column
// search_keys is not one of them, because only triggers read it.
const watchingColumns = "id, uid, phones, searches, version, created_at"

var (
	watchingTable    = newTable("watching", watchingColumns, "search_keys")
	watchingSwap     = watchingTable.swap("watching")
	qWatching        = query("SELECT " + watchingColumns + " FROM watching WHERE uid = ?")
	qWatchingByID    = query("SELECT " + watchingColumns + " FROM watching WHERE id = ?")
	qWatchingOfPhone = query("SELECT " + watchingTable.list("w") + ` FROM watched_phones AS x CROSS JOIN watching AS w ON w.id = x.watching
		WHERE x.product = ? AND x.watching < ? ORDER BY x.watching DESC LIMIT 0 + ?`)
	qWatchingOfSearches = query("SELECT " + watchingTable.list("w") + ` FROM watched_searches AS x CROSS JOIN watching AS w ON w.id = x.watching
		WHERE x.search_key = ? AND x.watching < ? ORDER BY x.watching DESC LIMIT 0 + ?`)
)

func watchingFields(w *market.Watching) []any {
	return []any{
		&w.ID, &w.UID, asJSON(&w.Phones), asJSON(&w.Searches), &w.Version,
		timeColumn{&w.CreatedAt},
	}
}

// watchingValues returns the fields of a market.Watching, then its value of search_keys.
func watchingValues(w market.Watching) []any {
	keys := w.SearchKeys()
	return append(watchingFields(&w), asJSON(&keys))
}

// AddWatching stores what a person watches. It returns ErrExists if the UID or the ID exists.
func (s *Store) AddWatching(ctx context.Context, w market.Watching, events []market.Event) error {
	return watchingSwap.add(ctx, s, watchingValues(w), events)
}

// SaveWatching replaces what a person watches if the version is one above the stored
// one. Otherwise it returns ErrConflict, or ErrNotFound if none is stored with this ID.
func (s *Store) SaveWatching(ctx context.Context, w market.Watching, events []market.Event) error {
	return watchingSwap.save(ctx, s, watchingValues(w), w.ID, w.Version, events)
}

// RemoveWatching deletes what a person watches if the version is one above the stored
// one. Otherwise it returns ErrConflict, or ErrNotFound if none is stored with this ID.
func (s *Store) RemoveWatching(ctx context.Context, w market.Watching, events []market.Event) error {
	return watchingSwap.delete(ctx, s, w.ID, w.Version, events)
}

// Watching returns what the person with a UID watches.
func (s *Store) Watching(ctx context.Context, uid string) (market.Watching, error) {
	return find(ctx, s, "watching", qWatching, watchingFields, uid)
}

// WatchingOfPhone returns a page of the people who watch a phone, newest first.
func (s *Store) WatchingOfPhone(ctx context.Context, productID string, page market.Page) ([]market.Watching, error) {
	return findPage(ctx, s, "watching of a phone", qWatchingOfPhone, watchingFields, productID, page)
}

// WatchingOfSearches returns a page of the people with a saved search that has a key, newest
// first.
func (s *Store) WatchingOfSearches(ctx context.Context, key string, page market.Page) ([]market.Watching, error) {
	return findPage(ctx, s, "watching of searches", qWatchingOfSearches, watchingFields, key, page)
}
