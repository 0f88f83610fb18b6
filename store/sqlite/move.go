package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pressly/goose/v3"

	"secondring/market"
)

var _ market.Source = (*Store)(nil)

// ErrOlderSchema is returned for a file that an older SecondRing has written. OpenReadOnly does not
// migrate it.
var ErrOlderSchema = errors.New("sqlite: written by an older SecondRing")

// OpenReadOnly opens an existing store for reading. It changes neither the file nor its schema.
// It returns the errors of Open, ErrOlderSchema if Open would migrate the file, and
// fs.ErrNotExist if there is no file.
func OpenReadOnly(ctx context.Context, path string) (*Store, error) {
	path, err := filepath.Abs(path)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		return nil, fmt.Errorf("sqlite: open: %w", err)
	}
	db, err := sql.Open("sqlite", readOnlyDSN(path))
	if err != nil {
		return nil, fmt.Errorf("sqlite: open %s: %w", path, err)
	}
	if err := retryBusy(ctx, func() error { return checkSchema(ctx, db) }); err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: open %s: %w", path, err), db.Close())
	}
	return newStore(db, "query_only = 1"), nil
}

// readOnlyDSN returns the DSN of connections that cannot write.
func readOnlyDSN(path string) string {
	return fileURI(path, "mode=ro&_pragma=query_only(1)&_pragma="+busyTimeout)
}

// checkSchema returns an error unless the file is SecondRing's and has this program's schema.
func checkSchema(ctx context.Context, db *sql.DB) error {
	if err := checkApplicationID(ctx, db); err != nil {
		return err
	}
	schema := 0
	latest, err := latestSchema()
	if err != nil {
		return err
	}
	if err := db.QueryRowContext(ctx, "SELECT max(version_id) FROM goose_db_version").Scan(&schema); err != nil {
		return err
	}
	switch {
	case schema < latest:
		return fmt.Errorf("%w (schema %d, this one writes %d)", ErrOlderSchema, schema, latest)
	case schema > latest:
		return errNewer(schema, latest)
	}
	return nil
}

// latestSchema is the schema that this program writes: the highest number of a
// migration. Numbers may be left out.
func latestSchema() (last int, err error) {
	files, err := fs.Glob(embedded, "migrations/*.sql")
	for _, name := range files {
		number, err := goose.NumericComponent(name)
		if err != nil {
			return 0, err
		}
		last = max(last, int(number))
	}
	return last, err
}

// itemReader reads everything of one kind.
type itemReader interface {
	selectAll() string // SQL that reads the whole table
	tableName() string
	scan(rows *sql.Rows) (market.Item, error)
	existing(c *conn, item market.Item) (market.Item, error)
}

// tableReader is the itemReader of a table. byKey reads a row by its key, and key returns the
// key of an item.
type tableReader[T any] struct {
	table  table
	fields fields[T]
	byKey  *statement
	key    func(T) []any
}

// itemReaders has an itemReader for each kind. Statements that read a whole table are not
// prepared, because they run only once.
var itemReaders = map[market.Kind]itemReader{
	market.KindBrands:        tableReader[market.Brand]{brandTable, brandFields, qBrand, func(b market.Brand) []any { return []any{b.ID} }},
	market.KindUsers:         tableReader[market.User]{userTable, userFields, qUserByID, func(u market.User) []any { return []any{u.ID} }},
	market.KindAccounts:      tableReader[market.Account]{accountTable, accountFields, qAccount, func(a market.Account) []any { return []any{a.UID} }},
	market.KindSessions:      tableReader[market.Session]{sessionTable, sessionFields, qSession, func(s market.Session) []any { return []any{s.ID} }},
	market.KindProducts:      tableReader[market.Product]{productTable, productFields, qProduct, func(p market.Product) []any { return []any{p.ID} }},
	market.KindBookings:      tableReader[market.Booking]{bookingTable, bookingFields, qBooking, func(b market.Booking) []any { return []any{b.ID} }},
	market.KindPayments:      tableReader[market.Payment]{paymentTable, paymentFields, qPaymentByID, func(p market.Payment) []any { return []any{p.ID} }},
	market.KindWatching:      tableReader[market.Watching]{watchingTable, watchingFields, qWatchingByID, func(w market.Watching) []any { return []any{w.ID} }},
	market.KindReports:       tableReader[market.Report]{reportTable, reportFields, qReport, func(r market.Report) []any { return []any{r.ID} }},
	market.KindRecords:       tableReader[market.Record]{recordTable, recordFields, qRecord, func(r market.Record) []any { return []any{r.Kind, r.ID} }},
	market.KindAuditLog:      tableReader[market.AuditEntry]{auditTable, auditEntryFields, qAuditEntry, func(entry market.AuditEntry) []any { return []any{entry.ID} }},
	market.KindLedger:        tableReader[market.LedgerEntry]{ledgerTable, ledgerFields, qLedgerEntry, func(e market.LedgerEntry) []any { return []any{e.ID} }},
	market.KindNotifications: tableReader[market.Notification]{notificationTable, notificationFields, qNotification, func(n market.Notification) []any { return []any{n.ID} }},
	market.KindEvents:        tableReader[market.Event]{outboxTable, eventFields, qEvent, func(e market.Event) []any { return []any{e.Seq} }},
	market.KindSettings:      tableReader[market.Setting]{metaTable, settingFields, qSetting, func(s market.Setting) []any { return []any{s.Name} }},
}

