package datastore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"gocloud.dev/blob"

	"secondring/api/images"
	"secondring/cmd/secondring/backup"
	"secondring/cmd/secondring/settings"
	"secondring/market"
	"secondring/store/sqlite"
)

// SavedFile in DATA_DIR is touched by each backup.
const SavedFile = "backup.done"

// Saved is the result of `secondring backup`.
type Saved struct {
	backup.Manifest
	File string
	Sum  string // SHA-256 of the whole file, in hex
}

// Backup writes the market in DATA_DIR into a new file, beside a running server
// or without one. The file appears complete, synced and read back, or not at
// all. It changes nothing in the market and never overwrites a file.
func Backup(ctx context.Context, s settings.Settings, program, file string) (done Saved, err error) {
	if done.File, err = filepath.Abs(file); err != nil {
		return done, err
	}
	if _, err := os.Lstat(done.File); !errors.Is(err, fs.ErrNotExist) {
		return done, fmt.Errorf("%s is there already: name another file, for a backup is never overwritten", file)
	}
	if err := mustHaveMarket(s.DataDir); err != nil {
		return done, err
	}
	lock, err := lockForUse(s.DataDir)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if err := mayUse(s.DataDir); err != nil {
		return done, err
	}
	desk, err := openBackupFolder(done.File)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, desk.close()) }()
	if err := desk.write(ctx, s, program, &done); err != nil {
		return done, err
	}
	if err := desk.readBack(ctx, done); err != nil {
		return done, err
	}
	if err := appear(desk.part(), done.File); err != nil {
		return done, err
	}
	return done, touch(filepath.Join(s.DataDir, SavedFile))
}

func mustHaveMarket(dir string) error {
	_, err := os.Stat(filepath.Join(dir, storeFile))
	if errors.Is(err, fs.ErrNotExist) {
		return &settings.Error{
			Setting: "DATA_DIR", Problem: "is " + dir + ", where there is no market", Mend: "name the folder of the one that shall be saved",
		}
	}
	return err
}

// backupFolder is the temporary folder beside a new backup in which it is made.
type backupFolder struct {
	path string
	lock io.Closer
}

// openBackupFolder locks the folder that belongs to the file's name and removes what a
// killed backup has left in it.
func openBackupFolder(file string) (*backupFolder, error) {
	home, name := filepath.Split(file)
	d := &backupFolder{path: filepath.Join(home, "."+name+".part")}
	if err := os.Mkdir(d.path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	var err error
	d.lock, err = lockFile(filepath.Join(d.path, "lock"), alone)
	if errors.Is(err, errLocked) {
		return nil, fmt.Errorf("another backup into %s is under way: wait until that is done", file)
	}
	if err != nil {
		return nil, err
	}
	return d, errors.Join(os.RemoveAll(d.store()), os.RemoveAll(d.part()))
}

func (d *backupFolder) store() string { return filepath.Join(d.path, backup.Store) }
func (d *backupFolder) part() string  { return filepath.Join(d.path, "backup.tar") }

func (d *backupFolder) close() error { return errors.Join(os.RemoveAll(d.path), d.lock.Close()) }

// write copies the store first, then the images: every image that the copy names is
// there by then.
func (d *backupFolder) write(ctx context.Context, s settings.Settings, program string, done *Saved) (err error) {
	m := backup.Manifest{Made: market.SystemClock{}.Now(), Program: program}
	if m.Contents, err = sqlite.Snapshot(ctx, filepath.Join(s.DataDir, storeFile), d.store()); err != nil {
		return err
	}
	pictures, err := picturesOf(s)
	if err != nil {
		return err
	}
	if pictures != nil {
		defer func() { err = errors.Join(err, pictures.Close()) }()
	}
	file, err := os.OpenFile(d.part(), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	hash := sha256.New()
	done.Manifest, err = backup.Write(ctx, io.MultiWriter(file, hash), m, d.store(), pictures)
	done.Sum = hex.EncodeToString(hash.Sum(nil))
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// picturesOf is the bucket of the images; nil where there is none yet.
func picturesOf(s settings.Settings) (*blob.Bucket, error) {
	folder, err := ImagesFolder(s)
	if err != nil {
		return nil, err
	}
	_, err = os.Stat(folder)
	switch {
	case err == nil:
		return images.OpenFolder(folder)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case s.ImagesFolder != "":
		return nil, &settings.Error{Setting: "IMAGES_URL", Problem: "names a folder that is not there", Mend: "name the one that the server has, or nothing"}
	}
	return nil, nil
}

// readBack reads the file again and compares its checksum.
func (d *backupFolder) readBack(ctx context.Context, done Saved) (err error) {
	file, err := os.Open(d.part())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	hash := sha256.New()
	if _, err = backup.Read(ctx, io.TeeReader(file, hash), backup.Folders{}); err == nil {
		_, err = io.Copy(hash, file) // the padding after the end of the tar
	}
	if err == nil && hex.EncodeToString(hash.Sum(nil)) != done.Sum {
		err = &backup.Damage{What: "its bytes are others"}
	}
	if err != nil {
		return fmt.Errorf("what was written cannot be read back: %w", err)
	}
	return nil
}

// appear renames the finished file, unless the name is taken.
func appear(part, file string) error {
	err := os.Link(part, file)
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOSYS) { // as on exFAT
		err = os.Rename(part, file)
	}
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s has appeared meanwhile: name another file", file)
	}
	if err != nil {
		return err
	}
	return syncFolder(filepath.Dir(file))
}

// syncFolder syncs a folder, so that its names are on the disk.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// touch creates an empty file or sets its time to now.
func touch(path string) error { return os.WriteFile(path, nil, 0o600) }
