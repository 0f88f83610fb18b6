// Package sqlite implements store.Engine in one SQLite file.
//
// The file is in WAL mode with synchronous=FULL, so a write that has returned survives a power
// cut. One connection writes; several others read. Other processes, such as the command line, may
// use the file at the same time.
//
//	schema.go  a table for each kind, made from its declaration
//	write.go   what a write does in its transaction; the outbox
//	group.go   how concurrent writes share a transaction
//	find.go    lists, queues and sums
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"secondring/market"
	"secondring/store"
)

// lockWait is the timeout of one attempt to get a lock that another process holds. Calls try again
// until their context ends.
const lockWait = 250 * time.Millisecond

// errClosed is returned by calls after Close.
var errClosed = errors.New("sqlite: the store is closed")

// Engine is a store.Engine. It is safe for concurrent use.
type Engine struct {
	reader  *sql.DB
	writer  *sql.DB
	changes chan *change
	ended   chan struct{} // closed when the writing goroutine has ended
	calls   sync.RWMutex  // read-locked by calls, locked by Close
	closed  bool
	reads   *conn
	writes  *conn // of the writing goroutine
	// The constants of the same names, except in tests.
	maxFetched, maxScanned int
}

var _ store.Engine = (*Engine)(nil)

// init makes all connections sync with fdatasync, which is as durable as fsync and does not write
// the times of a file.
func init() {
	_, _ = sqlite.Fdatasync(true) // the only error is that a system has no fdatasync; then fsync remains
}

// Open opens the store in the file at path. It creates the file (mode 0600), its folder (mode
// 0700) and its tables if they are missing.
func Open(ctx context.Context, path string) (*Engine, error) { return open(ctx, path, "FULL") }

func open(ctx context.Context, path, synchronous string) (*Engine, error) {
	path, err := createFile(path)
	if err != nil {
		return nil, fmt.Errorf("sqlite: open: %w", err)
	}
	if err := withDB(ctx, fileURI(path, ""), checkFile); err != nil {
		return nil, fmt.Errorf("sqlite: open %s: %w", path, withDiskFullHint(err))
	}
	e := &Engine{changes: make(chan *change, maxGroup), ended: make(chan struct{}), maxFetched: maxFetched, maxScanned: maxScanned}
	e.writer, err = sql.Open("sqlite", dsn(path, synchronous, "cache_size(-8000)"))
	if err == nil {
		e.reader, err = sql.Open("sqlite", dsn(path, synchronous, "cache_size(-3000)", "query_only(1)"))
	}
	if err != nil {
		return nil, fmt.Errorf("sqlite: open %s: %w", path, err)
	}
	e.writer.SetMaxOpenConns(1)
	e.writer.SetMaxIdleConns(1)
	readers := max(4, 2*runtime.GOMAXPROCS(0))
	e.reader.SetMaxOpenConns(readers)
	e.reader.SetMaxIdleConns(readers)
	e.reads, e.writes = newConn(e.reader), newConn(e.writer)
	if err := retryBusy(ctx, func() error { return e.prepare(ctx) }); err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: open %s: %w", path, withDiskFullHint(err)), e.writer.Close(), e.reader.Close())
	}
	go e.run()
	return e, nil
}

// applicationID marks the file as SecondRing's: "2Rng" in ASCII.
const applicationID = 0x32526e67

// checkFile refuses a file of another program or format, and does not change it.
func checkFile(ctx context.Context, db *sql.DB) error {
	id, stored, tables, err := header(ctx, db)
	switch {
	case err != nil:
		return err
	case id == applicationID:
		return checkFormat(stored)
	case id != 0 || tables > 0:
		return fmt.Errorf("this is another program's database (application id %#x)", id)
	}
	return nil
}

// header returns the application ID and the format of a file, and the number of its tables and indexes.
func header(ctx context.Context, db *sql.DB) (id, stored, tables int, err error) {
	err = db.QueryRowContext(ctx, `SELECT a.application_id, v.user_version, (SELECT count(*) FROM sqlite_schema)
		FROM pragma_application_id a, pragma_user_version v`).Scan(&id, &stored, &tables)
	return id, stored, tables, err
}

// checkFormat returns an error for a format that this program does not read.
func checkFormat(stored int) error {
	if stored != store.Format {
		return fmt.Errorf("its format is %d, and this SecondRing reads %d", stored, store.Format)
	}
	return nil
}

