package sqlite

import (
	"context"
	"encoding/json"
	"time"

	"secondring/market"
)

// recordColumns are the columns of records in the order of recordFields.
const recordColumns = "kind, id, data, due, expires, version"

var (
	recordTable   = newTable("records", recordColumns)
	qAddRecord    = recordTable.insert()
	qCarryRecord  = query("INSERT INTO records (" + recordColumns + ") VALUES (" + marks(6) + ") ON CONFLICT DO NOTHING")
	qRecord       = query("SELECT " + recordColumns + " FROM records WHERE kind = ? AND id = ?")
	qRecordExists = query(`SELECT 1 FROM records WHERE kind = ? AND id = ?`)
	qSaveRecord   = query(`UPDATE records SET (data, due, expires, version) = (?, ?, ?, ?)
		WHERE kind = ? AND id = ? AND version = ?`)
	qRecordsOf     = query("SELECT " + recordColumns + " FROM records WHERE kind = ? AND id < ? ORDER BY id DESC LIMIT 0 + ?")
	qRecordsDue    = query("SELECT " + recordColumns + " FROM records WHERE kind = ? AND due IS NOT NULL AND due <= ? ORDER BY due, id LIMIT 0 + ?")
	qFinishRecords = query(`UPDATE records SET (data, due, expires, version) = (x'', NULL, ?, version + 1)
		WHERE kind = ? AND id IN (SELECT value FROM json_each(?))`)
	qPurgeRecords = query(`DELETE FROM records WHERE rowid IN (
		SELECT rowid FROM records WHERE expires IS NOT NULL AND expires < ? ORDER BY expires LIMIT 0 + ?)`)
)

func recordFields(r *market.Record) []any {
	return []any{
		&r.Kind, &r.ID, &r.Data,
		timeColumn{&r.Due},
		timeColumn{&r.Expires},
		&r.Version,
	}
}

// AddRecord stores a new record. It returns ErrExists if its Kind and ID exist.
func (s *Store) AddRecord(ctx context.Context, r market.Record, events []market.Event) error {
	r.Data = nonNil(r.Data)
	return s.write(ctx, "add record", func(tx *conn) error {
		if _, err := tx.exec(qAddRecord, recordFields(&r)...); err != nil {
			return err
		}
		return tx.addEvents(events)
	})
}

// addCarriedRecords stores the records that events carry, in the transaction of the
// change.
func (c *conn) addCarriedRecords(events []market.Event) error {
	records, err := market.RecordsIn(events)
	if err != nil {
		return err
	}
	for _, r := range records {
		r.Data = nonNil(r.Data)
		if _, err := c.exec(qCarryRecord, recordFields(&r)...); err != nil {
			return err
		}
	}
	return nil
}

// SaveRecord replaces the record with the same Kind and ID if the version is one above the
// stored one. Otherwise it returns ErrConflict, or ErrNotFound if none is stored.
func (s *Store) SaveRecord(ctx context.Context, r market.Record) error {
	return s.write(ctx, "save record", func(tx *conn) error {
		changed, err := tx.exec(qSaveRecord,
			nonNil(r.Data), timeParam(r.Due), timeParam(r.Expires), r.Version, r.Kind, r.ID, r.Version-1)
		if err != nil || changed > 0 {
			return err
		}
		return tx.swapError(qRecordExists, r.Kind, r.ID)
	})
}

// Record returns the record with a Kind and an ID.
func (s *Store) Record(ctx context.Context, kind, id string) (market.Record, error) {
	return find(ctx, s, "record", qRecord, recordFields, kind, id)
}

// RecordsOf returns a page of the records of a kind, by ID, descending.
func (s *Store) RecordsOf(ctx context.Context, kind string, page market.Page) ([]market.Record, error) {
	return findPage(ctx, s, "records of a kind", qRecordsOf, recordFields, kind, page)
}

// RecordsDue returns records of a kind whose Due is set and not after now,
// oldest Due first.
func (s *Store) RecordsDue(ctx context.Context, kind string, now time.Time, limit int) ([]market.Record, error) {
	return collect(ctx, s, "records due", qRecordsDue, recordFields, kind, now.UnixMilli(), limit)
}

// FinishRecords deletes the Data of several records and raises their versions by one. They are
// no longer due, and expire at that time.
func (s *Store) FinishRecords(ctx context.Context, kind string, ids []string, expires time.Time) error {
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	_, err = s.exec(ctx, "finish records", qFinishRecords, timeParam(expires), kind, string(list))
	return err
}

// PurgeRecords deletes up to limit records that expired before that time, and returns how many
// it deleted.
func (s *Store) PurgeRecords(ctx context.Context, before time.Time, limit int) (purged int, err error) {
	return s.exec(ctx, "purge records", qPurgeRecords, timeParam(before), limit)
}

// nonNil returns an empty document for nil, because NULL is no document.
func nonNil(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}
