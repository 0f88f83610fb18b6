package sqlite

import (
	"context"
	"database/sql"
	"fmt"
)

// EndAllSessions ends every session of the store at path, which no process has open and
// which has this program's schema. Their access tokens are refused from then on, because
// a token is valid only with its session.
func EndAllSessions(ctx context.Context, path string) error {
	err := withDB(ctx, dsn(path, durable), func(ctx context.Context, db *sql.DB) error {
		_, err := db.ExecContext(ctx, "DELETE FROM sessions")
		return err
	})
	if err != nil {
		return fmt.Errorf("sqlite: end all sessions of %s: %w", path, err)
	}
	return nil
}
