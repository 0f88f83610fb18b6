package datastore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"secondring/cmd/secondring/backup"
	"secondring/cmd/secondring/settings"
	"secondring/hub/redisbroker"
	"secondring/market"
	"secondring/store"
	"secondring/store/sqlite"
)

// RestoreFile is the name of the file in DATA_DIR that records that a restore has begun.
// While it exists, no server and no command opens the market.
const RestoreFile = "restore.json"

// stagingFolder is the folder into which a backup is unpacked. It is inside the target
// folders, so that the files are installed by renaming them.
const stagingFolder = ".restoring"

// RestoreResult is the result of `secondring restore`.
type RestoreResult struct {
	backup.Manifest
	DataDir   string
	Aside     string // the folder in DATA_DIR to which the old market was moved; "" if there was none
	Reapplied int    // number of changes since the backup that were repeated, see RemovalsFile
}

// Restore restores the market of a backup into DATA_DIR, which no other process may have
// open. If a market exists, it returns a settings error, or with force moves that market into
// a folder of its own. The backup is unpacked and checked before anything is changed. Then
// RestoreFile prevents other processes from opening the market until the restore is complete;
// after a kill, run the same restore again.
func Restore(ctx context.Context, s settings.Settings, file string, force bool) (result RestoreResult, err error) {
	r := restorer{settings: s, db: filepath.Join(s.DataDir, storeFile)}
	if r.images, err = ImagesFolder(s); err != nil {
		return result, err
	}
	result.DataDir = s.DataDir
	if err := r.open(force); err != nil {
		return result, errors.Join(err, r.close())
	}
	defer func() { err = errors.Join(err, r.close()) }()
	if result.Manifest, err = r.unpack(ctx, file); err != nil {
		return result, err
	}
	if err := r.supersede(ctx, result.Made); err != nil {
		return result, err
	}
	if result.Reapplied, err = reapply(ctx, s.DataDir, r.staged(), result.Made); err != nil {
		return result, err
	}
	result.Aside = r.state.Aside
	return result, r.install()
}

// restorer is the state of a restore.
type restorer struct {
	settings settings.Settings
	db       string // the path of the store
	images   string // the folder of the images
	state    restoreState
	locks    []io.Closer
}

// restoreState is the content of RestoreFile.
type restoreState struct {
	Began time.Time `json:"began"`
	Aside string    `json:"aside,omitempty"` // the folder for the old market
}

func (r *restorer) close() error {
	errs := []error{os.RemoveAll(r.staging()), os.RemoveAll(filepath.Join(r.images, stagingFolder))}
	for _, lock := range r.locks {
		errs = append(errs, lock.Close())
	}
	return errors.Join(errs...)
}

func (r *restorer) staging() string { return filepath.Join(r.settings.DataDir, stagingFolder) }

// open locks DATA_DIR, reads the state of a previous restore that was stopped, and checks
// whether there is a market.
func (r *restorer) open(force bool) error {
	dir := r.settings.DataDir
	if err := makeDataDir(dir); err != nil {
		return err
	}
	for _, lock := range []func(string) (io.Closer, error){lockServer, lockExclusive} {
		closer, err := lock(dir)
		if err != nil {
			return err
		}
		r.locks = append(r.locks, closer)
	}
	previous, err := readRestoreState(dir)
	if err != nil {
		return err
	}
	if previous != nil {
		r.state = *previous
		return nil
	}
	r.state.Began = market.SystemClock{}.Now()
	switch exists, err := hasMarket(dir); {
	case err != nil || !exists:
		return err
	case !force:
		return &settings.Error{
			Setting: "DATA_DIR", Problem: "is " + dir + ", where there is a market",
			Fix: "name an empty folder, or use --force, which moves the existing market into another folder",
		}
	}
	r.state.Aside = "before-restore-" + r.state.Began.Format("20060102T150405Z")
	return nil
}

// storeFiles are the files of a market: SQLite's files, which belong together, and
// nothing else.
var storeFiles = [...]string{storeFile, storeFile + "-wal", storeFile + "-shm"}

// hasMarket returns whether a folder has any of storeFiles.
func hasMarket(dir string) (bool, error) {
	for _, name := range storeFiles {
		_, err := os.Lstat(filepath.Join(dir, name))
		if !errors.Is(err, fs.ErrNotExist) {
			return err == nil, err
		}
	}
	return false, nil
}

// unpack reads the backup into the staging folders and checks it completely.
func (r *restorer) unpack(ctx context.Context, file string) (m backup.Manifest, err error) {
	from, err := os.Open(file)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	folders := backup.Folders{Store: r.staging(), Pictures: filepath.Join(r.images, stagingFolder)}
	for _, folder := range []string{folders.Store, folders.Pictures} {
		if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o700)); err != nil {
			return m, err
		}
	}
	if m, err = backup.Read(ctx, from, folders); err != nil {
		return m, fmt.Errorf("%s: %w", file, err)
	}
	contents, err := sqlite.Inspect(ctx, r.staged())
	if err == nil && (contents.Format != m.Contents.Format || !maps.Equal(contents.Rows, m.Contents.Rows)) {
		err = &backup.DamageError{Reason: "its store differs from its manifest"}
	}
	if err != nil {
		return m, fmt.Errorf("%s: %w", file, err)
	}
	return m, nil
}

