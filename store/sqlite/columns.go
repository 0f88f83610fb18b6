package sqlite

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"secondring/market"
)

// when keeps a time as milliseconds since 1970, UTC, and the zero time as NULL.
// It serves as parameter and as destination alike.
type when struct{ t *time.Time }

// Value returns what is stored.
func (w when) Value() (driver.Value, error) {
	if w.t.IsZero() {
		return nil, nil
	}
	return w.t.UnixMilli(), nil
}

// Scan takes what was stored.
func (w when) Scan(src any) error {
	switch ms := src.(type) {
	case nil:
		*w.t = time.Time{}
	case int64:
		*w.t = time.UnixMilli(ms).UTC()
	default:
		return fmt.Errorf("sqlite: a time is stored as %T", src)
	}
	return nil
}

// at makes a parameter of a time that is not a field.
func at(t time.Time) when { return when{&t} }

// fields lists pointers to the fields of an entity, in the order of its table's
// columns: scanned into when reading, taken as parameters when writing.
type fields[T any] func(*T) []any

// one reads one entity.
func one[T any](c *conn, q *statement, f fields[T], args ...any) (T, error) {
	var v T
	err := c.row(q, f(&v), args...)
	return v, err
}

// many reads all rows.
func many[T any](c *conn, q *statement, f fields[T], args ...any) ([]T, error) {
	rows, err := c.query(q, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // reading is over: rows.Err has told
	var all []T
	for rows.Next() {
		var v T
		if err := rows.Scan(f(&v)...); err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
}

var qCount = query(`SELECT n FROM counts WHERE list = ? AND scope = ?`)

// newest stands for the ID of the page before the first: above every ID.
const newest = "\U0010FFFF"

// listing is a list that people see: how its pages are read, its name in counts.
type listing[T any] struct {
	page   *statement // see table.page
	fields fields[T]
	counts string
}

// in reads a page and the length of the list as they were at one moment. Owner
// is whose list it is; none for the list of all.
func (l listing[T]) in(c *conn, page market.Page, owner ...any) (market.List[T], error) {
	var list market.List[T]
	after, limit, scope := page.After, max(page.Limit, 1), any("")
	if after == "" {
		after = newest
	}
	if len(owner) > 0 {
		scope = owner[0]
	}
	args := append(owner, after, limit+1)
	err := c.snapshot(func() (err error) {
		if list.Items, err = many(c, l.page, l.fields, args...); err != nil {
			return err
		}
		err = c.row(qCount, []any{&list.Total}, l.counts, scope)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	if len(list.Items) > limit {
		list.Items, list.More = list.Items[:limit], true
	}
	return list, err
}
