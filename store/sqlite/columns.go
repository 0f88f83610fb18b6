package sqlite

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"secondring/market"
)

// timeColumn stores a time as milliseconds since 1970, UTC, and the zero time as NULL. It is used
// as a parameter and as a destination of Scan.
type timeColumn struct{ t *time.Time }

// Value returns the value to store.
func (c timeColumn) Value() (driver.Value, error) {
	if c.t.IsZero() {
		return nil, nil
	}
	return c.t.UnixMilli(), nil
}

// Scan sets the field to a stored value.
func (c timeColumn) Scan(src any) error {
	switch ms := src.(type) {
	case nil:
		*c.t = time.Time{}
	case int64:
		*c.t = time.UnixMilli(ms).UTC()
	default:
		return fmt.Errorf("sqlite: a time is stored as %T", src)
	}
	return nil
}

// timeParam returns the parameter of a time that is not a field.
func timeParam(t time.Time) timeColumn { return timeColumn{&t} }

// jsonColumn stores a field as JSON, for fields whose parts no query uses. A nil pointer or an
// empty list is NULL.
type jsonColumn[T any] struct{ field *T }

// Value returns the value to store.
func (c jsonColumn[T]) Value() (driver.Value, error) {
	text, err := json.Marshal(*c.field)
	if s := string(text); err != nil || s == "null" || s == "[]" {
		return nil, err
	}
	return string(text), nil
}

// Scan sets the field to a stored value.
func (c jsonColumn[T]) Scan(src any) error {
	var zero T
	*c.field = zero
	switch text := src.(type) {
	case nil:
		return nil
	case string:
		return json.Unmarshal([]byte(text), c.field)
	default:
		return fmt.Errorf("sqlite: JSON is stored as %T", src)
	}
}

// asJSON returns the column of a field that is stored as JSON.
func asJSON[T any](field *T) jsonColumn[T] { return jsonColumn[T]{field} }

// fields returns pointers to the fields of an entity, in the order of its table's columns. They
// are the destinations of Scan and the parameters of writing statements.
type fields[T any] func(*T) []any

// one returns the first entity that a statement finds.
func one[T any](c *conn, q *statement, f fields[T], args ...any) (T, error) {
	var v T
	err := c.row(q, f(&v), args...)
	return v, err
}

// many returns all entities that a statement finds.
func many[T any](c *conn, q *statement, f fields[T], args ...any) ([]T, error) {
	rows, err := c.query(q, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err returns the error of reading
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

// newest is greater than every ID. It is the position of the first page.
const newest = "\U0010FFFF"

// listing is a list that the product shows: the query of its pages, and its name in counts.
type listing[T any] struct {
	page      *statement // newest first; its last two parameters are an ID and a limit
	fields    fields[T]
	countName string
}

// readPage reads a page and the length of the list in one snapshot. owner is the parameter of
// the list, such as a brand's ID; none for a list of everything.
func (l listing[T]) readPage(c *conn, page market.Page, owner ...any) (market.List[T], error) {
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
		err = c.row(qCount, []any{&list.Total}, l.countName, scope)
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
