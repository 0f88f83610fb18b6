package sqlite

import (
	"context"
	"database/sql"
	"errors"
)

var (
	qMeta    = query(`SELECT value FROM meta WHERE name = ?`)
	qSetMeta = query(`INSERT INTO meta (name, value) VALUES (?, ?)`)
	qPing    = query(`SELECT 1`)
)

// Meta returns a named setting of the store itself; "" if it is not set.
func (s *Store) Meta(ctx context.Context, name string) (value string, err error) {
	err = s.read(ctx, "read setting", func(c *conn) error {
		err := c.row(qMeta, []any{&value}, name)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return value, err
}

// SetMeta sets a setting once. It returns ErrExists if it is already set.
func (s *Store) SetMeta(ctx context.Context, name, value string) error {
	_, err := s.exec(ctx, "set setting", qSetMeta, name, value)
	return err
}

// Ping returns an error if the store cannot be read.
func (s *Store) Ping(ctx context.Context) error {
	return s.read(ctx, "ping", func(c *conn) error {
		_, err := c.has(qPing)
		return err
	})
}