// metaColumns are the columns of meta in the order of metaFields.
const metaColumns = "name, value"

var (
	qPaymentByID = query("SELECT " + paymentColumns + " FROM payments WHERE id = ?")
	metaTable    = newTable("meta", metaColumns)
	qSetting     = query("SELECT " + metaColumns + " FROM meta WHERE name = ?")
)

func settingFields(s *market.Setting) []any { return []any{&s.Name, &s.Value} }

func (r tableReader[T]) tableName() string { return r.table.name }

func (r tableReader[T]) selectAll() string {
	return "SELECT " + strings.Join(r.table.columns, ", ") + " FROM " + r.table.name
}

func (r tableReader[T]) scan(rows *sql.Rows) (market.Item, error) {
	var v T
	err := rows.Scan(r.fields(&v)...)
	return v, err
}

func (r tableReader[T]) existing(c *conn, item market.Item) (market.Item, error) {
	v, ok := item.(T)
	if !ok {
		return nil, fmt.Errorf("%T is not of %s", item, r.table.name)
	}
	return one(c, r.byKey, r.fields, r.key(v)...)
}

func itemReaderFor(kind market.Kind) (itemReader, error) {
	r, ok := itemReaders[kind]
	if !ok {
		return nil, fmt.Errorf("sqlite: nothing is kept of the kind %q", kind)
	}
	return r, nil
}

// Count returns the number of items of a kind.
func (s *Store) Count(ctx context.Context, kind market.Kind) (n int, err error) {
	r, err := itemReaderFor(kind)
	if err != nil {
		return 0, err
	}
	err = s.read(ctx, "count "+r.tableName(), func(c *conn) error {
		return c.withReadContext(ctx, func() error {
			return c.raw.QueryRowContext(c.statementContext(), "SELECT count(*) FROM "+r.tableName()).Scan(&n)
		})
	})
	return n, err
}

// batchSize is the number of items that Each passes at a time.
const batchSize = 200

// Each calls do with all items of a kind, in batches, as they were when Each began. It stops
// at the first error of do.
func (s *Store) Each(ctx context.Context, kind market.Kind, do func([]market.Item) error) error {
	r, err := itemReaderFor(kind)
	if err != nil {
		return err
	}
	// Not read, which may run again and would pass items twice.
	return s.readOnce(ctx, "read "+r.tableName(), func(c *conn) error {
		return c.withReadContext(ctx, func() error { return stream(c, r, do) })
	})
}

// stream passes all rows of a table to do, in batches.
func stream(c *conn, r itemReader, do func([]market.Item) error) error {
	rows, err := c.raw.QueryContext(c.statementContext(), r.selectAll())
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // errors were returned by rows.Err
	var batch []market.Item
	for rows.Next() {
		item, err := r.scan(rows)
		if err != nil {
			return err
		}
		if batch = append(batch, item); len(batch) == batchSize {
			if err := do(batch); err != nil {
				return err
			}
			batch = nil
		}
	}
	if err := rows.Err(); err != nil || len(batch) == 0 {
		return err
	}
	return do(batch)
}

// Existing returns the stored items with the same keys. It leaves out missing ones.
func (s *Store) Existing(ctx context.Context, kind market.Kind, items []market.Item) (found []market.Item, err error) {
	r, err := itemReaderFor(kind)
	if err != nil {
		return nil, err
	}
	err = s.read(ctx, "read existing "+r.tableName(), func(c *conn) error {
		found = nil
		for _, item := range items {
			existing, err := r.existing(c, item)
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err != nil {
				return err
			}
			found = append(found, existing)
		}
		return nil
	})
	return found, err
}
