package app

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

// MovedFile in DATA_DIR says that its market is being moved, or has been. It is
// beside the store, which is never changed: without this file the store is what
// it was.
const MovedFile = "migration.json"

// moved is what the file says.
type moved struct {
	ID   string    `json:"id"`            // names this market in its new store
	Done time.Time `json:"done,omitzero"` // zero until the market has arrived
}

// readMoved returns zero where nothing was ever moved.
func readMoved(dir string) (m moved, err error) {
	text, err := os.ReadFile(filepath.Join(dir, MovedFile))
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		err = fmt.Errorf("read %s: %w", filepath.Join(dir, MovedFile), err)
	}
	return m, err
}

// write replaces the file whole, and waits until that is on the disk.
func (m moved) write(dir string) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return writeWhole(dir, MovedFile, append(text, '\n'))
}

// writeWhole replaces a file in one step, and waits until that is on the disk.
func writeWhole(dir, name string, text []byte) error {
	part, err := os.CreateTemp(dir, name+"-*") // 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(part.Name()) }() // it is gone, unless something failed
	_, err = part.Write(text)
	if err := errors.Join(err, part.Sync(), part.Close()); err != nil {
		return err
	}
	if err := os.Rename(part.Name(), filepath.Join(dir, name)); err != nil {
		return err
	}
	return syncFolder(dir)
}

// mayUse refuses a store whose market has been moved: two markets would grow
// from one. It also refuses what a restore has not finished.
func mayUse(dir string) error {
	if err := mustBeRestored(dir); err != nil {
		return err
	}
	m, err := readMoved(dir)
	if err != nil || m.Done.IsZero() {
		return err
	}
	return &settings.Error{
		Setting: "DATA_DIR",
		Problem: "is " + dir + ", whose market was moved to a database on " + m.Done.Format("2006-01-02") + " and is kept here as it was then",
		Mend:    "set MONGODB_URI, or delete " + filepath.Join(dir, MovedFile) + " to go back to it as it was",
	}
}

// What a store that a market is moved into says about that. Each is set once.
const (
	metaMoveFrom  = "migrate.from"  // whose market: moved.ID
	metaMoveBegan = "migrate.began" // it was empty before
	metaMoveDone  = "migrate.done"  // the market is all here
)

// isMoveMeta tells which settings of a store are about that.
func isMoveMeta(name string) bool {
	return name == metaMoveFrom || name == metaMoveBegan || name == metaMoveDone
}

// mustBeWhole refuses a store that a market is being moved into.
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
		Mend: "wait until secondring migrate is done; if it was stopped, start it again",
	}
}
