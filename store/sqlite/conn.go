package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"runtime"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"secondring/market"
)

var (
	qBegin     = query(`BEGIN`)
	qImmediate = query(`BEGIN IMMEDIATE`)
	qCommit    = query(`COMMIT`)
	qRollback  = query(`ROLLBACK`)

	qDataVersion = query(`PRAGMA data_version`)
)

// conn is a connection with its prepared statements. It is not safe for concurrent use.
//
// Its statements run without the caller's context, because each reads or writes a bounded
// number of rows, and the state of the connection is unknown after an interrupted statement.
// The context applies only while a caller waits for the connection. Searches and reads of whole
// tables are the exceptions (see withReadContext): they may take long, and a connection is closed
// after one of them was interrupted.
type conn struct {
	raw         *sql.Conn // nil until the first use
	pragma      string    // an additional pragma: for readers, one that forbids writing
	prepared    []*sql.Stmt
	changedRows bool // a statement has changed a row since this was last unset
	unindexed   int  // upper bound of the changes since the search index was updated

	readContext context.Context // ends the statements that read; nil for never
	interrupted bool            // a statement may have been interrupted
}

// withReadContext calls do. The statements in it that read are interrupted when ctx ends.
//
// For each of these statements database/sql and the driver start two goroutines that wait for
// the end of ctx. They remain in the processor's own queue until they have run. Go takes
// requests from the shared queue only while that queue is empty, so with one processor a
// sequence of searches could delay all other requests for seconds. Gosched lets them run first.
func (c *conn) withReadContext(ctx context.Context, do func() error) error {
	c.readContext = ctx
	defer func() { c.readContext = nil }()
	err := do()
	runtime.Gosched()
	if ctxErr := ctx.Err(); ctxErr != nil { // an interruption may also come late
		c.interrupted = true
		if err != nil {
			err = errors.Join(ctxErr, err)
		}
	}
	return err
}

// statementContext returns the context of statements that read.
func (c *conn) statementContext() context.Context {
	if c.readContext == nil {
		return context.Background()
	}
	return c.readContext
}

// discardBroken closes the connection after an interrupted statement. The next use opens a new one.
func (c *conn) discardBroken() {
	if !c.interrupted {
		return
	}
	_ = c.close()
	c.raw, c.interrupted = nil, false
	clear(c.prepared)
}

// open opens the connection if it is not open.
func (c *conn) open(ctx context.Context, db *sql.DB) error {
	if c.raw != nil {
		return nil
	}
	raw, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	if _, err := raw.ExecContext(ctx, "PRAGMA "+c.pragma); err != nil {
		return errors.Join(err, raw.Close())
	}
	c.raw = raw
	return nil
}

func (c *conn) prepare(q *statement) (*sql.Stmt, error) {
	if s := c.prepared[q.index]; s != nil {
		return s, nil
	}
	s, err := c.raw.PrepareContext(context.Background(), q.text)
	if err != nil {
		return nil, fmt.Errorf("sqlite: prepare %q: %w", q.text, err)
	}
	c.prepared[q.index] = s
	return s, nil
}

// exec runs a statement and returns the number of changed rows.
func (c *conn) exec(q *statement, args ...any) (int64, error) {
	s, err := c.prepare(q)
	if err != nil {
		return 0, err
	}
	result, err := s.ExecContext(context.Background(), args...)
	if err != nil {
		return 0, err
	}
	n, err := result.RowsAffected()
	c.changedRows = c.changedRows || n > 0
	return n, err
}

// row reads the first row. It returns sql.ErrNoRows if there is none.
func (c *conn) row(q *statement, dest []any, args ...any) error {
	s, err := c.prepare(q)
	if err != nil {
		return err
	}
	return s.QueryRowContext(c.statementContext(), args...).Scan(dest...)
}

func (c *conn) query(q *statement, args ...any) (*sql.Rows, error) {
	s, err := c.prepare(q)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(c.statementContext(), args...)
}

// has returns whether a statement finds any row.
func (c *conn) has(q *statement, args ...any) (bool, error) {
	var found int
	err := c.row(q, []any{&found}, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// snapshot calls do in a transaction, so that it reads the state of the store at one moment.
func (c *conn) snapshot(do func() error) error { return c.transaction(qBegin, do) }

// transaction calls do in a transaction. It stores all changes or none.
func (c *conn) transaction(begin *statement, do func() error) (err error) {
	if _, err = c.exec(begin); err != nil {
		return err
	}
	committed := false
	defer func() { // also when do panics
		if !committed {
			_, rollbackErr := c.exec(qRollback)
			if rollbackErr != nil && err != nil {
				err = errors.Join(err, rollbackErr)
			}
		}
	}()
	if err = do(); err != nil {
		return err
	}
	if _, err = c.exec(qCommit); err == nil {
		committed = true
	}
	return err
}

func (c *conn) close() error {
	if c.raw == nil {
		return nil
	}
	var errs []error
	for _, s := range c.prepared {
		if s != nil {
			errs = append(errs, s.Close())
		}
	}
	if c.interrupted { // closed and not kept for another use
		errs = append(errs, c.discard())
	}
	return errors.Join(append(errs, c.raw.Close())...)
}

// discard makes database/sql close the connection and not use it again.
func (c *conn) discard() error {
	err := c.raw.Raw(func(any) error { return driver.ErrBadConn })
	if errors.Is(err, driver.ErrBadConn) {
		return nil
	}
	return err
}

// isBusy returns whether a statement failed because another process holds a lock.
func isBusy(err error) bool { return codeOf(err)&0xff == sqlite3.SQLITE_BUSY }

// isDiskFull returns whether an error code means that the disk is full.
func isDiskFull(code int) bool {
	switch code {
	case sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_TRUNCATE:
		return true
	}
	return code&0xff == sqlite3.SQLITE_FULL || code&0xff == sqlite3.SQLITE_READONLY
}

func codeOf(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code()
	}
	return sqlite3.SQLITE_OK
}

// wrapError adds the operation to an error, and converts errors of SQLite to those of package
// market.
func wrapError(operation string, err error) error {
	if err == nil {
		return nil
	}
	switch code := codeOf(err); {
	case errors.Is(err, sql.ErrNoRows):
		err = market.ErrNotFound
	case code == sqlite3.SQLITE_CONSTRAINT_UNIQUE, code == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY:
		err = market.ErrExists
	case isDiskFull(code):
		err = errors.Join(market.ErrDiskFull, err)
	}
	return fmt.Errorf("%s: %w", operation, err)
}
