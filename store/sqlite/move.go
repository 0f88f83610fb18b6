package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pressly/goose/v3"

	"secondring/market"
)

var _ market.Source = (*Store)(nil)

// ErrOlder is the error for a file that an older SecondRing has written, and that must not be
// migrated here.
var ErrOlder = errors.New("sqlite: written by an older SecondRing")

// OpenToRead opens an existing store for reading: neither the file nor its schema
// changes. It returns the errors of Open, ErrOlder where Open would migrate the file,
// and fs.ErrNotExist where there is no file.
func OpenToRead(ctx context.Context, path string) (*Store, error) {
	path, err := filepath.Abs(path)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		return nil, fmt.Errorf("sqlite: open: %w", err)
	}
	db, err := sql.Open("sqlite", readOnly(path))
	if err != nil {
		return nil, fmt.Errorf("sqlite: open %s: %w", path, err)
	}
	if err := retryBusy(ctx, func() error { return checkSchema(ctx, db) }); err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: open %s: %w", path, err), db.Close())
	}
	return newStore(db, "query_only = 1"), nil
}

// readOnly is like dsn, for connections that cannot write.
func readOnly(path string) string {
	u := url.URL{Scheme: "file", Path: path}
	return u.String() + "?mode=ro&_pragma=query_only(1)&_pragma=busy_timeout(" +
		strconv.FormatInt(lockWait.Milliseconds(), 10) + ")"
}

