package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"secondring/market"
)

var (
	qAddBundle  = query(`INSERT INTO outbox (n, events) VALUES (?, ?)`)
	qPending    = query(`SELECT seq, events FROM outbox ORDER BY seq LIMIT 0 + ?`)
	qBundle     = query(`SELECT events FROM outbox WHERE seq = ?`)
	qPublished  = query(`DELETE FROM outbox WHERE seq = ? AND n = ?`)
	qEndBundle  = query(`DELETE FROM outbox WHERE seq = ?`)
	qLessBundle = query(`UPDATE outbox SET gone = n - ?, events = ? WHERE seq = ?`)
)

// keep stores events in the transaction of the change that they tell of.
func (c *conn) keep(events []market.Event) error {
	c.bundle = appendEvents(c.bundle, events)
	c.bundled += len(events)
	return nil
}

// post puts what was kept into the outbox, when all of the transaction's changes
// are made.
func (c *conn) post() error {
	if c.bundled == 0 {
		return nil
	}
	_, err := c.exec(qAddBundle, c.bundled, c.bundle)
	return err
}

// PendingEvents returns the oldest events that are not published, in the order
// of their commits. Seq is set.
func (s *Store) PendingEvents(ctx context.Context, limit int) (events []market.Event, err error) {
	err = s.read(ctx, "read outbox", func(c *conn) error {
		// As of before the reading: what leaves the outbox meanwhile is in what is read.
		over := s.spent.now()
		rows, err := c.query(qPending, limit+len(over))
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }() // reading is over: rows.Err has told
		events = nil
		for len(events) < limit && rows.Next() {
			var seq int64
			var bundle []byte
			if err := rows.Scan(&seq, &bundle); err != nil {
				return err
			}
			some, err := unbundle(seq, bundle)
			if err != nil {
				return err
			}
			events = append(events, left(some, over)...)
		}
		return rows.Err()
	})
	return events[:min(limit, len(events))], err
}

// published forgets some events of a bundle: as a rule all of them.
func (c *conn) published(seq int64, places []int64) error {
	all, err := c.exec(qPublished, seq, len(places))
	if err != nil || all > 0 {
		return err
	}
	var bundle []byte
	err = c.row(qBundle, []any{&bundle}, seq)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // by somebody else
	}
	if err != nil {
		return err
	}
	bundle, left, err := without(seq, bundle, places)
	switch {
	case err != nil:
		return err
	case left == 0:
		_, err = c.exec(qEndBundle, seq)
	default:
		_, err = c.exec(qLessBundle, left, bundle, seq)
	}
	return err
}
