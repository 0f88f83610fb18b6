package sqlite

import (
	"context"
	"time"

	"secondring/market"
)

// auditColumns are the columns of the table audit_log in the order of auditEntryFields.
const auditColumns = "id, at, actor_id, actor, deed, target, target_id, concern_id"

var (
	auditTable         = newTable("audit_log", auditColumns)
	qAddAuditEntry     = auditTable.insert()
	qAuditEntry        = query("SELECT " + auditColumns + " FROM audit_log WHERE id = ?")
	qAuditEntriesAbout = query("SELECT " + auditColumns + " FROM audit_log WHERE concern_id = ? AND id < ? ORDER BY id DESC LIMIT 0 + ?")
	qClearActorName    = query(`UPDATE audit_log SET actor = '' WHERE actor_id = ? AND actor_id <> ''`)
	qClearTargetName   = query(`UPDATE audit_log SET target = '' WHERE target_id = ? AND target_id <> ''`)
	qPurgeAuditEntries = query(`DELETE FROM audit_log WHERE rowid IN (
		SELECT rowid FROM audit_log WHERE at < ? ORDER BY at LIMIT 0 + ?)`)

	auditList = listing[market.AuditEntry]{page: query("SELECT " + auditColumns + " FROM audit_log WHERE id < ? ORDER BY id DESC LIMIT 0 + ?"), fields: auditEntryFields, countName: "audit_log"}
)

func auditEntryFields(entry *market.AuditEntry) []any {
	return []any{&entry.ID, timeColumn{&entry.At}, &entry.ActorID, &entry.Actor, &entry.Action, &entry.Target, &entry.TargetID, &entry.ConcernID}
}

// addAuditEntries stores the audit log entries that are contained in the events, in the
// transaction of the change.
func (c *conn) addAuditEntries(events []market.Event) error {
	entries, err := market.AuditEntriesOf(events)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if _, err := c.exec(qAddAuditEntry, auditEntryFields(&entry)...); err != nil {
			return err
		}
	}
	return nil
}

// AuditEntries lists the audit log, newest first.
func (s *Store) AuditEntries(ctx context.Context, page market.Page) (market.List[market.AuditEntry], error) {
	return list(ctx, s, auditList, page)
}

// PurgeAuditEntries deletes up to limit entries from before that time, oldest first, and
// returns how many it deleted.
func (s *Store) PurgeAuditEntries(ctx context.Context, before time.Time, limit int) (purged int, err error) {
	return s.exec(ctx, "purge audit log", qPurgeAuditEntries, timeParam(before), limit)
}

// AuditEntriesAbout returns a page of the entries about a person, newest first.
func (s *Store) AuditEntriesAbout(ctx context.Context, personID string, page market.Page) ([]market.AuditEntry, error) {
	return findPage(ctx, s, "audit entries about a person", qAuditEntriesAbout, auditEntryFields, personID, page)
}

// EraseFromAuditLog removes a person's name from all entries, both as the actor and as the
// target.
func (s *Store) EraseFromAuditLog(ctx context.Context, personID string) error {
	return s.write(ctx, "erase from audit log", func(tx *conn) error {
		if _, err := tx.exec(qClearActorName, personID); err != nil {
			return err
		}
		_, err := tx.exec(qClearTargetName, personID)
		return err
	})
}
