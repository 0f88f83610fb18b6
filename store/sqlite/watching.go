package sqlite

import (
	"context"

	"secondring/market"
)

// watchingColumns are the columns of watching in the order of watchingFields. The column
// brands is not one of them, because only triggers read it.
const watchingColumns = "id, uid, phones, searches, version, created_at"

var (
	watchingTable    = newTable("watching", watchingColumns, "brands")
	watchingSwap     = watchingTable.swap("watching")
	qWatching        = query("SELECT " + watchingColumns + " FROM watching WHERE uid = ?")
	qWatchingByID    = query("SELECT " + watchingColumns + " FROM watching WHERE id = ?")
	qWatchingOfPhone = query("SELECT " + watchingTable.list("w") + ` FROM watched_phones AS x CROSS JOIN watching AS w ON w.id = x.watching
		WHERE x.product = ? AND x.watching < ? ORDER BY x.watching DESC LIMIT 0 + ?`)
	qWatchingOfBrand = query("SELECT " + watchingTable.list("w") + ` FROM watched_brands AS x CROSS JOIN watching AS w ON w.id = x.watching
		WHERE x.brand = ? AND x.watching < ? ORDER BY x.watching DESC LIMIT 0 + ?`)
)

func watchingFields(w *market.Watching) []any {
	return []any{
		&w.ID, &w.UID, asJSON(&w.Phones), asJSON(&w.Searches), &w.Version,
		timeColumn{&w.CreatedAt},
	}
}

// watchingValues returns the fields of a market.Watching, then its value of brands.
func watchingValues(w market.Watching) []any {
	brands := w.Brands()
	return append(watchingFields(&w), asJSON(&brands))
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

// WatchingOfBrand returns a page of the people who watch a search with a brand, newest first.
// The brand AnyBrand finds the searches without a brand.
func (s *Store) WatchingOfBrand(ctx context.Context, brandID string, page market.Page) ([]market.Watching, error) {
	return findPage(ctx, s, "watching of a brand", qWatchingOfBrand, watchingFields, brandID, page)
}
