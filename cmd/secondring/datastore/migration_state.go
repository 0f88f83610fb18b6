package datastore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// MigrationFile in DATA_DIR says that the market is being migrated, or was. The store
// itself is not changed: without this file it is used as before.
const MigrationFile = "migration.json"

// migrationState is the content of the file.
type migrationState struct {
	ID   string    `json:"id"`            // names this market in its new store
	Done time.Time `json:"done,omitzero"` // zero until the migration is complete
}

// readMigrationState returns the zero value where nothing was migrated.
func readMigrationState(dir string) (m migrationState, err error) {
	text, err := os.ReadFile(filepath.Join(dir, MigrationFile))
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		err = fmt.Errorf("read %s: %w", filepath.Join(dir, MigrationFile), err)
	}
	return m, err
}

// write replaces the file in one step and syncs it to the disk.
func (m migrationState) write(dir string) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return writeWhole(dir, MigrationFile, append(text, '\n'))
}

// writeWhole replaces a file in one step and syncs it to the disk.
func writeWhole(dir, name string, text []byte) error {
	part, err := os.CreateTemp(dir, name+"-*") // 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(part.Name()) }() // fails after a successful rename
	_, err = part.Write(text)
	if err := errors.Join(err, part.Sync(), part.Close()); err != nil {
		return err
	}
	if err := os.Rename(part.Name(), filepath.Join(dir, name)); err != nil {
		return err
	}
	return syncFolder(dir)
}

// mayUse refuses a store whose market was migrated, since both copies would change.
// It also refuses one that a restore has not finished.
func mayUse(dir string) error {
	if err := mustBeRestored(dir); err != nil {
		return err
	}
	m, err := readMigrationState(dir)
	if err != nil || m.Done.IsZero() {
		return err
	}
	return &settings.Error{
		Setting: "DATA_DIR",
		Problem: "is " + dir + ", whose market was moved to a database on " + m.Done.Format("2006-01-02") + " and is kept here as it was then",
		Fix:     "set MONGODB_URI, or delete " + filepath.Join(dir, MigrationFile) + " to go back to it as it was",
	}
}

// Settings of a store that a market is migrated into. Each is set once.
const (
	metaMoveFrom  = "migrate.from"  // migrationState.ID of the market
	metaMoveBegan = "migrate.began" // set when the store was found empty
	metaMoveDone  = "migrate.done"  // set when the whole market was copied
)

// isMoveMeta tells whether a setting of a store is one of these.
func isMoveMeta(name string) bool {
	return name == metaMoveFrom || name == metaMoveBegan || name == metaMoveDone
}

// mustBeWhole refuses a store whose migration is not complete.
func mustBeWhole(ctx context.Context, store market.Store) error {
	from, err := store.Meta(ctx, metaMoveFrom)
	if err != nil || from == "" {
		return err
	}
	done, err := store.Meta(ctx, metaMoveDone)
	if err != nil || done != "" {
		return err
	}
	return &settings.Error{
		Setting: "MONGODB_URI", Problem: "names a database into which a market is being moved",
		Fix: "wait until secondring migrate is done; if it was stopped, start it again",
	}
}
