package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"secondring/store"
)

// The search index consists of the table search_entries, which has a short row for each document
// and an index for each sort order, and of the table search, which is a full-text index of the words
// in search_text. An update of the index costs more than a write (docs/adr/0007-search.md). So a
// write adds the ID of the document to the table search_stale. The index is updated for all these
// documents in one batch: before the next search, or when maxStale have changed.
//
// The full-text index is written last in a batch, and outside of savepoints, because FTS5 flushes
// its pending data whenever a savepoint begins.

// searchSchema makes the tables of the search index.
var searchSchema = []string{
	`CREATE TABLE search_entries (
		seq INTEGER NOT NULL PRIMARY KEY, -- the rowid of the full-text index; VACUUM does not change it, unlike a hidden rowid
		id TEXT NOT NULL UNIQUE, brand_id TEXT NOT NULL, price INTEGER NOT NULL,
		negative_price INTEGER NOT NULL, -- so that every order is descending in key and ID
		saving INTEGER NOT NULL, facets INTEGER NOT NULL, availability INTEGER NOT NULL
	) STRICT`,
	`CREATE INDEX search_entries_newest ON search_entries (id, price, facets)`,
	`CREATE INDEX search_entries_available ON search_entries (availability, id, price, facets)`,
	`CREATE INDEX search_entries_price_up ON search_entries (negative_price, id, price, facets)`,
	`CREATE INDEX search_entries_price_down ON search_entries (price, id, facets)`,
	`CREATE INDEX search_entries_saving ON search_entries (saving, id, price, facets)`,
	`CREATE INDEX search_entries_brand_newest ON search_entries (brand_id, id, price, facets)`,
	`CREATE INDEX search_entries_brand_available ON search_entries (brand_id, availability, id, price, facets)`,
	`CREATE INDEX search_entries_brand_price_up ON search_entries (brand_id, negative_price, id, price, facets)`,
	`CREATE INDEX search_entries_brand_price_down ON search_entries (brand_id, price, id, facets)`,
	`CREATE INDEX search_entries_brand_saving ON search_entries (brand_id, saving, id, price, facets)`,
	`CREATE TABLE search_text (seq INTEGER NOT NULL PRIMARY KEY, words TEXT NOT NULL) STRICT`,
	`CREATE VIRTUAL TABLE search USING fts5 (
		words, content = 'search_text', content_rowid = 'seq',
		tokenize = "ascii tokenchars '@='", detail = none, columnsize = 0, prefix = '1 2 3'
	)`,
	`CREATE VIRTUAL TABLE search_spellings USING fts5vocab('search', 'instance')`,
	`CREATE TABLE search_stale (id TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID`,
}

// searched is the kind that searches find.
var searched = searchedKind()

func searchedKind() *store.Info {
	for _, kind := range store.Kinds() {
		if kind.Searched {
			return kind
		}
	}
	panic("no kind is searched")
}

// maxStale is the number of changed documents at which a write updates the index. With a larger
// number the update costs less for each, but delays the write longer: 256 take 30 to 60 ms.
const maxStale = 256

// markStale records that the index has to be updated for a document.
func (c *conn) markStale(w store.Write) error {
	if !w.Kind.Searched {
		return nil
	}
	c.stale++
	_, err := c.exec("INSERT OR IGNORE INTO search_stale (id) VALUES (?)", w.ID)
	return err
}

// indexEntry contains the values that the index has of a document. It is zero if the document is
// not in the index.
type indexEntry struct {
	seq                   int64
	brand                 string
	price, saving, facets int64
	availability          int64
	words                 string
}

// staleEntry is a document that has changed since the last update of the index.
type staleEntry struct {
	id      string
	current indexEntry // the entry in the index; zero for a new document
	wanted  indexEntry // the entry after the update; zero for a removed document
}

// readIndexed runs do on one snapshot of the store, in which the index includes every change that
// was committed before the call.
func (e *Engine) readIndexed(ctx context.Context, do func(c *conn) error) error {
	return e.call(ctx, func() error {
		return retryBusy(ctx, func() error {
			c, isStale, err := e.snapshot(ctx)
			if err != nil {
				return err
			}
			if isStale {
				if err := c.tx.Rollback(); err != nil {
					return err
				}
				if c, err = e.indexedSnapshot(ctx); err != nil {
					return err
				}
			}
			err = do(c)
			if rollbackErr := c.tx.Rollback(); !errors.Is(rollbackErr, sql.ErrTxDone) {
				err = errors.Join(err, rollbackErr)
			}
			return errors.Join(ctx.Err(), err)
		})
	})
}

// snapshot begins to read the state of the store at one moment. It returns whether the index is
// stale then. The caller ends it with tx.Rollback.
func (e *Engine) snapshot(ctx context.Context) (c *conn, isStale bool, err error) {
	tx, err := e.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, false, err
	}
	c = &conn{statements: e.reads.statements, ctx: ctx, tx: tx}
	isStale, err = c.has("SELECT 1 FROM search_stale LIMIT 1") // the snapshot begins with the first read
	if err != nil {
		return nil, false, errors.Join(err, tx.Rollback())
	}
	return c, isStale, nil
}