// staged returns the path of the unpacked store.
func (r *restorer) staged() string { return filepath.Join(r.staging(), backup.Store) }

// supersede raises the versions of the restored market above all that clients have seen, so
// that they accept it as newer. It adds the audit log entry, and ends all sessions of the
// backup, because some of them were ended after the backup. With Redis it also starts a new
// epoch.
func (r *restorer) supersede(ctx context.Context, made time.Time) (err error) {
	now := market.SystemClock{}.Now()
	entry := market.NewAuditEntry(now, nil, market.ActionRestore)
	entry.Target = made.UTC().Format(time.RFC3339)
	if err := sqlite.PrepareRestored(ctx, r.staged(), now); err != nil {
		return err
	}
	if err := r.addEntry(ctx, entry); err != nil {
		return err
	}
	if r.settings.RedisURL == "" {
		return nil // epochs in memory end with the process
	}
	broker, err := redisbroker.New(redisbroker.Options{URL: r.settings.RedisURL})
	if err != nil {
		return &settings.Error{Setting: "REDIS_URL", Problem: "is no address of a Redis", Fix: "write it like redis://user:password@host:6379/0"}
	}
	defer func() { err = errors.Join(err, broker.Close()) }()
	if err := broker.BeginEpochs(ctx); err != nil {
		return fmt.Errorf("begin new positions in the Redis that REDIS_URL names: %w", err)
	}
	return nil
}

// addEntry adds an entry to the audit log of the unpacked store.
func (r *restorer) addEntry(ctx context.Context, entry market.AuditEntry) error {
	engine, err := sqlite.Open(ctx, r.staged())
	if err != nil {
		return err
	}
	db := store.New(engine)
	return errors.Join(db.AddAuditEntry(ctx, entry), db.Close())
}

// install installs the unpacked backup.
func (r *restorer) install() error {
	if err := sqlite.CheckComplete(r.staged()); err != nil { // installStore moves the file alone
		return err
	}
	for _, step := range r.steps() {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// steps returns the steps of install. The restore may be stopped after any of them and run
// again: each step may be repeated.
func (r *restorer) steps() []func() error {
	return []func() error{r.writeState, r.installImages, r.moveAside, r.installStore, r.removeState}
}

// removeState deletes RestoreFile, so that other processes may open the market again.
func (r *restorer) removeState() error {
	dir := r.settings.DataDir
	return errors.Join(os.Remove(filepath.Join(dir, RestoreFile)), syncFolder(dir))
}

// installImages adds the images to the existing ones. It replaces an existing image of the
// same name, which is equal or damaged.
func (r *restorer) installImages() error {
	staging := filepath.Join(r.images, stagingFolder)
	entries, err := os.ReadDir(staging)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if err := os.Rename(filepath.Join(staging, entry.Name()), filepath.Join(r.images, entry.Name())); err != nil {
			return err
		}
	}
	return syncFolder(r.images)
}

// moveAside moves the old market into a folder of its own.
func (r *restorer) moveAside() error {
	if r.state.Aside == "" {
		return nil
	}
	dir := r.settings.DataDir
	aside := filepath.Join(dir, r.state.Aside)
	if err := os.MkdirAll(aside, 0o700); err != nil {
		return err
	}
	for _, name := range storeFiles {
		if _, err := os.Lstat(filepath.Join(aside, name)); err == nil {
			continue // moved before the restore was stopped
		}
		err := os.Rename(filepath.Join(dir, name), filepath.Join(aside, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return errors.Join(syncFolder(aside), syncFolder(dir))
}

func (r *restorer) installStore() error {
	if err := os.Rename(r.staged(), r.db); err != nil {
		return err
	}
	return syncFolder(r.settings.DataDir)
}

// readRestoreState reads RestoreFile. It returns nil if no restore has begun.
func readRestoreState(dir string) (*restoreState, error) {
	text, err := os.ReadFile(filepath.Join(dir, RestoreFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var state restoreState
	if err == nil {
		err = json.Unmarshal(text, &state)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Join(dir, RestoreFile), err)
	}
	return &state, nil
}

// writeState writes RestoreFile, which prevents other processes from opening the market.
func (r *restorer) writeState() error {
	text, err := json.Marshal(r.state)
	if err != nil {
		return err
	}
	return replaceFile(r.settings.DataDir, RestoreFile, append(text, '\n'))
}

// checkRestored returns a settings error if DATA_DIR has an unfinished restore.
func checkRestored(dir string) error {
	state, err := readRestoreState(dir)
	if err != nil || state == nil {
		return err
	}
	return &settings.Error{
		Setting: "DATA_DIR", Problem: "is " + dir + ", where a restore was interrupted", Fix: "run the same secondring restore command again",
	}
}
