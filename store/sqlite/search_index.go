package sqlite

import (
	"context"
	"database/sql"

	"secondring/market"
)

// The search index is the table shelf, with a short row for each phone and an index
// for each order, and a full-text index of the words in search_text. Updating it
// with every write would cost more than the write (docs/adr/0007-search.md). So a
// trigger adds the ID of a changed phone to shelf_late, and the index is updated
// for all of them together: before the next search, or when there are maxUnindexed.
//
// The full-text index is written last: it flushes whenever a savepoint begins, and
// statements that change many rows begin one.
var (
	qAnyStale = query(`SELECT 1 FROM shelf_late LIMIT 1`)
	qStale    = query(`SELECT l.id, p.brand_id, p.brand, p.name, p.description, p.location, p.original_price, p.resale_price,
		p.condition, p.verified, p.hold_booking IS NOT NULL, p.storage, s.seq, s.brand_id, s.price, s.saving, s.facets, t.words
		FROM shelf_late AS l LEFT JOIN products AS p ON p.id = l.id
		LEFT JOIN shelf AS s ON s.id = l.id LEFT JOIN search_text AS t ON t.seq = s.seq`)
	qClearStale = query(`DELETE FROM shelf_late`)

	qLastPlace  = query(`SELECT max(seq) FROM shelf`)
	qPutShelf   = query(`INSERT INTO shelf (seq, id, brand_id, price, cheap, saving, facets) VALUES (?, ?, ?, ?, ?, ?, ?)`)
	qMoveShelf  = query(`UPDATE shelf SET (brand_id, price, cheap, saving, facets) = (?, ?, ?, ?, ?) WHERE seq = ?`)
	qMarkShelf  = query(`UPDATE shelf SET facets = ? WHERE seq = ?`)
	qClearShelf = query(`DELETE FROM shelf WHERE seq = ?`)
	qPutText    = query(`INSERT INTO search_text (seq, words) VALUES (?, ?) ON CONFLICT (seq) DO UPDATE SET words = excluded.words`)
	qClearText  = query(`DELETE FROM search_text WHERE seq = ?`)
	qIndex      = query(`INSERT INTO search (rowid, words) VALUES (?, ?)`)
	qUnindex    = query(`INSERT INTO search (search, rowid, words) VALUES ('delete', ?, ?)`)
)

// maxUnindexed is the largest number of changed phones that are not indexed. A larger
// number costs less for each phone and delays a writer longer: 256 take 30 to 60 ms.
const maxUnindexed = 256

// indexEntry is a phone in the index; zero for one that is not there.
type indexEntry struct {
	seq                   int64
	brand                 string
	price, saving, facets int64
	words                 string
}

// staleEntry is a phone that has changed since it was indexed: its entry in the index,
// and the entry that it should have. Either may be zero.
type staleEntry struct {
	id         string
	is, should indexEntry
}

// readIndexed runs do on one snapshot of the store, in which the index has all
// phones that were in the store when readIndexed was called.
func (s *Store) readIndexed(ctx context.Context, what string, do func(c *conn) error) error {
	return s.read(ctx, what, func(c *conn) error {
		late := false
		err := c.snapshot(func() (err error) {
			if late, err = c.has(qAnyStale); late || err != nil {
				return err
			}
			return do(c)
		})
		if err != nil || !late {
			return err
		}
		return s.updateIndexThenRead(ctx, c, do)
	})
}

// updateIndexThenRead updates the index and runs do on a snapshot that begins before
// the next write.
func (s *Store) updateIndexThenRead(ctx context.Context, c *conn, do func(c *conn) error) error {
	w, err := s.take(ctx, s.writers)
	if err != nil {
		return err
	}
	held := true
	release := func() {
		if held {
			s.writers <- w
		}
		held = false
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

// updateIndex indexes all changed phones, inside a transaction.
func (c *conn) updateIndex() error {
	all, err := c.staleEntries()
	if err != nil {
		return err
	}
	var last sql.NullInt64
	if err := c.row(qLastPlace, []any{&last}); err != nil {
		return err
	}
	for i := range all {
		if err := c.saveEntry(&all[i], &last.Int64); err != nil {
			return err
		}
	}
	for _, l := range all {
		if err := c.indexWords(l); err != nil {
			return err
		}
	}
	if _, err := c.exec(qClearStale); err != nil {
		return err
	}
	c.unindexed = 0
	return nil
}

// staleEntries reads the changed phones.
func (c *conn) staleEntries() (all []staleEntry, err error) {
	rows, err := c.query(qStale)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err has returned the error
	words := wordSet{}
	for rows.Next() {
		var l staleEntry
		if err := l.scan(rows, words); err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, rows.Err()
}

func (l *staleEntry) scan(rows *sql.Rows, words wordSet) error {
	var texts [6]sql.NullString  // brand ID, brand, name, description, location; the index's brand ID
	var numbers [3]sql.NullInt64 // original price, resale price, storage
	var is [4]sql.NullInt64
	var condition, has sql.NullString
	var verified, booked sql.NullBool
	err := rows.Scan(&l.id, &texts[0], &texts[1], &texts[2], &texts[3], &texts[4], &numbers[0], &numbers[1],
		&condition, &verified, &booked, &numbers[2], &is[0], &texts[5], &is[1], &is[2], &is[3], &has)
	if err != nil {
		return err
	}
	l.is = indexEntry{is[0].Int64, texts[5].String, is[1].Int64, is[2].Int64, is[3].Int64, has.String}
	if !texts[0].Valid {
		return nil
	}
	p := market.Product{
		BrandID: texts[0].String, Brand: texts[1].String, Name: texts[2].String, Description: texts[3].String, Location: texts[4].String,
		OriginalPrice: int(numbers[0].Int64), ResalePrice: int(numbers[1].Int64),
	}
	l.should = indexEntry{
		l.is.seq, texts[0].String, numbers[1].Int64, p.Saving(),
		facetsOf(condition.String, verified.Bool, booked.Bool) | numbers[2].Int64<<storageShift, words.of(p),
	}
	return nil
}

// saveEntry updates the row of a phone. A new phone gets the next number.
func (c *conn) saveEntry(l *staleEntry, last *int64) (err error) {
	here := &l.should
	switch {
	case l.is == *here:
		return nil
	case here.words == "": // gone
		if _, err = c.exec(qClearShelf, l.is.seq); err == nil {
			_, err = c.exec(qClearText, l.is.seq)
		}
		return err
	case l.is.words == "": // new
		*last++
		here.seq = *last
		_, err = c.exec(qPutShelf, here.seq, l.id, here.brand, here.price, -here.price, here.saving, here.facets)
	case l.is.brand == here.brand && l.is.price == here.price && l.is.saving == here.saving:
		_, err = c.exec(qMarkShelf, here.facets, here.seq)
	default:
		_, err = c.exec(qMoveShelf, here.brand, here.price, -here.price, here.saving, here.facets, here.seq)
	}
	if err == nil && l.is.words != here.words {
		_, err = c.exec(qPutText, here.seq, here.words)
	}
	return err
}

// indexWords updates the words of a phone in the full-text index.
func (c *conn) indexWords(l staleEntry) error {
	if l.is.words == l.should.words {
		return nil
	}
	if l.is.words != "" {
		if _, err := c.exec(qUnindex, l.is.seq, l.is.words); err != nil {
			return err
		}
	}
	if l.should.words == "" {
		return nil
	}
	_, err := c.exec(qIndex, l.should.seq, l.should.words)
	return err
}
