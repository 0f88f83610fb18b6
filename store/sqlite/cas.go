package sqlite

import (
	"context"

	"secondring/market"
)

// swap is the compare-and-set of one kind of entity.
type swap struct {
	kind                               string
	qInsert, qUpdate, qDelete, qExists *statement
	indexed                            bool // it is in the search index
}

func (t table) swap(kind string) swap {
	return swap{kind: kind, qInsert: t.insert(), qUpdate: t.update(), qDelete: t.delete(), qExists: t.exists()}
}

func (w swap) searchable() swap {
	w.indexed = true
	return w
}

// add stores a new entity. The values are its fields, then the table's extra columns.
func (w swap) add(ctx context.Context, s *Store, values []any, events []market.Event) error {
	return s.write(ctx, "add "+w.kind, func(tx *conn) error {
		if _, err := tx.exec(w.qInsert, values...); err != nil {
			return err
		}
		w.countUnindexed(tx)
		return tx.addEvents(events)
	})
}

// save replaces the entity with this key, if its version is one below.
// The first value is the key.
func (w swap) save(ctx context.Context, s *Store, values []any, key string, version int64, events []market.Event) error {
	return s.write(ctx, "save "+w.kind, func(tx *conn) error {
		return w.apply(tx, w.qUpdate, append(values[1:], key, version-1), key, events)
	})
}

// delete deletes the entity with this key, if its version is one below.
func (w swap) delete(ctx context.Context, s *Store, key string, version int64, events []market.Event) error {
	return s.write(ctx, "remove "+w.kind, func(tx *conn) error {
		return w.apply(tx, w.qDelete, []any{key, version - 1}, key, events)
	})
}

func (w swap) apply(tx *conn, q *statement, args []any, key string, events []market.Event) error {
	changed, err := tx.exec(q, args...)
	if err != nil {
		return err
	}
	if changed > 0 {
		w.countUnindexed(tx)
		return tx.addEvents(events)
	}
	return tx.swapError(w.qExists, key)
}

// swapError returns the error of a compare-and-set that changed nothing: ErrConflict if the entity
// exists, and otherwise ErrNotFound.
func (c *conn) swapError(qExists *statement, key ...any) error {
	exists, err := c.has(qExists, key...)
	switch {
	case err != nil:
		return err
	case exists:
		return market.ErrConflict
	default:
		return market.ErrNotFound
	}
}

func (w swap) countUnindexed(tx *conn) {
	if w.indexed {
		tx.unindexed++
	}
}
