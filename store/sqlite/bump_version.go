package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"secondring/market"
)

// minBump is by how much Renew raises a version at least: nothing changes so often
// between a backup and its return.
const minBump = 1_000_000

// versionedTables are the tables whose rows are told of with their versions.
var versionedTables = [...]string{"users", "brands", "products", "bookings", "reports"}

// BumpVersions makes the file at path, which nobody has open, ready to go on from an
// earlier moment than the one that its readers have seen. It brings the file to
// this program's schema, and raises every version over all that anybody may
// hold: an open screen ignores what is not newer than what it has, and takes
// what was removed since for gone. Events that waited are dropped: what they tell
// is in the lists, and whoever listens reads those again. The lines tell the
// trail who did it.
//
// A raised version is at least now in milliseconds since 1970, so the versions of
// a second restore of the same backup are above those of the first, and above
// those of changes in between: no entity changes a thousand times a second for
// long. JavaScript represents these numbers exactly.
func BumpVersions(ctx context.Context, path string, now time.Time, lines ...market.AuditEntry) error {
	path, err := makeFile(path)
	if err == nil {
		err = migrate(ctx, path)
	}
	if err == nil {
		err = using(ctx, dsn(path, durable), func(ctx context.Context, db *sql.DB) error {
			return raiseVersions(ctx, db, now, lines)
		})
	}
	if err != nil {
		return fmt.Errorf("sqlite: renew %s: %w", path, err)
	}
	return nil
}

// raiseVersions does it in one transaction, and leaves nothing beside the file.
func raiseVersions(ctx context.Context, db *sql.DB, now time.Time, lines []market.AuditEntry) (err error) {
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
		if _, err = tx.ExecContext(ctx, "UPDATE "+table+" SET version = max(version + ?, ?)", minBump, now.UnixMilli()); err != nil {
			return err
		}
	}
	if _, err = tx.ExecContext(ctx, "DELETE FROM outbox"); err != nil {
		return err
	}
	for _, l := range lines {
		if _, err = tx.ExecContext(ctx, qAddAuditEntry.text, auditEntryFields(&l)...); err != nil {
			return err
		}
	}
	return tx.Commit()
}
