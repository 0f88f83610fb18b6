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
	"secondring/store/sqlite"
)

// RestoreFile in DATA_DIR says that a restore has begun. While it is there, no server
// and no command opens the market.
const RestoreFile = "restore.json"

// stagingFolder is where a backup is unpacked, inside the target folders, so that it
// is put in place by renaming.
const stagingFolder = ".restoring"

// Restored is the result of `secondring restore`.
type Restored struct {
	backup.Manifest
	DataDir   string
	Aside     string // the folder in DATA_DIR with what was there before; "" for nothing
	Reapplied int    // changes since the backup that were made again, see RemovalsFile
}

// Restore restores the market of a backup into DATA_DIR, which no other process may have
// open. An existing market is refused, or put aside with force. The backup is unpacked
// and checked before anything is changed. Then RestoreFile prevents other starts until
// the restore is complete; after a kill, run the same restore again.
func Restore(ctx context.Context, s settings.Settings, file string, force bool) (done Restored, err error) {
	r := restoring{settings: s, db: filepath.Join(s.DataDir, storeFile)}
	if r.images, err = ImagesFolder(s); err != nil {
		return done, err
	}
	done.DataDir = s.DataDir
	if err := r.open(force); err != nil {
		return done, errors.Join(err, r.close())
	}
	defer func() { err = errors.Join(err, r.close()) }()
	if done.Manifest, err = r.unpack(ctx, file); err != nil {
		return done, err
	}
	if err := r.renew(ctx, done.Made); err != nil {
		return done, err
	}
	if done.Reapplied, err = reapply(ctx, s.DataDir, r.staged(), done.Made); err != nil {
		return done, err
	}
	done.Aside = r.note.Aside
	return done, r.place()
}

// restoring is the state of a restore.
type restoring struct {
	settings settings.Settings
	db       string // the path of the store
	images   string // the folder of the images
	note     restoreNote
	locks    []io.Closer
}

// restoreNote is the content of RestoreFile.
type restoreNote struct {
	Began time.Time `json:"began"`
	Aside string    `json:"aside,omitempty"` // where what was there before goes
}

func (r *restoring) close() error {
	errs := []error{os.RemoveAll(r.staging()), os.RemoveAll(filepath.Join(r.images, stagingFolder))}
	for _, lock := range r.locks {
		errs = append(errs, lock.Close())
	}
	return errors.Join(errs...)
}

func (r *restoring) staging() string { return filepath.Join(r.settings.DataDir, stagingFolder) }

// open takes the locks and looks at what is in DATA_DIR.
func (r *restoring) open(force bool) error {
	dir := r.settings.DataDir
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return &settings.Error{Setting: "DATA_DIR", Problem: "cannot be made (" + err.Error() + ")", Fix: "name a folder that can be written"}
	}
	for _, lock := range []func(string) (io.Closer, error){lockServer, lockForMove} {
		held, err := lock(dir)
		if err != nil {
			return err
		}
		r.locks = append(r.locks, held)
	}
	halfway, err := readNote(dir)
	if err != nil {
		return err
	}
	if halfway != nil {
		r.note = *halfway
		return nil
	}
	r.note.Began = market.SystemClock{}.Now()
	switch there, err := hasMarket(dir); {
	case err != nil || !there:
		return err
	case !force:
		return &settings.Error{
			Setting: "DATA_DIR", Problem: "is " + dir + ", where there is a market",
			Fix: "name an empty folder, or say --force, which puts that one aside",
		}
	}
	r.note.Aside = "before-restore-" + r.note.Began.Format("20060102T150405Z")
	return nil
}

// storeFiles are the files of a market: SQLite's files, which belong together, and
// the state of a migration.
var storeFiles = [...]string{storeFile, storeFile + "-wal", storeFile + "-shm", MigrationFile}

// hasMarket tells whether any of storeFiles is in a folder.
func hasMarket(dir string) (bool, error) {
	for _, name := range storeFiles {
		_, err := os.Lstat(filepath.Join(dir, name))
		if !errors.Is(err, fs.ErrNotExist) {
			return err == nil, err
		}
	}
	return false, nil
}

