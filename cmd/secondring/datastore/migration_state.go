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

// MigrationFile is the name of the file in DATA_DIR that records that the market is being or
// was migrated. The store itself is not changed: without this file it can be used as before.
const MigrationFile = "migration.json"

// migrationState is the content of MigrationFile.
type migrationState struct {
	ID   string    `json:"id"`            // identifies this market in the new store
	Done time.Time `json:"done,omitzero"` // zero until the migration is complete
}

// readMigrationState reads MigrationFile. It returns the zero value if there is none.
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

// write writes MigrationFile.
func (m migrationState) write(dir string) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return replaceFile(dir, MigrationFile, append(text, '\n'))
}

// replaceFile replaces a file in one step and syncs it to the disk.
func replaceFile(dir, name string, text []byte) error {
	temp, err := os.CreateTemp(dir, name+"-*") // 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }() // fails after a successful rename
	_, err = temp.Write(text)
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), filepath.Join(dir, name)); err != nil {
		return err
	}
	return syncFolder(dir)
}

// checkUsable returns a settings error if the market in a folder was migrated, because both
// copies would change, or if the folder has an unfinished restore.
func checkUsable(dir string) error {
	if err := checkRestored(dir); err != nil {
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
	metaMigrateFrom  = "migrate.from"  // migrationState.ID of the market
	metaMigrateBegan = "migrate.began" // set when the store was checked to be empty
	metaMigrateDone  = "migrate.done"  // set when the whole market was copied
)

// isMigrationSetting returns whether a setting of a store is one of these.
func isMigrationSetting(name string) bool {
	return name == metaMigrateFrom || name == metaMigrateBegan || name == metaMigrateDone
}

// checkMigrated returns a settings error if a market is being migrated into the store and the
// migration is not complete.
func checkMigrated(ctx context.Context, store market.Store) error {
	from, err := store.Meta(ctx, metaMigrateFrom)
	if err != nil || from == "" {
		return err
	}
	done, err := store.Meta(ctx, metaMigrateDone)
	if err != nil || done != "" {
		return err
	}
	return &settings.Error{
		Setting: "MONGODB_URI", Problem: "names a database into which a market is being moved",
		Fix: "wait until secondring migrate is done; if it was stopped, start it again",
	}
}