// checkSchema returns an error unless the file is SecondRing's and has this program's schema.
func checkSchema(ctx context.Context, db *sql.DB) error {
	if err := checkApplicationID(ctx, db); err != nil {
		return err
	}
	have := 0
	know, err := latestSchema()
	if err != nil {
		return err
	}
	if err := db.QueryRowContext(ctx, "SELECT max(version_id) FROM goose_db_version").Scan(&have); err != nil {
		return err
	}
	switch {
	case have < know:
		return fmt.Errorf("%w (schema %d, this one writes %d)", ErrOlder, have, know)
	case have > know:
		return errNewer(have, know)
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

// mover reads everything of one kind.
type mover interface {
	all() string // SQL that reads the whole table
	table() string
	scan(rows *sql.Rows) (market.Item, error)
	like(c *conn, item market.Item) (market.Item, error)
}

// tableMover is the mover of a table. one reads a row by its key, and key returns the key of
// an item.
type tableMover[T any] struct {
	of     table
	fields fields[T]
	one    *statement
	key    func(T) []any
}

// movers has one for each kind. Statements that read a table from end to end are
// not prepared: they run once in a store's life.
var movers = map[market.Kind]mover{
	market.KindBrands:        tableMover[market.Brand]{brandTable, brandFields, qBrand, func(b market.Brand) []any { return []any{b.ID} }},
	market.KindUsers:         tableMover[market.User]{userTable, userFields, qUserByID, func(u market.User) []any { return []any{u.ID} }},
	market.KindAccounts:      tableMover[market.Account]{accountTable, accountFields, qAccount, func(a market.Account) []any { return []any{a.UID} }},
	market.KindSessions:      tableMover[market.Session]{sessionTable, sessionFields, qSession, func(s market.Session) []any { return []any{s.ID} }},
	market.KindProducts:      tableMover[market.Product]{productTable, productFields, qProduct, func(p market.Product) []any { return []any{p.ID} }},
	market.KindBookings:      tableMover[market.Booking]{bookingTable, bookingFields, qBooking, func(b market.Booking) []any { return []any{b.ID} }},
	market.KindPayments:      tableMover[market.Payment]{paymentTable, paymentFields, qPaymentByID, func(p market.Payment) []any { return []any{p.ID} }},
	market.KindWatching:      tableMover[market.Watching]{watchingTable, watchingFields, qWatchingByID, func(w market.Watching) []any { return []any{w.ID} }},
	market.KindReports:       tableMover[market.Report]{reportTable, reportFields, qReport, func(r market.Report) []any { return []any{r.ID} }},
	market.KindRecords:       tableMover[market.Record]{recordTable, recordFields, qRecord, func(r market.Record) []any { return []any{r.Kind, r.ID} }},
	market.KindAuditLog:      tableMover[market.AuditEntry]{auditTable, auditEntryFields, qAuditEntry, func(entry market.AuditEntry) []any { return []any{entry.ID} }},
	market.KindLedger:        tableMover[market.LedgerEntry]{ledgerTable, ledgerFields, qLedgerEntry, func(e market.LedgerEntry) []any { return []any{e.ID} }},
	market.KindNotifications: tableMover[market.Notification]{notificationTable, notificationFields, qNotification, func(n market.Notification) []any { return []any{n.ID} }},
	market.KindEvents:        tableMover[market.Event]{outboxTable, eventFields, qEvent, func(e market.Event) []any { return []any{e.Seq} }},
	market.KindSettings:      tableMover[market.Setting]{metaTable, settingFields, qSetting, func(s market.Setting) []any { return []any{s.Name} }},
}

// metaColumns are the columns of meta in the order of metaFields.
const metaColumns = "name, value"

var (
	qPaymentByID = query("SELECT " + paymentColumns + " FROM payments WHERE id = ?")
	metaTable    = newTable("meta", metaColumns)
	qSetting     = query("SELECT " + metaColumns + " FROM meta WHERE name = ?")
)

func settingFields(s *market.Setting) []any { return []any{&s.Name, &s.Value} }

func (m tableMover[T]) table() string { return m.of.name }

func (m tableMover[T]) all() string {
	return "SELECT " + strings.Join(m.of.columns, ", ") + " FROM " + m.of.name
}

func (m tableMover[T]) scan(rows *sql.Rows) (market.Item, error) {
	var v T
	err := rows.Scan(m.fields(&v)...)
	return v, err
}

func (m tableMover[T]) like(c *conn, item market.Item) (market.Item, error) {
	v, ok := item.(T)
	if !ok {
		return nil, fmt.Errorf("%T is not of %s", item, m.of.name)
	}
	return one(c, m.one, m.fields, m.key(v)...)
}

func moverOf(kind market.Kind) (mover, error) {
	m, known := movers[kind]
	if !known {
		return nil, fmt.Errorf("sqlite: nothing is kept of the kind %q", kind)
	}
	return m, nil
}

// Count tells how many items there are of a kind.
func (s *Store) Count(ctx context.Context, kind market.Kind) (n int, err error) {
	m, err := moverOf(kind)
	if err != nil {
		return 0, err
	}
	err = s.read(ctx, "count "+m.table(), func(c *conn) error {
		return c.raw.QueryRowContext(ctx, "SELECT count(*) FROM "+m.table()).Scan(&n)
	})
	return n, err
}

// batchSize is how many items Each passes at a time.
const batchSize = 200

// Each gives do everything of a kind, as it was when Each began.
func (s *Store) Each(ctx context.Context, kind market.Kind, do func([]market.Item) error) error {
	m, err := moverOf(kind)
	if err != nil {
		return err
	}
	c, err := s.take(ctx, s.readers) // not read, which may run again: do would see items twice
	if err != nil {
		return wrapError("read "+m.table(), err)
	}
	defer func() { s.readers <- c }()
	return wrapError("read "+m.table(), stream(ctx, c, m, do))
}

func stream(ctx context.Context, c *conn, m mover, do func([]market.Item) error) error {
	rows, err := c.raw.QueryContext(ctx, m.all())
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // errors were returned by rows.Err
	var some []market.Item
	for rows.Next() {
		item, err := m.scan(rows)
		if err != nil {
			return err
		}
		if some = append(some, item); len(some) == batchSize {
			if err := do(some); err != nil {
				return err
			}
			some = nil
		}
	}
	if err := rows.Err(); err != nil || len(some) == 0 {
		return err
	}
	return do(some)
}

// Like returns the items that have the keys of these.
func (s *Store) Like(ctx context.Context, kind market.Kind, these []market.Item) (found []market.Item, err error) {
	m, err := moverOf(kind)
	if err != nil {
		return nil, err
	}
	err = s.read(ctx, "look into "+m.table(), func(c *conn) error {
		found = nil
		for _, item := range these {
			here, err := m.like(c, item)
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err != nil {
				return err
			}
			found = append(found, here)
		}
		return nil
	})
	return found, err
}
