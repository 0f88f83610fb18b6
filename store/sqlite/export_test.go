package sqlite

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"modernc.org/sqlite"

	"secondring/market"
)

// Statements returns all SQL that runs once the store is open.
func Statements() (texts []string) {
	for _, q := range statements {
		texts = append(texts, q.text)
	}
	return texts
}

// Pragmas returns a pragma's value on the writing and on a reading connection.
func (s *Store) Pragmas(ctx context.Context, name string) (values [2]string, err error) {
	for i, pool := range []chan *conn{s.writers, s.readers} {
		c, err := s.acquire(ctx, pool)
		if err != nil {
			return values, err
		}
		err = c.raw.QueryRowContext(ctx, "PRAGMA "+name).Scan(&values[i])
		pool <- c
		if err != nil {
			return values, err
		}
	}
	return values, nil
}

// Write runs do as a write. The function set stores a setting and an event.
func (s *Store) Write(ctx context.Context, do func(set func(name string) error) error) error {
	return s.write(ctx, "test", func(tx *conn) error {
		return do(func(name string) error {
			_, err := tx.exec(qSetMeta, name, "x")
			return errors.Join(err, tx.addEvents([]market.Event{{Entity: name}}))
		})
	})
}

// SearchForever runs an endless statement like a search.
func (s *Store) SearchForever(ctx context.Context) error {
	return s.readIndexed(ctx, "search", func(c *conn) error {
		return c.withReadContext(ctx, func() error {
			rows, err := c.raw.QueryContext(c.statementContext(), "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n")
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
			}
			return rows.Err()
		})
	})
}

// Match returns the MATCH expression of a query for the full-text index.
func (s *Store) Match(ctx context.Context, q market.Query) (match string, err error) {
	sq := newSearchQuery(q, market.Page{})
	err = s.readIndexed(ctx, "match", func(c *conn) (err error) {
		match, err = sq.matchOf(c, sq.terms)
		return err
	})
	return match, err
}

// QueuedWrites returns the number of queued writes.
func (s *Store) QueuedWrites() int {
	s.queue.mu.Lock()
	defer s.queue.mu.Unlock()
	return len(s.queue.waiting)
}

// TakeWriter takes the writing connection, so that writes are queued. The function that it returns
// commits them as one group, in a write of its own, and gives the connection back.
func (s *Store) TakeWriter() (commit func(ctx context.Context)) {
	c := <-s.writers
	return func(ctx context.Context) {
		own := &change{ctx: ctx, do: func(*conn) error { return nil }, done: make(chan struct{})}
		s.queue.push(own)
		s.commitUntil(c, own)
		s.writers <- c
	}
}

// LimitGrowth limits the growth of the file to a number of pages, as a full disk does. A
// negative number removes the limit.
func (s *Store) LimitGrowth(pages int) error {
	c := <-s.writers
	defer func() { s.writers <- c }()
	var current int
	if err := c.raw.QueryRowContext(context.Background(), "PRAGMA page_count").Scan(&current); err != nil {
		return err
	}
	limit := current + pages
	if pages < 0 {
		limit = 1 << 30
	}
	_, err := c.raw.ExecContext(context.Background(), fmt.Sprintf("PRAGMA max_page_count = %d", limit))
	return err
}

// CountCommits counts the transactions of the writing connection from now on.
func (s *Store) CountCommits(n *atomic.Int64) error {
	c := <-s.writers
	defer func() { s.writers <- c }()
	if err := c.open(context.Background(), s.db); err != nil {
		return err
	}
	return c.raw.Raw(func(driver any) error {
		driver.(sqlite.HookRegisterer).RegisterCommitHook(func() int32 { n.Add(1); return 0 })
		return nil
	})
}

// LimitSearch replaces maxFetched and maxScanned, so that a small market is searched like a
// large one.
func (s *Store) LimitSearch(fetched, scanned int) { s.maxFetched, s.maxScanned = fetched, scanned }

// MovedTables returns the tables from which the entities of market.Kinds are read.
func MovedTables() (names []string) {
	for _, m := range itemReaders {
		names = append(names, m.tableName())
	}
	return names
}