// unpack reads the backup into staging folders and checks each part of it.
func (r *restoring) unpack(ctx context.Context, file string) (m backup.Manifest, err error) {
	from, err := os.Open(file)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	into := backup.Folders{Store: r.staging(), Pictures: filepath.Join(r.images, stagingFolder)}
	for _, folder := range []string{into.Store, into.Pictures} {
		if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o700)); err != nil {
			return m, err
		}
	}
	if m, err = backup.Read(ctx, from, into); err != nil {
		return m, fmt.Errorf("%s: %w", file, err)
	}
	is, err := sqlite.Inspect(ctx, r.staged())
	if err == nil && (is.Schema != m.Contents.Schema || !maps.Equal(is.Rows, m.Contents.Rows)) {
		err = &backup.Damage{What: "its store differs from its manifest"}
	}
	if err != nil {
		return m, fmt.Errorf("%s: %w", file, err)
	}
	return m, nil
}

func (r *restoring) staged() string { return filepath.Join(r.staging(), backup.Store) }

// renew raises the versions of the restored market above all that open screens have
// seen, so that they accept it as newer. It adds the audit log entry, and ends all
// sessions of the backup: some had ended since.
func (r *restoring) renew(ctx context.Context, made time.Time) (err error) {
	now := market.SystemClock{}.Now()
	entry := market.NewAuditEntry(now, nil, market.ActionRestore)
	entry.Target = made.UTC().Format(time.RFC3339)
	if err := sqlite.BumpVersions(ctx, r.staged(), now, entry); err != nil {
		return err
	}
	if err := sqlite.EndAllSessions(ctx, r.staged()); err != nil {
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
	if err := broker.Renew(ctx); err != nil {
		return fmt.Errorf("begin new positions in the Redis that REDIS_URL names: %w", err)
	}
	return nil
}

// place puts everything in place.
func (r *restoring) place() error {
	for _, step := range r.steps() {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// steps may be stopped after any of them and started again: each may be repeated.
func (r *restoring) steps() []func() error {
	return []func() error{r.writeNote, r.placeImages, r.putAside, r.placeStore, r.removeNote}
}

// removeNote lets other processes open the market again.
func (r *restoring) removeNote() error {
	dir := r.settings.DataDir
	return errors.Join(os.Remove(filepath.Join(dir, RestoreFile)), syncFolder(dir))
}

// placeImages adds the images to those that are there. An image of the same name is
// replaced: it is the same, or damaged.
func (r *restoring) placeImages() error {
	staging := filepath.Join(r.images, stagingFolder)
	all, err := os.ReadDir(staging)
	if err != nil {
		return err
	}
	for _, one := range all {
		if err := os.Rename(filepath.Join(staging, one.Name()), filepath.Join(r.images, one.Name())); err != nil {
			return err
		}
	}
	return syncFolder(r.images)
}

// putAside moves the old market into a folder of its own.
func (r *restoring) putAside() error {
	if r.note.Aside == "" {
		return nil
	}
	dir := r.settings.DataDir
	aside := filepath.Join(dir, r.note.Aside)
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

func (r *restoring) placeStore() error {
	if err := os.Rename(r.staged(), r.db); err != nil {
		return err
	}
	return syncFolder(r.settings.DataDir)
}

// readNote returns nil where no restore has begun.
func readNote(dir string) (*restoreNote, error) {
	text, err := os.ReadFile(filepath.Join(dir, RestoreFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var note restoreNote
	if err == nil {
		err = json.Unmarshal(text, &note)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Join(dir, RestoreFile), err)
	}
	return &note, nil
}

// writeNote prevents other processes from opening the market from now on.
func (r *restoring) writeNote() error {
	text, err := json.Marshal(r.note)
	if err != nil {
		return err
	}
	return writeWhole(r.settings.DataDir, RestoreFile, append(text, '\n'))
}

// mustBeRestored refuses a DATA_DIR with an unfinished restore.
func mustBeRestored(dir string) error {
	note, err := readNote(dir)
	if err != nil || note == nil {
		return err
	}
	return &settings.Error{
		Setting: "DATA_DIR", Problem: "is " + dir + ", where a restore was stopped half-way", Fix: "start the same secondring restore again",
	}
}
