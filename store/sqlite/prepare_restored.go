package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"secondring/store"
)

// PrepareRestored prepares the file at path, which no process has open, to replace a newer
// store after a restore. It raises every version above all versions that a client may have: an open screen ignores events with
// versions that are not newer than its own. It deletes waiting events, because clients
// read the lists again after a restore, and all sessions, because some of them were ended after the
// backup.
//
// A raised version is at least now in milliseconds since 1970. So the versions of a second
// restore of the same backup are above those of the first, and above those of changes in
// between, because no entity changes a thousand times a second for long. JavaScript
// represents these numbers exactly.
func PrepareRestored(ctx context.Context, path string, now time.Time) error {
	err := withDB(ctx, dsn(path, "FULL"), func(ctx context.Context, db *sql.DB) error {
		return raiseVersions(ctx, db, now)
	})
	if err != nil {
		return fmt.Errorf("sqlite: prepare the restored %s: %w", path, err)
	}
	return nil
}

// raiseVersions raises the versions and deletes waiting events and sessions, in one transaction.
func raiseVersions(ctx context.Context, db *sql.DB, now time.Time) (err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	for _, kind := range store.Kinds() {
		if !kind.Raised {
			continue
		}
		if _, err = tx.ExecContext(ctx, "UPDATE "+quote(kind.Name)+" SET version = max(version + ?, ?)", store.MinRaise, now.UnixMilli()); err != nil {
			return err
		}
	}
	for _, table := range []string{"outbox", "sessions"} {
		if _, err = tx.ExecContext(ctx, "DELETE FROM "+table); err != nil {
			return err
		}
	}
	return tx.Commit()
}
