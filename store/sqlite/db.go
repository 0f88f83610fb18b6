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

	"secondring/market"
)

// lockWait is the timeout of one attempt to get a lock that another process holds. Calls try
// again until their context ends.
const lockWait = 250 * time.Millisecond

// busyTimeout is the pragma that sets lockWait for a connection.
var busyTimeout = fmt.Sprintf("busy_timeout(%d)", lockWait.Milliseconds())

// errClosed is returned by calls after Close.
var errClosed = errors.New("sqlite: the store is closed")

// Store implements market.Store in one SQLite file. It is safe for concurrent use.
type Store struct {
	db      *sql.DB
	writers chan *conn  // holds the one writer while it is idle
	queue   changeQueue // changes that wait to be written
	readers chan *conn
	closed  chan struct{}
	close   func() error
	// The constants of the same names, except in tests.
	maxFetched, maxScanned int
}

var _ market.Store = (*Store)(nil)

// init makes all connections of the process sync with fdatasync, which is as durable as fsync
// and does not write the times of a file. SQLite in C does so by default.
func init() {
	_, _ = sqlite.Fdatasync(true) // the only error is that a system has no fdatasync; then fsync remains
}

// Open opens the store in the file at path. It creates the file (mode 0600), its folder
// (mode 0700) and its tables if they are missing. It returns an error for a file of another
// program and for one of a newer SecondRing. ctx is used only while the store is opened.
func Open(ctx context.Context, path string) (*Store, error) { return open(ctx, path, durable) }

func open(ctx context.Context, path, synchronous string) (*Store, error) {
	path, err := createFile(path)
	if err != nil {
		return nil, fmt.Errorf("sqlite: open: %w", err)
	}
	if err := migrate(ctx, path); err != nil {
		return nil, fmt.Errorf("sqlite: open %s: %w", path, withDiskFullHint(err))
	}
	db, err := sql.Open("sqlite", dsn(path, synchronous))
	if err != nil {
		return nil, fmt.Errorf("sqlite: open %s: %w", path, err)
	}
	// The writer needs more pages than each of the many readers.
	s := newStore(db, "query_only = 0; PRAGMA cache_size = -8000")
	if err := s.Ping(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: open %s: %w", path, err), s.Close())
	}
	return s, nil
}

// newStore returns a store with connections of db. writer is an additional pragma of the
// writing connection.
func newStore(db *sql.DB, writerPragma string) *Store {
	s := &Store{db: db, closed: make(chan struct{}), maxFetched: maxFetched, maxScanned: maxScanned}
	s.close = sync.OnceValue(s.shutdown)
	s.writers = make(chan *conn, 1)
	s.readers = make(chan *conn, max(4, 2*runtime.GOMAXPROCS(0)))
	s.writers <- newConn(writerPragma)
	for range cap(s.readers) {
		s.readers <- newConn("query_only = 1")
	}
	return s
}

// createFile creates the folder and the file with private modes, because SQLite would create
// them with public ones. SQLite gives its additional files the mode of the file.
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

// withDiskFullHint adds to an error what to do if the disk was full during a migration. Each
// migration is applied completely or not at all.
func withDiskFullHint(err error) error {
	if !isDiskFull(codeOf(err)) {
		return err
	}
	return fmt.Errorf("%w: make room and start again, nothing is lost (%w)", market.ErrDiskFull, err)
}

// When SQLite waits for the disk: at each commit, or never (see Create).
const (
	durable  = "synchronous(FULL)"
	unsynced = "synchronous(OFF)"
)

// dsn returns the DSN of all connections. The write-ahead log grows to 16 MB before its pages
// are copied into the file, so that a page that many commits change is copied only once.
func dsn(path, synchronous string) string {
	pragmas := []string{
		busyTimeout, "journal_mode(WAL)", synchronous, "foreign_keys(1)",
		"temp_store(MEMORY)", "cache_size(-3000)", "journal_size_limit(67108864)", "wal_autocheckpoint(4000)",
	}
	return fileURI(path, "_txlock=immediate&_pragma="+strings.Join(pragmas, "&_pragma="))
}

// fileURI returns the URI of a file for SQLite, with its options.
func fileURI(path, options string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute // of a relative one, SQLite would read the first part as a host
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: options}
	return u.String()
}

// read calls do with a connection that cannot write. It may call do again.
func (s *Store) read(ctx context.Context, operation string, do func(c *conn) error) error {
	return s.readOnce(ctx, operation, func(c *conn) error {
		return retryBusy(ctx, func() error { return do(c) })
	})
}

// readOnce calls do once with a connection that cannot write.
func (s *Store) readOnce(ctx context.Context, operation string, do func(c *conn) error) error {
	c, err := s.acquire(ctx, s.readers)
	if err != nil {
		return wrapError(operation, err)
	}
	defer func() {
		c.discardBroken()
		s.readers <- c
	}()
	return wrapError(operation, do(c))
}

// retryBusy calls do again while another process has the file locked: a process in a writing
// transaction, or for readers one that recovers or closes the file.
func retryBusy(ctx context.Context, do func() error) error {
	for {
		if err := do(); !isBusy(err) || ctx.Err() != nil {
			return err
		}
	}
}

// checkCanStart returns an error if a call must not start, even if a connection is free.
func (s *Store) checkCanStart(ctx context.Context) error {
	select {
	case <-s.closed:
		return errClosed
	default:
		return ctx.Err()
	}
}

func (s *Store) acquire(ctx context.Context, pool chan *conn) (*conn, error) {
	if err := s.checkCanStart(ctx); err != nil {
		return nil, err
	}
	select {
	case <-s.closed:
		return nil, errClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	case c := <-pool:
		if err := retryBusy(ctx, func() error { return c.open(ctx, s.db) }); err != nil {
			pool <- c
			return nil, err
		}
		return c, nil
	}
}

// newConn returns a connection with an additional pragma.
func newConn(pragma string) *conn {
	return &conn{
		pragma: pragma, prepared: make([]*sql.Stmt, len(statements)),
	}
}

// DataVersion returns a number that changes whenever another process has written to the file. It
// waits for the writing connection, which makes all writes of this process: SQLite does not count
// the writes of the connection itself.
func (s *Store) DataVersion(ctx context.Context) (version int64, err error) {
	const operation = "read the data version"
	c, err := s.acquire(ctx, s.writers)
	if err != nil {
		return 0, wrapError(operation, err)
	}
	defer func() { s.writers <- c }()
	err = c.row(qDataVersion, []any{&version})
	return version, wrapError(operation, err)
}

// Close lets running calls finish, then closes the file. Calls after it fail.
func (s *Store) Close() error { return s.close() }

func (s *Store) shutdown() error {
	close(s.closed)
	var errs []error
	for _, pool := range []chan *conn{s.readers, s.writers} {
		for range cap(pool) {
			errs = append(errs, (<-pool).close())
		}
	}
	return errors.Join(append(errs, s.db.Close())...)
}
