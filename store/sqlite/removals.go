package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"secondring/market"
)

// Removals is a small SQLite file beside a store. It records removals that a restore of the
// store must not undo. No backup contains it. Several processes may have it open.
type Removals struct{ db *sql.DB }

const removalsTable = `CREATE TABLE IF NOT EXISTS removals (
	kind    TEXT    NOT NULL,
	id      TEXT    NOT NULL,
	at      INTEGER NOT NULL, -- milliseconds since 1970
	removal TEXT    NOT NULL, -- JSON
	PRIMARY KEY (kind, id)
) STRICT`

// OpenRemovals opens the file at path, creates it if it is missing, and deletes removals that
// are older than market.RemovalRetention.
func OpenRemovals(ctx context.Context, path string, now time.Time) (*Removals, error) {
	path, err := createFile(path)
	if err != nil {
		return nil, fmt.Errorf("sqlite: open removals: %w", err)
	}
	db, err := sql.Open("sqlite", dsn(path, "FULL"))
	if err != nil {
		return nil, fmt.Errorf("sqlite: open %s: %w", path, err)
	}
	db.SetMaxOpenConns(1)
	r := &Removals{db: db}
	err = r.exec(ctx, removalsTable)
	if err == nil {
		err = r.exec(ctx, "DELETE FROM removals WHERE at < ?", now.Add(-market.RemovalRetention).UnixMilli())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: open %s: %w", path, err), db.Close())
	}
	return r, nil
}

func (r *Removals) exec(ctx context.Context, query string, args ...any) error {
	return retryBusy(ctx, func() error {
		_, err := r.db.ExecContext(ctx, query, args...)
		return err
	})
}

// Record stores a removal. It replaces an older one of the same Kind and ID. It is synced when Record
// returns.
func (r *Removals) Record(ctx context.Context, removal market.Removal) error {
	text, err := json.Marshal(removal)
	if err != nil {
		return err
	}
	err = r.exec(ctx, "INSERT OR REPLACE INTO removals (kind, id, at, removal) VALUES (?, ?, ?, ?)",
		removal.Kind, removal.ID, removal.At.UnixMilli(), string(text))
	if err != nil {
		return fmt.Errorf("sqlite: record a removal: %w", err)
	}
	return nil
}

// Delete deletes the removals of a kind and ID.
func (r *Removals) Delete(ctx context.Context, kind market.RemovalKind, id string) error {
	if err := r.exec(ctx, "DELETE FROM removals WHERE kind = ? AND id = ?", kind, id); err != nil {
		return fmt.Errorf("sqlite: delete a removal: %w", err)
	}
	return nil
}

// Since returns the removals that were recorded at a time or later, oldest first.
func (r *Removals) Since(ctx context.Context, from time.Time) (all []market.Removal, err error) {
	rows, err := r.db.QueryContext(ctx, "SELECT removal FROM removals WHERE at >= ? ORDER BY at, kind, id", from.UnixMilli())
	if err != nil {
		return nil, fmt.Errorf("sqlite: read removals: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var text string
		var removal market.Removal
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(text), &removal); err != nil {
			return nil, fmt.Errorf("sqlite: read removals: %w", err)
		}
		all = append(all, removal)
	}
	return all, rows.Err()
}

// Close closes the file.
func (r *Removals) Close() error { return r.db.Close() }
