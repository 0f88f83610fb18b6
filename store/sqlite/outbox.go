package sqlite

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"

	"secondring/market"
)

// The outbox has one row for each event that is not published yet. There is one writer, so the
// order of seq is the order of the commits.

// outboxColumns are the columns of outbox in the order of eventFields.
const outboxColumns = "seq, topic, type, entity, version, at, data"

var (
	outboxTable   = newTable("outbox", outboxColumns)
	qAddEvent     = query(`INSERT INTO outbox (topic, type, entity, version, at, data) VALUES (?, ?, ?, ?, ?, ?)`)
	qEvent        = query("SELECT " + outboxColumns + " FROM outbox WHERE seq = ?")
	qPending      = query("SELECT " + outboxColumns + " FROM outbox ORDER BY seq LIMIT 0 + ?")
	qDeleteEvents = query(`DELETE FROM outbox WHERE seq IN (SELECT value FROM json_each(?))`)
)

func eventFields(e *market.Event) []any {
	return []any{&e.Seq, &e.Topic, &e.Type, &e.Entity, &e.Version, timeColumn{&e.At}, dataColumn{&e.Data}}
}

// dataColumn stores the JSON of an event as text, so that it can be read in an SQL
// shell. No data is the empty text.
type dataColumn struct{ field *json.RawMessage }

// Value returns the text to store.
func (c dataColumn) Value() (driver.Value, error) { return string(*c.field), nil }

// Scan sets the field to a stored text.
func (c dataColumn) Scan(src any) error {
	text, ok := src.(string)
	if !ok {
		return fmt.Errorf("sqlite: the data of an event are stored as %T", src)
	}
	*c.field = nil
	if text != "" {
		*c.field = json.RawMessage(text)
	}
	return nil
}

// addEvents stores the events of a change, and the audit log entries, ledger entries,
// notifications and records that they carry, in the transaction of that change.
func (c *conn) addEvents(events []market.Event) error {
	for _, e := range events {
		if e.IsStoredOnly() {
			continue
		}
		if _, err := c.exec(qAddEvent, eventFields(&e)[1:]...); err != nil {
			return err
		}
	}
	if err := c.addAuditEntries(events); err != nil {
		return err
	}
	if err := c.addLedgerEntries(events); err != nil {
		return err
	}
	if err := c.addNotifications(events); err != nil {
		return err
	}
	return c.addCarriedRecords(events)
}

// PendingEvents returns the oldest events that are not published, in the order
// of their commits. Seq is set.
func (s *Store) PendingEvents(ctx context.Context, limit int) ([]market.Event, error) {
	return collect(ctx, s, "read outbox", qPending, eventFields, limit)
}

// Backlog counts the events that are not published, up to limit.
func (s *Store) Backlog(ctx context.Context, limit int) (market.Backlog, error) {
	events, err := s.PendingEvents(ctx, limit)
	if err != nil || len(events) == 0 {
		return market.Backlog{}, err
	}
	return market.Backlog{Events: len(events), Oldest: events[0].At}, nil
}

// EventsPublished deletes published events, by their Seq. If it fails, or the process is killed
// before it, they are published again.
func (s *Store) EventsPublished(ctx context.Context, events []market.Event) error {
	if len(events) == 0 {
		return nil
	}
	seqs := make([]int64, len(events))
	for i, e := range events {
		seqs[i] = e.Seq
	}
	list, err := json.Marshal(seqs)
	if err != nil {
		return err
	}
	_, err = s.exec(ctx, "delete published events", qDeleteEvents, string(list))
	return err
}
