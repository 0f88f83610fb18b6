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

// LastBackupFile in DATA_DIR is touched by each backup.
const LastBackupFile = "backup.done"

// BackupResult is the result of `secondring backup`.
type BackupResult struct {
	backup.Manifest
	File string
	Sum  string // SHA-256 of the whole file, in hex
}

// Backup writes the market in DATA_DIR into a new file, beside a running server
// or without one. The file appears complete, synced and verified, or not at
// all. It changes nothing in the market and never overwrites a file.
func Backup(ctx context.Context, s settings.Settings, program, file string) (done BackupResult, err error) {
	if done.File, err = filepath.Abs(file); err != nil {
		return done, err
	}
	if _, err := os.Lstat(done.File); !errors.Is(err, fs.ErrNotExist) {
		return done, fmt.Errorf("%s exists already: name another file, because a backup is never overwritten", file)
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
	folder, err := openBackupFolder(done.File)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, folder.close()) }()
	if err := folder.write(ctx, s, program, &done); err != nil {
		return done, err
	}
	if err := folder.readBack(ctx, done); err != nil {
		return done, err
	}
	if err := publish(folder.part(), done.File); err != nil {
		return done, err
	}
	return done, touch(filepath.Join(s.DataDir, LastBackupFile))
}

func mustHaveMarket(dir string) error {
	_, err := os.Stat(filepath.Join(dir, storeFile))
	if errors.Is(err, fs.ErrNotExist) {
		return &settings.Error{
			Setting: "DATA_DIR", Problem: "is " + dir + ", where there is no market", Fix: "name the folder of the market to back up",
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
	f := &backupFolder{path: filepath.Join(home, "."+name+".part")}
	if err := os.Mkdir(f.path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	var err error
	f.lock, err = lockFile(filepath.Join(f.path, "lock"), alone)
	if errors.Is(err, errLocked) {
		return nil, fmt.Errorf("another backup to %s is running: wait until it has finished", file)
	}
	if err != nil {
		return nil, err
	}
	return f, errors.Join(os.RemoveAll(f.store()), os.RemoveAll(f.part()))
}

func (f *backupFolder) store() string { return filepath.Join(f.path, backup.Store) }
func (f *backupFolder) part() string  { return filepath.Join(f.path, "backup.tar") }

func (f *backupFolder) close() error { return errors.Join(os.RemoveAll(f.path), f.lock.Close()) }

// write copies the store first, then the images: every image that the copy names exists then.
func (f *backupFolder) write(ctx context.Context, s settings.Settings, program string, done *BackupResult) (err error) {
	m := backup.Manifest{Made: market.SystemClock{}.Now(), Program: program}
	if m.Contents, err = sqlite.Snapshot(ctx, filepath.Join(s.DataDir, storeFile), f.store()); err != nil {
		return err
	}
	pictures, err := picturesOf(s)
	if err != nil {
		return err
	}
	if pictures != nil {
		defer func() { err = errors.Join(err, pictures.Close()) }()
	}
	file, err := os.OpenFile(f.part(), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	hash := sha256.New()
	done.Manifest, err = backup.Write(ctx, io.MultiWriter(file, hash), m, f.store(), pictures)
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
		return nil, &settings.Error{Setting: "IMAGES_URL", Problem: "names a folder that is not there", Fix: "name the one that the server has, or nothing"}
	}
	return nil, nil
}

// readBack reads the file again and compares its checksum.
func (f *backupFolder) readBack(ctx context.Context, done BackupResult) (err error) {
	file, err := os.Open(f.part())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	hash := sha256.New()
	if _, err = backup.Read(ctx, io.TeeReader(file, hash), backup.Folders{}); err == nil {
		_, err = io.Copy(hash, file) // the padding after the end of the tar
	}
	if err == nil && hex.EncodeToString(hash.Sum(nil)) != done.Sum {
		err = &backup.Damage{What: "its bytes have changed"}
	}
	if err != nil {
		return fmt.Errorf("what was written cannot be read back: %w", err)
	}
	return nil
}

// publish gives the finished file its name, unless the name is taken.
func publish(part, file string) error {
	err := os.Link(part, file)
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOSYS) { // as on exFAT
		err = os.Rename(part, file)
	}
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s was created meanwhile: name another file", file)
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
