package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"secondring/market"
)

// minRaise is the minimum by which PrepareRestored raises a version. No entity changes that often
// between a backup and its restore.
const minRaise = 1_000_000

// versionedTables are the tables whose entities are in lists and events with their versions.
// The versions of other tables are for compare-and-set only, and clients do not get them. An
// audit log entry and a saved search never change, and always have the same version.
var versionedTables = [...]string{"users", "brands", "products", "bookings", "reports", "watching", "notifications"}

// PrepareRestored prepares the file at path, which no process has open, to replace a newer
// store after a restore. It migrates the file to this program's schema, and raises every
// version above all versions that a client may have: an open screen ignores events with
// versions that are not newer than its own. It deletes waiting events, because clients
// read the lists again after a restore. entries are the audit log's entries of the
// restore.
//
// A raised version is at least now in milliseconds since 1970. So the versions of a second
// restore of the same backup are above those of the first, and above those of changes in
// between, because no entity changes a thousand times a second for long. JavaScript
// represents these numbers exactly.
func PrepareRestored(ctx context.Context, path string, now time.Time, entries ...market.AuditEntry) error {
	path, err := createFile(path)
	if err == nil {
		err = migrate(ctx, path)
	}
	if err == nil {
		err = withDB(ctx, dsn(path, durable), func(ctx context.Context, db *sql.DB) error {
			return raiseVersions(ctx, db, now, entries)
		})
	}
	if err != nil {
		return fmt.Errorf("sqlite: prepare the restored %s: %w", path, err)
	}
	return nil
}

// raiseVersions raises the versions, deletes waiting events and adds the entries, in one
// transaction.
func raiseVersions(ctx context.Context, db *sql.DB, now time.Time, entries []market.AuditEntry) (err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	for _, table := range versionedTables {
		if _, err = tx.ExecContext(ctx, "UPDATE "+table+" SET version = max(version + ?, ?)", minRaise, now.UnixMilli()); err != nil {
			return err
		}
	}
	if _, err = tx.ExecContext(ctx, "DELETE FROM outbox"); err != nil {
		return err
	}
	for _, entry := range entries {
		if _, err = tx.ExecContext(ctx, qAddAuditEntry.text, auditEntryFields(&entry)...); err != nil {
			return err
		}
	}
	return tx.Commit()
}
