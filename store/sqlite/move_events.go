package sqlite

import (
	"database/sql"
	"fmt"

	"secondring/market"
)

// movedEvents is the mover of the outbox, whose rows are bundles.
type movedEvents struct{}

func (movedEvents) table() string { return "outbox" }

func (movedEvents) all() string { return "SELECT seq, events FROM outbox" }

func (movedEvents) count() string { return "SELECT ifnull(sum(n - gone), 0) FROM outbox" }

func (movedEvents) scan(rows *sql.Rows) (things []market.Thing, err error) {
	var seq int64
	var bundle []byte
	if err := rows.Scan(&seq, &bundle); err != nil {
		return nil, err
	}
	events, err := unbundle(seq, bundle)
	for _, e := range events {
		things = append(things, e)
	}
	return things, err
}

func (movedEvents) like(c *conn, thing market.Thing) (market.Thing, error) {
	wanted, ok := thing.(market.Event)
	if !ok {
		return nil, fmt.Errorf("%T is not of outbox", thing)
	}
	seq := wanted.Seq >> bundlePlaces
	var bundle []byte
	if err := c.row(qBundle, []any{&bundle}, seq); err != nil {
		return nil, err
	}
	events, err := unbundle(seq, bundle)
	for _, e := range events {
		if e.Seq == wanted.Seq {
			return e, nil
		}
	}
	if err == nil {
		err = sql.ErrNoRows
	}
	return nil, err
}
