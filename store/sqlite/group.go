package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// maxGroup is how many changes share a transaction at most, which bounds how long the last of them
// waits.
const maxGroup = 256

// change is one caller's write.
type change struct {
	ctx  context.Context
	do   func(tx *conn) error
	then func() // is called after the commit, before the next change; may be nil
	err  error
	done chan struct{} // closed when the change is on disk or has failed

	taken atomic.Bool // by the writing goroutine, or by its caller, who no longer waits
}

// write stores what do changes, durably: when it returns nil all of it is on disk, otherwise
// nothing is. Changes that wait at the same time share a transaction, and so one sync of the disk.
//
// A context that ends while the change waits removes it: nothing of it is stored then. Once it is
// in a transaction, write waits for the result.
func (e *Engine) write(ctx context.Context, do func(tx *conn) error) error {
	return e.call(ctx, func() error { return e.queue(ctx, do, nil) })
}

// queue is write for a caller in e.call. It calls then after the commit, before anything
// else is written; then may be nil.
func (e *Engine) queue(ctx context.Context, do func(tx *conn) error, then func()) error {
	w := &change{ctx: ctx, do: do, then: then, done: make(chan struct{})}
	select {
	case e.changes <- w:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-w.done:
	case <-ctx.Done():
		if w.taken.CompareAndSwap(false, true) {
			return ctx.Err()
		}
		<-w.done
	}
	return w.err
}

// run commits the changes in groups until the engine is closed.
func (e *Engine) run() {
	defer close(e.ended)
	for first := range e.changes {
		runtime.Gosched() // callers whom the last group has woken may write more, which then shares this sync of the disk
		group := append([]*change{first}, e.waiting()...)
		e.writes.commit(slices.DeleteFunc(group, func(w *change) bool { return !w.taken.CompareAndSwap(false, true) }))
	}
}

// waiting returns the changes that wait.
func (e *Engine) waiting() (group []*change) {
	for len(group) < maxGroup-1 {
		select {
		case w, ok := <-e.changes:
			if !ok {
				return group
			}
			group = append(group, w)
		default:
			return group
		}
	}
	return group
}

// commit makes the changes of a group. While another process has the file locked, it tries again
// until the contexts of all have ended.
func (c *conn) commit(group []*change) {
	var err error
	for {
		var live []*change
		for _, w := range group {
			if w.err = w.ctx.Err(); w.err != nil {
				close(w.done)
			} else {
				live = append(live, w)
			}
		}
		if group = live; len(group) == 0 {
			return
		}
		if _, err = c.exec("BEGIN IMMEDIATE"); !isBusy(err) {
			break
		}
	}
	if err == nil {
		err = c.applyAll(group)
	}
	for _, w := range group {
		if w.err = errors.Join(w.err, err); w.err == nil && w.then != nil {
			w.then()
		}
		close(w.done)
	}
}

// applyAll makes the changes, each in a savepoint, so that one that fails changes nothing, and
// commits them.
func (c *conn) applyAll(group []*change) error {
	for _, w := range group {
		if err := c.applyOne(w); err != nil {
			_, rollback := c.exec("ROLLBACK")
			return errors.Join(err, rollback)
		}
	}
	if c.stale >= maxStale { // after the savepoints, see search_index.go
		if err := c.updateIndex(); err != nil {
			_, rollback := c.exec("ROLLBACK")
			return errors.Join(err, rollback)
		}
	}
	if _, err := c.exec("COMMIT"); err != nil {
		_, _ = c.exec("ROLLBACK") // it fails if SQLite has rolled back itself
		return err
	}
	return nil
}

// applyOne makes a change. It returns an error if the transaction cannot go on.
func (c *conn) applyOne(w *change) error {
	if _, err := c.exec("SAVEPOINT one"); err != nil {
		return err
	}
	if w.err = w.do(c); w.err != nil {
		if _, err := c.exec("ROLLBACK TO one"); err != nil {
			return err
		}
	}
	_, err := c.exec("RELEASE one")
	return err
}

// conn runs statements on the connections of a database, each of which is prepared once. They run
// without a caller's context, because each reads or writes a bounded number of rows; those of a
// search are the exception.
type conn struct {
	*statements

	ctx   context.Context
	tx    *sql.Tx // of a snapshot; nil for any connection of the database
	stale int     // upper bound of the documents that have changed since the search index was updated
}

func newConn(db *sql.DB) *conn {
	return &conn{statements: &statements{db: db, prepared: map[string]*sql.Stmt{}}, ctx: context.Background()}
}

func (c *conn) prepare(text string) (*sql.Stmt, error) {
	s, err := c.statements.prepare(text)
	if err != nil || c.tx == nil {
		return s, err
	}
	return c.tx.StmtContext(c.ctx, s), nil
}

// statements are the prepared statements of a database.
type statements struct {
	db       *sql.DB
	mu       sync.RWMutex
	prepared map[string]*sql.Stmt
}

func (c *statements) prepare(text string) (*sql.Stmt, error) {
	c.mu.RLock()
	s := c.prepared[text]
	c.mu.RUnlock()
	if s != nil {
		return s, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.prepared[text]; s != nil {
		return s, nil
	}
	s, err := c.db.PrepareContext(context.Background(), text)
	if err != nil {
		return nil, fmt.Errorf("sqlite: prepare %q: %w", text, err)
	}
	c.prepared[text] = s
	return s, nil
}

// exec runs a statement and returns the number of changed rows.
func (c *conn) exec(text string, args ...any) (int64, error) {
	s, err := c.prepare(text)
	if err != nil {
		return 0, err
	}
	result, err := s.ExecContext(c.ctx, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// row reads the first row. It returns sql.ErrNoRows if there is none.
func (c *conn) row(text string, dest []any, args ...any) error {
	s, err := c.prepare(text)
	if err != nil {
		return err
	}
	return s.QueryRowContext(c.ctx, args...).Scan(dest...)
}

// each calls do for each row.
func (c *conn) each(text string, args []any, do func(scan func(...any) error) error) error {
	s, err := c.prepare(text)
	if err != nil {
		return err
	}
	rows, err := s.QueryContext(c.ctx, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err returns the error of reading
	for rows.Next() {
		if err := do(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// has returns whether a statement finds a row.
func (c *conn) has(text string, args ...any) (bool, error) {
	err := c.row(text, []any{new(int)}, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}
