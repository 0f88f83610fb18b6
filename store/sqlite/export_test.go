package sqlite

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"

	"modernc.org/sqlite"

	"secondring/market"
	"secondring/market/search"
	"secondring/store"
)

// Statements returns all SQL that has run since the store was opened.
func (e *Engine) Statements() []string {
	all := maps.Clone(e.reads.prepared)
	maps.Copy(all, e.writes.prepared)
	return slices.Sorted(maps.Keys(all))
}

// Pragmas returns a pragma's value on the writing and on a reading connection.
func (e *Engine) Pragmas(ctx context.Context, name string) (values [2]string, err error) {
	return values, errors.Join(
		e.writer.QueryRowContext(ctx, "PRAGMA "+name).Scan(&values[0]), e.reader.QueryRowContext(ctx, "PRAGMA "+name).Scan(&values[1]))
}

// WriteSettings runs do as a write. The function set stores a setting and an event.
func (e *Engine) WriteSettings(ctx context.Context, do func(set func(name string) error) error) error {
	return e.write(ctx, func(tx *conn) error {
		return do(func(name string) error {
			body := fmt.Sprintf(`{"Name":%q,"Value":"x"}`, name)
			kind := store.Kinds()[slices.IndexFunc(store.Kinds(), func(k *store.Info) bool { return k.Name == "settings" })]
			return tx.apply(store.Write{Kind: kind, Doc: store.Doc{ID: name, Version: 1, Body: []byte(body)}, Events: []market.Event{{Entity: name}}})
		})
	})
}

// SearchForever runs an endless statement like a search.
func (e *Engine) SearchForever(ctx context.Context) error {
	return e.readIndexed(ctx, func(c *conn) error {
		return c.row("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n", []any{new(int)})
	})
}

// Match returns the MATCH expression of a query for the full-text index.
func (e *Engine) Match(ctx context.Context, q search.Query) (match string, err error) {
	sq := newSearchQuery(q, market.Page{})
	err = e.readIndexed(ctx, func(c *conn) (err error) {
		match, err = sq.matchOf(c, sq.terms)
		return err
	})
	return match, err
}

// QueuedWrites returns the number of queued writes.
func (e *Engine) QueuedWrites() int { return len(e.changes) }

// LimitGrowth limits the growth of the file to a number of pages, as a full disk does. A negative
// number removes the limit.
func (e *Engine) LimitGrowth(pages int) error {
	var current int
	if err := e.writer.QueryRow("PRAGMA page_count").Scan(&current); err != nil {
		return err
	}
	limit := current + pages
	if pages < 0 {
		limit = 1 << 30
	}
	_, err := e.writer.Exec(fmt.Sprintf("PRAGMA max_page_count = %d", limit))
	return err
}

// CountCommits counts the transactions of the writing connection from now on.
func (e *Engine) CountCommits(n *atomic.Int64) error {
	c, err := e.writer.Conn(context.Background())
	if err != nil {
		return err
	}
	return errors.Join(c.Raw(func(driver any) error {
		driver.(sqlite.HookRegisterer).RegisterCommitHook(func() int32 { n.Add(1); return 0 })
		return nil
	}), c.Close())
}

// LimitSearch replaces maxFetched and maxScanned, so that a small market is searched like a large one.
func (e *Engine) LimitSearch(fetched, scanned int) { e.maxFetched, e.maxScanned = fetched, scanned }