// prepare makes the tables of a new file.
func (e *Engine) prepare(ctx context.Context) (err error) {
	tx, err := e.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	var tables int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil || tables > 0 {
		return errors.Join(err, tx.Commit())
	}
	statements := append(schema(store.Kinds()),
		fmt.Sprintf("PRAGMA application_id = %d", applicationID), fmt.Sprintf("PRAGMA user_version = %d", store.Format))
	for _, text := range statements {
		if _, err := tx.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return tx.Commit()
}

// withDB calls do with a database that is closed afterwards. It calls it again while another process
// has the file locked.
func withDB(ctx context.Context, dsn string, do func(ctx context.Context, db *sql.DB) error) (err error) {
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return retryBusy(ctx, func() error { return do(ctx, db) })
}

// createFile creates the folder and the file with private modes. SQLite gives its additional files
// the mode of the file.
func createFile(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return "", err
	}
	return path, errors.Join(f.Chmod(0o600), f.Close())
}

// dsn returns the DSN of connections. The write-ahead log grows to 16 MB before its pages are
// copied into the file, so that a page that many commits change is copied only once.
func dsn(path, synchronous string, more ...string) string {
	pragmas := append([]string{
		"journal_mode(WAL)", "synchronous(" + synchronous + ")",
		"temp_store(MEMORY)", "journal_size_limit(67108864)", "wal_autocheckpoint(4000)",
	}, more...)
	return fileURI(path, "_txlock=immediate&_pragma="+strings.Join(pragmas, "&_pragma="))
}

// fileURI returns the URI of a file for SQLite, with its options.
func fileURI(path, options string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute // of a relative one, SQLite would read the first part as a host
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: fmt.Sprintf("_pragma=busy_timeout(%d)&%s", lockWait.Milliseconds(), options)}
	return u.String()
}

// call calls do, unless the context has ended or the engine is closed. Close waits for it.
func (e *Engine) call(ctx context.Context, do func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	e.calls.RLock()
	defer e.calls.RUnlock()
	if e.closed {
		return errClosed
	}
	return marketError(do())
}

// read calls do, which may read with c. It may call it again.
func (e *Engine) read(ctx context.Context, do func(c *conn) error) error {
	return e.call(ctx, func() error { return retryBusy(ctx, func() error { return do(e.reads) }) })
}

// retryBusy calls do again while another process has the file locked.
func retryBusy(ctx context.Context, do func() error) error {
	for {
		if err := do(); !isBusy(err) || ctx.Err() != nil {
			return err
		}
	}
}

// Ping returns an error if the file cannot be read.
func (e *Engine) Ping(ctx context.Context) error {
	return e.read(ctx, func(c *conn) error { return c.row("SELECT 1", []any{new(int)}) })
}

// Close lets running calls finish, then closes the file. Calls after it fail.
func (e *Engine) Close() error {
	e.calls.Lock()
	defer e.calls.Unlock()
	if e.closed {
		return nil
	}
	e.closed = true
	close(e.changes)
	<-e.ended
	return errors.Join(e.reader.Close(), e.writer.Close())
}

// DataVersion returns a number that changes whenever another process has written to the file.
func (e *Engine) DataVersion(ctx context.Context) (version int64, err error) {
	err = e.write(ctx, func(tx *conn) error { return tx.row("PRAGMA data_version", []any{&version}) })
	return version, err
}

// withDiskFullHint adds to an error what to do if the disk was full.
func withDiskFullHint(err error) error {
	if !isDiskFull(codeOf(err)) {
		return err
	}
	return fmt.Errorf("%w: make room and start again, nothing is lost (%w)", market.ErrDiskFull, err)
}

// isDiskFull returns whether an error code means that the disk is full.
func isDiskFull(code int) bool {
	switch code {
	case sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_TRUNCATE, sqlite3.SQLITE_IOERR_SHMSIZE:
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

// marketError converts errors of SQLite to those of package market.
func marketError(err error) error {
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return market.ErrNotFound
	case isDiskFull(codeOf(err)):
		return errors.Join(market.ErrDiskFull, err)
	}
	return err
}

func isBusy(err error) bool { return codeOf(err)&0xff == sqlite3.SQLITE_BUSY }
