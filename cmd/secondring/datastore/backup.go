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

// LastBackupFile is the name of the file in DATA_DIR whose time each backup sets to now.
const LastBackupFile = "backup.done"

// BackupResult is the result of `secondring backup`.
type BackupResult struct {
	backup.Manifest
	File string
	Sum  string // SHA-256 of the whole file, in hex
}

// Backup writes the market in DATA_DIR into a new file. A server may run meanwhile. The
// file appears complete, synced and verified, or not at all. Backup changes nothing in the
// market and never overwrites a file.
func Backup(ctx context.Context, s settings.Settings, program, file string) (result BackupResult, err error) {
	if result.File, err = filepath.Abs(file); err != nil {
		return result, err
	}
	if err := requireNew(result.File); err != nil {
		return result, err
	}
	if err := requireMarket(s.DataDir); err != nil {
		return result, err
	}
	lock, err := lockShared(s.DataDir)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if err := checkRestored(s.DataDir); err != nil {
		return result, err
	}
	folder, err := openBackupFolder(result.File)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, folder.close()) }()
	if err := folder.write(ctx, s, program, &result); err != nil {
		return result, err
	}
	if err := folder.readBack(ctx, result); err != nil {
		return result, err
	}
	// Before the backup exists: if the process is killed after that, no later backup cleans up.
	if err := os.RemoveAll(folder.store()); err != nil {
		return result, err
	}
	if err := publish(folder.archive(), result.File); err != nil {
		return result, err
	}
	return result, touch(filepath.Join(s.DataDir, LastBackupFile))
}

// requireMarket returns a settings error if a folder has no market.
func requireMarket(dir string) error {
	_, err := os.Stat(filepath.Join(dir, storeFile))
	if errors.Is(err, fs.ErrNotExist) {
		return &settings.Error{
			Setting: "DATA_DIR", Problem: "is " + dir + ", where there is no market", Fix: "name the folder of the market to back up",
		}
	}
	return err
}

// backupFolder is the temporary folder in which a backup is made. It is beside the backup's
// file.
type backupFolder struct {
	path string
	lock io.Closer
}

// openBackupFolder creates and locks the folder of a backup file, and removes the files
// that a killed backup has left in it.
func openBackupFolder(file string) (*backupFolder, error) {
	home, name := filepath.Split(file)
	f := &backupFolder{path: filepath.Join(home, "."+name+".part")}
	if err := os.Mkdir(f.path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, notWritable(file, err)
	}
	var err error
	f.lock, err = lockFile(filepath.Join(f.path, "lock"), exclusive)
	if errors.Is(err, errLocked) {
		return nil, fmt.Errorf("another backup to %s is running: wait until it has finished", file)
	}
	if err != nil {
		return nil, err
	}
	return f, errors.Join(os.RemoveAll(f.store()), os.RemoveAll(f.archive()))
}

func (f *backupFolder) store() string   { return filepath.Join(f.path, backup.Store) }
func (f *backupFolder) archive() string { return filepath.Join(f.path, "backup.tar") }

func (f *backupFolder) close() error { return errors.Join(os.RemoveAll(f.path), f.lock.Close()) }

// write writes the archive. It copies the store before the images, so that every image that
// the copy of the store names exists.
func (f *backupFolder) write(ctx context.Context, s settings.Settings, program string, result *BackupResult) (err error) {
	m := backup.Manifest{Made: market.SystemClock{}.Now(), Program: program}
	if m.Contents, err = sqlite.Snapshot(ctx, filepath.Join(s.DataDir, storeFile), f.store()); err != nil {
		return err
	}
	bucket, err := openImageBucket(s)
	if err != nil {
		return err
	}
	if bucket != nil {
		defer func() { err = errors.Join(err, bucket.Close()) }()
	}
	file, err := os.OpenFile(f.archive(), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	hash := sha256.New()
	result.Manifest, err = backup.Write(ctx, io.MultiWriter(file, hash), m, f.store(), bucket)
	result.Sum = hex.EncodeToString(hash.Sum(nil))
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// openImageBucket opens the bucket of the images. It returns nil if no image was stored yet.
func openImageBucket(s settings.Settings) (*blob.Bucket, error) {
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

// readBack reads the archive, checks it, and compares its checksum.
func (f *backupFolder) readBack(ctx context.Context, result BackupResult) (err error) {
	file, err := os.Open(f.archive())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	hash := sha256.New()
	if _, err = backup.Read(ctx, io.TeeReader(file, hash), backup.Folders{}); err == nil {
		_, err = io.Copy(hash, file) // the padding after the end of the tar
	}
	if err == nil && hex.EncodeToString(hash.Sum(nil)) != result.Sum {
		err = &backup.DamageError{Reason: "its bytes have changed"}
	}
	if err != nil {
		return fmt.Errorf("what was written cannot be read back: %w", err)
	}
	return nil
}

// publish renames the archive to the backup's file. It returns an error if the file exists.
func publish(archive, file string) error {
	err := os.Link(archive, file)
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOSYS) { // the file system has no hard links, such as exFAT
		err = os.Rename(archive, file)
	}
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s was created meanwhile: name another file", file)
	}
	if err != nil {
		return err
	}
	return syncFolder(filepath.Dir(file))
}

// syncFolder syncs a folder, so that renamed and new files in it survive a crash.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// touch creates an empty file, or empties it and sets its time to now.
func touch(path string) error { return os.WriteFile(path, nil, 0o600) }
