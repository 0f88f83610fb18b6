package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	sqlite3 "modernc.org/sqlite/lib"
)

// ErrDamaged is returned for a file that SQLite cannot read, or that is inconsistent.
var ErrDamaged = errors.New("sqlite: the file is damaged")

// ErrForeign is returned for a file that SecondRing has not written.
var ErrForeign = errors.New("sqlite: this is another program's file")

// Contents describes a file, so that a copy can be compared with its original.
type Contents struct {
	Format int            `json:"format"` // of the file
	Rows   map[string]int `json:"rows"`   // by table, without SQLite's own
}

// Snapshot copies the state of the store at path at one moment into the new file to. Other
// processes may read and write the store meanwhile. The copy has all writes that were
// acknowledged before it began, and no remains of deleted data. When Snapshot returns, the copy
// is synced and checked by Inspect. After an error an incomplete copy may remain.
func Snapshot(ctx context.Context, path, to string) (Contents, error) {
	contents, err := snapshot(ctx, path, to)
	if err != nil {
		return contents, fmt.Errorf("sqlite: copy %s: %w", path, err)
	}
	return contents, nil
}

func snapshot(ctx context.Context, path, to string) (Contents, error) {
	if _, err := os.Stat(path); err != nil {
		return Contents{}, err
	}
	err := withDB(ctx, fileURI(path, "mode=ro"), func(ctx context.Context, db *sql.DB) error {
		if err := checkApplicationID(ctx, db); err != nil {
			return err
		}
		if err := os.RemoveAll(to); err != nil { // of an earlier attempt
			return err
		}
		_, err := db.ExecContext(ctx, "VACUUM INTO ?", to)
		return err
	})
	if err == nil {
		err = errors.Join(os.Chmod(to, 0o600), syncFile(to))
	}
	if err != nil {
		return Contents{}, fileError(err)
	}
	return Inspect(ctx, to)
}

// Inspect checks a whole file that no process has open, changes nothing, and returns its
// contents. It returns ErrForeign, ErrDamaged, or the error of another format.
func Inspect(ctx context.Context, path string) (c Contents, err error) {
	if _, err := os.Stat(path); err != nil {
		return c, err
	}
	err = withDB(ctx, fileURI(path, "mode=ro&immutable=1"), func(ctx context.Context, db *sql.DB) error {
		c = Contents{Rows: map[string]int{}}
		for _, check := range []func(context.Context, *sql.DB) error{checkApplicationID, checkIntegrity, c.readFormat, c.countRows} {
			if err := check(ctx, db); err != nil {
				return err
			}
		}
		return nil
	})
	return c, fileError(err)
}

// fileError converts SQLite's errors about a file that is not a database, or a damaged one, to
// ErrForeign and ErrDamaged.
func fileError(err error) error {
	switch codeOf(err) & 0xff {
	case sqlite3.SQLITE_NOTADB:
		return errors.Join(ErrForeign, err)
	case sqlite3.SQLITE_CORRUPT:
		return errors.Join(ErrDamaged, err)
	}
	return err
}

// checkApplicationID returns ErrForeign for a file of another program.
func checkApplicationID(ctx context.Context, db *sql.DB) error {
	var id int
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return err
	}
	if id != applicationID {
		return fmt.Errorf("%w (application id %#x)", ErrForeign, id)
	}
	return nil
}

// checkIntegrity checks every page and index with SQLite.
func checkIntegrity(ctx context.Context, db *sql.DB) error {
	var result string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&result); err != nil {
		return err
	}
	if result != "ok" {
		return fmt.Errorf("%w: %s", ErrDamaged, result)
	}
	return nil
}

// readFormat returns the format of the file. It returns an error for another one, which this program
// cannot read.
func (c *Contents) readFormat(ctx context.Context, db *sql.DB) error {
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&c.Format); err != nil {
		return err
	}
	return checkFormat(c.Format)
}

func (c *Contents) countRows(ctx context.Context, db *sql.DB) error {
	names, err := tableNames(ctx, db)
	if err != nil {
		return err
	}
	for _, name := range names {
		var n int
		if err := db.QueryRowContext(ctx, "SELECT count(*) FROM "+name).Scan(&n); err != nil {
			return err
		}
		c.Rows[name] = n
	}
	return nil
}

// tableNames lists the tables, without SQLite's own and those of the full-text index.
func tableNames(ctx context.Context, db *sql.DB) (names []string, err error) {
	rows, err := db.QueryContext(ctx,
		`SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // errors were returned by rows.Err
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}
