package sqlite

import (
	"context"
	"encoding/json"

	"secondring/market"
)

var (
	qAddEvent  = query(`INSERT INTO outbox (topic, type, at, entity, version, data) VALUES (?, ?, ?, ?, ?, ?)`)
	qPending   = query(`SELECT seq, topic, type, at, entity, version, data FROM outbox ORDER BY seq LIMIT 0 + ?`)
	qPublished = query(`DELETE FROM outbox WHERE seq = ?`)
)

// keep stores events in the transaction of the change that they tell of.
func (c *conn) keep(events []market.Event) error {
	for _, e := range events {
		_, err := c.exec(qAddEvent, e.Topic, e.Type, at(e.At), e.Entity, e.Version, string(e.Data))
		if err != nil {
			return err
		}
	}
	return nil
}

// PendingEvents returns the oldest events that are not published, in the order
// of their commits. Seq is set.
func (s *Store) PendingEvents(ctx context.Context, limit int) (events []market.Event, err error) {
	err = s.read(ctx, "read outbox", func(c *conn) error {
		rows, err := c.query(qPending, limit)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }() // reading is over: rows.Err has told
		events = nil
		for rows.Next() {
			var e market.Event
			var data string
			if err := rows.Scan(&e.Seq, &e.Topic, &e.Type, when{&e.At}, &e.Entity, &e.Version, &data); err != nil {
				return err
			}
			if data != "" {
				e.Data = json.RawMessage(data)
			}
			events = append(events, e)
		}
		return rows.Err()
	})
	return events, err
}

// EventsPublished forgets events, by their Seq.
func (s *Store) EventsPublished(ctx context.Context, events []market.Event) error {
	if len(events) == 0 {
		return nil
	}
	return s.write(ctx, "empty outbox", func(tx *conn) error {
		for _, e := range events {
			if _, err := tx.exec(qPublished, e.Seq); err != nil {
				return err
			}
		}
		return nil
	})
}
