package sqlite

import (
	"context"
	"database/sql"

	"secondring/market"
)

// The search index consists of the table search_entries, which has a short row for each phone and
// an index for each sort order, and of the table search, which is a full-text index of the
// words in search_text. An update of the index costs more than the write of a phone
// (docs/adr/0007-search.md). So a trigger adds the ID of each changed phone to the table
// search_stale. The index is updated for all these phones in one batch: before the next
// search, or when maxUnindexed phones have changed.
//
// The full-text index is written last in a batch, because FTS5 flushes its pending data
// whenever a savepoint begins, and statements that change many rows begin one.
var (
	qAnyStale = query(`SELECT 1 FROM search_stale LIMIT 1`)
	qStale    = query(`SELECT l.id, p.brand_id, p.brand, p.name, p.description, p.location, p.original_price, p.resale_price,
		p.condition, p.verified, p.hold_booking IS NOT NULL, p.sold, p.storage, s.seq, s.brand_id, s.price, s.saving, s.facets, s.availability, t.words
		FROM search_stale AS l LEFT JOIN products AS p ON p.id = l.id
		LEFT JOIN search_entries AS s ON s.id = l.id LEFT JOIN search_text AS t ON t.seq = s.seq`)
	qDeleteStale = query(`DELETE FROM search_stale`)

	qMaxSeq         = query(`SELECT max(seq) FROM search_entries`)
	qInsertEntry    = query(`INSERT INTO search_entries (seq, id, brand_id, price, negative_price, saving, facets, availability) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
	qUpdateEntry    = query(`UPDATE search_entries SET (brand_id, price, negative_price, saving, facets, availability) = (?, ?, ?, ?, ?, ?) WHERE seq = ?`)
	qUpdateFacets   = query(`UPDATE search_entries SET (facets, availability) = (?, ?) WHERE seq = ?`)
	qDeleteEntry    = query(`DELETE FROM search_entries WHERE seq = ?`)
	qUpsertWords    = query(`INSERT INTO search_text (seq, words) VALUES (?, ?) ON CONFLICT (seq) DO UPDATE SET words = excluded.words`)
	qDeleteWords    = query(`DELETE FROM search_text WHERE seq = ?`)
	qInsertFullText = query(`INSERT INTO search (rowid, words) VALUES (?, ?)`)
	qDeleteFullText = query(`INSERT INTO search (search, rowid, words) VALUES ('delete', ?, ?)`)
)

// maxUnindexed is the number of changed phones at which a write updates the index. With a
// larger number the update costs less for each phone, but delays the write longer: 256
// phones take 30 to 60 ms.
const maxUnindexed = 256

// indexEntry contains the values that the index has of a phone. It is zero if the phone is
// not in the index.
type indexEntry struct {
	seq                   int64
	brand                 string
	price, saving, facets int64
	availability          int64 // 2 if the phone can be bought, 1 if it is held, 0 if it is sold
	words                 string
}

// staleEntry is a phone that has changed since the last update of the index.
type staleEntry struct {
	id      string
	current indexEntry // the entry in the index; zero for a new phone
	wanted  indexEntry // the entry after the update; zero for a removed phone
}

// readIndexed runs do on one snapshot of the store, in which the index includes every
// change of a phone that was committed before the call of readIndexed. The operation is
// named in errors.
func (s *Store) readIndexed(ctx context.Context, operation string, do func(c *conn) error) error {
	return s.read(ctx, operation, func(c *conn) error {
		stale := false
		err := c.snapshot(func() (err error) {
			if stale, err = c.has(qAnyStale); stale || err != nil {
				return err
			}
			return do(c)
		})
		if err != nil || !stale {
			return err
		}
		return s.updateIndexThenRead(ctx, c, do)
	})
}

// updateIndexThenRead updates the index and runs do on a snapshot. It keeps the writing
// connection until the snapshot has begun, so that no phone changes in between.
func (s *Store) updateIndexThenRead(ctx context.Context, c *conn, do func(c *conn) error) error {
	w, err := s.acquire(ctx, s.writers)
	if err != nil {
		return err
	}
	taken := true
	release := func() {
		if taken {
			s.writers <- w
		}
		taken = false
	}
	defer release()
	if err := retryBusy(ctx, func() error { return w.transaction(qImmediate, w.updateIndex) }); err != nil {
		return err
	}
	return c.snapshot(func() error {
		if _, err := c.has(qAnyStale); err != nil { // the snapshot begins with the first read
			return err
		}
		release()
		return do(c)
	})
}

// updateIndex updates the index for all changed phones. It must be called inside a
// transaction.
func (c *conn) updateIndex() error {
	all, err := c.staleEntries()
	if err != nil {
		return err
	}
	var maxSeq sql.NullInt64
	if err := c.row(qMaxSeq, []any{&maxSeq}); err != nil {
		return err
	}
	for i := range all {
		if err := c.saveEntry(&all[i], &maxSeq.Int64); err != nil {
			return err
		}
	}
	for _, entry := range all {
		if err := c.updateFullText(entry); err != nil {
			return err
		}
	}
	if _, err := c.exec(qDeleteStale); err != nil {
		return err
	}
	c.unindexed = 0
	return nil
}

// staleEntries reads all changed phones and their entries in the index.
func (c *conn) staleEntries() (all []staleEntry, err error) {
	rows, err := c.query(qStale)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err has returned the error
	set := wordSet{}
	for rows.Next() {
		var entry staleEntry
		if err := entry.scan(rows, set); err != nil {
			return nil, err
		}
		all = append(all, entry)
	}
	return all, rows.Err()
}

// scan reads one row of qStale.
func (e *staleEntry) scan(rows *sql.Rows, set wordSet) error {
	var texts [6]sql.NullString  // brand ID, brand, name, description, location; the index's brand ID
	var numbers [3]sql.NullInt64 // original price, resale price, storage
	var current [5]sql.NullInt64 // the index's seq, price, saving, facets, availability
	var condition, currentWords sql.NullString
	var verified, booked, sold sql.NullBool
	err := rows.Scan(&e.id, &texts[0], &texts[1], &texts[2], &texts[3], &texts[4], &numbers[0], &numbers[1],
		&condition, &verified, &booked, &sold, &numbers[2], &current[0], &texts[5], &current[1], &current[2], &current[3], &current[4], &currentWords)
	if err != nil {
		return err
	}
	e.current = indexEntry{current[0].Int64, texts[5].String, current[1].Int64, current[2].Int64, current[3].Int64, current[4].Int64, currentWords.String}
	if !texts[0].Valid { // the phone was removed
		return nil
	}
	p := market.Product{
		BrandID: texts[0].String, Brand: texts[1].String, Name: texts[2].String, Description: texts[3].String, Location: texts[4].String,
		OriginalPrice: int(numbers[0].Int64), ResalePrice: int(numbers[1].Int64), Storage: int(numbers[2].Int64), Sold: sold.Bool,
	}
	if booked.Bool {
		p.Hold = &market.Hold{}
	}
	e.wanted = indexEntry{
		e.current.seq, texts[0].String, numbers[1].Int64, p.Saving(),
		facetsOf(condition.String, verified.Bool, booked.Bool) | int64(p.StorageGB())<<storageShift, availabilityOf(p), set.wordsOf(p),
	}
	return nil
}

// availabilityOf returns the column availability of a phone: half the key of the order
// SortAvailable.
func availabilityOf(p market.Product) int64 { return market.AvailableKey(p, false).Key / 2 }

// saveEntry updates the rows of a phone in search_entries and search_text. A new phone gets the seq
// after maxSeq, which saveEntry increments.
func (c *conn) saveEntry(e *staleEntry, maxSeq *int64) (err error) {
	wanted := &e.wanted
	switch {
	case e.current == *wanted:
		return nil
	case wanted.words == "": // the phone was removed
		if _, err = c.exec(qDeleteEntry, e.current.seq); err == nil {
			_, err = c.exec(qDeleteWords, e.current.seq)
		}
		return err
	case e.current.words == "": // the phone is new
		*maxSeq++
		wanted.seq = *maxSeq
		_, err = c.exec(qInsertEntry, wanted.seq, e.id, wanted.brand, wanted.price, -wanted.price, wanted.saving, wanted.facets, wanted.availability)
	case e.current.brand == wanted.brand && e.current.price == wanted.price && e.current.saving == wanted.saving:
		_, err = c.exec(qUpdateFacets, wanted.facets, wanted.availability, wanted.seq)
	default:
		_, err = c.exec(qUpdateEntry, wanted.brand, wanted.price, -wanted.price, wanted.saving, wanted.facets, wanted.availability, wanted.seq)
	}
	if err == nil && e.current.words != wanted.words {
		_, err = c.exec(qUpsertWords, wanted.seq, wanted.words)
	}
	return err
}

// updateFullText updates the words of a phone in the full-text index.
func (c *conn) updateFullText(e staleEntry) error {
	if e.current.words == e.wanted.words {
		return nil
	}
	if e.current.words != "" {
		if _, err := c.exec(qDeleteFullText, e.current.seq, e.current.words); err != nil {
			return err
		}
	}
	if e.wanted.words == "" {
		return nil
	}
	_, err := c.exec(qInsertFullText, e.wanted.seq, e.wanted.words)
	return err
}
