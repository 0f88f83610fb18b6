package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var embedded embed.FS

// applicationID marks the file as SecondRing's: "2Rng" in ASCII.
const applicationID = 0x32526e67

// migrate migrates the file to this program's schema. A lock that ends with the process allows
// one process at a time. The lock is on another file, because a lock on the file itself would
// block the migrations too.
func migrate(ctx context.Context, path string) (err error) {
	lockPath, err := createFile(path + ".lock")
	if err != nil {
		return err
	}
	unlock, err := lock(ctx, lockPath)
	if err != nil {
		return fmt.Errorf("lock %s: %w", lockPath, err)
	}
	defer func() { err = errors.Join(err, unlock()) }()

	// First without settings, so that the file of another program is not changed.
	if err := withDB(ctx, plainDSN(path), markFile); err != nil {
		return err
	}
	return withDB(ctx, dsn(path, durable), applyMigrations)
}

func withDB(ctx context.Context, dsn string, do func(ctx context.Context, db *sql.DB) error) (err error) {
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return retryBusy(ctx, func() error { return do(ctx, db) })
}

// plainDSN is a DSN that does not change the file's journal mode.
func plainDSN(path string) string {
	return fileURI(path, "_txlock=exclusive&_pragma="+busyTimeout)
}

// lock acquires an exclusive lock on a separate SQLite file.
func lock(ctx context.Context, path string) (unlock func() error, err error) {
	db, err := sql.Open("sqlite", plainDSN(path))
	if err != nil {
		return nil, err
	}
	var tx *sql.Tx
	err = retryBusy(ctx, func() (err error) {
		tx, err = db.BeginTx(context.WithoutCancel(ctx), nil) // exclusive, see plainDSN
		return err
	})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return func() error { return errors.Join(tx.Rollback(), db.Close()) }, nil
}

// markFile marks a new file as SecondRing's and refuses files of other programs.
func markFile(ctx context.Context, db *sql.DB) error {
	var id, tables int
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return err
	}
	if id == applicationID {
		return nil
	}
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return err
	}
	if id != 0 || tables > 0 {
		return fmt.Errorf("this is another program's database (application id %#x)", id)
	}
	_, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID))
	return err
}

// applyMigrations applies the missing migrations.
func applyMigrations(ctx context.Context, db *sql.DB) error {
	files, err := fs.Sub(embedded, "migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, files)
	if err != nil {
		return err
	}
	schema, latest, err := provider.GetVersions(ctx)
	if err != nil {
		return err
	}
	if schema > latest {
		return errNewer(int(schema), int(latest))
	}
	_, err = provider.Up(ctx)
	return err
}

func errNewer(schema, latest int) error {
	return fmt.Errorf("written by a newer SecondRing (schema %d, this one knows %d): start that one", schema, latest)
}
