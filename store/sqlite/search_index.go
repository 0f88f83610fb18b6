package sqlite

import (
	"context"
	"database/sql"

	"secondring/market"
)

// The shelf is the phones as they are looked for: short rows with an index for
// each order, and the full-text index of their words. To keep all of that in
// step with every sale would cost more than the sale. So a change only names its
// phone in shelf_late, in its own transaction, and the shelf takes those in
// together: before the next search, or when there are lateMost of them.
//
// The full-text index is written last: it writes out what it has whenever a
// savepoint begins, and statements of many rows begin one.
var (
	qAnyLate = query(`SELECT 1 FROM shelf_late LIMIT 1`)
	qLate    = query(`SELECT l.id, p.brand_id, p.brand, p.name, p.description, p.location, p.original_price, p.resale_price,
		p.condition, p.verified, p.hold_booking IS NOT NULL, s.seq, s.brand_id, s.price, s.saving, s.facets, t.words
		FROM shelf_late AS l LEFT JOIN products AS p ON p.id = l.id
		LEFT JOIN shelf AS s ON s.id = l.id LEFT JOIN search_text AS t ON t.seq = s.seq`)
	qNoneLate = query(`DELETE FROM shelf_late`)

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

// lateMost is how many phones may wait for the shelf. More of them share more of
// the work, and are a longer pause for who writes: 256 take 30 to 60 ms.
const lateMost = 256

// place is one phone on the shelf. Of one that is not there all is zero.
type place struct {
	seq                   int64
	brand                 string
	price, saving, facets int64
	words                 string
}

// late is a phone that the shelf has to be told of: where it stands, and where
// it should. One of these may be nowhere.
type late struct {
	id         string
	is, should place
}

// shelved runs do on one moment's state of the store, with everything on the
// shelf that was in the store when shelved was called, or came until then.
func (s *Store) shelved(ctx context.Context, what string, do func(c *conn) error) error {
	return s.read(ctx, what, func(c *conn) error {
		late := false
		err := c.snapshot(func() (err error) {
			if late, err = c.has(qAnyLate); late || err != nil {
				return err
			}
			return do(c)
		})
		if err != nil || !late {
			return err
		}
		return s.shelveFor(ctx, c, do)
	})
}

// shelveFor fills the shelf first. Nobody writes until do's moment has come.
func (s *Store) shelveFor(ctx context.Context, c *conn, do func(c *conn) error) error {
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
	if err := patiently(ctx, func() error { return w.within(qImmediate, w.shelve) }); err != nil {
		return err
	}
	return c.snapshot(func() error {
		if _, err := c.has(qAnyLate); err != nil { // the first read is the moment
			return err
		}
		release()
		return do(c)
	})
}

// shelve takes in all who are late, inside a transaction.
func (c *conn) shelve() error {
	all, err := c.late()
	if err != nil {
		return err
	}
	var last sql.NullInt64
	if err := c.row(qLastPlace, []any{&last}); err != nil {
		return err
	}
	for i := range all {
		if err := c.arrange(&all[i], &last.Int64); err != nil {
			return err
		}
	}
	for _, l := range all {
		if err := c.index(l); err != nil {
			return err
		}
	}
	if _, err := c.exec(qNoneLate); err != nil {
		return err
	}
	c.behind = 0
	return nil
}

// late reads who is late.
func (c *conn) late() (all []late, err error) {
	rows, err := c.query(qLate)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // reading is over: rows.Err has told
	words := said{}
	for rows.Next() {
		var l late
		if err := l.scan(rows, words); err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, rows.Err()
}

func (l *late) scan(rows *sql.Rows, words said) error {
	var texts [6]sql.NullString // brand ID, brand, name, description, location; the shelf's brand ID
	var numbers [2]sql.NullInt64
	var is [4]sql.NullInt64
	var condition, has sql.NullString
	var verified, booked sql.NullBool
	err := rows.Scan(&l.id, &texts[0], &texts[1], &texts[2], &texts[3], &texts[4], &numbers[0], &numbers[1],
		&condition, &verified, &booked, &is[0], &texts[5], &is[1], &is[2], &is[3], &has)
	if err != nil {
		return err
	}
	l.is = place{is[0].Int64, texts[5].String, is[1].Int64, is[2].Int64, is[3].Int64, has.String}
	if !texts[0].Valid {
		return nil
	}
	p := market.Product{
		BrandID: texts[0].String, Brand: texts[1].String, Name: texts[2].String, Description: texts[3].String, Location: texts[4].String,
		OriginalPrice: int(numbers[0].Int64), ResalePrice: int(numbers[1].Int64),
	}
	l.should = place{
		l.is.seq, texts[0].String, numbers[1].Int64, p.Saving(),
		facetsOf(condition.String, verified.Bool, booked.Bool), words.of(p),
	}
	return nil
}

// arrange puts a phone where it should stand. A new one stands behind the last.
func (c *conn) arrange(l *late, last *int64) (err error) {
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

// index has a phone found by the words that it has now, and by no others.
func (c *conn) index(l late) error {
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
