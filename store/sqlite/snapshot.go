package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	sqlite3 "modernc.org/sqlite/lib"

	"secondring/store"
)

// ErrDamaged is returned for a file that SQLite cannot read, or that is inconsistent.
var ErrDamaged = errors.New("sqlite: the file is damaged")

// ErrForeign is returned for a file that SecondRing has not written.
var ErrForeign = errors.New("sqlite: this is another program's file")

// Contents describes a file, so that a copy can be compared with its original.
type Contents struct {
	Format int            `json:"format"` // of the file
	Rows   map[string]int `json:"rows"`   // by kind, and those of the outbox
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
	id, _, _, err := header(ctx, db)
	if err == nil && id != applicationID {
		err = fmt.Errorf("%w (application id %#x)", ErrForeign, id)
	}
	return err
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
func (c *Contents) readFormat(ctx context.Context, db *sql.DB) (err error) {
	if _, c.Format, _, err = header(ctx, db); err != nil {
		return err
	}
	return checkFormat(c.Format)
}

// countRows counts the documents of each kind, and the waiting events.
func (c *Contents) countRows(ctx context.Context, db *sql.DB) error {
	names := []string{"outbox"}
	for _, kind := range store.Kinds() {
		names = append(names, kind.Name)
	}
	for _, name := range names {
		var n int
		if err := db.QueryRowContext(ctx, "SELECT count(*) FROM "+quote(name)).Scan(&n); err != nil {
			return err
		}
		c.Rows[name] = n
	}
	return nil
}
