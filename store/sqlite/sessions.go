package sqlite

import (
	"context"
	"time"

	"secondring/market"
)

// sessionColumns are the columns of sessions in the order of sessionFields.
const sessionColumns = "id, uid, device, network, created_at, seen_at, expires_at, credentials_version"

var (
	sessionTable   = newTable("sessions", sessionColumns)
	qAddSession    = sessionTable.insert()
	qSession       = query("SELECT " + sessionColumns + " FROM sessions WHERE id = ?")
	qSessionsOf    = query("SELECT " + sessionColumns + " FROM sessions WHERE uid = ?")
	qExtendSession = query(`UPDATE sessions SET (seen_at, expires_at) = (?, ?) WHERE id = ?`)
	qEndSession    = query(`DELETE FROM sessions WHERE id = ?`)
	qEndSessions   = query(`DELETE FROM sessions WHERE uid = ?`)
	qPurgeSessions = query(`DELETE FROM sessions WHERE rowid IN (
		SELECT rowid FROM sessions WHERE expires_at < ? ORDER BY expires_at LIMIT 0 + ?)`)
)

func sessionFields(s *market.Session) []any {
	return []any{&s.ID, &s.UID, &s.Device, &s.Network, timeColumn{&s.CreatedAt}, timeColumn{&s.SeenAt}, timeColumn{&s.ExpiresAt}, &s.CredentialsVersion}
}

// AddSession stores a new session. It returns ErrExists if the ID exists.
func (s *Store) AddSession(ctx context.Context, session market.Session) error {
	_, err := s.exec(ctx, "add session", qAddSession, sessionFields(&session)...)
	return err
}

// Session returns the session with an ID, even if it has expired. Sessions that have ended do
// not exist.
func (s *Store) Session(ctx context.Context, id string) (market.Session, error) {
	return find(ctx, s, "session", qSession, sessionFields, id)
}

// SessionsOf returns a person's sessions that have not ended.
func (s *Store) SessionsOf(ctx context.Context, uid string) ([]market.Session, error) {
	return collect(ctx, s, "sessions of a person", qSessionsOf, sessionFields, uid)
}

// ExtendSession sets SeenAt and ExpiresAt of a session. It returns ErrNotFound if the session
// has ended.
func (s *Store) ExtendSession(ctx context.Context, id string, seen, until time.Time) error {
	return s.write(ctx, "extend session", func(tx *conn) error {
		changed, err := tx.exec(qExtendSession, timeParam(seen), timeParam(until), id)
		if err == nil && changed == 0 {
			return market.ErrNotFound
		}
		return err
	})
}

// EndSession ends one session. It stores the events even if the session has already ended,
// because its access tokens may still be valid.
func (s *Store) EndSession(ctx context.Context, id string, events []market.Event) error {
	return s.endSessions(ctx, events, qEndSession, id)
}

// EndSessions ends all sessions of a person. It stores the events even if there was no session to
// end.
func (s *Store) EndSessions(ctx context.Context, uid string, events []market.Event) error {
	return s.endSessions(ctx, events, qEndSessions, uid)
}

func (s *Store) endSessions(ctx context.Context, events []market.Event, q *statement, args ...any) error {
	return s.write(ctx, "end sessions", func(tx *conn) error {
		if _, err := tx.exec(q, args...); err != nil {
			return err
		}
		return tx.addEvents(events)
	})
}

// PurgeSessions deletes up to limit sessions that expired before that time, and returns how
// many it deleted.
func (s *Store) PurgeSessions(ctx context.Context, before time.Time, limit int) (purged int, err error) {
	return s.exec(ctx, "purge sessions", qPurgeSessions, timeParam(before), limit)
}
