package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"

	"secondring/market"
)

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

// find returns one entity. It returns market.ErrNotFound if there is none.
func find[T any](ctx context.Context, s *Store, operation string, q *statement, f fields[T], args ...any) (v T, err error) {
	err = s.read(ctx, operation, func(c *conn) (err error) {
		v, err = one(c, q, f, args...)
		return err
	})
	return v, err
}

// collect returns all entities that a statement finds.
func collect[T any](ctx context.Context, s *Store, operation string, q *statement, f fields[T], args ...any) (all []T, err error) {
	err = s.read(ctx, operation, func(c *conn) (err error) {
		all, err = many(c, q, f, args...)
		return err
	})
	return all, err
}

// newest is greater than every ID. It is the position of the first page.
const newest = "\U0010FFFF"

// findPage returns a page of the entities of one owner, such as a person, newest first.
func findPage[T any](ctx context.Context, s *Store, operation string, q *statement, f fields[T], ownerID string, page market.Page) ([]T, error) {
	return collect(ctx, s, operation, q, f, ownerID, cmp.Or(page.After, newest), max(page.Limit, 1))
}

var qCount = query(`SELECT n FROM counts WHERE list = ? AND scope = ?`)

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
	limit, scope := max(page.Limit, 1), any("")
	if len(owner) > 0 {
		scope = owner[0]
	}
	args := append(owner, cmp.Or(page.After, newest), limit+1)
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
	endPage(&list, limit)
	return list, err
}

// endPage removes the entity after the page, which is read only to know whether there are more.
func endPage[T any](list *market.List[T], limit int) {
	if len(list.Items) > limit {
		list.Items, list.More = list.Items[:limit], true
	}
}

// list returns a page of a list, and the length of the list.
func list[T any](ctx context.Context, s *Store, l listing[T], page market.Page, owner ...any) (all market.List[T], err error) {
	err = s.read(ctx, "list "+l.countName, func(c *conn) (err error) {
		all, err = l.readPage(c, page, owner...)
		return err
	})
	return all, err
}
