package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"secondring/market"
)

var (
	qAddBundle  = query(`INSERT INTO outbox (n, events) VALUES (?, ?)`)
	qPending    = query(`SELECT seq, gone FROM outbox ORDER BY seq LIMIT 0 + ?`)
	qBundle     = query(`SELECT events FROM outbox WHERE seq = ?`)
	qPublished  = query(`DELETE FROM outbox WHERE seq = ? AND n = ?`)
	qEndBundle  = query(`DELETE FROM outbox WHERE seq = ?`)
	qLessBundle = query(`UPDATE outbox SET gone = n - ?, events = ? WHERE seq = ?`)
)

// keep stores events in the transaction of the change that they tell of.
func (c *conn) keep(events []market.Event) error {
	c.bundle = appendEvents(c.bundle, events)
	c.told = append(c.told, events...)
	return c.record(events)
}

// post puts what was kept into the outbox, when all of the transaction's changes
// are made, and returns the place of its bundle.
func (c *conn) post() (seq int64, err error) {
	if len(c.told) == 0 {
		return 0, nil
	}
	s, err := c.prepare(qAddBundle)
	if err != nil {
		return 0, err
	}
	done, err := s.ExecContext(context.Background(), len(c.told), c.bundle)
	if err != nil {
		return 0, err
	}
	return done.LastInsertId()
}

// PendingEvents returns the oldest events that are not published, in the order
// of their commits. Seq is set.
func (s *Store) PendingEvents(ctx context.Context, limit int) (events []market.Event, err error) {
	err = s.read(ctx, "read outbox", func(c *conn) (err error) {
		// As of before the reading: what leaves the outbox meanwhile is in what is read.
		events, err = c.pending(limit, s.spent.now())
		return err
	})
	return events[:min(limit, len(events))], err
}

// Backlog counts the events that are not published, up to limit.
func (s *Store) Backlog(ctx context.Context, limit int) (market.Backlog, error) {
	events, err := s.PendingEvents(ctx, limit)
	if err != nil || len(events) == 0 {
		return market.Backlog{}, err
	}
	return market.Backlog{Events: len(events), Oldest: events[0].At}, nil
}

// pending reads bundles until there are so many events, or no more. A bundle of
// which all events are published counts for none.
func (c *conn) pending(limit int, over map[int64]struct{}) (events []market.Event, err error) {
	bundles, err := many(c, qPending, bundleFields, limit+len(over))
	if err != nil {
		return nil, err
	}
	for _, b := range bundles {
		if len(events) >= limit {
			break
		}
		some, known := c.recent.of(b.seq)
		if !known || b.gone > 0 {
			if some, err = c.unpack(b.seq); err != nil {
				return nil, err
			}
		}
		for _, e := range some {
			if _, is := over[e.Seq]; !is {
				events = append(events, e)
			}
		}
	}
	return events, nil
}

// bundleRow is a row of the outbox without its events.
type bundleRow struct{ seq, gone int64 }

func bundleFields(b *bundleRow) []any { return []any{&b.seq, &b.gone} }

// unpack reads the events of one bundle: none where it has gone meanwhile.
func (c *conn) unpack(seq int64) ([]market.Event, error) {
	var bundle []byte
	err := c.row(qBundle, []any{&bundle}, seq)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return unbundle(seq, bundle)
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