// indexedSnapshot updates the index and begins a snapshot before anything else is written.
func (e *Engine) indexedSnapshot(ctx context.Context) (c *conn, err error) {
	var snapshotErr error
	err = e.queue(ctx, func(tx *conn) error {
		tx.stale = maxStale // the index is updated at the end of the transaction
		return nil
	}, func() { c, _, snapshotErr = e.snapshot(ctx) })
	return c, errors.Join(err, snapshotErr)
}

// updateIndex updates the index for all changed documents. It must be called inside a
// transaction.
func (c *conn) updateIndex() error {
	all, err := c.staleEntries()
	if err != nil {
		return err
	}
	var maxSeq sql.NullInt64
	if err := c.row("SELECT max(seq) FROM search_entries", []any{&maxSeq}); err != nil {
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
	if _, err := c.exec("DELETE FROM search_stale"); err != nil {
		return err
	}
	c.stale = 0
	return nil
}

// staleEntries reads all changed documents and their entries in the index.
func (c *conn) staleEntries() (all []staleEntry, err error) {
	set := wordSet{}
	err = c.each(`SELECT l.id, d.version, d.body, s.seq, s.brand_id, s.price, s.saving, s.facets, s.availability, t.words
		FROM search_stale AS l LEFT JOIN `+quote(searched.Name)+` AS d ON d.id = l.id
		LEFT JOIN search_entries AS s ON s.id = l.id LEFT JOIN search_text AS t ON t.seq = s.seq`, nil, func(scan func(...any) error) error {
		var entry staleEntry
		err := entry.scan(scan, set)
		all = append(all, entry)
		return err
	})
	return all, err
}

func (e *staleEntry) scan(scan func(...any) error, set wordSet) error {
	var version, seq, price, saving, facets, availability sql.NullInt64
	var body, brand, words sql.NullString
	if err := scan(&e.id, &version, &body, &seq, &brand, &price, &saving, &facets, &availability, &words); err != nil {
		return err
	}
	e.current = indexEntry{seq.Int64, brand.String, price.Int64, saving.Int64, facets.Int64, availability.Int64, words.String}
	if !body.Valid { // the document was removed
		return nil
	}
	v, err := searched.SearchEntry(store.Doc{ID: e.id, Version: version.Int64, Body: []byte(body.String)})
	e.wanted = indexEntry{e.current.seq, v.Brand, v.Price, v.Saving, facetsOf(v), v.Availability, set.wordsOf(v)}
	return err
}

// saveEntry updates the rows of a document in search_entries and search_text. A new document gets the seq
// after maxSeq, which saveEntry increments.
func (c *conn) saveEntry(e *staleEntry, maxSeq *int64) (err error) {
	wanted := &e.wanted
	switch {
	case e.current == *wanted:
		return nil
	case wanted.words == "": // the document was removed
		if _, err = c.exec("DELETE FROM search_entries WHERE seq = ?", e.current.seq); err == nil {
			_, err = c.exec("DELETE FROM search_text WHERE seq = ?", e.current.seq)
		}
		return err
	case e.current.words == "": // the document is new
		*maxSeq++
		wanted.seq = *maxSeq
		_, err = c.exec(`INSERT INTO search_entries (seq, id, brand_id, price, negative_price, saving, facets, availability)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			wanted.seq, e.id, wanted.brand, wanted.price, -wanted.price, wanted.saving, wanted.facets, wanted.availability)
	case e.current.brand == wanted.brand && e.current.price == wanted.price && e.current.saving == wanted.saving:
		_, err = c.exec("UPDATE search_entries SET (facets, availability) = (?, ?) WHERE seq = ?", wanted.facets, wanted.availability, wanted.seq)
	default:
		_, err = c.exec(`UPDATE search_entries SET (brand_id, price, negative_price, saving, facets, availability) = (?, ?, ?, ?, ?, ?)
			WHERE seq = ?`,
			wanted.brand, wanted.price, -wanted.price, wanted.saving, wanted.facets, wanted.availability, wanted.seq)
	}
	if err == nil && e.current.words != wanted.words {
		_, err = c.exec("INSERT INTO search_text (seq, words) VALUES (?, ?) ON CONFLICT (seq) DO UPDATE SET words = excluded.words", wanted.seq, wanted.words)
	}
	return err
}

// updateFullText updates the words of a document in the full-text index.
func (c *conn) updateFullText(e staleEntry) error {
	if e.current.words == e.wanted.words {
		return nil
	}
	if e.current.words != "" {
		if _, err := c.exec("INSERT INTO search (search, rowid, words) VALUES ('delete', ?, ?)", e.current.seq, e.current.words); err != nil {
			return err
		}
	}
	if e.wanted.words == "" {
		return nil
	}
	_, err := c.exec("INSERT INTO search (rowid, words) VALUES (?, ?)", e.wanted.seq, e.wanted.words)
	return err
}
